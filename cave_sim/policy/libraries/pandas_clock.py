"""The time of the machine, which pandas reads where it meets the text "now": refused while a cell asks for it.

pandas turns texts into dates in a few places of its own, whatever operation they came by: ``series > "now"``,
``series[0] = "today"``, ``table.loc["10:00":]``. While a cell runs a guard stands in each, and lets through whatever no
cell called; at any other time pandas is what it was.
"""

from __future__ import annotations

import datetime as dt
import inspect
import re
import zoneinfo
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

import numpy as np
import pandas as pd
from pandas._libs import tslib
from pandas._libs.tslibs import timezones
from pandas.core.arrays import DatetimeArray, datetimes
from pandas.core.tools import datetimes as tools

from cave_sim.entity.asking import CELL_FILE
from cave_sim.errors import Blocked
from cave_sim.policy.libraries.places import WAY_OUT, is_place, load_places
from cave_sim.policy.libraries.stand_ins import StandIn

WORDS = re.compile(r"\s*(now|today)\s*", re.IGNORECASE)
_ZONE = re.compile(r"utc|[+-]\d\d:\d\d", re.IGNORECASE)
"""Other time zones go by a place, or are the machine's own, which differs."""
_MACHINES_OWN = re.compile("localtime|posixrules", re.IGNORECASE)
"""Zones that whoever owns a machine chose for it."""
_FORMAT = 3
"""The place of the format among what pandas reads texts by."""
_MOVING = re.compile(rf"{WORDS.pattern}|\s*\d{{1,2}}:.*", re.IGNORECASE | re.DOTALL)
"""Texts that stand for another moment every day: a time without a date is one of today."""

_ARRAYS, _TOOLS, _ZONES, _TEXTS = vars(datetimes), vars(tools), vars(timezones), vars(tslib)
"""Names of pandas's modules, which are set here each turn: as those of a dict, in half the time."""
_COLUMNS = (pd.Series, pd.Index, np.ndarray, pd.api.extensions.ExtensionArray)


def check_moment(value: Any, moving: re.Pattern[str] = _MOVING) -> None:
    """Return if a value means the same moment whenever it is read; raises Blocked."""
    if isinstance(value, str):
        if moving.fullmatch(value):
            raise Blocked(f"{value.strip()!r} as a date is the time of the machine; use clock.now or clock.date")
    elif isinstance(value, dict):
        check_moments(value.values(), moving)
    elif isinstance(value, (list, tuple, set, frozenset)):
        check_moments(value, moving)
    elif isinstance(value, _COLUMNS) and getattr(value.dtype, "kind", "O") in "OUS":
        check_moments(np.asarray(value, dtype=object).ravel().tolist(), moving)


def check_moments(values: Iterable[Any], moving: re.Pattern[str] = _MOVING) -> None:
    """Return if none of the values is the time of the machine; raises Blocked."""
    for value in values:
        check_moment(value, moving)


def _check_word(value: Any) -> None:
    check_moment(value, WORDS)


def check_zone(value: Any) -> None:
    """Return if a time zone is none, or one that is the same on every machine; raises Blocked."""
    name = value.key if isinstance(value, zoneinfo.ZoneInfo) else value
    if not (value is None or type(value) is dt.timezone or _ZONE.fullmatch(str(name)) or is_place(name)):
        raise Blocked(f"time zone {str(value)[:40]!r}: {WAY_OUT}")


def _check_named_zone(value: Any) -> None:
    if isinstance(value, str):  # other zones are those of values that an agent was given
        check_zone(value)


def _a_cell_asks() -> bool:
    frame = inspect.currentframe()
    while frame is not None and frame.f_code.co_filename != CELL_FILE:
        frame = frame.f_back
    return frame is not None


def _watched(
    function: Callable[..., Any], place: int, check: Callable[[Any], None] = check_moment
) -> Callable[..., Any]:
    """A function of pandas whose argument in one place is checked before it is read as a date."""

    @wraps(function)
    def read(*args: Any, **kwargs: Any) -> Any:
        if len(args) > place and _a_cell_asks():
            check(args[place])
        return function(*args, **kwargs)

    return read


def _watched_zones(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function of pandas that reads texts by a format, which may ask for the name of a zone in each."""

    @wraps(function)
    def read(*args: Any, **kwargs: Any) -> Any:
        if len(args) > _FORMAT and "%Z" in args[_FORMAT] and _a_cell_asks():
            load_places()
            for text in np.asarray(args[0], dtype=object).ravel().tolist():
                if _MACHINES_OWN.search(str(text)):
                    raise Blocked(f"{text[:40]!r}: {WAY_OUT}")
        return function(*args, **kwargs)

    return read


class ClockGuards:
    """The guards in pandas. They are there between :meth:`enter` and :meth:`leave`, and at no other time.

    Each turn enters and leaves, so both are written out instead of looping over a table, which would cost three times
    as much.
    """

    def __init__(self) -> None:
        self._own = self._of_pandas()
        texts, _, formatted, scalar, label, zone, zoned = self._own
        self._read_texts = _watched(texts, 0)
        self._read_formatted = _watched_zones(
            _watched(formatted, 0, _check_word)
        )  # by a format such as %H:%M, which means no day
        self._read_scalar = _watched(scalar, 1)
        self._read_label = _watched(label, 1)
        self._read_zoned = _watched(zoned, 0)
        self._read_zone = _watched(zone, 0, _check_named_zone)

    def enter(self) -> None:
        """Put the guards where pandas's functions are."""
        _ARRAYS["objects_to_datetime64"] = _TOOLS["objects_to_datetime64"] = self._read_texts
        _TOOLS["_array_strptime_with_fallback"] = self._read_formatted
        DatetimeArray._scalar_from_string = self._read_scalar
        pd.DatetimeIndex._parse_with_reso = self._read_label
        _ZONES["maybe_get_tz"] = self._read_zone
        _TEXTS["array_to_datetime_with_tz"] = self._read_zoned

    def leave(self) -> None:
        """Put pandas's functions back."""
        (
            _ARRAYS["objects_to_datetime64"],
            _TOOLS["objects_to_datetime64"],
            _TOOLS["_array_strptime_with_fallback"],
            DatetimeArray._scalar_from_string,
            pd.DatetimeIndex._parse_with_reso,
            _ZONES["maybe_get_tz"],
            _TEXTS["array_to_datetime_with_tz"],
        ) = self._own

    @staticmethod
    def _of_pandas() -> tuple[Callable[..., Any], ...]:
        return (
            datetimes.objects_to_datetime64,
            tools.objects_to_datetime64,
            tools._array_strptime_with_fallback,
            DatetimeArray._scalar_from_string,
            pd.DatetimeIndex._parse_with_reso,
            timezones.maybe_get_tz,
            tslib.array_to_datetime_with_tz,
        )


class _ClockedType(StandIn):
    stands_for = pd.Timestamp

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        check_moments((*args, *kwargs.values()))
        _check_named_zone(kwargs.get("tz"))
        return pd.Timestamp(*args, **kwargs)


class Timestamp(metaclass=_ClockedType):
    """``pd.Timestamp`` in a cell: without the moments that only the machine knows."""
