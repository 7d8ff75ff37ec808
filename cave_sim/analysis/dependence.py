"""What the outcomes of a study depend on: its design of sensitivity, or its sample, read together with its trials."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd

from cave_sim.analysis.designs import ANALYSES, group_size, points_between
from cave_sim.analysis.sensitivity import Bounds, Design, design, sensitivity
from cave_sim.analysis.trials import Trials, expect_trials
from cave_sim.analysis.wording import figure, listed
from cave_sim.diagnostics.plurals import counted
from cave_sim.errors import WorldError

FEWEST_GROUPS, FEWEST_POINTS = 4, 30
"""Fewer groups of a design, or points of a sample, say nothing of what matters."""
INDICES = {
    "morris": {"mu_star": "mean size of the effect over the whole range (μ*)"},
    "saltelli": {"ST": "share of the variance, interactions included (ST)", "S1": "by itself (S1)"},
    "sample": {"S1": "share of the variance, by itself (S1)"},
}


@dataclass(frozen=True)
class Dependence:
    """How much one measure depends on each parameter, under one condition.

    Attributes:
        measure, condition: which.
        kind: ``morris``, ``saltelli``, or ``sample`` for indices of a sample by RBD-FAST.
        table: a row for each parameter, as :func:`~cave_sim.analysis.sensitivity.sensitivity` gives them.
        sentence: what matters most, or why nothing can be said. Without a table there is only this.
        points: how many points it rests on.
    """

    measure: str
    condition: str
    kind: str
    table: pd.DataFrame | None
    sentence: str
    points: int

    @property
    def indices(self) -> Mapping[str, str]:
        """Columns of the table that are told and drawn -> what they say. Half-widths are in ``<column>_conf``."""
        return INDICES[self.kind]


def dependences(trials: Trials) -> Iterator[Dependence]:
    """Yield how much each measure depends on the parameters that were sampled, under each condition.

    Outcomes are means over seeds, and over the values of parameters that are on a grid. Nothing is yielded where
    nothing was sampled.

    Raises:
        MissingExtra: the extra ``lab`` is not installed.
    """
    expect_trials(trials)
    design = _Design.of(trials.about)
    if design is None:
        return
    for measure in trials.measures:
        for condition in trials.conditions:
            rows = trials.last[trials.last["condition"] == condition]
            if len(rows):
                yield design.analysed(rows, measure, condition)


@dataclass(frozen=True)
class _Design:
    """A design, read from what a study says of itself: its points as tables have them, and as they were drawn."""

    bounds: Bounds
    method: str
    points: pd.DataFrame
    drawn: pd.DataFrame
    seed: int

    @classmethod
    def of(cls, about: Mapping[str, Any]) -> _Design | None:
        scenario = about.get("scenario") or {}
        sampling, given = scenario.get("sampling"), scenario.get("parameters") or {}
        if not isinstance(sampling, Mapping) or not isinstance(given, Mapping):
            return None
        sampled = {name: each for name, each in given.items() if isinstance(each, Mapping) and "low" in each}
        bounds = {name: (float(each["low"]), float(each["high"])) for name, each in sampled.items()}
        if not bounds:
            return None
        method, seed = sampling["method"], int(sampling.get("seed") or 0)
        size = int(sampling.get("size") or sampling["points"])
        whole = [name for name, each in sampled.items() if each.get("whole")]
        points = points_between(bounds, method, size, seed, whole)
        drawn = design(bounds, ANALYSES[method], size, seed) if method in ANALYSES else points
        return cls(bounds, method, points, drawn, seed)

    def analysed(self, rows: pd.DataFrame, measure: str, condition: str) -> Dependence:
        names, is_screening = list(self.bounds), self.method in ANALYSES
        kind = self.method if is_screening else "sample"
        means = rows.groupby(names, sort=False)[measure].mean()
        keys = self.points[names].itertuples(index=False, name=None)
        of_points = np.array([means.get(key if len(names) > 1 else key[0], np.nan) for key in keys], dtype=float)
        usable = self._kept(of_points)
        outcomes = of_points[usable]

        def dumb(why: str) -> Dependence:
            return Dependence(measure, condition, kind, None, why, len(outcomes))

        size = group_size(self.method, len(names)) if is_screening else 1
        if len(outcomes) < (FEWEST_GROUPS * size if is_screening else FEWEST_POINTS):
            least = f"{FEWEST_GROUPS} whole groups of {size}" if is_screening else f"{FEWEST_POINTS} points"
            known = counted(len(outcomes), "point")
            return dumb(f"What it depends on cannot be told from {known}: {least} are the least.")
        try:
            analysis: Design | Literal["rbd_fast"] = ANALYSES.get(kind, "rbd_fast")
            table = sensitivity(self.drawn[usable], list(outcomes), self.bounds, analysis, self.seed)
        except WorldError as error:
            return dumb(f"What it depends on: {error}.")
        lost = len(of_points) - len(outcomes)
        left_out = f"{lost} of {counted(len(of_points), 'point')} {'is' if lost == 1 else 'are'} left out"
        holes = f" {left_out}: a trial of their group has no result." if lost else ""
        return Dependence(measure, condition, kind, table, _sentence(table, kind) + holes, len(outcomes))

    def _kept(self, outcomes: np.ndarray) -> np.ndarray:
        """Return which points can be used: of a design of sensitivity whole groups, of a sample all with an outcome."""
        known: np.ndarray = np.isfinite(outcomes)
        if self.method not in ANALYSES:
            return known
        size = group_size(self.method, len(self.bounds))
        whole: np.ndarray = np.repeat(known.reshape(-1, size).all(axis=1), size)
        return whole


def _sentence(table: pd.DataFrame, kind: str) -> str:
    """Return which parameters matter, as far as intervals say, in the order of their importance."""
    index = next(iter(INDICES[kind]))
    rows = table[[index, f"{index}_conf"]].to_dict("index")
    ends = [f"{name} {_interval(row[index], row[f'{index}_conf'])}" for name, row in rows.items()]
    idle = [str(name) for name, row in rows.items() if not row[index] - row[f"{index}_conf"] > 0]
    figures = f"{INDICES[kind][index]} {', '.join(ends)}"
    if len(idle) == len(rows):
        every = "the interval takes in 0" if len(rows) == 1 else "each interval takes in 0"
        return f"On which it depends cannot be told, since {every}: {figures}. A larger sample may tell."
    unseen = f" Nothing is seen of {listed(idle)}: the interval takes in 0." if idle else ""
    first = next(name for name in rows if str(name) not in idle)
    return f"It depends most on {first}: {figures}.{unseen}"


def _interval(value: float, reach: float) -> str:
    if not np.isfinite(reach):
        return figure(value)
    return f"{figure(value, reach)} [{figure(value - reach, reach)}, {figure(value + reach, reach)}]"
