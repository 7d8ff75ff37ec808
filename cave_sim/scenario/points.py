"""The points of a study: every combination of the values of its parameters, or a sample between their bounds."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import product
from typing import Any

from cave_sim.errors import WorldError
from cave_sim.scenario.parameters import Parameter, SampleDesign
from cave_sim.scenario.schema import Scenario

MOST_POINTS = 100_000
Point = tuple[tuple[str, Any], ...]
"""A value for each parameter, in the order of the scenario."""


def points_of(scenario: Scenario) -> list[Point]:
    """Return the points in their order: the full grid of values, at each point of the sample if there is one.

    Points that come out alike, as they may where whole numbers are sampled, are one point: run twice with one seed, it
    would be no further replicate.

    Raises:
        WorldError: there are too many.
    """
    gridded = {name: each.values for name, each in scenario.parameters.items() if each.values}
    bounded = {name: each for name, each in scenario.parameters.items() if not each.values}
    samples = _sampled(bounded, scenario.sampling) if scenario.sampling is not None else [{}]
    count = math.prod(map(len, gridded.values())) * len(samples)
    if count > MOST_POINTS:
        raise WorldError(f"the parameters have {count:,} points, and a study has at most {MOST_POINTS:,}; sample some")
    found = (
        tuple((name, {**dict(zip(gridded, values, strict=True)), **sample}[name]) for name in scenario.parameters)
        for values in product(*gridded.values())
        for sample in samples
    )
    return list(dict.fromkeys(found))


def _sampled(parameters: Mapping[str, Parameter], sampling: SampleDesign) -> list[dict[str, Any]]:
    """Return points between bounds, drawn by a quasi-Monte Carlo method of scipy."""
    from scipy.stats import qmc  # takes a while to import, and is needed for this alone

    kinds = {"latin_hypercube": qmc.LatinHypercube, "sobol": qmc.Sobol}
    drawn = kinds[sampling.method](d=len(parameters), rng=sampling.seed).random(sampling.points)
    lows = [each.low for each in parameters.values()]
    highs = [each.high for each in parameters.values()]
    return [
        {
            name: _rounded(float(value), parameter)
            for (name, parameter), value in zip(parameters.items(), row, strict=True)
        }
        for row in qmc.scale(drawn, lows, highs)
    ]


def _rounded(value: float, parameter: Parameter) -> float | int:
    return round(value) if parameter.whole else float(f"{value:.9g}")
