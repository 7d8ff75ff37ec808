"""Ctrl-C in a process that is one command: it is never lost, and pressed again while the command ends it is quiet.

SIGTERM, as `kill` and batch queues send it, and SIGHUP, which comes when a terminal is closed, end it in the same way.
"""

from __future__ import annotations

import _thread
import os
import signal
import sys
import time
from contextlib import suppress
from types import FrameType, TracebackType
from typing import Protocol

SOON_S = 0.005
"""After so long, Ctrl-C comes once more."""


_came: list[signal.Signals] = []
"""The SIGTERMs and SIGHUPs that came to this process."""


class _Unraisable(Protocol):
    exc_type: type[BaseException]
    exc_value: BaseException | None
    exc_traceback: TracebackType | None
    err_msg: str | None
    object: object


def lose_no_interrupt() -> None:
    """Have Ctrl-C come once more where Python would print it and go on: while an object is let go of, say."""
    before = sys.unraisablehook

    def hook(unraisable: _Unraisable) -> None:
        if issubclass(unraisable.exc_type, KeyboardInterrupt):
            _thread.start_new_thread(_interrupt, ())
        else:
            before(unraisable)

    sys.unraisablehook = hook


def _interrupt() -> None:
    """Interrupt the main thread when it has gone on: at once, it would be what Python prints again."""
    time.sleep(SOON_S)
    _thread.interrupt_main(_came[0] if _came else signal.SIGINT)


def end_by_termination() -> None:
    """Have what ends a process be heard as Ctrl-C is, also by who has Ctrl-C wait; and where Ctrl-C itself is ignored.

    What the process was begun with to be ignored, as `nohup` does with SIGHUP, stays ignored.
    """
    with suppress(ValueError):  # not the main thread, which alone hears of it
        heard = [each for each in _ENDS if signal.getsignal(each) is signal.SIG_DFL]
        if heard and signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
            signal.signal(signal.SIGINT, _hear_termination_alone)
        for each in heard:
            signal.signal(each, _Termination(os.getpid()))


def is_of_an_interrupt(error: BaseException) -> bool:
    """Say whether an error is Ctrl-C, or came up while one was on its way, as a second one does in what waits."""
    while not isinstance(error, KeyboardInterrupt):
        if error.__context__ is None:
            return False
        error = error.__context__
    return True


_ENDS = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


def terminated_by() -> int:
    """Return the number of the signal that ended the command, beside Ctrl-C; 0 for none."""
    return _came[0] if _came else 0


class _Termination:
    """Hears what ends a process, in the one that it was made for: those forked from it end at once."""

    def __init__(self, process: int) -> None:
        self.process: int = process

    def __call__(self, number: int, frame: FrameType | None) -> None:
        if os.getpid() != self.process:
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)
            return
        _came.append(signal.Signals(number))
        handler = signal.getsignal(signal.SIGINT)
        (handler if callable(handler) else signal.default_int_handler)(number, frame)


def _hear_termination_alone(number: int, frame: FrameType | None) -> None:
    if number in _ENDS:
        signal.default_int_handler(number, frame)


def end_by_the_next() -> None:
    """Have a further one end this process at once, without a word: what is to be said of the first one is."""
    with suppress(ValueError):  # not the main thread, which alone hears of it
        for number in (signal.SIGINT, *_ENDS):
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, signal.SIG_DFL)
