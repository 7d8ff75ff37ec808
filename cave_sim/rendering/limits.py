"""What a template may take: steps of its loops, size of what it makes, and time; and how it is told so."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from cave_sim.errors import CaveSimError


class RenderError(CaveSimError):
    """A document was not rendered, and nothing was written.

    Attributes:
        kind: ``schema``, ``template``, ``security``, ``limit`` or ``output``.
    """

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.kind, str(self))


@dataclass(frozen=True, slots=True)
class RenderLimits:
    """What one rendering may take.

    Attributes:
        steps: of all loops together.
        chars: of what it makes, and of each text on the way there.
        cpu_s: seconds of processor time.
        source_chars: of a template's text.
        nodes: parts of a template, as its parser sees them.
    """

    steps: int = 5_000_000
    chars: int = 64_000_000
    cpu_s: float = 10.0
    source_chars: int = 50_000
    nodes: int = 5_000


LIMITS = RenderLimits()
MOST_COLUMNS = 1_000
"""Of a table. What is wider is set in minutes, and read by nobody."""
BLOCK = 64
"""After so many steps of a loop the clock is looked at."""


class Meter:
    """Counts what one rendering takes.

    Args:
        limits: what it may take.
    """

    def __init__(self, limits: RenderLimits = LIMITS) -> None:
        self.limits = limits
        self._steps = 0
        self._until_s = time.thread_time() + limits.cpu_s

    def step(self, count: int = 1) -> None:
        """Count steps of a loop, or of what takes time like one; raises RenderError."""
        self._steps += count
        if self._steps > self.limits.steps:
            raise RenderError("limit", f"the loops of a template take {self.limits.steps:,} steps at the most")
        self.look()

    def look(self) -> None:
        """Look at the clock; raises RenderError."""
        if time.thread_time() > self._until_s:
            raise RenderError("limit", f"a rendering may take {self.limits.cpu_s:g} seconds of processor time")

    def counted(self, values: Iterable[Any]) -> Iterator[Any]:
        """Yield what a loop goes over, counting."""
        for place, value in enumerate(values):
            if place % BLOCK == 0:
                self.step(BLOCK if place else 1)
            yield value

    def bounded(self, value: Any) -> Any:
        """Return a value; raises RenderError if it is a text that is too long."""
        self.look()
        if isinstance(value, str) and len(value) > self.limits.chars:
            raise self.too_long()
        return value

    def too_long(self) -> RenderError:
        """Return the error that says that there is too much."""
        return RenderError("limit", f"a document has {self.limits.chars:,} characters at the most")
