"""A town's streets, read from a map file: routes along them, metres, and where a walker is on the way."""

import json
from array import array
from collections.abc import Callable, Iterator, Mapping
from functools import cache, cached_property, lru_cache
from heapq import heappop, heappush
from itertools import chain
from math import cos, hypot, inf, radians
from pathlib import Path
from typing import Any, NamedTuple

import networkx as nx

from cave_sim import WorldError
from cave_sim.determinism.canonical_json import from_json
from cave_sim.entity.graph_types import Graph
from cave_sim.files.given_files import given_bytes, why_unread
from cave_sim.worlds.town.maps import Point, Route

DATA = Path(__file__).parent / "data"
METRES_PER_DEGREE = 111_320.0  # of latitude; a degree of longitude is shorter by cos(latitude)
EARTH_M = 40_100_000  # all the way round; no street is longer, and no number of degrees either
_FORMAT = "see worlds/town/data/README.md for the format"
_MADE_BY = "One is made of a file of OpenStreetMap by cave-sim map FILE.osm.pbf --out town.json"


class Spot(NamedTuple):
    """A place or building of the map file; buildings have no name. Position in degrees."""

    name: str
    kind: str
    lon: float
    lat: float
    node: int


class StreetMap:
    """The streets, places and buildings of one map file; constant once loaded. Satisfies `TownMap`."""

    def __init__(
        self,
        name: str,
        attribution: str,
        graph: Graph,
        places: tuple[Spot, ...],
        buildings: tuple[Spot, ...],
        ground: Mapping[str, Any] | None = None,
    ) -> None:
        self.name = name
        self.ground = ground
        self.attribution = attribution
        self.graph = graph
        self.places = places
        self.buildings = buildings
        self.route: Callable[[int, int], Route] = lru_cache(maxsize=8192)(self._route)
        self._towards = cache(self._towards_uncached)

    @classmethod
    def load(cls, path: str | Path, ground: str | Path | None = None) -> "StreetMap":
        """Read a map file.

        Args:
            path: the map file.
            ground: a file with what is drawn under the town, where the map file does not hold it itself.

        Raises:
            WorldError: the file is missing or breaks a rule; one line with file, place in it, rule, way out.
        """
        path = Path(path)
        data = _json(path)
        if ground is not None and isinstance(data, dict):
            data["ground"] = _json(Path(ground))["ground"]
        return _Reader(path.name, data).map()

    def point(self, node: int) -> Point:
        """Return a node's (longitude, latitude) in degrees."""
        return self._points[node]

    def distance_m(self, a: Point, b: Point) -> float:
        """Return the straight distance between two positions in metres (flat earth: right to 0.1 % within a town)."""
        return METRES_PER_DEGREE * hypot((b[0] - a[0]) * self._shrink, b[1] - a[1])

    def street(self, node: int) -> str:
        """Return the name of the street at a node, or of the nearest one that has a name; empty if none has."""
        nearest_first = (corner for _, corner in nx.bfs_edges(self.graph, node, depth_limit=12))
        for corner in chain([node], nearest_first):
            if names := sorted(filter(None, (edge["street"] for edge in self.graph.adj[corner].values()))):
                return str(names[0])
        return ""

    def length_m(self, start: int, goal: int) -> float:
        """Return the walking distance between two nodes in metres."""
        return self.route(start, goal).length_m

    def sketch(self) -> dict[str, Any]:
        """Return the street lines for drawing, and the ground if there is one."""
        lines = [[list(self._points[a]), list(self._points[b])] for a, b in self.graph.edges]
        sketch = {"name": self.name, "attribution": self.attribution, "axes": "lonlat", "lines": lines}
        return sketch if self.ground is None else {**sketch, "ground": self.ground}

    def _route(self, start: int, goal: int) -> Route:
        next_node = self._towards(goal)
        nodes, marks_m = [start], [0.0]
        while nodes[-1] != goal:
            here, there = nodes[-1], next_node[nodes[-1]]
            if there < 0:
                raise WorldError(f"{self.name}: no street leads from node {start} to node {goal}; join the two parts.")
            nodes.append(there)
            marks_m.append(marks_m[-1] + self._neighbours[here][there])
        return Route(tuple(nodes), tuple(self._points[node] for node in nodes), tuple(marks_m))

    def _towards_uncached(self, goal: int) -> "array[int]":
        """Return for each node the next one on its shortest way to `goal` (Dijkstra; ties go to the lower node).

        One search answers every walk to a goal from anywhere, and people share few goals: a search per walk costs more.
        """
        neighbours, size = self._neighbours, len(self._points)
        next_node, metres = array("i", [-1]) * size, [inf] * size
        metres[goal], queue = 0.0, [(0.0, goal)]
        while queue:
            so_far, node = heappop(queue)
            if so_far > metres[node]:
                continue
            for other, length_m in neighbours[node].items():
                total = so_far + length_m
                if total < metres[other]:
                    metres[other], next_node[other] = total, node
                    heappush(queue, (total, other))
        return next_node

    @cached_property
    def _points(self) -> tuple[Point, ...]:
        return tuple(self.graph.nodes[node]["point"] for node in range(len(self.graph)))

    @cached_property
    def _neighbours(self) -> list[dict[int, float]]:
        """For each node its neighbours, and how many metres away they are."""
        return [
            {other: edge["length_m"] for other, edge in self.graph.adj[node].items()} for node in range(len(self.graph))
        ]

    @cached_property
    def _shrink(self) -> float:
        return cos(radians(self._points[0][1]))


@cache
def helsinki() -> StreetMap:
    """Return the centre of Helsinki (OpenStreetMap)."""
    return StreetMap.load(DATA / "helsinki_centre.json", DATA / "helsinki_ground.json")


def _json(path: Path) -> Any:
    try:
        return from_json(given_bytes(path))
    except OSError as error:
        raise WorldError(f"{path}: the map file cannot be read: {why_unread(error)}. {_MADE_BY}") from None
    except (ValueError, TypeError) as error:
        raise WorldError(f"{path.name}: not JSON ({error}); {_FORMAT}. {_MADE_BY}") from None


class _Reader:
    """Checks a map file item by item, so that a mistake is reported with its place."""

    def __init__(self, file: str, data: Any) -> None:
        self.file = file
        self.data = data if isinstance(data, dict) else self._refuse("top level", "must be an object")

    def map(self) -> StreetMap:
        graph = nx.Graph()
        for node, point in enumerate(self._items("nodes")):
            self._require(_is_point(point), f"nodes[{node}]", "must be [longitude, latitude] in degrees", point)
            graph.add_node(node, point=(float(point[0]), float(point[1])))
        self._require(len(graph) > 0, "nodes", "must hold at least one node")
        self._add_edges(graph)
        places = tuple(self._spots("places", len(graph), named=True))
        buildings = tuple(self._spots("buildings", len(graph), named=False))
        licence = str(self.data.get("licence", ""))
        return StreetMap(str(self.data.get("name", self.file)), licence, graph, places, buildings, self._ground())

    def _ground(self) -> Mapping[str, Any] | None:
        """Return what is drawn under the town: shapes as encoded texts by kind, and names."""
        ground: dict[str, Any] | None = self.data.get("ground")
        if ground is None:
            return None
        self._require(isinstance(ground, dict), "ground", "must be an object", ground)
        for section in ("areas", "lines"):
            shapes = ground.get(section)
            self._require(isinstance(shapes, dict), f"ground.{section}", "must be an object", shapes)
            for kind, texts in dict(shapes or {}).items():
                texts_only = isinstance(texts, list) and all(isinstance(text, str) for text in texts)
                self._require(texts_only, f"ground.{section}.{kind}", "must be a list of encoded lines", texts)
        self._require(isinstance(ground.get("names"), list), "ground.names", "must be a list", ground.get("names"))
        return ground

    def _add_edges(self, graph: Graph) -> None:
        for index, edge in enumerate(self._items("edges")):
            self._require(
                _is_edge(edge, len(graph)),
                f"edges[{index}]",
                f"must be [node, node, metres > 0, street] with nodes from 0 to {len(graph) - 1}",
                edge,
            )
            a, b, length_m, street = edge
            if not graph.has_edge(a, b) or length_m < graph.edges[a, b]["length_m"]:
                graph.add_edge(a, b, length_m=float(length_m), street=street)
        parts = nx.number_connected_components(graph)
        self._require(
            parts == 1, "edges", f"must join all nodes into one network, but there are {parts} separate parts"
        )

    def _spots(self, section: str, nodes: int, *, named: bool) -> Iterator[Spot]:
        for index, spot in enumerate(self._items(section)):
            where = f"{section}[{index}]"
            self._require(isinstance(spot, dict), where, "must be an object", spot)
            for key, holds, rule in _spot_rules(nodes, named):
                self._require(holds(spot.get(key)), f"{where}.{key}", rule, spot.get(key))
            yield Spot(spot.get("name", ""), spot["kind"], float(spot["lon"]), float(spot["lat"]), spot["node"])

    def _items(self, section: str) -> list[Any]:
        items = self.data.get(section)
        return items if isinstance(items, list) else self._refuse(section, "must be a list")

    def _require(self, holds: bool, where: str, rule: str, got: Any = None) -> None:
        if not holds:
            self._refuse(where, rule if got is None else f"{rule}, not {json.dumps(got, ensure_ascii=False)[:60]}")

    def _refuse(self, where: str, rule: str) -> Any:
        raise WorldError(f"{self.file}: {where}: {rule}; correct it in the file ({_FORMAT}).")


def _spot_rules(nodes: int, named: bool) -> tuple[tuple[str, Callable[[Any], bool], str], ...]:
    text = ("must be a non-empty text", lambda value: isinstance(value, str) and bool(value.strip()))
    return (
        ("kind", text[1], text[0]),
        *([("name", text[1], text[0])] if named else []),
        ("lon", _is_number, "must be a number of degrees"),
        ("lat", _is_number, "must be a number of degrees"),
        ("node", lambda value: _is_node(value, nodes), f"must be a node from 0 to {nodes - 1}"),
    )


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) <= EARTH_M


def _is_node(value: Any, nodes: int) -> bool:
    return type(value) is int and 0 <= value < nodes


def _is_point(value: Any) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 2
        and all(map(_is_number, value))
        and abs(value[0]) <= 180
        and abs(value[1]) <= 90
    )


def _is_edge(value: Any, nodes: int) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 4
        and _is_node(value[0], nodes)
        and _is_node(value[1], nodes)
        and _is_number(value[2])
        and value[2] > 0
        and isinstance(value[3], str)
    )
