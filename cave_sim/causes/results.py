"""What each counterfactual came to, kept so that a question goes on where it was."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from pathlib import Path

from pydantic import BaseModel

from cave_sim.causes.kept_lines import KeptLines

Trace = tuple[tuple[int, float | None], ...]
"""What a question came to after steps, some 200 of them at most; None where it has no answer. True is 1."""


@dataclass(frozen=True, slots=True)
class ForkResult:
    """What a question comes to on one fork.

    Attributes:
        value: a number, or whether a condition holds; None where it is not known.
        asked, reused: calls to models that were paid for, and that were answered as in the run.
        why: why it is not known; "" where it is.
        may_ask: how many calls it was allowed, where that is why; with more it is worked out again.
        trace: step and value on the way there, from where the fork begins.
    """

    value: float | bool | None
    asked: int = 0
    reused: int = 0
    why: str = ""
    may_ask: int | None = None
    trace: Trace = ()


class _KeptResult(BaseModel):
    """A line of the file."""

    key: str
    value: float | bool | None
    asked: int = 0
    reused: int = 0
    why: str = ""
    may_ask: int | None = None
    trace: list[list[float | None]] = []


class Results:
    """Outcomes by key, in a file.

    Args:
        file: where they are kept; nowhere unless given.
    """

    def __init__(self, file: Path | None = None) -> None:
        self._lines = KeptLines(file, _KeptResult)
        self._known: dict[str, ForkResult] = {}
        self.read()

    def read(self) -> None:
        """Take in what was found by others since the last look."""
        for data in self._lines.added():
            try:
                key = data.pop("key")
                data["trace"] = tuple((int(step), value) for step, value in data.get("trace", ()))
                result = ForkResult(**data)
            except (TypeError, ValueError):  # no result of this version's
                continue
            if bool(result.why) if result.value is None else math.isfinite(result.value):
                self._known[key] = result

    def get(self, key: str, may_ask: int | None) -> ForkResult | None:
        """Return a known outcome; None for one that more calls to models may come to know."""
        known = self._known.get(key)
        if known is not None and known.may_ask is not None and (may_ask is None or may_ask > known.may_ask):
            return None
        return known

    def put(self, key: str, outcome: ForkResult) -> None:
        """Keep an outcome."""
        self._known[key] = outcome
        self._lines.add({"key": key, **asdict(outcome)})
