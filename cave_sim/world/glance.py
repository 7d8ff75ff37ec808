"""Glances: what somebody perceives, each part of it made when it is looked at.

Most who look let the moment pass, having read little of what there is to see; only what is read needs to be made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from cave_sim.entity.entity import Entity
from cave_sim.entity.undo_log import UndoLog
from cave_sim.errors import WorldError
from cave_sim.policy.permissions import Rights

Part = Callable[[Any], Any]
"""Makes one part of what is seen of, or by, an entity; what it returns is plain data, or another :class:`Sight`."""


class Sight(NamedTuple):
    """What is to be seen of an entity, or by one, before anything of it is looked at.

    An entity whose class defines ``_sight(self)`` beside ``observe(self)`` is observed in parts where that is enough.

    Attributes:
        entity: what the parts are made of.
        parts: name -> what makes it, in the order in which an observation has them.
    """

    entity: Any
    parts: Mapping[str, Part]

    def at_once(self) -> dict[str, Any]:
        """Return all of it, as plain data."""
        entity = self.entity
        seen = {}
        for name, make in self.parts.items():
            part = make(entity)
            seen[name] = part.at_once() if type(part) is Sight else part
        return seen


def is_seen_in_parts(kind: type[Entity]) -> bool:
    """Say whether a class tells in parts what its ``observe`` tells at once: the same class must define both."""
    return _is_seen_in_parts(kind)


@lru_cache(maxsize=512)
def _is_seen_in_parts(kind: type[Entity]) -> bool:
    nearest = next(each for each in kind.__mro__ if "observe" in vars(each) or "_sight" in vars(each))
    return "observe" in vars(nearest) and "_sight" in vars(nearest)


class Looking:
    """Whose glance it is: the rights that its parts are made with, and whether it is over.

    Attributes:
        agent: who looks.
        is_over: whether the moment has passed; what was not looked at by then is not to be seen any more.
    """

    __slots__ = ("_rights", "_undo_log", "agent", "is_over")

    def __init__(self, undo_log: UndoLog, rights: Rights) -> None:
        self._undo_log, self._rights = undo_log, rights
        self.agent: str = rights.agent
        self.is_over: bool = False

    def make(self, part: Part, entity: Any) -> Any:
        """Return a part, made with the rights of who looks; raises WorldError if the moment has passed."""
        if self.is_over:
            raise WorldError(
                f"{self.agent}: an agent that glances reads what it needs within act(), for what it has not read by "
                "then is over; leave `glances` away to be given a whole observation"
            )
        undo_log = self._undo_log
        guard, undo_log.guard = undo_log.guard, self._rights
        reads, undo_log.reads = undo_log.reads, set()
        try:
            value = part(entity)
        finally:
            undo_log.guard = guard
            if undo_log.actor is None:  # what is perceived between turns follows from the state: no cell reads it
                undo_log.reads = reads
            else:
                undo_log.reads |= reads
        return Glance(value, self) if type(value) is Sight else value


class Glance(Mapping[str, Any]):
    """What an agent perceives at one moment; a part is made when it is first read, and is plain data.

    Args:
        sight: what is to be seen.
        looking: whose glance it is.
    """

    __slots__ = ("_looking", "_seen", "_sight")

    def __init__(self, sight: Sight, looking: Looking) -> None:
        self._sight, self._looking = sight, looking
        self._seen: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        seen = self._seen
        if name in seen:
            return seen[name]
        entity, parts = self._sight
        value = seen[name] = self._looking.make(parts[name], entity)
        return value

    def get(self, name: str, default: Any = None) -> Any:
        return self[name] if name in self._sight.parts else default  # an error within a part is not swallowed

    def __contains__(self, name: object) -> bool:
        return name in self._sight.parts

    def __iter__(self) -> Iterator[str]:
        return iter(self._sight.parts)

    def __len__(self) -> int:
        return len(self._sight.parts)

    def with_parts(self, parts: Mapping[str, Any]) -> Glance:
        """Return a glance that has other parts in the place of some, or beside them; it makes none of the rest."""
        entity, others = self._sight
        both = Glance(Sight(entity, {**others, **{name: _told(value) for name, value in parts.items()}}), self._looking)
        both._seen = {**self._seen, **parts}
        return both

    def __repr__(self) -> str:
        return repr(dict(self))

    def close(self) -> None:
        """Let the moment pass."""
        self._looking.is_over = True


def with_parts(seen: Mapping[str, Any], parts: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what is seen, whole or at a glance, with other parts in the place of some."""
    return seen.with_parts(parts) if isinstance(seen, Glance) else {**seen, **parts}


def _told(value: Any) -> Part:
    return lambda _: value
