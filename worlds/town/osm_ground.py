"""What lies between the places of a town, for drawing: water, green, squares, buildings, streets by class, names.

Taken from OpenStreetMap's tags (<https://wiki.openstreetmap.org/wiki/Map_features>). Nobody in a town reads any of it:
people walk on the graph of streets, and a map without a ground is the same town.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from math import cos, hypot, radians
from typing import Any

from cave_sim.worlds.town.osm_coast import sea
from cave_sim.worlds.town.polylines import encoded

Point = tuple[float, float]
Box = tuple[float, float, float, float]
"""West, south, east, north, in degrees."""
Tags = Mapping[str, str]

AREAS: tuple[tuple[str, str, frozenset[str]], ...] = (
    ("water", "natural", frozenset({"water", "bay"})),
    ("water", "landuse", frozenset({"basin", "pond", "reservoir"})),
    ("water", "waterway", frozenset({"riverbank", "dock"})),
    ("wood", "natural", frozenset({"wood", "scrub", "heath", "wetland"})),
    ("wood", "landuse", frozenset({"forest"})),
    ("green", "leisure", frozenset({"park", "garden", "playground", "pitch", "golf_course"})),
    ("green", "landuse", frozenset({"grass", "meadow", "cemetery", "village_green", "recreation_ground"})),
    ("sand", "natural", frozenset({"beach", "sand", "bare_rock", "shingle", "scree"})),
    ("square", "place", frozenset({"square"})),
    ("square", "amenity", frozenset({"marketplace"})),
    ("rails", "landuse", frozenset({"railway"})),
    ("pier", "man_made", frozenset({"pier"})),
)
STREETS: dict[str, tuple[str, ...]] = {
    "main": tuple(kind + link for kind in ("motorway", "trunk", "primary", "secondary") for link in ("", "_link")),
    "street": ("tertiary", "tertiary_link", "residential", "unclassified", "living_street", "road"),
    "lane": ("service", "pedestrian", "track"),
    "path": ("footway", "path", "cycleway", "steps", "bridleway", "trail"),
}  # fmt: skip
CLASS_OF: dict[str, str] = {kind: name for name, kinds in STREETS.items() for kind in kinds}
DISTRICTS = ("suburb", "quarter", "neighbourhood", "village", "town", "hamlet")
LEAST_M2 = 12.0


@dataclass
class Shape:
    """A way or a multipolygon: its tags, and its rings or, of a line, its one run of points; degrees."""

    tags: Tags
    rings: list[list[Point]]
    closed: bool


@dataclass
class Ground:
    """What is drawn under a town, gathered shape by shape.

    Args:
        box: what of the world is looked at.
    """

    box: Box
    areas: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    lines: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    names: list[list[Any]] = field(default_factory=list)
    _coasts: list[list[Point]] = field(default_factory=list)
    _streets: dict[str, list[list[Point]]] = field(default_factory=lambda: defaultdict(list))

    def add(self, shape: Shape) -> None:
        """Take a shape in, if it is something that is drawn."""
        kind = self._area_kind(shape)
        if kind is not None:
            self._add_area(kind, shape)
        elif shape.tags.get("natural") == "coastline":
            self._coasts.extend(shape.rings)
        elif (line := _line_kind(shape.tags)) is not None:
            self.lines[line].extend(encoded(run) for run in shape.rings if len(run) > 1)
            if name := shape.tags.get("name"):
                self._streets[name].extend(shape.rings) if line in STREETS else None

    def name(self, tags: Tags, point: Point) -> None:
        """Take in a point that has a district's name."""
        if tags.get("place") in DISTRICTS and tags.get("name") and _within(point, self.box):
            self.names.append(["district", tags["name"], *_rounded(point)])

    def to_data(self) -> dict[str, Any]:
        """Return the ground as plain data: areas and lines by kind as encoded texts, and names with where they are."""
        areas = {kind: list(shapes) for kind, shapes in self.areas.items()}
        if self._coasts:
            areas.setdefault("water", []).extend(encoded(ring) for ring in sea(self._coasts, self.box))
        names = sorted([*self.names, *self._street_names()], key=lambda each: (each[0], each[1], each[2:]))
        return {
            "box": list(self.box),
            "areas": dict(sorted(areas.items())),
            "lines": dict(sorted(self.lines.items())),
            "names": names,
        }

    def _area_kind(self, shape: Shape) -> str | None:
        if not shape.closed:
            return None
        if "building" in shape.tags and shape.tags["building"] != "no":
            return "building"
        for kind, key, values in AREAS:
            if shape.tags.get(key) in values:
                return kind
        return "square" if shape.tags.get("highway") == "pedestrian" and shape.tags.get("area") == "yes" else None

    def _add_area(self, kind: str, shape: Shape) -> None:
        rings = [ring for ring in shape.rings if len(ring) > 2]
        if not rings or area_m2(rings[0]) < LEAST_M2:
            return
        self.areas[kind].append(" ".join(map(encoded, rings)))
        named = shape.tags.get("name")
        if named and kind in ("water", "green", "wood", "square"):
            self.names.append([kind, named, *_rounded(middle(rings[0])), round(area_m2(rings[0]))])

    def _street_names(self) -> Iterator[list[Any]]:
        """Yield each street's name once, on the longest straight piece that it has, with where that ends."""
        for name, runs in self._streets.items():
            legs = [(a, b) for run in runs for a, b in pairwise(run) if _within(a, self.box)]
            if legs:
                (x0, y0), (x1, y1) = max(legs, key=lambda leg: (metres(*leg), leg))
                yield ["street", name, *_rounded((x0, y0)), *_rounded((x1, y1))]


def _line_kind(tags: Tags) -> str | None:
    if tags.get("railway") in ("rail", "tram", "light_rail"):
        return "tram" if tags["railway"] == "tram" else "rail"
    if tags.get("waterway") in ("river", "stream", "canal"):
        return "stream"
    return CLASS_OF.get(tags.get("highway", ""))


def metres(a: Point, b: Point) -> float:
    """Return the distance of two points in degrees, in metres."""
    return 111_320 * hypot((b[0] - a[0]) * cos(radians(a[1])), b[1] - a[1])


def area_m2(ring: Iterable[Point]) -> float:
    """Return the area of a ring in square metres (the shoelace formula)."""
    points = list(ring)
    shrink = cos(radians(points[0][1]))
    twice = sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in zip(points, [*points[1:], points[0]], strict=True))
    return abs(twice) / 2 * 111_320**2 * shrink


def middle(ring: list[Point]) -> Point:
    """Return the mean of a ring's corners."""
    return sum(x for x, _ in ring) / len(ring), sum(y for _, y in ring) / len(ring)


def _within(point: Point, box: Box) -> bool:
    return box[0] <= point[0] <= box[2] and box[1] <= point[1] <= box[3]


def _rounded(point: Point) -> tuple[float, float]:
    return round(point[0], 6), round(point[1], 6)
