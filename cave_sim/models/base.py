"""What is asked of a model and what it answers: plain frozen values, one protocol, and how asking can fail."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, Literal, Protocol, get_args, runtime_checkable

import msgspec

from cave_sim.determinism.canonical_json import to_json
from cave_sim.diagnostics.number_checks import is_number
from cave_sim.errors import CaveSimError
from cave_sim.models.prices import Price

Kind = Literal["rate_limited", "timeout", "unavailable", "denied", "too_long", "refused", "late"]
"""Why no reply came: wait; it took too long; the provider is down or talks nonsense; it serves no such account or
model; the request does not fit; it is not to its liking; the step could not wait for it."""

_NO_PARTS: Mapping[str, int] = MappingProxyType({})

LASTING: frozenset[Kind] = frozenset({"too_long"})
"""What does not pass: the same request to the same model comes to the same."""
RETRIED: frozenset[Kind] = frozenset({"rate_limited", "timeout", "unavailable"})
OF_PROVIDER: frozenset[Kind] = RETRIED | {"denied"}
"""What may befall every request to a provider alike, as opposed to what is wrong with one."""


class ModelError(CaveSimError):
    """A model gave no reply. An empty or a truncated reply is a reply, not an error.

    Attributes:
        kind: one of :data:`Kind`.
        message: where, what, which rule, the way out; never a key.
        retry_after_s: how long the provider asked us to wait; None if it did not say.
        is_recorded: whether it was read from a recording, and says nothing of how a provider is now.
    """

    is_recorded = False

    def __init__(self, kind: Kind, message: str, retry_after_s: float | None = None) -> None:
        if kind not in get_args(Kind):
            raise ValueError(f"a ModelError is one of {', '.join(get_args(Kind))}, not {kind!r}")
        super().__init__(message)
        self.kind: Kind = kind
        self.message = message
        self.retry_after_s = retry_after_s

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.kind, self.message, self.retry_after_s)

    @property
    def is_retried(self) -> bool:
        """Whether the same request may succeed a little later."""
        return self.kind in RETRIED

    def to_data(self) -> dict[str, Any]:
        """Return the error as plain data, for cassettes."""
        return {"kind": self.kind, "message": self.message, "retry_after_s": self.retry_after_s}


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool that a model wants called; ``arguments`` is the JSON text it wrote, unchecked."""

    id: str
    name: str
    arguments: str


class Message(msgspec.Struct, frozen=True):
    """One message of a request.

    Attributes:
        role: ``system``, ``user``, ``assistant`` or ``tool``.
        text: what was said.
        tool_calls: what an assistant asked for besides.
        call: the id of the tool call that a tool's message answers.
    """

    role: str
    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    call: str = ""


@dataclass(frozen=True, slots=True)
class Key:
    """Whose request it is. It is kept beside a request's hash, so two agents who ask the same stay two.

    Attributes:
        run: name of the run.
        agent: who asks.
        step: the step of the world in which it asks.
        attempt: how often it asked before in this step.
        retry: how often this very request failed before; counted by :class:`~cave_sim.models.resilience.Retrying`.
    """

    run: str = ""
    agent: str = ""
    step: int = 0
    attempt: int = 0
    retry: int = 0


Context = Literal["step", "full", "window", "summary", "state"]
"""How much of what was said a request repeats: this step; all; what fits; what fits, and a summary of the rest; this
step, and a log of what lasts of the rest."""


@dataclass(frozen=True)
class Request:
    """One question to a model.

    Attributes:
        messages: the conversation; its front should stay the same bytes from call to call, so that caches hit.
        max_tokens: the longest answer wanted; None leaves it to the provider.
        temperature: 0 for the likeliest answer.
        stop: texts that end the answer.
        stop_at_block: end the answer where its first block of code ends, so that the cell can start at once.
        tools: tools on offer, each in OpenAI's form (``{"type": "function", "function": {...}}``).
        top_p: share of the likeliest tokens that are drawn from; None leaves it to the provider.
        seed: what the provider's draws follow from; None leaves it to the provider.
        reasoning_effort: how long to think first, in the provider's words; None leaves it to the provider.
        is_bounded: whether ``max_tokens`` is what can be written at all, which no wish exceeds; no part of the hash.
        key: whose request it is; no part of the hash.
        parts: tokens of each part of the prompt, estimated; no part of the hash.
    """

    messages: tuple[Message, ...]
    max_tokens: int | None = None
    temperature: float = 0.0
    stop: tuple[str, ...] = ()
    stop_at_block: bool = False
    tools: tuple[Mapping[str, Any], ...] = ()
    top_p: float | None = None
    seed: int | None = None
    reasoning_effort: str | None = None
    is_bounded: bool = field(default=False, compare=False)
    key: Key = Key()
    parts: Mapping[str, int] = field(default_factory=lambda: _NO_PARTS, compare=False)

    @cached_property
    def hash(self) -> str:
        """SHA-256 of everything but the key, over JSON with sorted keys: the same on every machine."""
        return hashlib.sha256(to_json(self.to_data(), sort=True)).hexdigest()

    @cached_property
    def counted(self) -> dict[Any, int]:
        """How many tokens it has, by who counted: it is counted on its way to the model, and back."""
        return {}

    def again(self) -> Request:
        """Return the same request, as its next retry."""
        return replace(self, key=replace(self.key, retry=self.key.retry + 1))

    def to_data(self) -> dict[str, Any]:
        """Return what is hashed, as plain data; of the options that older recordings lack only those in use."""
        younger = {name: value for name in YOUNGER_OPTIONS if (value := getattr(self, name)) is not None}
        return {
            "messages": [_without_defaults(message) for message in self.messages],
            "max_tokens": self.max_tokens,
            "temperature": float(self.temperature),
            "stop": list(self.stop),
            "stop_at_block": self.stop_at_block,
            "tools": [dict(tool) for tool in self.tools],
            **younger,
        }


YOUNGER_OPTIONS = ("top_p", "seed", "reasoning_effort")


@dataclass(frozen=True, slots=True)
class Sampling:
    """How a model is to draw its replies, whatever its agents would ask for; None leaves it to them.

    Attributes:
        temperature, top_p, seed, reasoning_effort, max_tokens: as in :class:`Request`.
    """

    temperature: float | None = None
    top_p: float | None = None
    seed: int | None = None
    reasoning_effort: str | None = None
    max_tokens: int | None = None

    def __post_init__(self) -> None:
        for name in ("temperature", "top_p", "seed", "max_tokens"):
            value = getattr(self, name)
            if value is not None and not is_number(value):
                raise ValueError(f"Sampling({name}={value!r}): takes a number, or None to leave it to the agents")

    def applied_to(self, request: Request) -> Request:
        """Return a request as it is to be sent, recorded and hashed."""
        wishes = self.to_data()
        if request.is_bounded:
            wishes.pop("max_tokens", None)
        return replace(request, **wishes) if wishes else request

    def to_data(self) -> dict[str, Any]:
        """Return what is not left to the agents, as plain data."""
        return {each.name: value for each in fields(self) if (value := getattr(self, each.name)) is not None}


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens that a reply took; usages add up.

    Attributes:
        prompt_tokens: tokens read, cached ones included.
        completion_tokens: tokens written.
        cached_tokens: tokens read that the provider had in its prefix cache.
        is_estimate: whether any of it was counted here instead of by the provider.
        kept_tokens: tokens read that the provider was asked to keep in its prefix cache, which may cost more.
    """

    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    is_estimate: bool = False
    kept_tokens: int = 0

    @property
    def tokens(self) -> int:
        """Tokens read and written."""
        return self.prompt_tokens + self.completion_tokens

    def cost_usd(self, price: Price | None) -> float:
        """Return what this costs in US dollars, nothing without a price; discounts and tiers are not known here."""
        if price is None:
            return 0.0
        cached_usd = price.prompt_usd if price.cached_usd is None else price.cached_usd
        kept_usd = price.prompt_usd if price.kept_usd is None else price.kept_usd
        fresh = self.prompt_tokens - self.cached_tokens - self.kept_tokens
        millionths = fresh * price.prompt_usd + self.cached_tokens * cached_usd + self.kept_tokens * kept_usd
        return (millionths + self.completion_tokens * price.completion_usd) / 1e6

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            self.cached_tokens + other.cached_tokens,
            self.is_estimate or other.is_estimate,
            self.kept_tokens + other.kept_tokens,
        )


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model answered.

    Attributes:
        text: the answer; may be empty.
        usage: tokens it took.
        cost_usd: what it cost; None if nobody knows.
        latency_s: seconds from asking to the last token; waiting for retries and turns in a queue is not in it.
        finish_reason: ``stop``, ``length`` (truncated), ``tool_calls``, ``content_filter``, or the provider's own word.
        tool_calls: tools that it wants called.
        model: who answered.
        reasoning: what it thought first, where the provider shows that; no part of the answer.
        refusal: why it would not answer, in its own words.
        dropped: options of the request that the provider does not take: they were not sent, or as another value.
        late_by: how many steps ago it was asked, where the step of the question could not wait for it.
        is_hedged: whether it was asked twice, because the first took long.
    """

    text: str
    usage: Usage = Usage()
    cost_usd: float | None = None
    latency_s: float = 0.0
    finish_reason: str = "stop"
    tool_calls: tuple[ToolCall, ...] = field(default=())
    model: str = ""
    reasoning: str = ""
    refusal: str = ""
    dropped: tuple[str, ...] = ()
    late_by: int = 0
    is_hedged: bool = False

    def __post_init__(self) -> None:
        for name in ("text", "reasoning", "refusal"):
            if not getattr(self, name).isascii():
                object.__setattr__(self, name, well_formed(getattr(self, name)))
        object.__setattr__(self, "dropped", tuple(self.dropped))
        calls = tuple(ToolCall(*map(well_formed, (call.id, call.name, call.arguments))) for call in self.tool_calls)
        object.__setattr__(self, "tool_calls", calls)

    @property
    def is_truncated(self) -> bool:
        """Whether the answer ran into a limit of length."""
        return self.finish_reason == "length"

    @property
    def is_withheld(self) -> bool:
        """Whether the provider or the model itself kept the answer back; what there is of it is nobody's decision."""
        return self.finish_reason == "content_filter" or bool(self.refusal)

    def to_data(self) -> dict[str, Any]:
        """Return the reply as plain data, for cassettes; what most replies do not have is left out."""
        usage, calls = _without_rare(columns(self.usage)), tuple(map(columns, self.tool_calls))
        return _without_rare(columns(self) | {"usage": usage, "tool_calls": calls})

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Reply:
        """Return the reply that :meth:`to_data` wrote."""
        calls = tuple(ToolCall(**call) for call in data.get("tool_calls", ()))
        return cls(**{**data, "usage": Usage(**data["usage"]), "tool_calls": calls})


def columns(instance: Any) -> dict[str, Any]:
    """Return the values of a dataclass by their names, uncopied; ``asdict`` takes ten times as long."""
    return {name: getattr(instance, name) for name in instance.__dataclass_fields__}


def _without_rare(data: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in data.items() if value or name not in RARE}


RARE = frozenset({"reasoning", "refusal", "dropped", "late_by", "is_hedged", "kept_tokens"})


def well_formed(text: str) -> str:
    """Return a text in which halves of characters, as UTF-16 escapes leave them, are joined, or replaced if alone."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


@runtime_checkable
class Model(Protocol):
    """Whatever answers requests. It may be asked many things at once; it must not mind in which order they come.

    One that knows the longest output that it is allowed says so as ``longest_output_tokens``, an int or None
    (:func:`cave_sim.models.wrapped.longest_output_for` asks for it); where it differs by agent, as does the window, as
    ``longest_output_for(agent)``.
    """

    @property
    def name(self) -> str:
        """What it is called in journals, as ``provider/model``."""

    @property
    def window_tokens(self) -> int:
        """How many tokens a request and its answer may take together."""

    @property
    def price(self) -> Price | None:
        """What its tokens cost; None if nobody knows."""

    async def reply(self, request: Request) -> Reply:
        """Answer a request; raises ModelError if no reply comes."""


def _without_defaults(message: Message) -> dict[str, Any]:
    data: dict[str, Any] = {"role": message.role, "text": message.text}
    if message.tool_calls:
        data["tool_calls"] = list(map(columns, message.tool_calls))
    if message.call:
        data["call"] = message.call
    return data
