"""Time zones that go by a place, as ``Europe/Oslo``: those of the database that all systems have, by their names alone.

A name is looked up among those that there are before anything is opened by it, so that no cell says which file is read;
a name without a place is none, as ``localtime`` is what the machine's owner chose.
"""

from __future__ import annotations

import functools
import re
import zoneinfo
from importlib import import_module
from typing import Any

import numpy as np
from pandas._libs.tslibs.strptime import array_strptime

from cave_sim.errors import Blocked
from cave_sim.policy.libraries.late import aside
from cave_sim.policy.libraries.stand_ins import StandIn

_PLACE = re.compile(r"[A-Z][A-Za-z]+(/[A-Za-z0-9_+-]+){1,2}")
_held: dict[str, tuple[Any, ...]] = {}
"""Zones that were read: zoneinfo forgets those that nobody holds, and would read them again."""
WAY_OUT = "take 'UTC', a distance from it such as '+02:00', or a place such as 'Europe/Oslo'"


@functools.cache
def names() -> frozenset[str]:
    """Return the names of all zones that go by a place."""
    with aside():
        return frozenset(name for name in zoneinfo.available_timezones() if _PLACE.fullmatch(name))


def is_place(name: Any) -> bool:
    """Say whether a text is the name of such a zone, which has been read by then."""
    if type(name) is not str or not _PLACE.fullmatch(name) or name not in names():
        return False
    _hold(name)
    return True


def _hold(name: str) -> None:
    if name not in _held:
        twin = import_module("zoneinfo._zoneinfo").ZoneInfo  # written in Python: pandas looks into it
        with aside():
            _held[name] = (zoneinfo.ZoneInfo(name), twin(name))


@functools.cache
def load_places() -> None:
    """Read all that texts may name by ``%Z``, too: a sandboxed process may read no file by then."""
    names()
    with aside():
        for name in sorted(zoneinfo.available_timezones() - {"localtime"}):
            _hold(name)
        # pandas looks for the names of zones when it first meets a format that asks for one
        array_strptime(np.array(["2024 UTC"], dtype=object), "%Y %Z", exact=True, errors="raise")


class _Zone(StandIn):
    stands_for = zoneinfo.ZoneInfo

    def __call__(self, key: Any) -> Any:
        if key == "UTC" or is_place(key):
            return zoneinfo.ZoneInfo(key)
        raise Blocked(f"time zone {str(key)[:40]!r}: {WAY_OUT}")


class ZoneInfo(metaclass=_Zone):
    """``zoneinfo.ZoneInfo`` in a cell: of a place."""


ZONES: dict[str, Any] = {"ZoneInfo": ZoneInfo, "ZoneInfoNotFoundError": zoneinfo.ZoneInfoNotFoundError}
"""``zoneinfo``."""
