"""Libraries that are loaded when a cell first needs them, which is neither time nor memory of that cell."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, ExitStack
from importlib import import_module
from typing import Any

asides: list[Callable[[], AbstractContextManager[None]]] = []
"""Each sets one limit of the turn aside while a library loads: the deadline, and the limit of memory."""

_NAMED = re.compile(r"\b(plotly|scipy)\b")
"""What is loaded late: it takes longer than many a turn may."""


def load(name: str) -> Any:
    """Return a module, loaded whole: a deadline that rings meanwhile waits."""
    with ExitStack() as stack:
        for aside in asides if name not in sys.modules else ():
            stack.enter_context(aside())
        return import_module(name)


def named_in(texts: Iterable[str]) -> set[str]:
    """Return the packages of these that code may ask for: a sandbox reads no files, so they are loaded before."""
    return {name for text in texts for name in _NAMED.findall(text)}
