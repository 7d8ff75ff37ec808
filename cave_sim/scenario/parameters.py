"""Parameters of a scenario: what is varied, by values or between bounds, and how bounds are sampled."""

from __future__ import annotations

import math
from typing import Any, Literal, Self

from pydantic import Field, FiniteFloat, field_validator, model_validator

from cave_sim.analysis.dependence import FEWEST_GROUPS
from cave_sim.analysis.designs import SAMPLES, Sample, Screening, group_size
from cave_sim.scenario.parts import ScenarioPart, Whole

LARGEST = 2**63
"""Columns of tables hold whole numbers below it."""
OTHER_NAMES = {
    "lhs": "write latin_hypercube",
    "sobol_indices": "write saltelli",
    "grid": "a grid needs no sampling: give each parameter a list of values",
}
NO_NUMBER = ("nan", "inf", "infinity")
"""How files write what is no finite number; as texts, tables would read them as numbers."""
LARGEST_DRAWN = 2**32 - 1
"""The largest seed that SALib takes."""


class Parameter(ScenarioPart):
    """Something that is varied: an option of the simulation, or a ``${name}`` in the texts of the scenario.

    Attributes:
        values: each of which is tried: numbers, texts or truth values, and null for none.
        low, high: or bounds to sample between.
        whole: whether only whole numbers are sampled.
        usual: between bounds, what it is where nothing is changed: as it is run, unless it is sampled or searched.
    """

    values: tuple[Any, ...] = ()
    low: FiniteFloat | None = None
    high: FiniteFloat | None = None
    whole: bool = False
    usual: FiniteFloat | None = None

    @model_validator(mode="after")
    def _expect_values_or_bounds(self) -> Self:
        bounds = (self.low, self.high)
        if bool(self.values) == (bounds != (None, None)):
            raise ValueError("a parameter has either values, as a list, or low and high")
        if not self.values and (self.low is None or self.high is None or self.low >= self.high):
            raise ValueError("low and high are both needed, and low is below high")
        if self.low is not None and self.high is not None and not math.isfinite(self.high - self.low):
            raise ValueError("low and high are too far apart to be sampled between")
        if self.usual is not None and not (self.low or 0) <= self.usual <= (self.high or 0):
            raise ValueError("usual lies between low and high; a parameter with values has none")
        if self.usual is not None and self.whole and self.usual != int(self.usual):
            raise ValueError("usual is a whole number where only those are sampled")
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
    if isinstance(value, str) and value.strip().lower().lstrip("+-.") in NO_NUMBER:
        raise ValueError(f"a value is a finite number, and {value} is none that a table can hold")
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
        method: ``latin_hypercube`` or ``sobol`` fill the space (scipy.stats.qmc). ``morris`` screens what matters
            (Morris 1991), ``saltelli`` splits the variance into Sobol's indices (Saltelli 2010), both by SALib.
        points: how many, of the first two; for ``sobol`` a power of two.
        size: of the other two: how many groups of points, each with one point more than there are parameters between
            bounds (``morris``), or with two more (``saltelli``, for which it is a power of two).
        seed: what they are drawn from.
    """

    method: Literal[Sample, Screening]
    points: Whole | None = Field(None, ge=2, le=100_000)
    size: Whole | None = Field(None, ge=FEWEST_GROUPS, le=100_000)
    seed: Whole = Field(0, ge=0, le=LARGEST_DRAWN)

    @field_validator("method", mode="before")
    @classmethod
    def _know_other_names(cls, value: Any) -> Any:
        if isinstance(value, str) and (way_out := OTHER_NAMES.get(value.lower())):
            raise ValueError(f"{value!r} is no method here: {way_out}")
        return value

    @model_validator(mode="after")
    def _expect_a_size_that_fits(self) -> Self:
        key, other = ("points", "size") if self.method in SAMPLES else ("size", "points")
        if getattr(self, other) is not None or getattr(self, key) is None:
            what = "points, how many" if key == "points" else "size, how many groups of points"
            raise ValueError(f"{self.method} takes {what}, and no {other}")
        asked: int = getattr(self, key)
        if self.method in ("sobol", "saltelli") and asked & (asked - 1):
            near = 1 << (asked - 1).bit_length()
            raise ValueError(f"{key}: {self.method} is balanced for powers of two, such as {near}")
        return self

    def count(self, parameters: int) -> int:
        """Return how many points there are, of so many parameters between bounds."""
        if self.method in SAMPLES:
            return self.points or 0
        return (self.size or 0) * group_size(self.method, parameters)
