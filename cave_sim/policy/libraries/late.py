"""Libraries that are loaded when a cell first needs them, which is neither time nor memory of that cell."""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from importlib import import_module
from typing import Any

asides: list[Callable[[], AbstractContextManager[None]]] = []
"""Each sets one limit of the turn aside while a library loads: the deadline, and the limit of memory."""

_NAMED = re.compile(r"\b(plotly|scipy|sklearn|kamada_kawai_layout|spring_layout)\b")
"""What is loaded late, as it takes longer than many a turn may; two of networkx's layouts load SciPy themselves."""
DRAWING = "plotly.graph_objs"
"""What draws figures: loaded whole where tools draw, since it loads each part of a figure when that is first used."""


@contextmanager
def aside() -> Iterator[None]:
    """Set the limits of the turn aside for what is done once a process, and is no cell's doing."""
    with ExitStack() as stack:
        for each in asides:
            stack.enter_context(each())
        yield


def load(name: str) -> Any:
    """Return a module, loaded whole: a deadline that rings meanwhile waits, and what it draws, nobody misses."""
    if (module := sys.modules.get(name)) is not None:
        return module
    drawn = random.getstate()
    try:
        with aside():
            return import_module(name)
    finally:
        random.setstate(drawn)


def named_in(texts: Iterable[str]) -> set[str]:
    """Return the packages of these that code may ask for: a sandbox reads no files, so they are loaded before."""
    packages = {name for text in texts for name in _NAMED.findall(text)}
    return {"scipy" if name.endswith("_layout") else name for name in packages}
