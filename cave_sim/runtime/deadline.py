"""The deadline of a turn, in processor time, as far as one process can keep it.

While a cell runs, a timer rings some twenty times a second and looks whether the cell is overdue. A ring interrupts
Python code in the main thread, again and again until it gives up. It cannot interrupt one long call inside C: where no
ring is heard for ten deadlines of processor time, the process is ended. Other threads get no signals at all: ticks and
the process host cover those.

What counts is the time for which the thread had the processor, so a machine that is frozen or busy with others changes
nothing. A turn that waits instead of computing is ended after ten times its deadline, counted in rings: a process that
is stopped hears none.

A process has one such timer and one handler for it. They are borrowed for a turn, or for the turns of a batch, and
whatever the process had of its own is given back: the handler, and the timer with the time that it had left. An alarm
that came due meanwhile rings as soon as the turn is over.
"""

from __future__ import annotations

import gc
import signal
import threading
import weakref

# without the enums of the module signal: each turn calls these, and the enums would cost as much as the turn itself
from _signal import getsignal  # type: ignore[import-not-found]
from _signal import signal as set_handler
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter, thread_time
from types import CodeType, FrameType
from typing import Any, TypeVar

from cave_sim.entity.asking import CELL_FILE
from cave_sim.errors import DeadlineReached
from cave_sim.policy.libraries import late
from cave_sim.runtime.standstill import STANDSTILL, end_process

WAITING_FACTOR = 10
"""How many times its deadline a turn may take if it waits instead of computing."""
STANDSTILL_FACTOR = 10
"""How many deadlines a turn may compute in one call inside C, without hearing a ring; then its process ends."""
_EVERY_S = 0.05
_SOON_S = 1e-6
_NEVER = float("inf")
F = TypeVar("F", bound=Callable[..., Any])
_WEAK_REFERENCES = {each.__init__.__code__.co_filename for each in (weakref.WeakSet, weakref.WeakValueDictionary)}
_IMPORTING = "<frozen importlib._bootstrap>"
"""What Python imports by: a library cut off while it is first used would begin anew, half of it there, in each turn."""
_HAS_TIMER = hasattr(signal, "setitimer")
_get_ident = threading.get_ident


class Deadline:
    """The one timer of the process; an inner turn keeps the deadline of the outer one."""

    def __init__(self) -> None:
        self._due = _NEVER  # of the thread's processor time
        self._limit_s = 0.0
        self._rings = 0
        self._in_batch = False
        self._borrowed = False
        self._own_handler: Any = None
        self._own_due = _NEVER  # when the process's own alarm is to ring, of perf_counter
        self._own_interval_s = 0.0
        self._main = threading.main_thread().ident

    def arm(self, now: float, limit_s: float) -> bool:
        """Set the deadline, ``limit_s`` of processor time from here; returns whether this call set one.

        Args:
            now: of ``perf_counter``.
            limit_s: 0 for none.
        """
        if self._due is not _NEVER or limit_s <= 0 or _get_ident() != self._main:
            return False
        # The deadline stands before the timer is borrowed: a ring that found none would give the timer back, and where
        # the process's own alarm had come due meanwhile, the turn would have no end.
        self._limit_s, self._rings = limit_s, 0
        self._due = thread_time() + limit_s
        if not self._borrowed and not self._borrow(now):
            self._due = _NEVER
            return False
        return True

    def disarm(self) -> None:
        """Take the deadline away. A ring on its way finds none and does nothing."""
        self._due = _NEVER
        if not self._in_batch or perf_counter() >= self._own_due:
            self._give_back()

    def check(self) -> None:
        """Raise DeadlineReached if the present turn is overdue; a turn that ran an inner one asks after it."""
        if self._is_over():
            raise DeadlineReached(f"the cell ran longer than {self._limit_s:g} s of processor time and was stopped")

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Put off the deadline of the present turn by what is done here, which is not the cell's."""
        begun_s = thread_time()
        try:
            yield
        finally:
            if self._due is not _NEVER and _get_ident() == self._main:
                self._due += thread_time() - begun_s
                self._rings = 0

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
        left_s, self._own_interval_s = signal.setitimer(signal.ITIMER_REAL, 0.0)
        if left_s:
            self._own_due = now + left_s
        self._borrowed = True
        # Ours starts only now: on a machine so busy that it rings at once, no ring of ours is taken for the process's.
        signal.setitimer(signal.ITIMER_REAL, _EVERY_S, _EVERY_S)
        STANDSTILL.watch(self._limit_s * STANDSTILL_FACTOR)
        return True

    def _give_back(self) -> None:
        """Put back what the process had. Our timer goes first: the process's handler is not for its rings."""
        if not self._borrowed:  # a ring did so a moment ago
            return
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        STANDSTILL.rest()
        set_handler(signal.SIGALRM, self._own_handler)
        self._borrowed = False
        if self._own_due is not _NEVER:
            left_s = max(_SOON_S, self._own_due - perf_counter())
            signal.setitimer(signal.ITIMER_REAL, left_s, self._own_interval_s)

    def _ring(self, signum: int, frame: FrameType | None) -> None:
        now = perf_counter()
        self._rings += 1
        if self._borrowed:
            STANDSTILL.watch(self._limit_s * STANDSTILL_FACTOR)
        if not self._borrowed:  # the process's own alarm, after its handler was taken and before its timer was
            self._own_due = now
        elif self._is_over() and _is_interruptible(frame):
            self.check()
        elif self._due is _NEVER and now >= self._own_due:  # between two turns of a batch
            self._give_back()

    def _is_over(self) -> bool:
        if self._due is _NEVER:
            return False
        return thread_time() > self._due or self._rings * _EVERY_S > self._limit_s * WAITING_FACTOR


_interruptible: set[CodeType] = set()
_whole: set[CodeType] = set()


def interruptible(function: F) -> F:
    """Mark a function that does a cell's acts in its place: the deadline may end what it calls."""
    _interruptible.add(function.__code__)
    return function


def whole(function: F) -> F:
    """Mark a function that is never ended half-way, but for the cell that it runs."""
    _whole.add(function.__code__)
    return function


def _is_interruptible(frame: FrameType | None) -> bool:
    """Say whether a cell's own lines are running, and not the turn around them that lands or undoes what they did."""
    while frame is not None and frame.f_code not in _whole:
        if frame.f_code.co_filename == CELL_FILE or frame.f_code in _interruptible:
            return True
        if frame.f_code.co_filename == _IMPORTING or _is_swallowed(frame.f_code):
            return False
        frame = frame.f_back
    return False


def _is_swallowed(code: CodeType) -> bool:
    """Say whether Python calls a function while it clears up, and would print what it raises and go on.

    The end of a cell must not be lost there: the next ring comes in a twentieth of a second.
    """
    if code.co_name == "__del__" or code.co_filename in _WEAK_REFERENCES:
        return True
    return any(getattr(each, "__code__", None) is code for each in gc.callbacks)


DEADLINE = Deadline()
late.asides.append(DEADLINE.aside)
whole(late.load)
whole(end_process)
