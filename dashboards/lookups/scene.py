"""A moment of a run as its map shows it, and who is on the map."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cave_sim.dashboards.lookups.portrayal import Portrayal

COLUMNS = 3
ACROSS, UP, STATE = range(COLUMNS)
"""The columns of a scene's rows."""

Frame = NDArray[np.float64]


@dataclass
class Scene:
    """A moment: a row per mover (across or node, up, state), the weather, what is closed, and who has what sign.

    `signs` holds names by word, as in ``{"ill": ("ann",)}``.
    """

    step: int
    time_s: float
    turn: int
    rows: Frame
    weather: dict[str, Any] = field(default_factory=dict)
    closed: dict[str, bool] = field(default_factory=dict)
    signs: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def copy(self) -> Scene:
        """Return an independent copy."""
        rows, weather, closed = self.rows.copy(), dict(self.weather), dict(self.closed)
        return Scene(self.step, self.time_s, self.turn, rows, weather, closed, dict(self.signs))


@dataclass
class MapEntity:
    """An entity on the map, as it came into the world."""

    name: str
    type: str
    title: str
    portrayal: Portrayal
    step: int
    x: float | None = None
    y: float | None = None
