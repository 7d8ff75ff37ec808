"""Measures that are written down as expressions; they may name the measures that are taken before them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from cave_sim.errors import WorldError
from cave_sim.history.condition import Condition
from cave_sim.history.measures_by_name import as_named, names_of
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

    def __call__(self, world: World) -> float | None:
        return self.value(world, {})

    def value(self, world: World, earlier: Mapping[str, float]) -> float | None:
        """Return what it comes to, None where there is nothing to measure.

        Args:
            world: of the simulation.
            earlier: what was measured at this step before it. Where an entity has the name, the entity is meant.

        Raises:
            WorldError: it comes to something else, divides by zero, or names what is not there.
        """
        try:
            value = self._condition.value(world, names=names_of(earlier, world))
        except WorldError as error:
            if ZeroDivisionError.__name__ not in str(error):
                raise
            way = "where there is nothing to measure, it may be None: A / B if B else None"
            raise WorldError(f"{error}, at step {world.clock.step}; {way}") from None
        if value is None:
            return None
        if not isinstance(value, int | float):
            raise WorldError(f"measure {self._condition.text!r} comes to {type(value).__name__}; a measure is a number")
        return float(value)


class MeasureByName(MeasureByText):
    """Another measure by its name, where there is something to measure of it.

    Args:
        name: of that one.
        measure: it.
    """

    def __init__(self, name: str, measure: Callable[[World], Any]) -> None:
        super().__init__(as_named(name))
        self._name, self._measure = name, measure

    def value(self, world: World, earlier: Mapping[str, float]) -> float | None:
        """Return what it came to at this step, which is taken once; None where there was nothing to measure."""
        taken = earlier.get(self._name)
        return value_of(self._measure, world, earlier) if taken is None else taken


class MeasureInPlace(MeasureByText):
    """A figure that names the measure in whose place it stands: ``share * 100`` under the name of ``share``.

    Args:
        text: of the figure.
        name: of both.
        replaced: the one that was there.
    """

    def __init__(self, text: str, name: str, replaced: Callable[[World], Any]) -> None:
        super().__init__(text)
        self._name, self._replaced = name, replaced

    def value(self, world: World, earlier: Mapping[str, float]) -> float | None:
        """Return what it comes to; None where there is nothing to measure of what it stands for."""
        before = value_of(self._replaced, world, earlier)
        return None if before is None else super().value(world, {**earlier, self._name: before})


def value_of(measure: Callable[[World], Any], world: World, earlier: Mapping[str, float]) -> Any:
    """Return what a measure comes to; one that is written down may name those that were taken before it."""
    return measure.value(world, earlier) if isinstance(measure, MeasureByText) else measure(world)
