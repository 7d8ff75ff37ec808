"""When a study has seeds enough: as every interval that it is run for is as narrow as was asked."""

from __future__ import annotations

from collections.abc import Collection

from cave_sim.analysis.planning import LEAST, MOST, TooManySeeds, is_precise, seeds_needed
from cave_sim.analysis.trials import Trials, pairs
from cave_sim.errors import WorldError, did_you_mean


def seeds_wanted(trials: Trials, measure: str, halfwidth: float) -> int:
    """Return how many seeds in all a study wants, by how much its seeds so far differ; no more than it has if enough.

    What is to be precise are the differences to the reference, in pairs of the same seed; the means where nothing is
    compared. Never fewer than five: before that, their spread is luck. And never more than a
    million.

    Args:
        trials: so far.
        measure: by its name.
        halfwidth: how far the 95 % intervals may reach to either side, in the unit of the measure.

    Raises:
        WorldError: the study has no such measure.
    """
    if measure not in trials.measures:
        raise no_measure(measure, trials.measures)
    count = int(trials.last["seed"].nunique())
    by_seed = {arm.label: trials.of(arm).set_index("seed")[measure] for arm in trials.arms()}
    compared = [by_seed[arm.label] - by_seed[reference.label] for arm, reference in pairs(trials)]
    samples = [values.dropna() for values in compared or by_seed.values()]
    if count < LEAST or any(len(values) < LEAST for values in samples):
        return max(count, LEAST)
    missing = [values for values in samples if not is_precise(values, halfwidth)]
    try:
        return max((seeds_needed(values, halfwidth) for values in missing), default=count)
    except TooManySeeds:
        return MOST


def no_measure(measure: str, measures: Collection[str]) -> WorldError:
    """Return what to raise where a study has no measure of that name."""
    near = did_you_mean(measure, measures)
    return WorldError(f"the study has no measure {measure!r}.{near} It has {', '.join(measures)}")
