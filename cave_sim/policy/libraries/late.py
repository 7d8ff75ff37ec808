"""Libraries that are loaded when a cell first needs them, which is no time of that cell."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from time import thread_time
from typing import Any

lenders: list[Callable[[float], None]] = []
"""Each is told how many seconds of processor time a library took to load; the deadline of a turn lends them."""

MODULES = frozenset({"scipy", "scipy.stats"})
"""Modules that cells import and that are loaded late: it takes longer than many a turn may."""


def load(name: str) -> Any:
    """Return a module, loaded whole: a deadline that rings meanwhile waits."""
    begun_s = thread_time()
    module = import_module(name)
    for lend in lenders:
        lend(thread_time() - begun_s)
    return module


def load_all() -> None:
    """Load what any cell may come to need, where it cannot be loaded later: a sandbox reads no files."""
    for name in sorted(MODULES):
        load(name)
