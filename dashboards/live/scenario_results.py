"""What a scenario's study has found so far, by its trials that are done: each measure under each condition."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import pandas as pd

from cave_sim.analysis.statistics import Estimate, mean_interval, paired_difference
from cave_sim.analysis.wording import estimate_text, is_share, with_unit
from cave_sim.dashboards.paper.figures import at_the_end
from cave_sim.history.wording import word

Row = Mapping[str, Any]


def findings(rows: Sequence[Row], conditions: Sequence[str], words: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return means with their 95 % intervals, and paired differences from the first condition; None before any trial.

    Args:
        rows: trials, those that are done with their ``measures``, and what these are as ``measured``; several of one
            condition and seed, under other values of parameters, are averaged.
        conditions: in their order.
        words: measure -> its ``label`` and ``unit``, as the study's folder has them.
    """
    done = [row for row in rows if isinstance(row.get("measures"), dict)]
    by_condition = {name: _frame([row for row in done if row["group"] == name]) for name in conditions}
    known = {name: frame for name, frame in by_condition.items() if len(frame)}
    if not known:
        return None
    measures = list(dict.fromkeys(measure for frame in known.values() for measure in frame))
    about = {name: text for row in done for name, text in (row.get("measured") or {}).items()}
    return {
        "reference": conditions[0],
        "conditions": [{"name": name, "trials": len(frame)} for name, frame in by_condition.items()],
        "measures": [
            _measured(measure, by_condition, words.get(measure) or {}) | {"about": about.get(measure, "")}
            for measure in measures
        ],
    }


def _measured(measure: str, by_condition: Mapping[str, pd.DataFrame], words: Mapping[str, Any]) -> dict[str, Any]:
    """Return one measure under each condition: in words, and drawn as the study's report does."""
    values = {name: _column(frame, measure) for name, frame in by_condition.items()}
    reference, *others = values
    means = {name: mean_interval(each, share=is_share(measure, words)) for name, each in values.items()}
    label = _named(measure, words)
    trials = [{"arm": name, "value": value} for name, each in values.items() for value in each]
    drawn = pd.DataFrame([{"arm": name, **asdict(mean)} for name, mean in means.items()])
    return {
        "measure": label,
        "means": [_estimate_text(mean) for mean in means.values()],
        "differences": [_estimate_text(paired_difference(values[name], values[reference]), "+") for name in others],
        "figure": at_the_end(pd.DataFrame(trials, columns=["arm", "value"]), drawn, list(values), label),
    }


def _named(measure: str, words: Mapping[str, Any]) -> str:
    """Return a measure as people read it: its label in words, and its unit."""
    return with_unit(word(str(words.get("label") or measure)), words.get("unit"))


def _frame(rows: Sequence[Row]) -> pd.DataFrame:
    """Return the last values of measures, a row for each seed."""
    if not rows:
        return pd.DataFrame()
    values = pd.DataFrame([row["measures"] for row in rows], index=[row["seed"] for row in rows])
    numbers = values.apply(pd.to_numeric, errors="coerce")
    return numbers.groupby(level=0).mean()


def _column(frame: pd.DataFrame, measure: str) -> pd.Series:
    return frame[measure].dropna() if measure in frame else pd.Series(dtype=float)


def _estimate_text(estimate: Estimate, sign: str = "") -> str:
    if not math.isfinite(estimate.mean):
        return "–"
    return estimate_text(estimate.mean, estimate.low, estimate.high, sign, n=estimate.n)
