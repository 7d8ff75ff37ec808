"""The wall-clock deadline of a turn, as far as one process can keep it.

While a cell runs, a timer rings some twenty times a second and looks whether the cell is overdue. A ring interrupts
Python code in the main thread, again and again until it gives up. It cannot interrupt one long call inside C, and
other threads get no signals at all: ticks and the process host cover those.

A process has one such timer and one handler for it. They are borrowed for a turn, or for the turns of a batch, and
whatever the process had of its own is given back: the handler, and the timer with the time that it had left. An alarm
that came due meanwhile rings as soon as the turn is over.
"""

from __future__ import annotations

import signal
import threading

# without the enums of the module signal: each turn calls these, and the enums would cost as much as the turn itself
from _signal import getsignal  # type: ignore[import-not-found]
from _signal import signal as set_handler
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter
from types import FrameType
from typing import Any

from cave_sim.errors import DeadlineReached

_EVERY_S = 0.05
_SOON_S = 1e-6
_NEVER = float("inf")
_HAS_TIMER = hasattr(signal, "setitimer")
_get_ident = threading.get_ident


class Deadline:
    """The one timer of the process; an inner turn keeps the deadline of the outer one."""

    def __init__(self) -> None:
        self._due = _NEVER
        self._limit_s = 0.0
        self._in_batch = False
        self._borrowed = False
        self._own_handler: Any = None
        self._own_due = _NEVER  # when the process's own alarm is to ring, of perf_counter
        self._own_interval_s = 0.0
        self._main = threading.main_thread().ident

    def arm(self, now: float, limit_s: float) -> bool:
        """Set the deadline ``limit_s`` after ``now`` (of ``perf_counter``); returns whether this call set one."""
        if self._due is not _NEVER or limit_s <= 0 or _get_ident() != self._main:
            return False
        if not self._borrowed and not self._borrow(now):
            return False
        self._limit_s = limit_s
        self._due = now + limit_s
        return True

    def disarm(self) -> None:
        """Take the deadline away. A ring on its way finds none and does nothing."""
        self._due = _NEVER
        if not self._in_batch or perf_counter() >= self._own_due:
            self._give_back()

    def check(self) -> None:
        """Raise DeadlineReached if the present turn is overdue; a turn that ran an inner one asks after it."""
        if perf_counter() > self._due:
            raise DeadlineReached(f"the cell ran longer than {self._limit_s:g} s of real time and was stopped")

    @contextmanager
    def batch(self) -> Iterator[None]:
        """Keep timer and handler from one turn to the next, and give them back at the end; saves system calls."""
        if self._in_batch or self._due is not _NEVER or _get_ident() != self._main:
            yield
            return
        self._in_batch = True
        try:
            yield
        finally:
            self._in_batch = False
            if self._borrowed:
                self._give_back()

    def _borrow(self, now: float) -> bool:
        """Take handler and timer; returns whether that is possible."""
        if not _HAS_TIMER:
            return False
        self._own_handler = getsignal(signal.SIGALRM)
        if self._own_handler is None:  # not set from Python, so it could not be given back
            return False
        self._own_due = _NEVER
        set_handler(signal.SIGALRM, self._ring)
        left_s, self._own_interval_s = signal.setitimer(signal.ITIMER_REAL, _EVERY_S, _EVERY_S)
        if left_s:
            self._own_due = now + left_s
        self._borrowed = True
        return True

    def _give_back(self) -> None:
        """Put back what the process had. Our timer goes first: the process's handler is not for its rings."""
        if not self._borrowed:  # a ring did so a moment ago
            return
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        set_handler(signal.SIGALRM, self._own_handler)
        self._borrowed = False
        if self._own_due is not _NEVER:
            left_s = max(_SOON_S, self._own_due - perf_counter())
            signal.setitimer(signal.ITIMER_REAL, left_s, self._own_interval_s)

    def _ring(self, signum: int, frame: FrameType | None) -> None:
        now = perf_counter()
        if not self._borrowed:  # the process's own alarm, after its handler was taken and before its timer was
            self._own_due = now
        elif now > self._due and _in_a_cell(frame):
            self.check()
        elif self._due is _NEVER and now >= self._own_due:  # between two turns of a batch
            self._give_back()


def _in_a_cell(frame: FrameType | None) -> bool:
    """Say whether a cell's own lines are running, and not the turn around them that lands or undoes what they did."""
    while frame is not None:
        if frame.f_code.co_filename == "<cell>":  # asked first: a cell may call a function of its own take_turn
            return True
        if frame.f_code.co_name == "take_turn":
            return False
        frame = frame.f_back
    return False


DEADLINE = Deadline()
