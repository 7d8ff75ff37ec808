"""Steps of time in a cell: ``pd.offsets`` and ``pd.DateOffset``, with holidays, without the time of the machine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd

from cave_sim.errors import Blocked
from cave_sim.policy.libraries.pandas_clock import check_moment, check_moments

_UNITS = frozenset("years months weeks days year month day weekday n normalize".split())
_PLAIN = (
    "Day BDay BusinessDay Week MonthEnd MonthBegin BMonthEnd BMonthBegin QuarterEnd QuarterBegin YearEnd YearBegin "
    "BQuarterEnd BQuarterBegin BYearEnd BYearBegin HalfYearEnd HalfYearBegin SemiMonthEnd SemiMonthBegin WeekOfMonth "
    "LastWeekOfMonth Easter Hour Minute Second Milli Micro"
)
_WITH_HOLIDAYS = "CustomBusinessDay CustomBusinessMonthEnd CustomBusinessMonthBegin"
MOST_HOLIDAYS = 10_000
ROLLING = ("rollforward", "rollback", "is_on_offset")
"""Methods of a step that ask of a moment whether one ends or begins there."""
_NAMES = [name for name in f"{_PLAIN} {_WITH_HOLIDAYS}".split() if hasattr(pd.offsets, name)]
KINDS: tuple[Any, ...] = (*dict.fromkeys(getattr(pd.offsets, name) for name in _NAMES), pd.DateOffset)
"""The classes of all steps that cells make."""


def date_offset(n: int = 1, **units: Any) -> Any:
    """``pd.DateOffset`` of days and more; for hours and less there is ``pd.Timedelta``."""
    if set(units) - _UNITS:
        raise Blocked("pd.DateOffset takes years, months, weeks and days; for less use pd.Timedelta(hours=1)")
    return pd.DateOffset(n, **units)


def _with_holidays(name: str) -> Callable[..., Any]:
    def make(
        n: int = 1, normalize: bool = False, weekmask: str = "Mon Tue Wed Thu Fri", holidays: Any = None
    ) -> Any:  # fmt: skip
        if not isinstance(weekmask, str):
            raise Blocked(f"pd.offsets.{name}: weekmask is a text, as 'Mon Tue Wed Thu Fri'")
        days = [] if holidays is None else list(holidays)
        if len(days) > MOST_HOLIDAYS:
            raise Blocked(f"pd.offsets.{name}: more than {MOST_HOLIDAYS:,} holidays")
        check_moments(days)
        dates = [str(pd.Timestamp(day).date()) for day in days]
        return getattr(pd.offsets, name)(n, bool(normalize), str(weekmask), dates)

    make.__name__ = make.__qualname__ = name
    return make


def rolling(offset: Any, name: str) -> Callable[..., Any]:
    """``rollforward`` and ``rollback`` to where a step ends, and whether a moment is there."""

    def roll(dt: Any) -> Any:
        check_moment(dt)
        return getattr(offset, name)(pd.Timestamp(dt) if isinstance(dt, str) else dt)

    return roll


OFFSETS: dict[str, Any] = {
    **{name: getattr(pd.offsets, name) for name in _PLAIN.split() if hasattr(pd.offsets, name)},
    **{name: _with_holidays(name) for name in _WITH_HOLIDAYS.split()},
    "DateOffset": date_offset,
}
"""What ``pd.offsets`` offers."""
