"""The ground of a map as a picture: areas, streets and houses, or tiles, as far as a run says; else its lines alone."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, radians
from typing import Any

from PIL import Image, ImageDraw

from cave_sim.dashboards.film.palette import tokens

FINER = 2  # drawn so many times larger, then made smaller: edges without steps
SCALE = 1e6  # of encoded lines: six digits
AREAS = ("sand", "rails", "green", "wood", "square", "water", "pier")
LINES = (("path", 0.8), ("tram", 0.8), ("rail", 1.2), ("lane", 2.0), ("street", 3.4), ("main", 4.6))
EDGED = ("lane", "street", "main")
FLAT = {"tree": "grass", "wall": "wall-top"}

Point = tuple[float, float]


@dataclass(frozen=True)
class MapView:
    """Where points of the map lie in a picture.

    Attributes:
        bounds: west, east, south, north.
        stretch: what a unit upwards is longer than one across.
        turned: a high map is turned by a quarter, north to the right.
        scale: pixels for a unit across.
        width, height: of the picture, in pixels.
    """

    bounds: tuple[float, float, float, float]
    stretch: float
    turned: bool
    scale: float
    width: int
    height: int

    @classmethod
    def fitted(cls, bounds: tuple[float, float, float, float], lonlat: bool, width: int) -> MapView:
        """Return the view of all within some bounds in so many pixels across."""
        west, east, south, north = bounds
        stretch = 1 / cos(radians((south + north) / 2)) if lonlat else 1.0
        across, up = max(1e-9, east - west), max(1e-9, (north - south) * stretch)
        turned = up > 1.1 * across
        long, short = (up, across) if turned else (across, up)
        scale = width / long
        return cls(bounds, stretch, turned, scale, width, max(2, round(short * scale)))

    def spot(self, x: float, y: float) -> Point:
        """Return where a point of the map lies, in pixels from the upper left corner."""
        west, _, south, north = self.bounds
        if self.turned:
            return (y - south) * self.stretch * self.scale, (x - west) * self.scale
        return (x - west) * self.scale, (north - y) * self.stretch * self.scale


def paint_ground(ground: dict[str, Any], view: MapView) -> Image.Image:
    """Return the map of a manifest as a picture of the view's size."""
    drawn = ground.get("ground") or {}
    plain = tokens()["ground-land" if drawn else "card"]
    picture = Image.new("RGB", (view.width * FINER, view.height * FINER), plain)
    pen = ImageDraw.Draw(picture)
    if drawn.get("tiles"):
        _tiles(pen, drawn["tiles"], view)
    elif drawn:
        _town(pen, drawn, view)
    else:
        for line in ground.get("lines") or []:
            pen.line([_finer(view, x, y) for x, y in line], tokens()["street"], FINER)
    return picture.resize((view.width, view.height), Image.Resampling.LANCZOS)


def _town(pen: ImageDraw.ImageDraw, drawn: dict[str, Any], view: MapView) -> None:
    areas, lines = drawn.get("areas") or {}, drawn.get("lines") or {}
    for kind in AREAS:
        for shape in areas.get(kind, ()):
            _area(pen, shape, kind, view)
    for edge in (True, False):
        for kind, wide in LINES:
            if edge and kind not in EDGED:
                continue
            colour = tokens()[f"ground-{kind}-edge" if edge else f"ground-{kind}"]
            pixels = max(1, round((wide * min(1.6, view.scale / 45_000) + (1 if edge else 0)) * FINER))
            for text in lines.get(kind, ()):
                pen.line([_finer(view, x, y) for x, y in points(text)], colour, pixels, joint="curve")
    for shape in areas.get("building", ()):
        _area(pen, shape, "building", view, tokens()["ground-building-edge"])


def _area(pen: ImageDraw.ImageDraw, shape: str, kind: str, view: MapView, edge: Any = None) -> None:
    for rank, ring in enumerate(shape.split(" ")):
        corners = [_finer(view, x, y) for x, y in points(ring)]
        if len(corners) > 2:
            pen.polygon(corners, tokens()["ground-land" if rank else f"ground-{kind}"], edge)


def _tiles(pen: ImageDraw.ImageDraw, tiles: dict[str, Any], view: MapView) -> None:
    kinds, rows = tiles["kinds"], tiles["rows"]
    for down, row in enumerate(rows):
        for across, letter in enumerate(row):
            kind = kinds[ord(letter) - ord("a")]
            left, top = across - len(row) / 2, len(rows) / 2 - down
            corners = [
                _finer(view, *spot) for spot in ((left, top), (left + 1, top), (left + 1, top - 1), (left, top - 1))
            ]
            pen.polygon(corners, tokens()[f"tile-{FLAT.get(kind, kind)}"])
            if kind == "tree":
                (x0, y0), (x1, y1) = corners[0], corners[2]
                pen.ellipse((min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)), tokens()["tile-crown"])


def points(text: str) -> list[Point]:
    """Return the points of a line in Google's Encoded Polyline Algorithm Format, with six digits, x before y."""
    result, whole, rest, shift = [], [0, 0], 0, 0
    axis = 0
    for letter in text:
        part = ord(letter) - 63
        rest |= (part & 0x1F) << shift
        shift += 5
        if part < 0x20:
            whole[axis] += ~(rest >> 1) if rest & 1 else rest >> 1
            rest = shift = 0
            if axis:
                result.append((whole[0] / SCALE, whole[1] / SCALE))
            axis = 1 - axis
    return result


def _finer(view: MapView, x: float, y: float) -> Point:
    across, down = view.spot(x, y)
    return across * FINER, down * FINER
