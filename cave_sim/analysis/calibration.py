"""Calibration: the point of a study at which a measure of distance to data is smallest, and how sure that is."""

from __future__ import annotations

import pandas as pd

from cave_sim.analysis.statistics import mean_interval, paired_difference
from cave_sim.analysis.trials import Trials, expect_trials
from cave_sim.errors import WorldError


def nearest(trials: Trials, distance: str, *, condition: str | None = None) -> pd.DataFrame:
    """Return the points of a study, the nearest to the data first.

    The nearest of many points looks nearer than it is, because chance had a part in choosing it: measure it anew with
    other seeds, and against data that it was not calibrated by.

    Args:
        trials: of a study that varied parameters.
        distance: the measure to be small.
        condition: under which; the first unless given.

    Returns:
        A row for each point: its parameters; ``mean``, ``low``, ``high`` and ``n`` of the distance over seeds; and
        ``behind``, by how much it is farther than the nearest in pairs of runs of one seed, with ``behind_low`` and
        ``behind_high``. Points whose interval takes in 0 cannot be told from the nearest.

    Raises:
        WorldError: nothing was varied, or there is no such measure or condition.
    """
    expect_trials(trials)
    condition = trials.conditions[0] if condition is None else condition
    if distance not in trials.measures:
        raise WorldError(f"the study has no measure {distance!r}; it has {', '.join(trials.measures)}")
    if condition not in trials.conditions:
        raise WorldError(f"the study has no condition {condition!r}; it has {', '.join(trials.conditions)}")
    if not trials.parameters:
        raise WorldError("the study varied no parameter, so that there is nothing to calibrate")
    arms = [arm for arm in trials.arms() if arm.condition == condition]
    values = [trials.of(arm).set_index("seed")[distance] for arm in arms]
    means = [mean_interval(each) for each in values]
    order = sorted((at for at, each in enumerate(means) if each.n), key=lambda at: means[at].mean)
    rows = []
    for at in order:
        gap = paired_difference(values[at], values[order[0]])
        own = {"mean": means[at].mean, "low": means[at].low, "high": means[at].high, "n": means[at].n}
        apart = {"behind": gap.mean, "behind_low": gap.low, "behind_high": gap.high}
        rows.append({**arms[at].parameters, **own, **apart})
    return pd.DataFrame(rows)
