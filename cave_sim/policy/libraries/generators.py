"""Generators that a cell ends by hand: their ``finally`` and ``except GeneratorExit`` run, as the cell asked for it.

One that nobody needs any more, Python throws away when it comes to it: after a turn, say. Of that the cell is not told.
"""

from __future__ import annotations

from collections.abc import Callable
from types import GeneratorType
from typing import Any

from cave_sim.diagnostics.plurals import article
from cave_sim.errors import Blocked


class Closed(BaseException):
    """What a generator is told that is closed by hand; cells know it as ``GeneratorExit``."""


Closed.__name__ = Closed.__qualname__ = "GeneratorExit"
Closed.__module__ = "builtins"


def close(generator: GeneratorType[Any, Any, Any]) -> None:
    """Close a generator, as ``close`` does that of Python; raises RuntimeError if it goes on nevertheless."""
    try:
        generator.throw(Closed())
    except (Closed, StopIteration):
        return
    raise RuntimeError("generator ignored GeneratorExit")


def closing(generator: GeneratorType[Any, Any, Any], _name: str) -> Callable[[], None]:
    """``generator.close`` in a cell."""
    return lambda: close(generator)


def throwing(generator: GeneratorType[Any, Any, Any], _name: str) -> Callable[[Any], Any]:
    """``generator.throw`` in a cell, of errors that a cell may raise."""

    def throw(value: Any, /) -> Any:
        kind = value if isinstance(value, type) else type(value)
        if not issubclass(kind, (Exception, Closed)):
            raise Blocked(f"throw() takes an error or its class, not {article(type(value).__name__)}")
        return generator.throw(value)

    return throw
