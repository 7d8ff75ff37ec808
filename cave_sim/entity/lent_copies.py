"""Copies of what an agent may read and not write, and whether its cell wrote to one.

Whoever writes to such a copy in place would believe that the world has changed. So a turn hands out one copy of a
value, however often it is read, and does not land if that was written to; what a cell wants to write to, it copies.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import networkx as nx

from cave_sim.entity.codec import Codec
from cave_sim.entity.codecs import codec_of
from cave_sim.entity.identity import label_of
from cave_sim.entity.reference_containers import RefSet
from cave_sim.entity.undo_log import UndoLog
from cave_sim.entity.values import StableSet
from cave_sim.errors import PermissionDenied, SchemaError

Same = Callable[[Any, Any], bool]


@dataclass(frozen=True, slots=True)
class LentCopy:
    """One copy in the hands of a cell.

    Attributes:
        entity: whose field was read.
        field: its name.
        original: what was in it then; nobody writes to that.
        copy: what the cell was given.
        same: says whether both are; no code of a cell runs.
    """

    entity: Any
    field: str
    original: Any
    copy: Any
    same: Same

    def expect_untouched(self, agent: str) -> None:
        """Return if nobody wrote to the copy; raises PermissionDenied."""
        try:
            if self.same(self.original, self.copy):
                return
        except SchemaError:
            pass  # it holds what no field could
        what = f"{label_of(self.entity)}.{self.field}"
        raise PermissionDenied(
            f"{agent} may not write {what}, and this cell changed in place what it had read of it."
            f" Work on a copy of your own: {_way_out(self.copy, what)}"
        )


def lend(undo_log: UndoLog, entity: Any, field: str, value: Any) -> Any:
    """Return a field's value as plain containers that are nobody's; entities in it stay what they are."""
    copy = apart(value)
    if copy is value or undo_log.lent is None:
        return copy
    known = undo_log.lent.get((id(entity), field))
    if known is not None and _alike(known.original, copy):
        return known.copy
    return _noted(undo_log, LentCopy(entity, field, apart(value), copy, _alike))


def lend_opaque(undo_log: UndoLog, entity: Any, field: str, value: Any, codec: Codec) -> Any:
    """Return a copy of an array, a table, or a value of a registered class: such a value itself is never written to."""
    if undo_log.lent is None:
        return codec.copy(value)
    known = undo_log.lent.get((id(entity), field))
    if known is not None and known.original is value:
        return known.copy
    return _noted(undo_log, LentCopy(entity, field, value, codec.copy(value), codec.same))


def apart(value: Any) -> Any:
    """Return a value as plain containers; what is none comes back as it is."""
    if isinstance(value, list):
        return [apart(item) for item in value]
    if isinstance(value, dict):
        return {key: apart(item) for key, item in value.items()}
    if isinstance(value, RefSet):
        return value.copy()
    if isinstance(value, set):
        return StableSet(value)
    if type(value) is tuple:
        return tuple(map(apart, value))
    return value.copy() if isinstance(value, nx.Graph) else value


def _noted(undo_log: UndoLog, lent: LentCopy) -> Any:
    assert undo_log.lent is not None
    assert undo_log.guard is not None
    place = (id(lent.entity), lent.field)
    if place in undo_log.lent:  # something else is there by now: this is the last look at the copy of what was
        undo_log.lent[place].expect_untouched(undo_log.guard.agent)
    undo_log.lent[place] = lent
    return lent.copy


def _alike(one: Any, other: Any) -> bool:
    """Say whether two values of :func:`apart` hold the very same items; an item is asked nothing."""
    kind = type(one)
    if kind is not type(other):
        return False
    if kind is list or kind is tuple:
        return len(one) == len(other) and all(map(_alike, one, other))
    if kind is dict:
        keys = len(one) == len(other) and all(mine is theirs for mine, theirs in zip(one, other, strict=True))
        return keys and all(map(_alike, one.values(), other.values()))
    if kind is StableSet:
        return set(map(id, set.__iter__(one))) == set(map(id, set.__iter__(other)))
    if isinstance(one, nx.Graph):
        codec = codec_of(kind)
        return codec is not None and codec.same(one, other)
    return one is other


def _way_out(copy: Any, what: str) -> str:
    made_by = _MADE_BY.get(type(copy))
    return f"{what}.copy()" if made_by is None else f"{made_by}({what})"


_MADE_BY: dict[type, str] = {list: "list", dict: "dict", StableSet: "set", tuple: "list"}
