"""Libraries that are loaded when a cell first needs them, which is neither time nor memory of that cell."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from importlib import import_module
from typing import Any

asides: list[Callable[[], AbstractContextManager[None]]] = []
"""Each sets one limit of the turn aside while a library loads: the deadline, and the limit of memory."""

MODULES = ("scipy.stats",)
"""What is loaded late: it takes longer than many a turn may."""


def load(name: str) -> Any:
    """Return a module, loaded whole: a deadline that rings meanwhile waits."""
    with ExitStack() as stack:
        for aside in asides if name not in sys.modules else ():
            stack.enter_context(aside())
        return import_module(name)


def load_all() -> None:
    """Load what any cell may come to need, where it cannot be loaded later: a sandbox reads no files."""
    for name in MODULES:
        load(name)
