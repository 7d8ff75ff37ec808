"""Parameters of a scenario: what is varied, by values or between bounds, and how bounds are sampled."""

from __future__ import annotations

import math
from typing import Any, Literal, Self

from pydantic import Field, FiniteFloat, model_validator

from cave_sim.scenario.parts import ScenarioPart

LARGEST = 2**63
"""Columns of tables hold whole numbers below it."""


class Parameter(ScenarioPart):
    """Something that is varied: an option of the simulation, or a ``${name}`` in the texts of the scenario.

    Attributes:
        values: each of which is tried: numbers, texts or truth values, and null for none.
        low, high: or bounds to sample between.
        whole: whether only whole numbers are sampled.
    """

    values: tuple[Any, ...] = ()
    low: FiniteFloat | None = None
    high: FiniteFloat | None = None
    whole: bool = False

    @model_validator(mode="after")
    def _expect_values_or_bounds(self) -> Self:
        bounds = (self.low, self.high)
        if bool(self.values) == (bounds != (None, None)):
            raise ValueError("a parameter has either values, as a list, or low and high")
        if not self.values and (self.low is None or self.high is None or self.low >= self.high):
            raise ValueError("low and high are both needed, and low is below high")
        if self.low is not None and self.high is not None and not math.isfinite(self.high - self.low):
            raise ValueError("low and high are too far apart to be sampled between")
        kinds = {_kind(value) for value in self.values if value is not None}
        if len(kinds) > 1:
            raise ValueError(f"the values of a parameter are of one kind; these are {' and '.join(sorted(kinds))}")
        if len(set(map(_as_read, self.values))) < len(self.values):
            raise ValueError("a value is here twice, as tables have it; leave one of them away")
        return self


def _kind(value: Any) -> str:
    """Return what a column of such values holds."""
    if isinstance(value, bool):
        return "truth values"
    if isinstance(value, int | float) and math.isfinite(value) and abs(value) < LARGEST:
        return "numbers"
    if isinstance(value, str) and value.strip():
        return "texts"
    raise ValueError(f"a value is a number, a text, true or false, and {value!r} is none that a table can hold")


def _as_read(value: Any) -> Any:
    """Return what comes of a value that is read from a table again: a text that looks like a number is one there."""
    try:
        return value if value is None else float(value)
    except ValueError:
        return str(value).lower() if str(value).lower() in ("true", "false") else value


class SampleDesign(ScenarioPart):
    """How points between the bounds of parameters are drawn.

    Attributes:
        method: ``latin_hypercube`` or ``sobol`` (scipy.stats.qmc).
        points: how many; for ``sobol`` a power of two.
        seed: what they are drawn from.
    """

    method: Literal["latin_hypercube", "sobol"]
    points: int = Field(ge=2, le=100_000)
    seed: int = Field(0, ge=0)

    @model_validator(mode="after")
    def _expect_a_power_of_two(self) -> Self:
        if self.method == "sobol" and self.points & (self.points - 1):
            near = 1 << (self.points - 1).bit_length()
            raise ValueError(f"points: sobol is balanced for powers of two, such as {near}")
        return self
