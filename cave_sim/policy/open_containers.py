"""Lists and dicts of injected objects, as a turn leaves them: what a cell put into one is data.

An object that the researcher lent to all hands out its own list, so that a cell can add to it. Whatever of a cell's
code were left there, somebody else's turn would run it with that one's rights: by calling it, or by comparing.
"""

from __future__ import annotations

import collections
import threading
from collections.abc import Iterable
from typing import Any

from cave_sim.entity.values import LIMITS, StableSet
from cave_sim.errors import Blocked
from cave_sim.policy.permissions import carries_code

_ROWS = frozenset({list, collections.deque})
_SETS = frozenset({set, StableSet})
_DICTS = frozenset({dict, collections.Counter, collections.OrderedDict, collections.defaultdict})
_WITHIN = _ROWS | _SETS | _DICTS | {tuple}
_SCALARS = frozenset({str, int, float, bool, type(None)})


class _Turn:
    """What a turn was handed: containers by identity, with their titles, and what they held before that is no data."""

    __slots__ = ("containers", "trusted")

    def __init__(self) -> None:
        self.containers: dict[int, tuple[str, Any]] = {}
        self.trusted: dict[int, Any] = {}


class HandedContainers(threading.local):
    """A context manager around the lines of a cell, and within it around those of cells that it has others run."""

    def __init__(self) -> None:
        self._turns: list[_Turn] = []

    def __enter__(self) -> None:
        self._turns.append(_Turn())

    def __exit__(self, _kind: Any, error: BaseException | None, _trace: Any) -> None:
        """Take a cell's code out of what was handed to it; raises Blocked if there was any."""
        turn = self._turns.pop()
        sweep = _Sweep(turn.trusted)
        titles = [title for title, value in turn.containers.values() if sweep.took_from(value)]
        if titles and (error is None or isinstance(error, Exception)):
            raise Blocked(f"{', '.join(titles)}: what all hold takes data, and no code of a cell") from None

    def note(self, value: Any, title: str) -> None:
        """Note that a cell was given something of an injected object, before it can change it."""
        if self._turns and type(value) in _WITHIN and id(value) not in self._turns[-1].containers:
            self._turns[-1].containers[id(value)] = title, value
            _trust(value, self._turns[-1].trusted, set())


HANDED = HandedContainers()


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
    return type(item) in _SCALARS or not carries_code((item,))


class _Sweep:
    """Goes through what a turn was handed, and takes out what is neither data nor was there before."""

    def __init__(self, trusted: dict[int, Any]) -> None:
        self._trusted = trusted
        self._known: dict[int, tuple[Any, bool]] = {}

    def took_from(self, value: Any, depth: int = 0) -> bool:
        """Say whether anything in a container had to be taken out."""
        if id(value) in self._known:
            return False
        self._known[id(value)] = value, True
        took = False

        def may_stay(item: Any) -> bool:
            nonlocal took
            if type(item) in _WITHIN - {tuple} and (type(item) is not collections.defaultdict or self._trusts(item)):
                fits = depth < LIMITS.depth
                took = (fits and self.took_from(item, depth + 1)) or took
            elif type(item) is tuple and depth < LIMITS.depth:
                fits = self._stays_whole(item, depth + 1)
            else:
                fits = self._trusts(item) or _is_data(item)
            took = took or not fits
            return fits

        if isinstance(value, dict):
            pairs = [(key, item) for key, item in dict.items(value) if may_stay(key) & may_stay(item)]
            if len(pairs) < len(value):
                dict.clear(value)
                dict.update(value, pairs)
        else:
            items = [item for item in _parts(value) if may_stay(item)]
            if len(items) < len(value) and type(value) is not tuple:
                value.clear()
                (value.extend if type(value) in _ROWS else value.update)(items)
        return took

    def _stays_whole(self, value: tuple[Any, ...], depth: int) -> bool:
        if id(value) not in self._known:
            fits = not self.took_from(value, depth)
            self._known[id(value)] = value, fits
        return self._known[id(value)][1]

    def _trusts(self, item: Any) -> bool:
        return id(item) in self._trusted
