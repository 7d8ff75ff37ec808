"""A row: one thing that was said, run, seen or decided in a session. Frozen, so that forks can share it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import isfinite
from types import MappingProxyType
from typing import Any

import msgspec
from msgspec.structs import force_setattr

from cave_sim.entity.values import plain_copy
from cave_sim.errors import CaveSimError, SchemaError
from cave_sim.models.base import Usage, columns

KINDS: Mapping[str, str] = MappingProxyType(
    {
        "system": "an instruction that belongs to the conversation",
        "user": "what it was told",
        "assistant": "what its model answered",
        "cell": "code that it ran",
        "output": "what a cell gave",
        "error": "why a cell failed, or was refused",
        "tool_call": "a call that its model asked for, by name and arguments",
        "tool_result": "what came of a call",
        "memory": "something to remember",
        "recall": "what came to mind",
        "route": "who goes on with the session, and why",
        "compress": "what stands for earlier rows",
        "render": "something shown to people",
        "context_state": "new lines of the context state: what lasts of what was said",
        "interrupt": "a question to people that it waits for",
        "model_error": "why no answer of its model counts",
    }
)
"""What each kind of row says. These are the kinds that cave_sim writes; others are welcome, if named like these."""

_KIND = re.compile(r"[a-z][a-z0-9_]{0,31}")
_LONE_SURROGATE = re.compile(r"[\ud800-\udfff]")
NO_DATA: Mapping[str, Any] = MappingProxyType({})
"""What rows hold that say no more than their text."""


class SessionError(CaveSimError):
    """A session was asked for something it cannot do: an unknown row, a merge with itself, broken stored data."""


class Row(msgspec.Struct, frozen=True):
    """One row of a session.

    Attributes:
        id: unique among all sessions; ``<session>#<position>`` of where it was written.
        kind: one of :data:`KINDS`, or a name of yours in lower case.
        text: what a reader of the transcript sees.
        agent: who said, ran or received it.
        step: the step of the world it belongs to.
        time_s: world time in seconds since the start.
        usage: tokens that it cost; None for rows that cost none.
        data: more about it, as plain frozen data: mappings and tuples all the way down.

    Raises:
        SchemaError: the kind is not a valid name, the text is none, the time is not finite, or the data is not plain.
    """

    id: str
    kind: str
    text: str
    agent: str
    step: int = 0
    time_s: float = 0.0
    usage: Usage | None = None
    data: Mapping[str, Any] = NO_DATA

    def __post_init__(self) -> None:
        if self.kind not in KINDS and not _KIND.fullmatch(self.kind):
            raise SchemaError(f"row {self.id}: kind {self.kind!r}; use lower-case letters, digits and _, at most 32")
        if not isfinite(self.time_s):
            raise SchemaError(f"row {self.id}: time_s={self.time_s}; world time is finite")
        if not isinstance(self.text, str):
            raise SchemaError(
                f"row {self.id}: its text is a {type(self.text).__name__}; what is no text goes into data"
            )
        if not self.text.isascii():
            force_setattr(self, "text", storable(self.text))
        if self.data is not NO_DATA:
            force_setattr(self, "data", _frozen_mapping(self.id, self.data))

    def __hash__(self) -> int:
        return hash((self.id, self.kind, self.text, self.agent, self.step, self.time_s, self.usage))

    def to_data(self) -> dict[str, Any]:
        """Return the row as plain data, without what it leaves empty."""
        data: dict[str, Any] = {"id": self.id, "kind": self.kind, "text": self.text, "agent": self.agent}
        data |= {"step": self.step, "time_s": self.time_s}
        if self.usage is not None:
            data["usage"] = columns(self.usage)
        if self.data:
            data["data"] = thaw(self.data)
        return data

    @classmethod
    def from_data(cls, stored: Mapping[str, Any]) -> Row:
        """Return the row of :meth:`to_data`; raises SessionError where that is damaged."""
        try:
            usage = Usage(**stored["usage"]) if stored.get("usage") is not None else None
            return cls(**{**stored, "usage": usage, "data": stored.get("data") or NO_DATA})
        except (KeyError, TypeError, AttributeError, SchemaError) as error:
            raise SessionError(f"stored row {stored.get('id')!r} cannot be read: {error}") from None


def storable(text: str) -> str:
    """Return text that any file can keep: half a surrogate pair, as broken streams leave it, becomes U+FFFD."""
    return _LONE_SURROGATE.sub("\ufffd", text)


def freeze(value: Any) -> Any:
    """Return plain data that cannot be changed: mappings are read-only, lists are tuples."""
    if isinstance(value, Mapping):
        return MappingProxyType({key: freeze(item) for key, item in value.items()})
    return tuple(freeze(item) for item in value) if isinstance(value, (list, tuple, set, frozenset)) else value


def thaw(value: Any) -> Any:
    """Return frozen data as dicts and lists, ready for JSON."""
    if isinstance(value, Mapping):
        return {key: thaw(item) for key, item in value.items()}
    return [thaw(item) for item in value] if isinstance(value, tuple) else value


def _frozen_mapping(row: str, data: Mapping[str, Any]) -> Any:
    try:
        plain = plain_copy(thaw(data))
    except SchemaError as error:
        raise SchemaError(f"row {row}: its data is not plain: {error}") from None
    if not all(isinstance(key, str) for key in plain):
        raise SchemaError(f"row {row}: the keys of its data must be text")
    return freeze(plain)
