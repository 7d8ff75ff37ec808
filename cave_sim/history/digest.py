"""A run in a few numbers, told from its journal alone: each measure, who was refused what, what was spent."""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

import pandas as pd

from cave_sim.diagnostics.short_texts import shortened
from cave_sim.journal.reader import Run
from cave_sim.journal.tallies import cells_by_status, costs

BARS = "▁▂▃▄▅▆▇█"
SPARK = 32
"""Characters of a spark line."""
LONGEST_REASON = 100
REFUSALS = "SELECT status, coalesce(error, '') FROM turns WHERE kind = 'cell' AND status <> 'committed'"
ALIKE = ", and the like"
_PARTICULARS = re.compile(r"\b[A-Za-z]\w*(?=\.[a-z])|\b\d[\d.,:]*\b|'[^']*'|(?<!\.)\b[a-z]+(?:_[a-z0-9]+)+\b")
"""Whose field it is, numbers, what is quoted, and names; of ``ann.money_cents`` the field stays."""


@dataclass(frozen=True)
class MeasureDigest:
    """What became of one measure.

    Attributes:
        first, last: its value after the first and the last step in which it was taken.
        least, most: its extremes; ``least_at`` and ``most_at`` are the steps in which it had them first.
        spark: its course as a line of bars.
    """

    first: float
    last: float
    least: float
    least_at: int
    most: float
    most_at: int
    spark: str


@dataclass(frozen=True)
class RunDigest:
    """A run in a few numbers; :meth:`to_data` is what ``--json`` prints of it.

    Attributes:
        measures: by name.
        turns: how many cells ended how.
        refusals: why cells did not land, with how many did so, the most frequent reason first.
        spent: cells, seconds of work, calls, tokens, US dollars.
    """

    measures: dict[str, MeasureDigest]
    turns: dict[str, int]
    refusals: dict[str, int]
    spent: dict[str, float]

    def to_data(self) -> dict[str, Any]:
        """Return it as plain data."""
        return asdict(self)


def digest(run: Run) -> RunDigest:
    """Return a run in a few numbers."""
    table = run.measures()
    measures = {str(name): measure for name in table if (measure := digest_of(table[name].dropna())) is not None}
    return RunDigest(measures, cells_by_status(run), refusals(run), costs(run))


def digest_of(values: pd.Series) -> MeasureDigest | None:
    """Return what became of a measure, from its values by step; None if it was never taken."""
    if values.empty:
        return None
    first, last, least, most = map(float, (values.iloc[0], values.iloc[-1], values.min(), values.max()))
    least_at, most_at = int(values.idxmin()), int(values.idxmax())
    return MeasureDigest(first, last, least, least_at, most, most_at, spark_line(list(values)))


def spark_line(values: list[float]) -> str:
    """Return the course of some values as a line of bars, each the mean of an equal share of them."""
    count = min(SPARK, len(values))
    edges = [len(values) * each // count for each in range(count + 1)]
    means = [sum(values[a:b]) / (b - a) for a, b in pairwise(edges)]
    low, height = min(means), max(means) - min(means)
    if not height or not math.isfinite(height):
        return BARS[0] * count
    return "".join(BARS[min(len(BARS) - 1, int((mean - low) / height * len(BARS)))] for mean in means)


def refusals(run: Run) -> dict[str, int]:
    """Return why cells did not land, the most frequent reason first.

    Reasons that differ in names and numbers alone are one, told as the first of them was.
    """
    counts: Counter[str] = Counter()
    reason_texts: dict[str, str] = {}
    for status, error in run.rows(REFUSALS):
        kind, line = f"{status}: {reason_of(error)}", f"{status}: {shortened(_last_line(error), LONGEST_REASON)}"
        counts[kind] += 1
        first = reason_texts.setdefault(kind, line)
        reason_texts[kind] = first if line == first.removesuffix(ALIKE) else f"{first.removesuffix(ALIKE)}{ALIKE}"
    return {reason_texts[kind]: count for kind, count in sorted(counts.items(), key=lambda each: (-each[1], each[0]))}


def reason_of(error: str) -> str:
    """Return the last line of an error without its particulars: names, numbers and what is quoted."""
    return shortened(_PARTICULARS.sub("…", _last_line(error)), LONGEST_REASON)


def _last_line(error: str) -> str:
    return (error.strip().splitlines() or ["no reason given"])[-1].removeprefix("Refused: ")
