"""What texts call a class of ours that stands for one of Python's, or of a library: what that one is called.

Python writes a class's name into errors from C, past whoever words them: ``'list' object has no attribute 'add'``. So
the class itself goes by that name. It keeps its place in our modules, where whatever copies it finds it again.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any

TOLD: dict[str, str] = {}
"""What is told of a place, as ``cave_sim.module.Class``."""


def told_as(kind: type | Any, place: str) -> None:
    """Have a class, and its methods, be called as another one in all texts.

    Args:
        kind: the class, or a function.
        place: what is told of it, as ``sqlite3.Connection``.
    """
    TOLD[f"{kind.__module__}.{kind.__qualname__}"] = place
    name = place.rpartition(".")[2]
    kind.__name__ = name
    if isinstance(kind, FunctionType):
        kind.__qualname__ = name
        return
    for member in vars(kind).values():
        method = getattr(member, "__func__", member)
        if isinstance(method, FunctionType):
            method.__qualname__ = f"{name}.{method.__name__}"
