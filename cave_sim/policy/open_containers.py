"""Lists and dicts of injected objects, as a turn leaves them: what a cell put into one is data.

An object that the researcher lent to all hands out its own list, so that a cell can add to it. Whatever of a cell's
code were left there, somebody else's turn would run it with that one's rights: by calling it, or by comparing.
"""

from __future__ import annotations

import collections
import threading
import weakref
from collections.abc import Iterable
from typing import Any

from cave_sim.entity.handed_values import receivers
from cave_sim.entity.looking_through import CONTAINERS, ROWS, SCALARS, kinds_within
from cave_sim.entity.values import LIMITS, StableFrozenSet
from cave_sim.errors import Blocked
from cave_sim.policy.open_tables import holds_objects, objects_of, took_out
from cave_sim.policy.permissions import carries_code

_WITHIN = CONTAINERS - {frozenset, StableFrozenSet}
_PLAIN = (SCALARS | CONTAINERS) - {collections.defaultdict}

OPENED: weakref.WeakSet[type] = weakref.WeakSet()
"""Classes that a researcher opened to cells: their objects may hold each other."""


class _Turn:
    """What a turn was handed: containers by identity, with their titles, and what they held before that is no data.

    And the objects that were handed code, with the attributes that they had before.
    """

    __slots__ = ("containers", "holders", "tables", "trusted")

    def __init__(self) -> None:
        self.containers: dict[int, tuple[str, Any]] = {}
        self.holders: dict[int, tuple[Any, dict[str, Any]]] = {}
        self.tables: dict[int, tuple[str, Any]] = {}
        self.trusted: dict[int, Any] = {}


class HandedContainers(threading.local):
    """A context manager around the lines of a cell, and within it around those of cells that it has others run."""

    def __init__(self) -> None:
        self._turns: list[_Turn | None] = []  # None until a turn is handed something, which most never are

    def __enter__(self) -> None:
        self._turns.append(None)

    def __exit__(self, _kind: Any, error: BaseException | None, _trace: Any) -> None:
        """Take a cell's code out of what was handed to it; raises Blocked if there was any."""
        turn = self._turns.pop()
        if turn is None:
            return
        sweep = _Sweep(turn.trusted)
        given = [(title, value) for title, value in turn.containers.values() if not kinds_within(value) <= _PLAIN]
        titles = [title for title, value in given if sweep.took_from(value)]
        titles += [title for title, value in turn.tables.values() if sweep.took_from_table(value)]
        titles += [title for holder, had in turn.holders.values() for title in _given_back(holder, had, sweep)]
        if titles and (error is None or isinstance(error, Exception)):
            raise Blocked(f"{', '.join(titles)}: what all hold takes data, and no code of a cell") from None

    def note(self, value: Any, title: str, kinds: set[type]) -> None:
        """Note that a cell was given something of an injected object, before it can change it; kinds: those within."""
        if self._turns and type(value) in _WITHIN:
            turn = self._turn()
            if id(value) not in turn.containers:
                turn.containers[id(value)] = title, value
                if not kinds <= _PLAIN:
                    _trust(value, turn.trusted, set())
        else:
            self.note_table(value, title)

    def note_table(self, value: Any, title: str) -> None:
        """Note that a cell was given an array or a table with room for objects, if it is one."""
        if self._turns and holds_objects(value):
            turn = self._turn()
            if id(value) not in turn.tables:
                turn.tables[id(value)] = title, value
                _trust(tuple(objects_of(value)), turn.trusted, set())

    def note_attributes(self, holder: Any) -> None:
        """Note what an object has, before a method of it is handed code: it may call that, and may not keep it."""
        has = getattr(holder, "__dict__", None)
        if not self._turns or type(has) is not dict or id(holder) in self._turn().holders:
            return
        turn = self._turn()
        turn.holders[id(holder)] = holder, dict(has)
        turn.trusted.update((id(value), value) for value in has.values())
        for name, value in has.items():
            self.note(value, name, kinds_within(value))

    def _turn(self) -> _Turn:
        turn = self._turns[-1]
        if turn is None:
            turn = self._turns[-1] = _Turn()
        return turn


HANDED = HandedContainers()
receivers.append(HANDED.note_table)


def _given_back(holder: Any, had: dict[str, Any], sweep: _Sweep) -> list[str]:
    """Give an object back what it had where an attribute was set to code; returns their names."""
    has = vars(holder)
    taken = [name for name, value in has.items() if value is not had.get(name) and sweep.took_from(value)]
    for name in taken:
        if name in had:
            has[name] = had[name]
        else:
            del has[name]
    return taken


def _trust(value: Any, trusted: dict[int, Any], seen: set[int]) -> None:
    if id(value) in seen:
        return
    seen.add(id(value))
    for item in _parts(value):
        if type(item) in _WITHIN:
            _trust(item, trusted, seen)
        if type(item) is collections.defaultdict or (type(item) not in _WITHIN and not _is_data(item)):
            trusted[id(item)] = item


def _parts(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return (*dict.keys(value), *dict.values(value))
    return set.__iter__(value) if isinstance(value, set) else value


def _is_data(item: Any) -> bool:
    return type(item) in SCALARS or type(item) in OPENED or not carries_code((item,))


class _Sweep:
    """Goes through what a turn was handed, and takes out what is neither data nor was there before."""

    def __init__(self, trusted: dict[int, Any]) -> None:
        self._trusted = trusted
        self._known: dict[int, tuple[Any, bool]] = {}
        self._took = False

    def took_from_table(self, value: Any) -> bool:
        """Say whether anything in an array or a table had to be taken out."""
        self._took = False
        return took_out(value, lambda item: self._may_stay(item, 0)) or self._took

    def took_from(self, value: Any) -> bool:
        """Say whether anything in a container had to be taken out."""
        self._took = False
        return not self._may_stay(value, 0) or self._took

    def _may_stay(self, item: Any, depth: int) -> bool:
        if type(item) not in _WITHIN or (type(item) is collections.defaultdict and not self._trusts(item)):
            return self._trusts(item) or _is_data(item)
        if id(item) not in self._known:
            if depth > LIMITS.depth:
                return False
            self._known[id(item)] = item, True  # it may hold itself
            self._known[id(item)] = item, self._clean(item, depth + 1)
        return self._known[id(item)][1]

    def _clean(self, value: Any, depth: int) -> bool:
        """Keep what may stay of a container's items, and say whether it may stay itself: a tuple only as it is."""
        if isinstance(value, dict):
            pairs = [
                (key, item)
                for key, item in dict.items(value)
                if self._may_stay(key, depth) & self._may_stay(item, depth)
            ]
            if len(pairs) < len(value):
                self._took = True
                dict.clear(value)
                dict.update(value, pairs)
            return True
        items = [item for item in _parts(value) if self._may_stay(item, depth)]
        if len(items) == len(value) or type(value) is tuple:
            return len(items) == len(value)
        self._took = True
        value.clear()
        (value.extend if type(value) in ROWS else value.update)(items)
        return True

    def _trusts(self, item: Any) -> bool:
        return id(item) in self._trusted
