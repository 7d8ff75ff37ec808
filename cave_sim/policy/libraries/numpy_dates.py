"""Arrays of dates in a cell: numpy takes the texts "now" and "today" for the time of the machine, so none reaches it.

numpy makes dates of texts where it writes them into an array of dates and where it is asked for such a type, never
where it compares. What it may make dates of is looked at first, and holds no object of a cell's class: numpy would ask
that for its year, and its code could put another text in the place of one that was looked at.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

import numpy as np
import pandas as pd

from cave_sim.errors import Blocked
from cave_sim.policy.libraries.cell_classes import OWN_CLASSES
from cave_sim.policy.libraries.numpy_arguments import settled
from cave_sim.policy.libraries.pandas_clock import WORDS, check_moment
from cave_sim.policy.libraries.stand_ins import StandIn

_COLUMNS = (pd.Series, pd.Index, pd.api.extensions.ExtensionArray)
_NESTED = (list, tuple)
_NAMED = re.compile(r"[<>=|]?(M|M8|datetime64)(\[.*\])?")
_FIXED = "biufcmM"
"""Kinds of items that numpy makes dates of without reading a text."""
_PLAIN = (
    *(bool, int, float, complex, type(None), np.generic, np.dtype, type, slice, type(...)),
    *(dt.date, dt.timedelta, dt.timezone, type(pd.NaT), type(pd.NA)),
)
_CASTING = frozenset({"no", "equiv", "safe", "same_kind"})
_ZONES = frozenset({"naive", "UTC"})


def involves_dates(values: Iterable[Any]) -> bool:
    """Say whether numpy would make an array of dates of one of several values, or is asked for one by it."""
    return any(map(_is_dated, values))


def _is_dated(value: Any) -> bool:
    kind = type(value)
    if kind is str:
        return _NAMED.fullmatch(value) is not None
    if kind in _NESTED:
        kinds = set(map(type, value))
        return np.datetime64 in kinds or any(_is_dated(each) for each in value if type(each) not in _UNDATED)
    if isinstance(value, np.dtype):
        return bool(value.kind == "M")
    if isinstance(value, type):
        return issubclass(value, np.datetime64)
    if isinstance(value, (np.ndarray, np.generic)):
        return value.dtype.kind == "M"
    if isinstance(value, pd.DataFrame):
        return any(_is_dated(value.iloc[:1, at]) for at in range(value.shape[1]))
    if isinstance(value, _COLUMNS):  # categories of dates are dates
        return (value.dtype if isinstance(value.dtype, np.dtype) else np.asarray(value[:1]).dtype).kind == "M"
    if kind in _UNDATED or isinstance(value, (dict, str, bytes)):
        return False
    return (
        hasattr(kind, "__getitem__") and hasattr(kind, "__len__") and _is_dated([*value])
    )  # numpy goes through it, too


_UNDATED = frozenset({str, int, float, bool, bytes, range, type(None), dt.date, dt.datetime, pd.Timestamp})


def check_dates(value: Any) -> None:
    """Return if what numpy may read as dates in a value is the same whenever it is read; raises Blocked."""
    kind = type(value)
    if kind in OWN_CLASSES:
        raise Blocked(f"dates of a {kind.__name__}: take texts, dates and numbers")
    if kind in _NESTED:
        for each in value if not set(map(type, value)) <= _NUMBERS else ():
            check_dates(each)
    elif isinstance(value, np.ndarray):
        if value.dtype.kind not in _FIXED:
            check_dates(value.ravel().tolist())
    elif isinstance(value, (*_COLUMNS, pd.DataFrame)):
        check_dates(np.asarray(value, dtype=object))
    elif isinstance(value, (str, bytes)):
        check_moment(value if isinstance(value, str) else value.decode("latin-1"), WORDS)
    elif not isinstance(value, _PLAIN):
        raise Blocked(f"dates of a {kind.__name__}: take texts, dates and numbers")


_NUMBERS = frozenset({int, float, bool, type(None), np.datetime64, dt.date, dt.datetime, pd.Timestamp})


def check_beside_dates(title: str, args: tuple[Any, ...], options: dict[str, Any]) -> None:
    """Return if a function of numpy that meets dates reads no clock by its arguments; raises Blocked."""
    if not involves_dates((*args, *options.values())):
        return
    if involves_dates((options.get("out"),)):
        raise Blocked(f"{title}(out=...) writes no dates; assign what it returns")
    if options.get("casting", "no") not in _CASTING:
        raise Blocked(f"{title}(casting=...) makes no dates; take array.astype('M8[D]')")
    for value in (*args, *options.values()):
        check_dates(value)


def check_cast(value: Any, dtype: Any) -> None:
    """Return if a value may be turned into items of a type; raises Blocked."""
    if dtype is not None and dtype.kind == "M":
        check_dates(value)


def of_one_kind(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of a cell whose results numpy puts into an array of the first one's type."""
    dated: list[bool] = []

    def call(*args: Any, **options: Any) -> Any:
        result = settled(function(*args, **options))
        if not dated:
            dated.append(_is_dated((result,)))
        if dated[0]:
            check_dates(result)
        return result

    return call


def sparing_dates(array: Any, name: str) -> Any:
    """A method of an array that can write what it finds elsewhere: of texts and objects, not into dates."""
    return sparing(array, name, getattr(array, name))


def sparing(array: Any, name: str, method: Any) -> Any:
    """The same of a method that is told."""
    if array.dtype.kind in _FIXED:
        return method

    def call(*args: Any, **options: Any) -> Any:
        if involves_dates((*args, *options.values())):
            raise Blocked(f"{name}() of texts and objects takes no dates; make dates of them by astype('M8[D]')")
        return method(*args, **options)

    return call


WRITING_ELSEWHERE = "sum mean min max round any all trace compress conj conjugate"
"""Methods that do, but for those that cells get in another form anyhow."""


def settled_dates(_: Any, value: Any) -> Any:
    """Return what a cell writes into an array of dates; raises Blocked."""
    plain = settled(value)
    check_dates(plain)
    return plain


class _DateClassKind(StandIn):
    stands_for = np.datetime64


class DateClass(np.datetime64, metaclass=_DateClassKind):
    """``np.datetime64`` in a cell."""

    def __new__(cls, *args: Any) -> Any:
        """Return the moment that a text, a date or a number stands for."""
        for value in args:
            check_dates(value)
        return np.datetime64(*args)


DateClass.__name__ = DateClass.__qualname__ = "datetime64"
DateClass.__module__ = "numpy"


def _of_days(name: str, count: int) -> Callable[..., Any]:
    """A function of days of business.

    Args:
        name: of the function in numpy.
        count: how many of its arguments are days.
    """
    function = getattr(np, name)

    @wraps(function)
    def call(*args: Any, weekmask: Any = "1111100", holidays: Any = None) -> Any:
        if len(args) > count + 2:
            raise Blocked(f"np.{name} takes days, weekmask and holidays")
        given = [settled(each) for each in (*args, *(weekmask, holidays)[max(0, len(args) - count) :])]
        if len(args) < count:
            raise TypeError(f"np.{name} takes {count} positional arguments, and was given {len(args)}")
        for value in given:
            check_dates(value)
        return function(*given[:-1], [] if given[-1] is None else given[-1])

    return call


def _business_days(
    dates: Any, offsets: Any, roll: Any = "raise", weekmask: Any = "1111100", holidays: Any = None
) -> Any:
    """``np.busday_offset``: so many days of business later."""
    days, free = settled(dates), [] if holidays is None else settled(holidays)
    steps = np.asarray(settled(offsets))
    if steps.dtype.kind not in "iu" or np.any(np.abs(steps.astype(float)) > MOST_DAYS):
        raise Blocked(f"np.busday_offset: offsets are whole numbers to {MOST_DAYS:,}")
    for value in (days, weekmask, free):
        check_dates(value)
    if np.size(days) * np.size(steps) > MOST_DAYS:
        raise Blocked(f"np.busday_offset: more than {MOST_DAYS:,} days")
    way: Any = str(roll)
    return np.busday_offset(days, steps, way, weekmask, free)


MOST_DAYS = 1_000_000


def _as_texts(arr: Any, unit: Any = None, timezone: Any = "naive", casting: Any = "same_kind") -> Any:
    """``np.datetime_as_string``, in no zone that only the machine knows."""
    dates, zone = settled(arr), timezone
    check_dates(dates)
    if not (type(timezone) is dt.timezone or (type(timezone) is str and timezone in _ZONES)):
        raise Blocked("np.datetime_as_string takes timezone='UTC', 'naive', or a datetime.timezone")
    return np.datetime_as_string(dates, unit, zone, casting)


DATES: dict[str, Any] = {
    "datetime64": DateClass,
    "timedelta64": np.timedelta64,
    "busday_count": _of_days("busday_count", 2),
    "is_busday": _of_days("is_busday", 1),
    "busday_offset": _business_days,
    "datetime_as_string": _as_texts,
}
"""What ``np`` offers for dates."""


def steps_between(bounds: list[Any], dtype: Any) -> int | None:
    """Return how many items ``np.arange`` makes of dates or spans; None of anything else.

    Args:
        bounds: start, stop and step, each of which may be None.
        dtype: the type that was asked for.
    """
    kind = _kind_of(bounds, dtype)
    if kind is None:
        return None
    asked = dtype if dtype is not None and dtype.kind in "mM" else np.dtype(f"{kind}8")
    begin, end, step = bounds
    if end is None:
        begin, end = 0, begin
    first = np.array(0 if begin is None else begin, asked)
    is_span = kind == "m" or isinstance(end, (int, np.integer, dt.timedelta))  # which counts from the start on
    last = np.array(end, "m8" if is_span else asked)
    each = np.array(1 if step is None else step, "m8")
    unit = np.datetime_data(asked)[0]
    fine: Any = asked
    if unit == "generic":
        fine = np.promote_types(first.dtype, last.dtype.str.replace("m8", f"{kind}8"))
        fine = np.promote_types(fine, each.dtype.str.replace("m8", f"{kind}8")) if step is not None else fine
    span = np.dtype(fine.str.replace("M8", "m8"))
    start = 0 if is_span and kind == "M" else int(first.astype(fine).astype("i8"))
    stop = int(last.astype(span if is_span else fine).astype("i8"))
    return abs(stop - start) // max(1, abs(int(each.astype(span).astype("i8"))))


def _kind_of(bounds: list[Any], dtype: Any) -> str | None:
    if dtype is not None and dtype.kind in "mM":
        return str(dtype.kind)
    if any(isinstance(each, (np.datetime64, np.ndarray)) and each.dtype.kind == "M" for each in bounds):
        return "M"
    return "m" if any(isinstance(each, np.timedelta64) for each in bounds) else None
