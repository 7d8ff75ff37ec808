"""Groups of errors in a cell, as many errors as can be gone through."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cave_sim.errors import Blocked

MAX_ERRORS = 10_000
"""Of a group that is split: one whose groups share their parts may hold more than anybody could go through."""


def splitting(group: Any, name: str) -> Callable[..., Any]:
    """``split`` and ``subgroup`` of a group in a cell."""
    expect_bounded(group)
    splitter: Callable[..., Any] = getattr(group, name)
    return splitter


def expect_bounded(error: Any) -> None:
    """Raise Blocked for a group of more errors than are gone through, those of groups within it counted each time."""
    waiting, seen = [error], 0
    while waiting:
        seen += 1
        if seen > MAX_ERRORS:
            raise Blocked(f"a group of more than {MAX_ERRORS:,} errors, those of groups within it counted each time")
        waiting += getattr(waiting.pop(), "exceptions", ())
