"""Ctrl-C in a process that is one command: it is never lost, and pressed again while the command ends it is quiet."""

from __future__ import annotations

import _thread
import signal
import sys
import time
from contextlib import suppress
from types import TracebackType
from typing import Protocol

SOON_S = 0.005
"""After so long, Ctrl-C comes once more."""


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
    _thread.interrupt_main()


def end_by_the_next() -> None:
    """Have a further Ctrl-C end this process at once, without a word: what is to be said of the first one is."""
    with suppress(ValueError):  # not the main thread, which alone hears of it
        signal.signal(signal.SIGINT, signal.SIG_DFL)
