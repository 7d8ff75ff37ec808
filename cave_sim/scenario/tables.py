"""The tables of a study: a row for each trial, a row for each of its steps, and what minds were asked."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from cave_sim.experiment.runner import TRIALS
from cave_sim.experiment.statistics import RESULTS, can_keep
from cave_sim.files.whole_files import in_place_of
from cave_sim.journal.queries import answers
from cave_sim.scenario.plans import ScenarioTrial
from cave_sim.scenario.trial import TrialResult, lineage


def trial_table(
    trials: Iterable[ScenarioTrial], results: Iterable[TrialResult], measures: Sequence[str] = ()
) -> pd.DataFrame:
    """Return a row for each finished trial: what tells it from others, its steps, and its last measures.

    Args:
        trials: in their order.
        results: of those that are finished.
        measures: which of them; all unless given.
    """
    by_name = {result.trial: result for result in results}
    rows = [
        {**_facts(trial), "steps": by_name[str(trial)].steps, **_chosen(by_name[str(trial)].measures, measures)}
        for trial in trials
        if str(trial) in by_name
    ]
    return pd.DataFrame(rows)


def series_table(trials: Iterable[ScenarioTrial], out: Path, measures: Sequence[str] = ()) -> pd.DataFrame:
    """Return a row for each step of each trial, those included that it shares with the trial it branched from."""
    parts = []
    for trial in trials:
        table = _series(out / TRIALS / str(trial))
        table = table.reindex(columns=list(measures)) if measures else table
        head = pd.DataFrame({**_facts(trial), "step": table.index}, index=table.index)
        parts.append(pd.concat([head, table], axis=1))
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()


def answer_table(trials: Iterable[ScenarioTrial], out: Path) -> pd.DataFrame:
    """Return a row for each answer of a mind to an item of a survey."""
    rows = []
    for trial in trials:
        parts = [(answers(run), until) for run, until in lineage(out / TRIALS / str(trial))]
        in_time = [each for part, until in parts for each in part if each["step"] <= until]
        in_time.sort(key=lambda each: (each["step"], each["survey"], each["agent"], each["place"]))
        rows += [{**_facts(trial), **each} for each in in_time]
    return pd.DataFrame(rows)


def write_table(out: Path, name: str, table: pd.DataFrame) -> None:
    """Write a table as CSV, and as Parquet where that can be; whole, or not at all."""
    folder = out / RESULTS
    folder.mkdir(parents=True, exist_ok=True)
    with in_place_of(folder / f"{name}.csv") as fresh:
        table.to_csv(fresh, index=False, lineterminator="\n")
    if can_keep():
        with in_place_of(folder / f"{name}.parquet") as fresh:
            table.apply(_of_one_type).to_parquet(fresh, index=False)


def _of_one_type(column: pd.Series) -> pd.Series:
    """Return a column as Parquet takes it: answers of several kinds, numbers and words, as texts."""
    kinds = {type(value) for value in column.dropna()} if column.dtype == object else set()
    return column.map(str, na_action="ignore") if len(kinds) > 1 else column


def _facts(trial: ScenarioTrial) -> dict[str, Any]:
    return {"condition": trial.condition, **dict(trial.point), "seed": trial.seed}


def _chosen(values: Any, names: Sequence[str]) -> dict[str, float]:
    return {name: values.get(name, math.nan) for name in names} if names else dict(values)


def _series(folder: Path) -> pd.DataFrame:
    parts: list[pd.DataFrame] = []
    first: int | None = None
    for run, _ in lineage(folder):
        table = run.measures()
        parts.append(table if first is None else table[table.index < first])
        first = int(table.index.min()) if len(table) else first
    return pd.concat(parts[::-1])
