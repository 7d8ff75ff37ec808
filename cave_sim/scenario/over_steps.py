"""Outcomes over the steps of a trial: the most, the least, the mean or the sum of a measure, or when it was most."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from statistics import fmean

from cave_sim.errors import WorldError, did_you_mean
from cave_sim.history.measures_by_name import as_named, named
from cave_sim.journal.reader import Run

FUNCTIONS: Mapping[str, Callable[[Mapping[int, float]], float]] = {
    "max": lambda taken: max(taken.values()),
    "min": lambda taken: min(taken.values()),
    "mean": lambda taken: fmean(taken.values()),
    "sum": lambda taken: sum(taken.values()),
    "step_of_max": lambda taken: max(taken, key=lambda step: (taken[step], -step)),  # the first of equal ones
    "step_of_min": lambda taken: min(taken, key=lambda step: (taken[step], step)),
}
_CALL = re.compile(rf"\s*({'|'.join(FUNCTIONS)})\s*\(\s*(.*\S)\s*\)\s*", re.DOTALL)


@dataclass(frozen=True)
class OverSteps:
    """A function of all that one measure came to.

    Attributes:
        function: of :data:`FUNCTIONS`.
        measure: its name.
    """

    function: str
    measure: str

    @property
    def keeps_unit(self) -> bool:
        """Whether it is counted in what the measure is counted in: the most of a share is a share, its sum is none."""
        return self.function in ("max", "min", "mean")

    @classmethod
    def read(cls, text: str) -> OverSteps | None:
        """Return what a text such as ``max(infectious)`` or ``mean(at work (share))`` stands for; None if nothing."""
        call = _CALL.fullmatch(text)
        return call and cls(call[1], named(call[2]) or call[2])

    def of(self, run: Run, measures: Collection[str]) -> float | None:
        """Return what it comes to in a run, step 0 included; None where there never was anything to measure.

        Args:
            run: a trial's, with all its steps.
            measures: the names of all that are taken in it.

        Raises:
            WorldError: there is no such measure.
        """
        if self.measure not in measures:
            near = did_you_mean(self.measure, measures)
            there = f" There are: {', '.join(map(as_named, measures))}." if measures else ""
            way = "" if near else " An expression is named below measures: first"
            raise WorldError(f"no measure is called {self.measure!r}.{near}{there}{way}")
        rows = run.query("SELECT step, value FROM measures WHERE name = ? ORDER BY step", self.measure)
        taken = {step: value for step, value in rows if value is not None}
        return FUNCTIONS[self.function](taken) if taken else None
