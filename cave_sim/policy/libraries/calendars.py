"""``calendar`` in a cell: months and weeks with English names, whatever the language of the machine."""

from __future__ import annotations

import calendar
from collections.abc import Callable
from typing import Any

from cave_sim.errors import Blocked
from cave_sim.policy.libraries.kept_classes import kept_class

MAX_WIDTH = 40
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    *("", "January", "February", "March", "April", "May", "June", "July", "August", "September"),
    *("October", "November", "December"),
)


class _English(calendar.TextCalendar):
    """A calendar as a text whose names follow no setting of the machine."""

    def formatweekday(self, day: int, width: int) -> str:
        return (_DAYS[day] if width >= 9 else _DAYS[day][:3])[:width].center(width)

    def formatmonthname(self, theyear: int, themonth: int, width: int, withyear: bool = True) -> str:
        name = f"{_MONTHS[themonth]} {theyear}" if withyear else _MONTHS[themonth]
        return name.center(width)


@kept_class("firstweekday")
class Calendar:
    """``calendar.Calendar``: the days of months, week by week."""

    __slots__ = ("firstweekday",)

    def __init__(self, firstweekday: int = 0) -> None:
        self.firstweekday: int = int(firstweekday)

    def _asked(self, name: str) -> Callable[..., Any]:
        return getattr(_English(self.firstweekday), name)  # type: ignore[no-any-return]


@kept_class("firstweekday")
class TextCalendar(Calendar):
    """``calendar.TextCalendar``: months and years as texts."""

    __slots__ = ()

    def formatmonth(self, theyear: int, themonth: int, w: int = 0, l: int = 0) -> str:  # noqa: E741 -- as in Python
        """Return a month as a text."""
        _check_width(w, l)
        return str(self._asked("formatmonth")(theyear, themonth, w, l))

    def formatyear(self, theyear: int, w: int = 2, l: int = 1, c: int = 6, m: int = 3) -> str:  # noqa: E741
        """Return a year as a text."""
        _check_width(w, l, c, m)
        return str(self._asked("formatyear")(theyear, w, l, c, m))


def _listing(name: str) -> Callable[..., Any]:
    def ask(self: Calendar, *args: Any) -> Any:
        days = list(self._asked(name)(*args))
        return iter(days) if name.startswith("iter") else days

    ask.__name__ = name
    ask.__doc__ = f"``calendar.Calendar.{name}``."
    return ask


for _name in (
    "iterweekdays itermonthdates itermonthdays itermonthdays2 itermonthdays3 monthdatescalendar monthdayscalendar "
    "monthdays2calendar yeardayscalendar yeardatescalendar"
).split():
    setattr(Calendar, _name, _listing(_name))


def _check_width(*sizes: Any) -> None:
    if not all(type(size) is int and size <= MAX_WIDTH for size in sizes):
        raise Blocked(f"calendar: widths and heights are numbers up to {MAX_WIDTH}")


CALENDAR: dict[str, Any] = {
    **{name: getattr(calendar, name) for name in "isleap leapdays timegm".split()},
    "weekday": lambda year, month, day: int(calendar.weekday(year, month, day)),
    "monthrange": lambda year, month: tuple(map(int, calendar.monthrange(year, month))),
    **{name.upper(): number for number, name in enumerate(_DAYS)},
    "day_name": _DAYS,  # Python's own follow the language of the machine
    "day_abbr": tuple(name[:3] for name in _DAYS),
    "month_name": _MONTHS,
    "month_abbr": tuple(name[:3] for name in _MONTHS),
    "monthcalendar": lambda year, month: calendar.Calendar().monthdayscalendar(year, month),
    "month": lambda year, month, w=0, l=0: TextCalendar().formatmonth(year, month, w, l),  # noqa: E741
    "calendar": lambda year, w=2, l=1, c=6, m=3: TextCalendar().formatyear(year, w, l, c, m),  # noqa: E741
    "Calendar": Calendar,
    "TextCalendar": TextCalendar,
}
"""What ``calendar`` offers."""
