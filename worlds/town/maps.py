"""What a town needs to know of its map, whatever the map is made of: streets in degrees or tiles in a grid.

A map is constant data. It is installed once under its name and never saved with the state; a `Town` only remembers
that name, and whoever rebuilds the world installs the same map again.
"""

from bisect import bisect_right
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from cave_sim import WorldError

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Route:
    """A way through the map: the nodes passed, where they lie, and the metres walked on reaching each."""

    nodes: tuple[int, ...]
    points: tuple[Point, ...]
    marks_m: tuple[float, ...]

    @property
    def length_m(self) -> float:
        """Metres from the first node to the last."""
        return self.marks_m[-1]

    def passed(self, walked_m: float) -> int:
        """Return the last node reached after `walked_m` metres."""
        return self.nodes[self._leg(walked_m)]

    def at(self, walked_m: float) -> Point:
        """Return the position after `walked_m` metres, in the map's axes; past either end, that end."""
        leg = self._leg(walked_m)
        if leg == len(self.nodes) - 1:
            return self.points[-1]
        begin_m, end_m = self.marks_m[leg], self.marks_m[leg + 1]
        share = max(0.0, walked_m - begin_m) / (end_m - begin_m)
        (x0, y0), (x1, y1) = self.points[leg], self.points[leg + 1]
        return x0 + share * (x1 - x0), y0 + share * (y1 - y0)

    def _leg(self, walked_m: float) -> int:
        return max(0, bisect_right(self.marks_m, walked_m) - 1)


@runtime_checkable
class TownMap(Protocol):
    """A map that people can walk on. Nodes are whole numbers; positions are (x, y) in the map's own axes."""

    name: str
    attribution: str

    def point(self, node: int) -> Point:
        """Return where a node lies: (longitude, latitude) in degrees, or (column, row) of a tile."""

    def route(self, start: int, goal: int) -> Route:
        """Return the shortest way between two nodes; the same answer every time."""

    def distance_m(self, a: Point, b: Point) -> float:
        """Return the straight distance between two positions in metres."""

    def sketch(self) -> dict[str, Any]:
        """Return the map as a drawing: name, attribution, axes ("lonlat" or "xy") and polylines."""


_installed: dict[str, TownMap] = {}


def install(town_map: TownMap) -> TownMap:
    """Make a map known by its name to every town in this process; installing it again replaces it."""
    _installed[town_map.name] = town_map
    return town_map


def installed(name: str) -> TownMap:
    """Return the map of that name.

    Raises:
        WorldError: nobody installed it; the message lists those that are there.
    """
    try:
        return _installed[name]
    except KeyError:
        known = ", ".join(sorted(_installed)) or "none"
        raise WorldError(
            f"No map named {name!r} is installed (installed: {known}). "
            "Call worlds.town.maps.install(StreetMap.load(path)) before building the town."
        ) from None
