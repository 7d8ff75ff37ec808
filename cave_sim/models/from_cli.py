"""From what people write on a command line to a model that is ready to be asked."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from cave_sim.errors import WorldError
from cave_sim.journal.reader import open_run
from cave_sim.models.base import Model
from cave_sim.models.cassette import Cassette, RecordedModel
from cave_sim.models.litellm import LiteLLMModel
from cave_sim.models.openai_client import OPENAI, OpenAIModel
from cave_sim.models.prices import provider_of
from cave_sim.models.rate_limits import Throttled
from cave_sim.models.resilience import Retrying

SCRIPTED = "scripted"
RECORDED = "recorded"
LOCAL = "local"
SPEAK_OPENAI = frozenset({"openai", "hosted_vllm", "lm_studio", "llamafile"})
"""Providers whose servers of one's own speak OpenAI's protocol."""
OWN_SERVER_TIMEOUT_S, OWN_SERVER_IDLE_S = 600.0, 600.0  # on a few cores a long prompt is read for minutes, in silence


@dataclass(frozen=True)
class ModelChoice:
    """Which model to ask, as plain data that fits into a manifest.

    Attributes:
        name: ``scripted`` (the simulation's own script), ``recorded``, ``local``, or any name that litellm knows.
        api_base: URL of an OpenAI-compatible server of one's own.
        gguf: file of a local model's weights.
        replay: folder of the run whose recorded replies answer.
        strict: whether a request that was not recorded is an error.
    """

    name: str = SCRIPTED
    api_base: str | None = None
    gguf: str | None = None
    replay: str | None = None
    strict: bool = True

    def to_data(self) -> dict[str, Any]:
        """Return what differs from the defaults, and the name."""
        default = ModelChoice()
        return {key: value for key, value in asdict(self).items() if key == "name" or value != getattr(default, key)}

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
        if self.name == RECORDED:
            raise WorldError("--model recorded needs the run whose replies to use: --replay-model RUN")
        if self.name == LOCAL:
            if self.gguf is None:
                raise WorldError("--model local needs a file of weights: --gguf PATH (see docs/local_models.md)")
            from cave_sim.models.llama_cpp import LocalModel

            return LocalModel(self.gguf)
        if self.name == SCRIPTED:
            if self.api_base:
                raise WorldError("--api-base is for models behind a server: name one, such as --model openai/NAME")
            return None
        return Retrying(Throttled(self._client()))

    def _client(self) -> Model:
        """Return the model behind its server: by our own client where that speaks its protocol, else by litellm."""
        patience: dict[str, Any] = {}
        if self.api_base:
            patience = {"timeout_s": OWN_SERVER_TIMEOUT_S, "idle_s": OWN_SERVER_IDLE_S}
        if provider_of(self.name) in (SPEAK_OPENAI if self.api_base else {"openai"}) and "/" in self.name:
            return OpenAIModel(self.name, api_base=self.api_base or OPENAI, **patience)
        return LiteLLMModel(self.name, api_base=self.api_base, **patience)

    def _recorded(self, folder: Path) -> Model:
        calls: list[dict[str, Any]] = []
        for each in (folder, *sorted(folder.glob("district-*"))):  # those of a city are with its districts
            with open_run(each) as run:
                calls += run.calls()
        if not calls:
            raise WorldError(f"--replay-model {folder}: that run asked no model, so it has no replies to give")
        return RecordedModel(Cassette(calls), self.strict)
