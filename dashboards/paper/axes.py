"""Scales and ticks of drawn figures: round numbers, few of them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from cave_sim.analysis.wording import figure

ROOM = 0.06


@dataclass(frozen=True)
class Scale:
    """How numbers become places on paper.

    Attributes:
        low, high: numbers at its ends.
        start, end: places of these ends.
    """

    low: float
    high: float
    start: float
    end: float

    @classmethod
    def over(cls, values: Iterable[float], start: float, end: float, room: float = ROOM) -> Scale:
        """Return a scale on which all values lie, with some room at either end."""
        known = [value for value in values if math.isfinite(value)] or [0.0, 1.0]
        low, high = min(known), max(known)
        if low == high:
            low, high = low - (abs(low) or 1) / 2, high + (abs(high) or 1) / 2
        return cls(low - room * (high - low), high + room * (high - low), start, end)

    def __call__(self, value: float) -> float:
        """Return where a number lies."""
        return round(self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start), 1)

    def ticks(self, most: int) -> list[tuple[float, str]]:
        """Return at most so many round numbers, with their texts."""
        rough = (self.high - self.low) / max(1, most)
        ten = 10 ** math.floor(math.log10(rough))
        stride = next(part * ten for part in (1, 2, 2.5, 5, 10) if part * ten >= rough * (1 - 1e-9))
        first = math.ceil(self.low / stride - 1e-9)
        values = [number * stride for number in range(first, math.floor(self.high / stride + 1e-9) + 1)]
        return [(value, figure(float(f"{value:.10g}"))) for value in values]
