"""The wall-clock deadline of a turn, as far as one process can keep it.

A timer signal interrupts Python code in the main thread, again and again until it gives up. It cannot interrupt one
long call inside C, and other threads get no signals at all: ticks and the process host cover those.
"""

from __future__ import annotations

import signal
import threading
from types import FrameType
from typing import Any

from cave_sim.errors import DeadlineReached

_AGAIN_S = 0.02


class Deadline:
    """Arms and disarms the process's one timer; an inner turn keeps the deadline of the outer one."""

    def __init__(self) -> None:
        self._armed = False
        self._limit_s = 0.0
        self._installed: Any = None

    def arm(self, limit_s: float) -> bool:
        """Start the timer unless it runs already or cannot; return whether this call started it."""
        if self._armed or limit_s <= 0 or threading.current_thread() is not threading.main_thread():
            return False
        if self._installed is None:
            if not hasattr(signal, "setitimer"):
                return False
            self._installed = signal.signal(signal.SIGALRM, self._ring) or signal.SIG_DFL
        self._limit_s, self._armed = limit_s, True
        signal.setitimer(signal.ITIMER_REAL, limit_s, _AGAIN_S)
        return True

    def disarm(self) -> None:
        """Stop the timer. A signal on its way finds the flag down and is ignored."""
        self._armed = False
        signal.setitimer(signal.ITIMER_REAL, 0.0)

    def _ring(self, signum: int, frame: FrameType | None) -> None:
        if self._armed:
            raise DeadlineReached(f"the cell ran longer than {self._limit_s:g} s of real time and was stopped")


DEADLINE = Deadline()
