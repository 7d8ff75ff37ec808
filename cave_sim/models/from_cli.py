"""From what people write on a command line to a model that is ready to be asked."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, get_args

from cave_sim.errors import WorldError, did_you_mean
from cave_sim.history.shards import shard_folders
from cave_sim.journal.reader import open_run
from cave_sim.models.base import Context, Model, Sampling
from cave_sim.models.cassette import Cassette, RecordedModel
from cave_sim.models.embedding_providers import embeddings_of
from cave_sim.models.embeddings import RecordedEmbeddings, is_for_embeddings
from cave_sim.models.failures import has_credentials
from cave_sim.models.for_agents import ForAgents
from cave_sim.models.litellm import LiteLLMModel
from cave_sim.models.openai_client import OPENAI, OpenAIModel
from cave_sim.models.openai_format import OWN_KEY
from cave_sim.models.per_agent import PerAgent
from cave_sim.models.prices import Price, provider_of
from cave_sim.models.rate_limits import Rate, Throttled, Throttles
from cave_sim.models.resilience import Hedged, Retrying
from cave_sim.models.wrapped import Tuned

SCRIPTED = "scripted"
RECORDED = "recorded"
LOCAL = "local"
SPEAK_OPENAI = frozenset({"openai", "hosted_vllm", "lm_studio", "llamafile"})
"""Providers whose servers of one's own speak OpenAI's protocol."""
TIMEOUT_S, OWN_SERVER_TIMEOUT_S = 120.0, 600.0  # on a few cores a long prompt is read for minutes, in silence


@dataclass(frozen=True)
class ModelChoice:
    """Which model to ask, and how, as plain data that fits into a manifest.

    Attributes:
        name: ``scripted`` (the simulation's own script), ``recorded``, ``local``, or any name that litellm knows.
        api_base: URL of an OpenAI-compatible server of one's own.
        gguf: file of a local model's weights.
        replay: folder of the run whose recorded replies answer.
        strict: whether a request that was not recorded is an error.
        temperature, top_p, seed, reasoning_effort: how replies are drawn; None for what agents ask for.
        reply_tokens: the longest reply; None for what agents ask for.
        timeout_s: how long a reply may take; None for 120, or 600 behind an ``api_base``.
        retries: how often to ask again what was not answered.
        hedge_s: ask a second time after so long, and take what comes first; None for never.
        step_deadline_s: how long a step waits for replies; None for as long as they take.
        in_flight: how many requests at once at the most; None to find out what goes well.
        requests_per_minute, tokens_per_minute: what the provider allows; None for no limit.
        price: US dollars for a million tokens read, written, and maybe read from a cache; None for the listed one.
        window_tokens: its window; None for the listed one.
        stream: ask for streams, so that silence is noticed early.
        alternate: have what one role says in a row sent as one message.
        extra: further fields of the request's body, as the text of a JSON object.
        context: how much of what was said requests repeat; None for what agents are made with.
        output_limits: how much it writes in one turn, as a calibration found it, in plain data
            (:meth:`cave_sim.capacity.output_capacity.OutputLimits.to_data`); None if nobody measured it.
        embeddings: the model that turns memories into vectors: ``scripted``, a GGUF file, or a name that litellm knows;
            "" for none, so that words decide what comes to mind.
        embeddings_base: URL of a server of one's own for that.
        agents: for agents whose names fit a pattern, what is different for them; as (pattern, choice).

    Raises:
        WorldError: the URL holds credentials, which would be stored with the run, or ``extra`` is no JSON object.
    """

    name: str = SCRIPTED
    api_base: str | None = None
    gguf: str | None = None
    replay: str | None = None
    strict: bool = True
    temperature: float | None = None
    top_p: float | None = None
    seed: int | None = None
    reasoning_effort: str | None = None
    reply_tokens: int | None = None
    timeout_s: float | None = None
    retries: int = 5
    hedge_s: float | None = None
    step_deadline_s: float | None = None
    in_flight: int | None = None
    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None
    price: tuple[float, ...] | None = None
    window_tokens: int | None = None
    stream: bool = False
    alternate: bool = False
    extra: str = ""
    context: Context | None = None
    output_limits: Mapping[str, Any] | None = None
    embeddings: str = ""
    embeddings_base: str | None = None
    agents: tuple[tuple[str, ModelChoice], ...] = ()

    def __post_init__(self) -> None:
        if self.api_base and has_credentials(self.api_base):
            raise WorldError(
                "--api-base: the URL holds a name, a password or a query, and would be stored with the run: leave them"
                f" out, and put the server's key into the environment as {OWN_KEY}"
            )
        if self.price is not None:
            object.__setattr__(self, "price", tuple(self.price))
        if self.context is not None and self.context not in get_args(Context):
            raise WorldError(f"--context {self.context}: there are {', '.join(get_args(Context))}")
        if not isinstance(self.output_limits, Mapping | None):
            raise WorldError(
                f"output_limits={self.output_limits!r}: takes the table `limits` of what `cave-sim capacity calibrate`"
                " wrote; its file is named by --limits, or in the file of --models"
            )
        agents = (
            (pattern, each if isinstance(each, ModelChoice) else ModelChoice(**each)) for pattern, each in self.agents
        )
        object.__setattr__(self, "agents", tuple(agents))
        self._further_fields()

    def to_data(self) -> dict[str, Any]:
        """Return what differs from the defaults, and the name."""
        data = {
            each.name: value
            for each in fields(self)
            if (value := getattr(self, each.name)) != each.default or each.name == "name"
        }
        if self.agents:
            data["agents"] = [[pattern, choice.to_data()] for pattern, choice in self.agents]
        return data

    def for_agents(self, tables: Mapping[str, Mapping[str, Any]]) -> ModelChoice:
        """Return this choice, with what is different for agents whose names fit a pattern.

        Raises:
            WorldError: a table names something that is not to be chosen.
        """
        known = {each.name for each in fields(self)} - {"agents", "replay", "strict", "embeddings", "embeddings_base"}
        for pattern, table in tables.items():
            if unknown := sorted(table.keys() - known):
                takes = ", ".join(sorted(known))
                meant = did_you_mean(unknown[0], known)
                raise WorldError(f"--models: [{pattern}] names {unknown[0]!r}.{meant} What can be chosen is {takes}")
        return replace(self, agents=tuple((pattern, replace(self, **table)) for pattern, table in tables.items()))

    @property
    def contexts(self) -> ForAgents[Context]:
        """How much of what was said the requests of which agents repeat."""
        return ForAgents(
            tuple((pattern, each.context) for pattern, each in self._by_pattern if each.context is not None)
        )

    @property
    def output_limits_by_agent(self) -> ForAgents[Mapping[str, Any]]:
        """How much the models of which agents write in one turn."""
        known = ((pattern, each.output_limits) for pattern, each in self._by_pattern)
        return ForAgents(tuple((pattern, limits) for pattern, limits in known if limits is not None))

    @property
    def _by_pattern(self) -> tuple[tuple[str, ModelChoice], ...]:
        return (*self.agents, ("*", self))

    @property
    def choices(self) -> tuple[ModelChoice, ...]:
        """This choice, and those for agents for whom something is different."""
        return (self, *(choice for _, choice in self.agents))

    @property
    def is_scripted(self) -> bool:
        """Whether the simulation's own script answers."""
        return self.name == SCRIPTED and self.replay is None

    def open(self) -> Model | None:
        """Return the model; None for ``scripted``, whose script is the simulation's.

        Raises:
            WorldError: the options contradict each other or lack something.
            MissingExtra: a library is not installed.
        """
        if self.replay is not None:
            return self._recorded(Path(self.replay))
        lines = Throttles()
        model = self.opened(lines)
        if not self.agents:
            return model
        others = {pattern: choice.opened(lines) for pattern, choice in self.agents}
        if model is None or None in others.values():
            raise WorldError("--models: scripted is no model that some agents could ask and others not")
        return PerAgent(model, others)  # type: ignore[arg-type]  # none of them is None

    def open_embeddings(self) -> Model | None:
        """Return the model that turns texts into vectors; None if there is none.

        Raises:
            WorldError: there is no such model.
            MissingExtra: a library is not installed.
        """
        if self.replay is None:
            return embeddings_of(self.embeddings, self.embeddings_base) if self.embeddings else None
        calls = self._calls(Path(self.replay))
        asked = next((call["model"]["name"] for call in calls if is_for_embeddings(call["request"])), None)
        return None if asked is None else RecordedEmbeddings(Cassette(calls), self.strict, model=asked)

    def opened(self, lines: Throttles) -> Model | None:
        """Return the model for those agents for whom nothing is different.

        Args:
            lines: what keeps to the rates of each server.
        """
        if self.name == RECORDED:
            raise WorldError("--model recorded needs the run whose replies to use: --replay-model RUN")
        if self.name == SCRIPTED:
            if self.api_base:
                raise WorldError("--api-base is for models behind a server: name one, such as --model openai/NAME")
            return None
        model = self._local() if self.name == LOCAL else self._behind_server(lines)
        sampling = Sampling(self.temperature, self.top_p, self.seed, self.reasoning_effort, self.reply_tokens)
        if sampling.to_data() or self.step_deadline_s is not None:
            return Tuned(model, sampling, self.step_deadline_s)
        return model

    def _local(self) -> Model:
        if self.gguf is None:
            raise WorldError("--model local needs a file of weights: --gguf PATH (see docs/local_models.md)")
        from cave_sim.models.llama_cpp import LocalModel

        return LocalModel(self.gguf)

    def _behind_server(self, lines: Throttles) -> Model:
        line = lines.line(f"{provider_of(self.name)} {self.api_base or ''}", self._rate())
        model: Model = Throttled(self._client(), line)
        if self.hedge_s is not None:
            model = Hedged(model, self.hedge_s)
        return Retrying(model, retries=self.retries)

    def _rate(self) -> Rate:
        allowed = Rate(self.requests_per_minute, self.tokens_per_minute)
        if self.in_flight is None:
            return allowed
        return replace(allowed, start_in_flight=self.in_flight, most_in_flight=self.in_flight)

    def _client(self) -> Model:
        """Return the model behind its server: by our own client where that speaks its protocol, else by litellm."""
        options: dict[str, Any] = {
            "timeout_s": self.timeout_s or (OWN_SERVER_TIMEOUT_S if self.api_base else TIMEOUT_S),
            "price": None if self.price is None else Price(*self.price),
            "window_tokens": self.window_tokens,
            "stream": self.stream,
            "alternate": self.alternate,
            "extra": self._further_fields(),
        }
        if self.api_base:
            options["idle_s"] = options["timeout_s"]
        if provider_of(self.name) in (SPEAK_OPENAI if self.api_base else {"openai"}) and "/" in self.name:
            return OpenAIModel(self.name, api_base=self.api_base or OPENAI, **options)
        return LiteLLMModel(self.name, api_base=self.api_base, **options)

    def _further_fields(self) -> dict[str, Any]:
        try:
            fields = json.loads(self.extra or "{}")
        except ValueError:
            fields = None
        if not isinstance(fields, dict):
            raise WorldError(f"--extra-body {self.extra}: write a JSON object, such as '{{\"top_k\": 40}}'")
        return fields

    def _recorded(self, folder: Path) -> Model:
        calls = self._calls(folder)
        if not calls:
            raise WorldError(f"--replay-model {folder}: that run asked no model, so it has no replies to give")
        return RecordedModel(Cassette(calls), self.strict)

    def _calls(self, folder: Path) -> list[dict[str, Any]]:
        """Return what a run asked its models."""
        calls: list[dict[str, Any]] = []
        for each in (folder, *shard_folders(folder)):  # those of a city are with its districts
            with open_run(each) as run:
                calls += run.calls()
        return calls
