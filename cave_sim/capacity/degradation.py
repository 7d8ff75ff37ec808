"""How much of the free window a model can still fill, by how full the window is (Gen-Pilot, Def. 3 and Prop. 1)."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Protocol

from cave_sim.errors import WorldError


class Degradation(Protocol):
    """Occupancy of the window in [0, 1] -> share of the free tokens that a model reliably writes, in [0, 1].

    It never grows with the occupancy.
    """

    def __call__(self, occupancy: float) -> float:
        """Return the share at an occupancy."""

    def to_data(self) -> dict[str, Any]:
        """Return it as plain data, which :func:`degradation_of` reads."""


@dataclass(frozen=True, slots=True)
class Logistic:
    """A logistic curve, ``1 / (1 + exp(steepness * (occupancy - midpoint)))``.

    By itself it is neither 1 in an empty window nor 0 in a full one, which Definition 3 of the paper demands and its
    Proposition 1 forgets: .99 and .02. Anchored, it is scaled to be both.

    Attributes:
        steepness: how suddenly it falls; above 0.
        midpoint: the occupancy at which it falls the fastest.
        is_anchored: whether it is 1 at 0 and 0 at 1.

    Raises:
        WorldError: a parameter is not finite, or the steepness not above 0.
    """

    steepness: float
    midpoint: float
    is_anchored: bool = True

    def __post_init__(self) -> None:
        if not (math.isfinite(self.steepness) and math.isfinite(self.midpoint) and self.steepness > 0):
            raise WorldError(f"a logistic degradation needs finite numbers and a steepness above 0, not {self}")

    def __call__(self, occupancy: float) -> float:
        value = self._plain(occupancy)
        if not self.is_anchored:
            return value
        first, last = self._plain(0.0), self._plain(1.0)
        return 1.0 if first == last else min(1.0, max(0.0, (value - last) / (first - last)))

    def to_data(self) -> dict[str, Any]:
        kind = {"kind": "logistic", "steepness": self.steepness, "midpoint": self.midpoint}
        return {**kind, "is_anchored": self.is_anchored}

    def _plain(self, occupancy: float) -> float:
        return 0.5 * (1.0 - math.tanh(0.5 * self.steepness * (occupancy - self.midpoint)))  # no overflow


@dataclass(frozen=True, slots=True)
class Table:
    """Measured points with straight lines between them; level before the first and behind the last one.

    Attributes:
        occupancies: ascending, in [0, 1].
        shares: as many, in [0, 1], never growing.

    Raises:
        WorldError: the points are none of this.
    """

    occupancies: tuple[float, ...]
    shares: tuple[float, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "occupancies", tuple(map(float, self.occupancies)))
        object.__setattr__(self, "shares", tuple(map(float, self.shares)))
        at, shares = self.occupancies, self.shares
        is_inside = all(0 <= each <= 1 for each in (*at, *shares))
        is_ordered = all(one < other for one, other in pairwise(at)) and all(a >= b for a, b in pairwise(shares))
        if not (len(at) == len(shares) > 0 and is_inside and is_ordered):
            raise WorldError(
                "a table of degradation has ascending occupancies and as many shares that never grow, all in [0, 1];"
                f" not {self.occupancies} and {self.shares}"
            )

    def __call__(self, occupancy: float) -> float:
        at, shares = self.occupancies, self.shares
        right = bisect_right(at, occupancy)
        if right in (0, len(at)):
            return shares[max(0, right - 1)]
        along = (occupancy - at[right - 1]) / (at[right] - at[right - 1])
        return shares[right - 1] + along * (shares[right] - shares[right - 1])

    def to_data(self) -> dict[str, Any]:
        return {"kind": "table", "occupancies": list(self.occupancies), "shares": list(self.shares)}


NONE = Table((0.0, 1.0), (1.0, 1.0))
"""A model that fills all of its window: what is believed of one that nobody measured."""

PAPER_FITS: Mapping[str, Logistic] = {
    "claude": Logistic(8.2, 0.58, is_anchored=False),
    "gpt-4o": Logistic(8.8, 0.55, is_anchored=False),
    "llama": Logistic(9.1, 0.52, is_anchored=False),
}
"""The parameters that the paper prints (Prop. 1). On the points of its own Figure 1, Claude's are off by .04."""


def degradation_of(data: Mapping[str, Any]) -> Degradation:
    """Return what :meth:`Degradation.to_data` wrote; raises WorldError if it is none of that."""
    try:
        match data["kind"]:
            case "logistic":
                return Logistic(float(data["steepness"]), float(data["midpoint"]), bool(data.get("is_anchored", True)))
            case "table":
                return Table(tuple(data["occupancies"]), tuple(data["shares"]))
            case kind:
                raise WorldError(f"a degradation is a logistic or a table, not {kind!r}")
    except (LookupError, TypeError, ValueError) as error:
        raise WorldError(f"this is no degradation: {type(error).__name__}: {error}") from None


def rmse(curve: Degradation, occupancies: Sequence[float], shares: Sequence[float]) -> float:
    """Return the root of the mean squared error of a curve at some points."""
    errors = [curve(at) - share for at, share in zip(occupancies, shares, strict=True)]
    return math.sqrt(sum(error * error for error in errors) / len(errors))
