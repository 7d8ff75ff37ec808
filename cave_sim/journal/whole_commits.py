"""Ctrl-C that waits: a step that is being closed is closed first, so that it is in its run whole or not at all."""

from __future__ import annotations

import threading

# without the enums of the module signal, which take longer than the rest of this; see cave_sim.runtime.deadline
from _signal import SIGINT, getsignal  # type: ignore[import-not-found]
from _signal import signal as set_handler
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from types import FrameType
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
Came = TypeVar("Came")


class _Held:
    """The handler of Ctrl-C for a while: the first one waits, a second one is heard at once."""

    def __init__(self, handler: Callable[[int, FrameType | None], Any]) -> None:
        self._handler = handler
        self.waits = 0

    def __call__(self, number: int, frame: FrameType | None) -> None:
        if self.waits:
            self.waits = 0
            self._handler(number, frame)
        else:
            self.waits = number

    def deliver(self) -> None:
        """Hand on what waits."""
        if number := self.waits:
            self.waits = 0
            self._handler(number, None)


def uninterrupted(function: Callable[P, Came]) -> Callable[P, Came]:
    """Have Ctrl-C wait for the end of a function, as within :func:`interrupts_held`."""

    @wraps(function)
    def call(*args: P.args, **named: P.kwargs) -> Came:
        if isinstance(getsignal(SIGINT), _Held):
            return function(*args, **named)
        with interrupts_held():
            return function(*args, **named)

    return call


def interrupt_waits() -> bool:
    """Say whether Ctrl-C waits for the end of what happens now."""
    handler = getsignal(SIGINT)
    return isinstance(handler, _Held) and bool(handler.waits)


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Have Ctrl-C wait for the end of what happens here; a second one is heard at once. Contexts may nest.

    Threads beside the main one get no Ctrl-C, and where nobody handles it in Python, it ends the process as ever.
    """
    before = getsignal(SIGINT)
    is_held = isinstance(before, _Held)
    if is_held or not callable(before) or threading.current_thread() is not threading.main_thread():
        yield
        return
    waiting = _Held(before)
    set_handler(SIGINT, waiting)
    try:
        yield
    finally:
        set_handler(SIGINT, before)
        waiting.deliver()
