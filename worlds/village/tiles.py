"""A map of square tiles: a wall cannot be walked through, a floor can."""

from array import array
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cache, lru_cache
from itertools import groupby
from math import hypot
from typing import Any

import networkx as nx

from cave_sim import WorldError
from cave_sim.entity.graph_types import Graph
from cave_sim.worlds.town.maps import Point, Route

Tile = tuple[int, int]  # column from the left, row from the top; both from 0


class TileMap:
    """A grid of open and blocked tiles, walked in four directions; constant once made. Satisfies `TownMap`.

    Node `n` is the tile in column `n % width` and row `n // width`. Positions are in tiles from the middle of the map,
    x to the east and y to the north, so that a drawing with y upwards looks as the rows do in the file.

    Args:
        name: under which towns find it.
        attribution: whose work it is; shown wherever it is drawn.
        rows: one sequence per row of tiles, True where one can walk; all equally long.
        tile_m: the length of a tile's side in metres.
        kinds: what each tile looks like, in rows as `rows`: grass, road, water, wall and so on; None to draw outlines.
    """

    def __init__(
        self,
        name: str,
        attribution: str,
        rows: Sequence[Sequence[bool]],
        tile_m: float,
        kinds: Sequence[Sequence[str]] | None = None,
    ) -> None:
        self.name = name
        self.attribution = attribution
        self.tile_m = tile_m
        self.kinds = kinds
        self.width: int = len(rows[0])
        self.height: int = len(rows)
        self.graph: Graph = self._grid(rows)
        self.route: Callable[[int, int], Route] = lru_cache(maxsize=8192)(self._route)
        self._towards = cache(self._towards_uncached)

    def node(self, tile: Tile) -> int:
        """Return the node of a tile, open or not.

        Raises:
            WorldError: the tile lies off the map.
        """
        column, row = tile
        if not (0 <= column < self.width and 0 <= row < self.height):
            raise WorldError(
                f"{self.name}: tile {list(tile)} lies off the map; columns go from 0 to {self.width - 1}, "
                f"rows from 0 to {self.height - 1}."
            )
        return row * self.width + column

    def tile(self, node: int) -> Tile:
        """Return the (column, row) of a node."""
        return node % self.width, node // self.width

    def point(self, node: int) -> Point:
        """Return the middle of a tile, in tiles east and north of the middle of the map."""
        column, row = self.tile(node)
        return column - (self.width - 1) / 2, (self.height - 1) / 2 - row

    def distance_m(self, a: Point, b: Point) -> float:
        """Return the straight distance between two positions in metres, through walls if need be."""
        return self.tile_m * hypot(b[0] - a[0], b[1] - a[1])

    def is_open(self, tile: Tile) -> bool:
        """Say whether one can stand on a tile; off the map nobody can."""
        column, row = tile
        return 0 <= column < self.width and 0 <= row < self.height and self.node(tile) in self.graph

    def reached_from(self, tile: Tile) -> frozenset[int]:
        """Return the nodes that one can walk to from an open tile."""
        return frozenset(nx.node_connected_component(self.graph, self.node(tile)))

    def middle_of(self, tiles: Collection[Tile]) -> Tile:
        """Return the one of `tiles` nearest to the middle of them all; of equals, the first in reading order."""
        across, down = (sum(axis) / len(tiles) for axis in zip(*tiles, strict=True))
        return min(tiles, key=lambda tile: (hypot(tile[0] - across, tile[1] - down), tile[1], tile[0]))

    def sketch(self) -> dict[str, Any]:
        """Return the outlines of all that blocks the way, for drawing; and what each tile looks like, if known."""
        lines = [[list(begin), list(end)] for begin, end in self._outlines()]
        sketch = {"name": self.name, "attribution": self.attribution, "axes": "xy", "lines": lines}
        if self.kinds is None:
            return sketch
        known = sorted({kind for row in self.kinds for kind in row})
        letters = {kind: chr(ord("a") + at) for at, kind in enumerate(known)}
        rows = ["".join(letters[kind] for kind in row) for row in self.kinds]
        return {**sketch, "ground": {"tiles": {"kinds": known, "rows": rows}}}

    def _grid(self, rows: Sequence[Sequence[bool]]) -> Graph:
        graph = nx.Graph()
        for node in range(self.width * self.height):
            column, row = self.tile(node)
            if not rows[row][column]:
                continue
            graph.add_node(node)
            if column and rows[row][column - 1]:
                graph.add_edge(node - 1, node)
            if row and rows[row - 1][column]:
                graph.add_edge(node - self.width, node)
        return graph

    def _route(self, start: int, goal: int) -> Route:
        next_node, nodes = self._towards(goal), [start]
        while nodes[-1] != goal:
            nodes.append(next_node[nodes[-1]])
            if nodes[-1] < 0:
                raise WorldError(
                    f"{self.name}: no way leads from tile {list(self.tile(start))} to tile "
                    f"{list(self.tile(goal))}; open a door between them."
                )
        points, marks_m = map(self.point, nodes), (steps * self.tile_m for steps in range(len(nodes)))
        return Route(tuple(nodes), tuple(points), tuple(marks_m))

    def _towards_uncached(self, goal: int) -> "array[int]":
        """Return for each node the next one on a shortest way to `goal`; -1 where there is none.

        One search answers every walk to a goal, from anywhere.
        """
        next_node = array("i", [-1]) * (self.width * self.height)
        if goal in self.graph:
            for node, nearer in nx.bfs_predecessors(self.graph, goal):
                next_node[node] = nearer
        return next_node

    def _outlines(self) -> Iterator[tuple[Point, Point]]:
        """Yield the straight edges between open and blocked tiles."""
        columns, rows = range(self.width), range(self.height)
        for row in rows[1:]:
            seam = [self.is_open((column, row)) != self.is_open((column, row - 1)) for column in columns]
            yield from ((self._corner(west, row), self._corner(east, row)) for west, east in _runs(seam))
        for column in columns[1:]:
            seam = [self.is_open((column, row)) != self.is_open((column - 1, row)) for row in rows]
            yield from ((self._corner(column, north), self._corner(column, south)) for north, south in _runs(seam))

    def _corner(self, column: int, row: int) -> Point:
        return column - self.width / 2, self.height / 2 - row


def _runs(flags: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """Yield where each unbroken run of True begins and ends."""
    for flag, run in groupby(range(len(flags)), key=flags.__getitem__):
        if flag:
            places = list(run)
            yield places[0], places[-1] + 1
