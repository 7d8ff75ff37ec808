"""What happens to a field in a step: in words, in a table, and as a condition that looks back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from cave_sim.rules.table import ColumnKey, Frame, Truths

Verb = Literal["rises", "falls", "changes", "becomes"]


@dataclass(frozen=True)
class Happening:
    """Something that happens to a field in a step.

    Attributes:
        key: of the field.
        verb: what happens.
        value: what it becomes.
    """

    key: ColumnKey
    verb: Verb
    value: Any = None

    def words(self, its: ColumnKey | None = None) -> str:
        """Return it in words; ``its`` is what the sentence named before."""
        what = self.key.phrase
        if its is not None and its.is_class and its.subject == self.key.subject:
            what = f"the length of its {self.key.field}" if self.key.form == "len" else f"its {self.key.field}"
        if self.key.form == "none":
            return f"{what} is {'taken away' if self.value else 'set'}"
        return f"{what} becomes {self.value!r}" if self.verb == "becomes" else f"{what} {self.verb}"

    def condition(self, ago: int = 0) -> str:
        """Return as a condition that it happened in the step so many steps ago."""
        before = _as_it_was(self._state(), ago + 1)
        if self.verb == "becomes":
            return (
                f"{_as_it_was(self.key.like(self.value), ago)} and {_as_it_was(self.key.unlike(self.value), ago + 1)}"
            )
        sign = {"rises": ">", "falls": "<", "changes": "!="}[self.verb]
        return f"{_as_it_was(self._state(), ago)} {sign} {before}"

    def _state(self) -> str:
        return f"({self.key.like(True)})" if self.key.form == "none" else self.key.text()


def happens(frame: Frame, event: Happening) -> Truths:
    """Say after which steps something has just happened, shape (rows, steps); what was so at first did not happen."""
    column = frame.columns[event.key]
    after = np.zeros(column.values.shape, bool)
    with np.errstate(invalid="ignore"):
        moved = np.diff(column.values, axis=1)
    if event.verb == "rises":
        after[:, 1:] = moved > 0
    elif event.verb == "falls":
        after[:, 1:] = moved < 0
    else:
        after[:, 1:] = (moved != 0) & ~np.isnan(moved)
    return after & column.is_at(event.value) if event.verb == "becomes" else after


def _as_it_was(text: str, ago: int) -> str:
    return text if not ago else f"was({text})" if ago == 1 else f"was({text}, {ago})"
