"""The table of a study: a row for each trial, a row for each of its steps; and what they come to.

An arm is a condition with values of the parameters; its replicates differ by seed alone.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Self

import pandas as pd

from cave_sim.analysis.statistics import (
    LEVEL,
    MeanDifference,
    ends_of,
    mean_interval,
    paired_difference,
    t_quantile,
    unpaired_difference,
)
from cave_sim.analysis.study_description import MANIFEST, read_description
from cave_sim.analysis.wording import is_share
from cave_sim.diagnostics.plurals import counted
from cave_sim.diagnostics.short_texts import shortened
from cave_sim.errors import JournalError

TRIALS, SERIES, ANSWERS = "results/trials.csv", "results/series.csv", "results/answers.csv"
ANSWER_COLUMNS = ("condition", "seed", "survey", "step", "item", "question", "value")


@dataclass(frozen=True, slots=True)
class TrialArm:
    """What replicates have in common.

    Attributes:
        condition: its name.
        parameters: name -> value.
        label: how it is called where it is shown: what tells it from the others.
    """

    condition: str
    parameters: Mapping[str, Any]
    label: str


@dataclass(frozen=True, repr=False)
class Trials:
    """What a study measured.

    Attributes:
        conditions: their names; the first one is what the others are compared with.
        last: a row for each trial: ``condition``, parameters, ``seed``, ``steps``, and each measure's last value.
        series: a row for each step of each trial: ``condition``, parameters, ``seed``, ``step``, and each measure.
        measures: name -> ``label`` and ``unit``.
        parameters: their names.
        about: what else the study says of itself.
        answers: a row for each answer to a survey; None if nobody was asked.
    """

    conditions: Sequence[str]
    last: pd.DataFrame
    series: pd.DataFrame
    measures: Mapping[str, Mapping[str, str]]
    parameters: Sequence[str] = ()
    about: Mapping[str, Any] = field(default_factory=dict)
    answers: pd.DataFrame | None = None

    def __repr__(self) -> str:
        arms, measured = ", ".join(self.conditions), ", ".join(self.measures)
        return f"<{counted(len(self.last), 'trial')} of {arms}; measured: {measured or 'nothing'}>"

    @classmethod
    def read(cls, folder: str | Path) -> Self:
        """Return the trials of a study's folder.

        Raises:
            JournalError: it holds none.
        """
        folder, about = Path(folder), read_description(folder)
        try:
            last = _read(folder / TRIALS)
            series = _read(folder / SERIES) if (folder / SERIES).exists() else last[:0]
            answers = _read(folder / ANSWERS) if (folder / ANSWERS).exists() else None
            conditions = [each if isinstance(each, str) else each["name"] for each in about["conditions"]]
            parameters = [each if isinstance(each, str) else each["name"] for each in about["parameters"]]
            measures = {name: dict(words) for name, words in about["measures"].items()}
            keys = ["condition", *parameters, "seed", *measures]
            for name, table, columns in ((TRIALS, last, [*keys, "steps"]), (SERIES, series, [*keys, "step"])):
                if lacking := [each for each in columns if each not in table and len(table)]:
                    raise JournalError(f"{folder / name} has no column {lacking[0]!r}, which {MANIFEST} speaks of")
                _expect_numbers(folder / name, table[[each for each in (*measures, "seed") if each in table]])
            if not last["condition"].isin(conditions).any():
                raise JournalError(f"{folder / TRIALS} has no trial of a condition that {MANIFEST} speaks of")
            if answers is not None and not {*ANSWER_COLUMNS} <= {*answers.columns}:
                raise JournalError(f"{folder / ANSWERS} lacks columns: it was edited")
        except JournalError:
            raise
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise JournalError(f"{folder} holds no trials of a study of a scenario: {error}") from None
        return cls(conditions, last, series, measures, parameters, about, answers)

    @property
    def keys(self) -> list[str]:
        """The columns that tell arms apart."""
        return ["condition", *self.parameters]

    def arms(self) -> list[TrialArm]:
        """Return every arm of which there are trials: conditions in their order, parameters as they come."""
        arms = []
        for condition in self.conditions:
            rows = self.last[self.last["condition"] == condition]
            points = rows[list(self.parameters)].drop_duplicates().to_dict("records")
            for values in points if self.parameters else [{}] * bool(len(rows)):
                named = ", ".join(f"{name} = {_figure(value)}" for name, value in values.items())
                parts = [condition] if len(self.conditions) > 1 or not named else []
                arms.append(TrialArm(condition, values, ", ".join([*parts, *[named] * bool(named)])))
        return arms

    def of(self, arm: TrialArm, table: pd.DataFrame | None = None) -> pd.DataFrame:
        """Return the rows of an arm: of its trials, or of another table with the same keys."""
        rows = self.last if table is None else table
        chosen = rows["condition"] == arm.condition
        for name, value in arm.parameters.items():
            chosen &= rows[name] == value if value == value else rows[name].isna()
        return rows[chosen]

    def over_time(self) -> Self:
        """Return the same trials with each measure's mean over the steps in place of its last value."""
        means = self.series.groupby([*self.keys, "seed"], dropna=False, sort=False)[list(self.measures)].mean()
        lengths = self.last[[*self.keys, "seed", "steps"]]
        return replace(self, last=lengths.merge(means.reset_index(), on=[*self.keys, "seed"], how="left"))

    def over_parameters(self) -> Self:
        """Return the same study with parameters averaged out: of each condition one row a seed."""
        keys = ["condition", "seed"]
        last = self.last.groupby(keys, sort=False)[["steps", *self.measures]].mean().reset_index()
        series = self.series.groupby([*keys, "step"], sort=False)[list(self.measures)].mean().reset_index()
        return replace(self, last=last, series=series, parameters=())


def expect_trials(given: object) -> None:
    """Raise a TypeError with the way out where what is no `Trials` was handed over, such as a study or its folder."""
    if not isinstance(given, Trials):
        raise TypeError(
            f"this takes Trials, and got {shortened(repr(given), 60)}: Trials.read(FOLDER) has those of a study's "
            "folder, and open_study(FOLDER).trials() as well"
        )


def _read(path: Path) -> pd.DataFrame:
    """Return a table; a condition may be called ``None`` or ``NA``, which is what pandas takes for no value."""
    return pd.read_csv(path, dtype={"condition": str}, keep_default_na=False, na_values=["", "nan"])


def _expect_numbers(path: Path, table: pd.DataFrame) -> None:
    for name in table:
        if len(table) and not pd.api.types.is_numeric_dtype(table[name]):
            raise JournalError(f"{path}: column {name!r} holds something that is no number; it was edited")


def estimates(trials: Trials, level: float = LEVEL) -> pd.DataFrame:
    """Return a row for each measure and arm: its mean over seeds with its t interval, if there are seeds enough."""
    expect_trials(trials)
    rows = [
        {"measure": measure, "arm": arm.label}
        | asdict(mean_interval(trials.of(arm)[measure], level, share=is_share(measure, words)))
        for measure, words in trials.measures.items()
        for arm in trials.arms()
    ]
    return pd.DataFrame(rows, columns=["measure", "arm", "mean", "low", "high", "n", "level", "method"])


def contrasts(trials: Trials, level: float = LEVEL) -> pd.DataFrame:
    """Return a row for each measure and arm that is compared: its difference to its reference.

    The reference is the first condition with the same parameters; where there is one condition, the first parameters.
    Runs with the same seeds are compared in pairs; where no seeds are shared, as two samples.

    Returns:
        ``measure``, ``arm``, ``reference``, and what :class:`~cave_sim.analysis.statistics.MeanDifference` has.
    """
    expect_trials(trials)
    rows = []
    for measure in trials.measures:
        for arm, reference in pairs(trials):
            rows.append(
                {"measure": measure, "arm": arm.label, "reference": reference.label}
                | asdict(_difference(trials.of(arm), trials.of(reference), measure, level))
            )
    columns = ["measure", "arm", "reference", *MeanDifference.__dataclass_fields__]
    return pd.DataFrame(rows, columns=columns)


def pairs(trials: Trials) -> list[tuple[TrialArm, TrialArm]]:
    """Return what is compared with what."""
    arms = trials.arms()
    if len(trials.conditions) < 2:
        return [(arm, arms[0]) for arm in arms[1:]]
    base = {_key(arm.parameters): arm for arm in arms if arm.condition == trials.conditions[0]}
    return [
        (arm, base[_key(arm.parameters)])
        for arm in arms
        if arm.condition != trials.conditions[0] and _key(arm.parameters) in base
    ]


def _difference(treated: pd.DataFrame, reference: pd.DataFrame, measure: str, level: float) -> MeanDifference:
    one, other = (rows.set_index("seed")[measure] for rows in (treated, reference))
    if one.index.intersection(other.index).empty:
        return unpaired_difference(one, other, level)
    return paired_difference(one, other, level)


def _key(parameters: Mapping[str, Any]) -> str:
    return json.dumps(parameters, sort_keys=True, default=str)


def _figure(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def bands(trials: Trials, measure: str, level: float = LEVEL) -> pd.DataFrame:
    """Return a measure over time: a row for each arm and step, with its mean over seeds and its t interval.

    Returns:
        ``arm``, ``step``, ``mean``, ``low``, ``high`` and ``n``. The ends are those of
        :func:`~cave_sim.analysis.statistics.mean_interval`: NaN where there is one seed, or all are alike; but Wilson's
        of shares that all are 0, or 1.
    """
    parts = []
    for arm in trials.arms():
        steps = trials.of(arm, trials.series).groupby("step")[measure]
        table = pd.DataFrame({"mean": steps.mean(), "n": steps.count()})
        spread = steps.sem().where(steps.nunique() > 1)  # what is alike in all runs has none
        reach = table["n"].map(lambda n: t_quantile(n, level) if n > 1 else math.nan) * spread
        share = is_share(measure, trials.measures[measure])
        low, high = ends_of(table["mean"], reach, share=share)
        band = table.assign(arm=arm.label, low=low, high=high).reset_index()
        alike = band[band["low"].isna() & (band["n"] > 0)] if share else band[:0]
        for (mean, n), rows in alike.groupby(["mean", "n"]).groups.items():
            sure = mean_interval([mean] * n, level, share=True)
            band.loc[rows, ["low", "high"]] = sure.low, sure.high
        parts.append(band[band["n"] > 0])
    columns = ["arm", "step", "mean", "low", "high", "n"]
    return pd.concat(parts, ignore_index=True)[columns] if parts else pd.DataFrame(columns=columns)


def by_parameter(trials: Trials, parameter: str, measure: str, level: float = LEVEL) -> pd.DataFrame:
    """Return a measure against a parameter: a row for each condition and value, averaged over other parameters.

    Returns:
        ``condition``, ``value``, and ``mean``, ``low``, ``high``, ``n`` over seeds.
    """
    seeds = trials.last.groupby(["condition", parameter, "seed"], sort=False, dropna=False)[measure].mean()
    share = is_share(measure, trials.measures[measure])
    rows = [
        {"condition": condition, "value": value} | asdict(mean_interval(part, level, share=share))
        for (condition, value), part in seeds.groupby(["condition", parameter], sort=False, dropna=False)
    ]
    return pd.DataFrame(rows, columns=["condition", "value", "mean", "low", "high", "n"])
