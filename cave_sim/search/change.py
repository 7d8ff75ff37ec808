"""Changes: points of a scenario's parameters, and how far they are from what is usual."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from cave_sim.errors import WorldError
from cave_sim.scenario.parameters import LARGEST, Parameter
from cave_sim.scenario.points import Point
from cave_sim.scenario.schema import Scenario

DIGITS = 3
"""A parameter is told apart in thousandths of its range, or nearly."""
Change = tuple[float, ...]
"""A value for each parameter that is searched, in their order."""


@dataclass(frozen=True)
class SearchSpace:
    """Where changes are looked for.

    Attributes:
        names: of the parameters that have a usual value.
        low, high, usual: their bounds, and what they are where nothing is changed.
        whole: which of them take whole numbers alone.
        fixed: the values of the other parameters.
    """

    names: tuple[str, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    usual: Change
    whole: tuple[bool, ...]
    fixed: Mapping[str, object]

    @classmethod
    def of(cls, scenario: Scenario) -> SearchSpace:
        """Return the space that a scenario declares; raises WorldError if it declares none."""
        varied = {name: each for name, each in scenario.parameters.items() if each.usual is not None}
        if not varied:
            raise WorldError(
                f"{scenario.name}: nothing says what may be changed: give a parameter low, high and usual,"
                " as in cut: {low: 0, high: 100, usual: 0}"
            )
        if far := next((name for name, each in varied.items() if max(map(abs, _bounds(each))) >= LARGEST), None):
            raise WorldError(
                f"{scenario.name}: parameter {far!r} reaches further than a table can hold: below {LARGEST:g}"
            )
        others = {name: each.values for name, each in scenario.parameters.items() if name not in varied}
        if many := next((name for name, values in others.items() if len(values) != 1), None):
            raise WorldError(
                f"{scenario.name}: parameter {many!r} is not searched, so it has one value, or a usual one"
            )
        low, high, usual = (
            tuple(float(getattr(each, part)) for each in varied.values()) for part in ("low", "high", "usual")
        )
        whole = tuple(each.whole for each in varied.values())
        return cls(tuple(varied), low, high, usual, whole, {name: values[0] for name, values in others.items()})

    def snapped(self, values: Change) -> Change:
        """Return the nearest change that can be tried: within bounds, in few digits."""
        return tuple(
            min(high, max(low, float(round(value)) if whole else round(value, _decimals(high - low))))
            for value, low, high, whole in zip(values, self.low, self.high, self.whole, strict=True)
        )

    def size(self, values: Change) -> float:
        """Return how large a change is: the sum of the shares of their ranges by which parameters are not as usual."""
        return sum(self.shares(values))

    def shares(self, values: Change) -> list[float]:
        """Return by which share of its range each parameter is not as usual."""
        parts = zip(values, self.usual, self.low, self.high, strict=True)
        return [abs(value - usual) / (high - low) for value, usual, low, high in parts]

    def point(self, values: Change, scenario: Scenario) -> Point:
        """Return it as a point of the scenario: whole numbers are such."""
        named = zip(self.names, values, self.whole, strict=True)
        by_name = {**self.fixed, **{name: int(value) if whole else value for name, value, whole in named}}
        return tuple((name, by_name[name]) for name in scenario.parameters)

    def changed(self, values: Change) -> dict[str, float]:
        """Return the parameters that are not as usual."""
        return {
            name: value for name, value, usual in zip(self.names, values, self.usual, strict=True) if value != usual
        }


def _bounds(parameter: Parameter) -> tuple[float, float]:
    return float(parameter.low or 0), float(parameter.high or 0)


def _decimals(span: float) -> int:
    return max(0, DIGITS - math.floor(math.log10(span)))
