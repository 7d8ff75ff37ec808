"""World time: a step counter, the seconds and the date that follow from it. Never the wall clock."""

from __future__ import annotations

import datetime as dt

from cave_sim.entity.builtin_entities import SYSTEM
from cave_sim.entity.undo_log import UndoLog
from cave_sim.errors import WorldError
from cave_sim.policy.guards import facade_type
from cave_sim.world.cell_hints import CellHints


def parse_start(start: str | dt.datetime) -> dt.datetime:
    """Return the world time of step 0; raises WorldError if it is no date, or one beside which there are none."""
    if not isinstance(start, dt.datetime):
        try:
            start = dt.datetime.fromisoformat(start)
        except (TypeError, ValueError):
            raise WorldError(f"start={start!r} is no date with a time; write it as 2012-06-01T06:00") from None
    if not dt.MINYEAR < start.year < dt.MAXYEAR:
        raise WorldError(f"start={start.isoformat()} is at the end of the calendar: take a year from 2 to 9998")
    return start


@facade_type
class Clock(CellHints):
    """The time of one world, read-only. In a cell it is called ``clock``."""

    __slots__ = ("_moment", "_start", "_step_s", "_undo_log")

    def __init__(self, undo_log: UndoLog, start: dt.datetime, step_s: float) -> None:
        self._undo_log, self._start, self._step_s = undo_log, start, step_s
        self._moment: tuple[int, dt.datetime] = 0, start

    @property
    def step(self) -> int:
        """How many steps have been taken."""
        return int(self._undo_log.entities[SYSTEM].step)

    @property
    def time_s(self) -> float:
        """Seconds of world time since the start."""
        return self.step * self._step_s

    @property
    def now(self) -> dt.datetime:
        """The date and time in the world."""
        moment, step = self._moment, self.step
        if moment[0] != step:
            moment = self._moment = step, self._start + dt.timedelta(seconds=self.time_s)
        return moment[1]

    @property
    def date(self) -> dt.date:
        """The day."""
        return self.now.date()

    @property
    def hour(self) -> float:
        """The hour of the day with its fraction, 0 to 24."""
        now = self.now
        return now.hour + now.minute / 60 + now.second / 3600

    @property
    def text(self) -> str:
        """The time as people write it: Fri 1 June 2012 06:00. English whatever the locale."""
        now = self.now
        return f"{DAYS[now.weekday()]} {now.day} {MONTHS[now.month - 1]} {now.year} {now:%H:%M}"

    def __repr__(self) -> str:
        return f"<Clock {self.text}, step {self.step}>"


DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
MONTHS = "January February March April May June July August September October November December".split()
