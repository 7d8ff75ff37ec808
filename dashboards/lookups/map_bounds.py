"""What a map shows: streets, places, nodes and everybody."""

from __future__ import annotations

from typing import Any

import numpy as np

from cave_sim.dashboards.lookups.scene import Frame

ROOM = 0.04  # of the map, on every side


def map_bounds(
    ground: dict[str, Any], spots: list[tuple[float, float]], where: Frame
) -> tuple[float, float, float, float]:
    """Return (west, east, south, north) around everything, with a little room.

    Args:
        ground: the manifest's map.
        spots: where places and nodes are.
        where: across and up of each mover; NaN for those who are nowhere.
    """
    points = [point for line in ground.get("lines") or [] for point in line] + spots
    known = np.concatenate([np.array(points, float).reshape(-1, 2), where[~np.isnan(where).any(axis=1)]])
    if not len(known):
        return 0.0, 1.0, 0.0, 1.0
    low, high = known.min(axis=0), known.max(axis=0)
    room = np.maximum(ROOM * (high - low), 1e-3 * max(1e-9, float((high - low).max())))
    (west, south), (east, north) = low - room, high + room
    return float(west), float(east), float(south), float(north)
