"""The points of a study: every combination of the values of its parameters, or a sample between their bounds."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from cave_sim.analysis.designs import points_between
from cave_sim.errors import WorldError
from cave_sim.scenario.parameters import Parameter, SampleDesign
from cave_sim.scenario.schema import Scenario

MOST_POINTS = 100_000
MOST_TOLD = 8
"""How many values of a parameter are looked at one by one."""
Point = tuple[tuple[str, Any], ...]
"""A value for each parameter, in the order of the scenario."""


def points_of(scenario: Scenario) -> list[Point]:
    """Return the points in their order: the full grid of values, at each point of the sample if there is one.

    Without one, what has bounds is as usual.

    Points that come out alike, as they may where whole numbers are sampled, are one point: run twice with one seed, it
    would be no further replicate.

    Raises:
        WorldError: there are too many.
    """
    gridded = {name: each.values for name, each in scenario.parameters.items() if each.values}
    bounded = {name: each for name, each in scenario.parameters.items() if not each.values}
    sampling = scenario.sampling
    count = math.prod(map(len, gridded.values())) * (sampling.count(len(bounded)) if sampling else 1)
    if count > MOST_POINTS:
        raise WorldError(f"the parameters have {count:,} points, and a study has at most {MOST_POINTS:,}; sample some")
    usual = {name: int(each.usual or 0) if each.whole else each.usual for name, each in bounded.items()}
    samples: list[dict[str, Any]] = [usual] if sampling is None else _sampled(bounded, sampling)
    points = (
        tuple((name, {**dict(zip(gridded, values, strict=True)), **sample}[name]) for name in scenario.parameters)
        for values in product(*gridded.values())
        for sample in samples
    )
    return list(dict.fromkeys(points))


def telling_points(scenario: Scenario) -> Iterator[Point]:
    """Yield a few points at which the values of each parameter come up: of many numbers, the least and the greatest.

    The first point is the first of the study; each further one has as many values as can be that did not come up yet.
    """
    first, *points = points_of(scenario)
    telling: set[tuple[str, Any]] = set()
    for at, (name, parameter) in enumerate(scenario.parameters.items()):
        values = dict.fromkeys(each[at][1] for each in (first, *points))
        telling |= {(name, value) for value in _telling(list(values), all_of_them=bool(parameter.values))}
    left = telling - {*first}
    points = [each for each in points if left & {*each}]
    yield first
    while left:
        best = max(points, key=lambda each: len(left & {*each}))
        left -= {*best}
        yield best


def _telling(values: list[Any], *, all_of_them: bool) -> list[Any]:
    numbers = [value for value in values if isinstance(value, int | float)]
    if numbers and not (all_of_them and len(values) <= MOST_TOLD):
        return [min(numbers), max(numbers)]
    return values[:MOST_TOLD]


def _sampled(parameters: Mapping[str, Parameter], sampling: SampleDesign) -> list[dict[str, Any]]:
    """Return points between bounds, by the libraries that draw them."""
    bounds = {name: (float(each.low or 0), float(each.high or 0)) for name, each in parameters.items()}
    whole = [name for name, each in parameters.items() if each.whole]
    size = sampling.points or sampling.size or 0
    table = points_between(bounds, sampling.method, size, sampling.seed, whole)
    return [dict(zip(bounds, row, strict=True)) for row in zip(*(table[name].tolist() for name in bounds), strict=True)]
