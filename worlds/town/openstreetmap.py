"""Any place as a town's map: reads a file of OpenStreetMap's (``.osm.pbf``) and writes a map file.

The file comes from elsewhere, from Geofabrik say; nothing here asks a network. Its data are under the ODbL 1.0.
"""

from collections.abc import Iterator
from itertools import pairwise
from math import cos, radians
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np

from cave_sim import WorldError
from cave_sim.entity.graph_types import Graph
from cave_sim.loading.extras import extra
from cave_sim.worlds.town.osm_ground import CLASS_OF, Box, Ground, Point, Shape, metres, middle

LICENCE = "ODbL 1.0, (c) OpenStreetMap contributors"
PLACE_KEYS = ("amenity", "shop", "office", "tourism", "leisure")
NO_PLACES = frozenset(
    "bench parking bicycle_parking waste_basket parking_entrance toilets recycling vending_machine information artwork"
    " fitness_station drinking_water post_box atm telephone clock".split()
)
LEAST_NODES = 20
MOST_POINTS = 20_000_000
"""How many points of lines and areas a box may hold: a region. More would fill the memory, or repeat themselves."""


def read_town(path: str | Path, box: Box | None = None, name: str = "") -> dict[str, Any]:
    """Return the map file of a place, as plain data.

    Args:
        path: a ``.osm.pbf`` or ``.osm`` file.
        box: west, south, east, north in degrees; by default all that the file holds.
        name: what the map is called; by default as its file is.

    Raises:
        MissingExtra: osmium is not installed.
        WorldError: the file cannot be read, has no streets in the box, or more in it than a town.
    """
    path = Path(path)
    extract = _Extract(path, box)
    graph = _largest_part(extract.graph)
    if len(graph) < LEAST_NODES:
        where = "in the box " + ",".join(f"{side:g}" for side in extract.box)
        few = f"{len(graph)} corners of streets {where} are too few for a town"
        raise WorldError(f"{path.name}: {few}; give another --box")
    numbers = {node: at for at, node in enumerate(graph)}
    points = [extract.points[node] for node in graph]
    edges = [
        [numbers[a], numbers[b], round(max(0.1, metres(extract.points[a], extract.points[b])), 1), street]
        for a, b, street in graph.edges(data="street")
    ]
    nearest = _Nearest(points)
    places = [
        {"name": title, "category": key, "kind": kind, **nearest.door((x, y))}
        for title, key, kind, (x, y) in extract.places
    ]
    buildings = [{"kind": kind, **nearest.door(point)} for kind, point in extract.buildings]
    return {
        "name": name or path.name.partition(".")[0].replace("_", " ").replace("-", " "),
        "source": f"OpenStreetMap extract {path.name}",
        "licence": LICENCE,
        "crs": "WGS84 degrees; edge lengths in metres",
        "nodes": [[round(x, 6), round(y, 6)] for x, y in points],
        "edges": edges,
        "places": places,
        "buildings": buildings,
        "ground": extract.ground.to_data(),
    }


def read_ground(path: str | Path, box: Box | None = None) -> dict[str, Any]:
    """Return only what is drawn under a town; arguments and errors as for `read_town`."""
    return _Extract(Path(path), box).ground.to_data()


class _Extract:
    """One look through a file: streets as a graph of its nodes, places, buildings and the ground."""

    def __init__(self, path: Path, box: Box | None) -> None:
        with extra("maps", "reading a file of OpenStreetMap"):
            import osmium
        if path.is_file() and not path.stat().st_size:  # of which osmium's threads would wait for more
            raise WorldError(f"{path}: is empty; give a file of OpenStreetMap, .osm.pbf")
        self._count = 0
        try:
            self.box = box or _whole(osmium.io.Reader(str(path)).header().box())
            self.ground = Ground(self.box)
            self.graph: Graph = nx.Graph()
            self.points: dict[int, Point] = {}
            self.places: list[tuple[str, str, str, Point]] = []
            self.buildings: list[tuple[str, Point]] = []
            ways: dict[int, list[Point]] = {}
            contents: Iterator[Any] = iter(osmium.FileProcessor(str(path)).with_locations())
            for each in contents:
                tags = {tag.k: tag.v for tag in each.tags}
                if each.is_node():
                    self._node(tags, (each.lon, each.lat))
                elif each.is_way():
                    self._way(each, tags, ways)
                elif tags.get("type") == "multipolygon":
                    self._relation(each, tags, ways)
        except (RuntimeError, OSError, ValueError, osmium.InvalidLocationError) as error:
            raise WorldError(f"{path}: cannot be read ({error}); give a file of OpenStreetMap, .osm.pbf") from None

    def _node(self, tags: dict[str, str], point: Point) -> None:
        if tags and self._inside(point):
            self.ground.name(tags, point)
            self._place(tags, point)

    def _way(self, way: Any, tags: dict[str, str], ways: dict[int, list[Point]]) -> None:
        runs = list(self._runs(way))
        ways[way.id] = [point for run in runs for _, point in run]
        self._bound(len(ways[way.id]))
        if not runs or not tags:
            return
        closed = way.nodes[0].ref == way.nodes[-1].ref
        rings = [ways[way.id]] if closed else [[point for _, point in run] for run in runs]
        self.ground.add(Shape(tags, rings, closed))
        if tags.get("highway") in CLASS_OF and tags.get("area") != "yes":
            for run in runs:
                for (a, here), (b, there) in pairwise(run):
                    self.points |= {a: here, b: there}
                    if a != b:
                        self.graph.add_edge(a, b, street=tags.get("name", ""))
        if closed:
            self._area(tags, ways[way.id])

    def _relation(self, relation: Any, tags: dict[str, str], ways: dict[int, list[Point]]) -> None:
        members = [(member.role, ways.get(member.ref, [])) for member in relation.members if member.type == "w"]
        self._bound(sum(len(points) for _, points in members))
        outer = _chained([points for role, points in members if role != "inner" and len(points) > 1])
        inner = _chained([points for role, points in members if role == "inner" and len(points) > 1])
        if outer:
            self.ground.add(Shape(tags, [*outer, *inner], closed=True))
            self._area(tags, outer[0])

    def _bound(self, more: int) -> None:
        self._count += more
        if self._count > MOST_POINTS:
            raise WorldError(f"more than {MOST_POINTS:,} points are too many for a town; give a smaller --box")

    def _area(self, tags: dict[str, str], ring: list[Point]) -> None:
        if len(ring) > 2:
            if tags.get("building", "no") != "no":
                self.buildings.append((tags["building"], middle(ring)))
            self._place(tags, middle(ring))

    def _place(self, tags: dict[str, str], point: Point) -> None:
        key = next((key for key in PLACE_KEYS if key in tags), "")
        if key and tags.get("name") and tags[key] not in NO_PLACES:
            self.places.append((tags["name"], key, tags[key], point))

    def _runs(self, way: Any) -> Iterator[list[tuple[int, Point]]]:
        """Yield the stretches of a way whose nodes the file holds, and that lie in the box."""
        run: list[tuple[int, Point]] = []
        for node in way.nodes:
            if node.location.valid() and self._inside((node.lon, node.lat)):
                run.append((node.ref, (node.lon, node.lat)))
                continue
            if run:
                yield run
            run = []
        if run:
            yield run

    def _inside(self, point: Point) -> bool:
        west, south, east, north = self.box
        return west <= point[0] <= east and south <= point[1] <= north


def _whole(box: Any) -> Box:
    """Return the box that a file says it holds; all the world where it says nothing."""
    if not box.valid():
        return -180.0, -90.0, 180.0, 90.0
    low, high = box.bottom_left, box.top_right
    return low.lon, low.lat, high.lon, high.lat


def _chained(pieces: list[list[Point]]) -> list[list[Point]]:
    """Return rings made of pieces that follow one another, in either direction."""
    waiting: dict[Point, list[int]] = {}
    for at, piece in reversed(list(enumerate(pieces))):
        for end in {piece[0], piece[-1]}:
            waiting.setdefault(end, []).append(at)  # the first of them is the last
    rings, used = [], set[int]()
    for first, piece in enumerate(pieces):
        if first in used:
            continue
        used.add(first)
        ring = list(piece)
        while ring[0] != ring[-1]:
            here = waiting[ring[-1]]
            while here and here[-1] in used:
                here.pop()
            if not here:
                break  # cut off at the edge of the file: closed by a straight line
            used.add(here[-1])
            following = pieces[here.pop()]
            ring.extend(following[1:] if following[0] == ring[-1] else following[-2::-1])
        rings.append(ring)
    return rings


def _largest_part(graph: Graph) -> Graph:
    parts = nx.connected_components(graph)
    return graph.subgraph(sorted(max(parts, key=lambda part: (len(part), -min(part)), default=())))


class _Nearest:
    """The corner of the streets that is nearest to a door."""

    def __init__(self, points: list[Point]) -> None:
        self._shrink = np.array([cos(radians(points[0][1])), 1.0])
        self._points = np.array(points) * self._shrink

    def door(self, point: Point) -> dict[str, Any]:
        """Return where something is, and its corner."""
        away = self._points - np.array(point) * self._shrink
        node = int(np.argmin((away * away).sum(axis=1)))
        return {"lon": round(point[0], 6), "lat": round(point[1], 6), "node": node}
