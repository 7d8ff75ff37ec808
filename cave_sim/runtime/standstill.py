"""The end of a process that a cell keeps in one call inside C, which neither ticks nor a deadline can interrupt.

Comparing two lists that share their parts sixty levels deep is such a call: it never returns, and no signal handler of
Python's comes to its turn before it does. So the system itself counts the processor time of the main thread, and tells
the process by a signal whose handler is called at once. It says what happened and ends the process: what a run has
committed is in its file, and a host of processes can go on with it. Where the call is just asking the system for
memory, the handler may wait for that for ever: then the process stands still as it did.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any

from cave_sim.entity.asking import CELL_FILE

END_STATUS = 1
_IS_KNOWN = sys.platform.startswith("linux")
_SIGNAL = signal.SIGRTMAX - 3 if _IS_KNOWN else 0
"""One of those that nobody uses for anything else."""
_OF_A_THREAD, _TO_A_THREAD = 3, 4  # CLOCK_THREAD_CPUTIME_ID, SIGEV_THREAD_ID


class _TimerEvent(ctypes.Structure):
    _fields_ = [
        ("value", ctypes.c_void_p),
        ("signal", ctypes.c_int),
        ("notify", ctypes.c_int),
        ("thread", ctypes.c_int),
        ("rest", ctypes.c_byte * 44),
    ]


class _TimeSpan(ctypes.Structure):
    _fields_ = [(name, ctypes.c_long) for name in ("every_s", "every_ns", "in_s", "in_ns")]


class Standstill:
    """The one timer of the process that ends it; set by the main thread, and by each ring of the deadline anew.

    Attributes:
        limit_s: of processor time, as the timer was set last.
    """

    def __init__(self) -> None:
        self._is_off = not _IS_KNOWN
        self._is_made = self._is_handled = False
        self._timer = ctypes.c_void_p()
        self._set: Callable[..., int] = lambda *_: 0
        self.limit_s: float = 0.0
        self._span = _TimeSpan(every_s=1)  # again: a waiting interrupt of the keyboard is raised in the first one
        self._soon, self._never = ctypes.byref(self._span), ctypes.byref(_TimeSpan())
        if _IS_KNOWN:
            os.register_at_fork(after_in_child=self._forget)

    def leave_to_others(self) -> None:
        """Watch nothing from here on: another process ends this one."""
        self.rest()
        self._is_off, self._is_made = True, False

    def watch(self, limit_s: float) -> None:
        """End the process unless this or :meth:`rest` is called within so much of the thread's processor time."""
        if self._is_off or not (self._is_made or self._begin()):
            return
        if limit_s != self.limit_s:
            self.limit_s = limit_s
            self._span.in_s, self._span.in_ns = divmod(round(limit_s * 1e9), 10**9)
        self._set(self._timer, 0, self._soon, None)

    def rest(self) -> None:
        """Watch no longer: no cell runs."""
        if self._is_made:
            self._set(self._timer, 0, self._never, None)

    def _begin(self) -> bool:
        """Make the timer and its handler; returns whether the system and the process have room for them."""
        libc = ctypes.CDLL(None)
        try:
            make, handle, self._set = libc.timer_create, libc.signal, libc.timer_settime
        except AttributeError:
            self._is_off = True
            return False
        event = _TimerEvent(None, _SIGNAL, _TO_A_THREAD, threading.get_native_id())
        is_free = self._is_handled or signal.getsignal(_SIGNAL) is signal.SIG_DFL
        if not is_free or make(_OF_A_THREAD, ctypes.byref(event), ctypes.byref(self._timer)):
            self._is_off = True
            return False
        handle.argtypes, handle.restype = (ctypes.c_int, ctypes.c_void_p), ctypes.c_void_p
        handle(_SIGNAL, ctypes.cast(_END, ctypes.c_void_p))
        self._is_made = self._is_handled = True
        return True

    def _forget(self) -> None:
        self._is_made = False  # a fork has the handler, and no timer


def end_process(_signal: int = 0) -> None:
    """Say where the process stands still, and end it; Python is in the middle of a call, so nothing else is done."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename != CELL_FILE:
        frame = frame.f_back
    line = f"line {frame.f_lineno} of a cell" if frame is not None else "a cell"
    message = (
        f"\ncave_sim: {line} keeps Python in one call that nothing here can interrupt, for {STANDSTILL.limit_s:g} s "
        "of processor time. This process ends. Whatever was committed is kept: go on with `cave-sim resume RUN --host "
        "process`, where such a cell ends with a process of its own.\n"
    )
    os.write(2, message.encode())
    os._exit(END_STATUS)


_END: Any = ctypes.CFUNCTYPE(None, ctypes.c_int)(end_process)
STANDSTILL = Standstill()
