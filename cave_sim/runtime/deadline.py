"""The wall-clock deadline of a turn, as far as one process can keep it.

While turns run, a timer rings some twenty times a second and looks whether the present one is overdue: setting a
deadline is then one assignment, not two system calls. A ring interrupts Python code in the main thread, again and
again until it gives up. It cannot interrupt one long call inside C, and other threads get no signals at all: ticks
and the process host cover those.
"""

from __future__ import annotations

import atexit
import signal
import threading
from time import perf_counter
from types import FrameType

from cave_sim.errors import DeadlineReached

_EVERY_S = 0.05
_NEVER = float("inf")
_get_ident = threading.get_ident


class Deadline:
    """The one timer of the process; an inner turn keeps the deadline of the outer one."""

    def __init__(self) -> None:
        self._due = _NEVER
        self._limit_s = 0.0
        self._ringing = False
        self._idle = False
        self._main = threading.main_thread().ident

    def arm(self, now: float, limit_s: float) -> bool:
        """Set the deadline ``limit_s`` after ``now`` (of ``perf_counter``); returns whether this call set one."""
        if self._due is not _NEVER or limit_s <= 0 or _get_ident() != self._main:
            return False
        self._limit_s = limit_s
        if not self._ringing and not self._start():
            return False
        self._idle = False
        self._due = now + limit_s
        return True

    def disarm(self) -> None:
        """Take the deadline away. A ring on its way finds none and does nothing."""
        self._due = _NEVER

    def check(self) -> None:
        """Raise DeadlineReached if the present turn is overdue; a turn that ran an inner one asks after it."""
        if perf_counter() > self._due:
            raise DeadlineReached(f"the cell ran longer than {self._limit_s:g} s of real time and was stopped")

    def _start(self) -> bool:
        if not hasattr(signal, "setitimer"):
            return False
        signal.signal(signal.SIGALRM, self._ring)
        atexit.register(self._stop)  # a ring after Python has let go of its handlers would end the process
        signal.setitimer(signal.ITIMER_REAL, _EVERY_S, _EVERY_S)
        self._ringing = True
        return True

    def _stop(self) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        atexit.unregister(self._stop)
        self._ringing = False

    def _ring(self, signum: int, frame: FrameType | None) -> None:
        if perf_counter() > self._due and _in_a_cell(frame):
            self.check()
        if self._due is _NEVER and self._idle:  # nothing ran since the last ring
            self._stop()
        self._idle = True


def _in_a_cell(frame: FrameType | None) -> bool:
    """Say whether a cell's own lines are running, and not the turn around them that lands or undoes what they did."""
    while frame is not None and frame.f_code.co_name != "take_turn":
        if frame.f_code.co_filename == "<cell>":
            return True
        frame = frame.f_back
    return False


DEADLINE = Deadline()
