"""Runs beside each other: what they were made with, and by how much what they measured differs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from cave_sim.analysis.replicates import Replicate, conditions, differences, more_seeds
from cave_sim.analysis.trials import Trials, contrasts, estimates
from cave_sim.errors import JournalError
from cave_sim.journal.reader import Run

AT_THE_END, OVER_TIME = "at the end", "mean over time"
Table = list[dict[str, Any]]


@dataclass(frozen=True)
class Comparison:
    """What runs come to, side by side; those that differ by their seed alone are replicates of one condition.

    Attributes:
        conditions: name -> its runs; what the first run belongs to is what the others are compared with.
        settings: name -> a text for each condition, of what is not the same for all.
        trials: what they measured, up to the last step that all of them have.
        steps: the first and the last step that all of them have.
        left_out: runs that repeat another one, and so are no replicates of it.
    """

    conditions: Mapping[str, Sequence[Replicate]]
    settings: Mapping[str, Sequence[str]]
    trials: Trials
    steps: tuple[int, int]
    left_out: Sequence[str]

    @property
    def has_replicates(self) -> bool:
        """Whether every condition has two runs at least, without which nothing has an interval."""
        return all(len(runs) > 1 for runs in self.conditions.values())

    def more_seeds(self) -> list[str]:
        """Return the commands that run every condition with further seeds; empty where commands cannot say it."""
        return more_seeds(self.conditions)

    def to_data(self) -> dict[str, Any]:
        """Return it as plain data; what there is none of is None."""
        arms = {
            name: {"runs": [run.name for run in runs], "seeds": [run.seed for run in runs]}
            for name, runs in self.conditions.items()
        }
        moments = {AT_THE_END: self.trials, OVER_TIME: self.trials.over_time()}
        return {
            "conditions": arms,
            "settings": {name: list(texts) for name, texts in self.settings.items()},
            "steps": list(self.steps),
            "left_out": list(self.left_out),
            "measures": {moment: _rows(estimates(trials)) for moment, trials in moments.items()},
            "differences": {moment: _rows(contrasts(trials)) for moment, trials in moments.items()},
            "more_seeds": self.more_seeds(),
        }


def compare(runs: Iterable[Run]) -> Comparison:
    """Return runs side by side.

    Args:
        runs: what :func:`cave_sim.open_run` returns, two at least; the first one's condition is the reference.

    Raises:
        JournalError: fewer than two.
    """
    return compare_replicates(map(Replicate.of, runs))


def compare_replicates(runs: Iterable[Replicate]) -> Comparison:
    """Return runs side by side that were read already; see :func:`compare`."""
    replicates, left_out, seen = list[Replicate](), list[Replicate](), set[tuple[str, int]]()
    for each in runs:
        is_repeated = (each.key, each.seed) in seen
        seen.add((each.key, each.seed))
        (left_out if is_repeated else replicates).append(each)
    if len(replicates) + len(left_out) < 2:
        raise JournalError("compare takes two runs or more")
    groups = conditions(replicates)
    steps = [each.measures.index for each in replicates]
    first = max((int(index.min()) for index in steps if len(index)), default=0)
    last = min((int(index.max()) for index in steps if len(index)), default=0)
    firsts = [members[0] for members in groups.values()]
    settings = differences([each.settings for each in firsts], [each.defaults for each in firsts])
    trials = _trials(groups, first, last)
    comparison = Comparison(groups, settings, trials, (first, last), [each.name for each in left_out])
    return replace(comparison, trials=replace(trials, about=_about(comparison)))


def _about(comparison: Comparison) -> dict[str, Any]:
    """Return what a report is to say of the runs, as a study says it of itself."""
    arms = {
        name: {
            "about": ", ".join(f"{run.name} (seed {run.seed})" for run in runs),
            "model": runs[0].settings.get("model"),
        }
        for name, runs in comparison.conditions.items()
    }
    more = {} if comparison.has_replicates else {"command": "\n".join(comparison.more_seeds())}
    return {"name": "runs beside each other", "scenario": {"conditions": arms}, **more}


def _trials(groups: Mapping[str, Sequence[Replicate]], first: int, last: int) -> Trials:
    shared = set.intersection(*(set(run.measures.columns) for runs in groups.values() for run in runs))
    names = [name for name in next(iter(groups.values()))[0].measures if name in shared and first <= last]
    series = pd.concat(
        [
            run.measures.loc[first:last, names].reset_index().assign(condition=condition, seed=run.seed)
            for condition, runs in groups.items()
            for run in runs
        ],
        ignore_index=True,
    )
    ends = series[series["step"] == last].rename(columns={"step": "steps"})
    measures = {name: {"label": name, "unit": ""} for name in names}
    return Trials(list(groups), ends.reset_index(drop=True), series, measures)


def _rows(table: pd.DataFrame) -> Table:
    rows: Table = table.astype(object).where(table.notna(), None).to_dict("records")
    return rows
