"""Ctrl-C in a process that is one command: it is never lost, and pressed again while the command ends it is quiet.

SIGTERM, as `kill` and batch queues send it, ends the command in the same way.
"""

from __future__ import annotations

import _thread
import signal
import sys
import time
from contextlib import suppress
from types import FrameType, TracebackType
from typing import Protocol

SOON_S = 0.005
"""After so long, Ctrl-C comes once more."""


_terminated: list[int] = []
"""The SIGTERMs that came to this process."""


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
    _thread.interrupt_main(signal.SIGTERM if _terminated else signal.SIGINT)


def end_by_termination() -> None:
    """Have SIGTERM be heard as Ctrl-C is, also by who has Ctrl-C wait; and where Ctrl-C itself is ignored."""
    with suppress(ValueError):  # not the main thread, which alone hears of it
        if signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
            return
        if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
            signal.signal(signal.SIGINT, _hear_termination_alone)
        signal.signal(signal.SIGTERM, _terminate)


def is_of_an_interrupt(error: BaseException) -> bool:
    """Say whether an error is Ctrl-C, or came up while one was on its way, as a second one does in what waits."""
    while not isinstance(error, KeyboardInterrupt):
        if error.__context__ is None:
            return False
        error = error.__context__
    return True


def was_terminated() -> bool:
    """Say whether SIGTERM came."""
    return bool(_terminated)


def _terminate(number: int, frame: FrameType | None) -> None:
    _terminated.append(number)
    handler = signal.getsignal(signal.SIGINT)
    (handler if callable(handler) else signal.default_int_handler)(number, frame)


def _hear_termination_alone(number: int, frame: FrameType | None) -> None:
    if number == signal.SIGTERM:
        signal.default_int_handler(number, frame)


def end_by_the_next() -> None:
    """Have a further one end this process at once, without a word: what is to be said of the first one is."""
    with suppress(ValueError):  # not the main thread, which alone hears of it
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)
