"""A measure that is written down as an expression; it may name the measures that are taken before it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from cave_sim.errors import WorldError
from cave_sim.history.condition import Condition
from cave_sim.history.measures_by_name import names_of
from cave_sim.world.world import World


class MeasureByText:
    """A figure of the safe condition language.

    Args:
        text: such as ``world["town"].treasury_cents / 100``, or ``mood - energy`` of two measures of a simulation.

    Raises:
        WorldError: it is no expression.
    """

    def __init__(self, text: str) -> None:
        self._condition = Condition(text)

    def __call__(self, world: World) -> float:
        return self.value(world, {})

    def value(self, world: World, earlier: Mapping[str, float]) -> float:
        """Return what it comes to; raises WorldError where that is no number, or it names what is not there.

        Args:
            world: of the simulation.
            earlier: what was measured at this step before it. Where an entity has the name, the entity is meant.
        """
        value = self._condition.value(world, names=names_of(earlier, world))
        if not isinstance(value, int | float):
            raise WorldError(f"measure {self._condition.text!r} comes to {type(value).__name__}; a measure is a number")
        return float(value)


def value_of(measure: Callable[[World], Any], world: World, earlier: Mapping[str, float]) -> Any:
    """Return what a measure comes to; one that is written down may name those that were taken before it."""
    return measure.value(world, earlier) if isinstance(measure, MeasureByText) else measure(world)
