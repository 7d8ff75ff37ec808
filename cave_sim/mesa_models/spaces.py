"""Where a Mesa model's agents are, how one of them is moved, and what a map draws of the space."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, Protocol

import networkx as nx
import numpy as np
from mesa import space as old_spaces
from mesa.discrete_space import DiscreteSpace, FixedAgent
from mesa.discrete_space.grid import Grid
from mesa.experimental.continuous_space import ContinuousSpace

from cave_sim.entity.graph_types import Graph
from cave_sim.loading.quick_mesa import load_distances, mesa

AXES = ("x", "y", "z")
NODE = "node"
MOST_LINES = 60
"""A grid with more cells to a side is drawn by its edge alone: its lines would cover who is on it."""

Place = tuple[Any, ...]

_OLD_GRIDS = (old_spaces.SingleGrid, old_spaces.MultiGrid, old_spaces.HexSingleGrid, old_spaces.HexMultiGrid)


class Space(Protocol):
    """What is asked of a space, of whatever kind.

    Attributes:
        fields: what a position is told in: ``("x", "y")``, or ``("node",)``.
        mark: the attribute of an agent that holds the very same object for as long as it does not move; "" for none.
    """

    fields: tuple[str, ...]
    mark: str

    def place_of(self, agent: Any) -> Place | None:
        """Return where an agent is, as plain scalars in the order of :attr:`fields`; None if it is nowhere."""

    def place_at(self, mark: Any) -> Place | None:
        """Return the same of an agent whose :attr:`mark` holds this; raises ValueError where it has none."""

    def refusal(self, place: Place, occupied: int) -> str:
        """Say why nobody can be moved to a place where so many are; empty if one can."""

    def move(self, agent: Any, place: Place) -> None:
        """Move an agent."""

    def sketch(self) -> dict[str, Any]:
        """Return what a map draws of it: lines and nodes."""


def space_of(model: mesa.Model) -> Space | None:
    """Return the space of a model, found among its attributes; None if it has none that is known here."""
    for value in vars(model).values():
        if isinstance(value, Grid):
            return _CellGrid(value)
        if isinstance(value, DiscreteSpace):
            return _CellNetwork(value)
        if isinstance(value, ContinuousSpace):
            return _Plane(value)
        if isinstance(value, old_spaces.NetworkGrid):
            return _OldNetwork(value)
        if isinstance(value, old_spaces.ContinuousSpace):
            return _OldPlane(value)
        if isinstance(value, _OLD_GRIDS):
            return _OldGrid(value)
    return None


def is_fixed(agent: Any) -> bool:
    """Say whether an agent can never be moved."""
    return isinstance(agent, FixedAgent)


def is_tile(kind: type, space: Space) -> bool:
    """Say whether agents of a class are cells of a board, such as patches of grass."""
    return issubclass(kind, FixedAgent) and isinstance(space, _CellGrid)


class _Marked(ABC):
    """Where agents are is told by what they hold."""

    mark: str

    def place_of(self, agent: Any) -> Place | None:
        return self.place_at(getattr(agent, self.mark, None))

    @abstractmethod
    def place_at(self, mark: Any) -> Place | None: ...


class _Whole(_Marked):
    """Places are whole numbers within bounds."""

    def __init__(self, sizes: tuple[int, ...], capacity: float | None) -> None:
        self.fields = tuple(AXES[: len(sizes)]) if len(sizes) <= len(AXES) else ()
        self._sizes, self._capacity = sizes, capacity or math.inf

    def refusal(self, place: Place, occupied: int) -> str:
        if not all(type(at) is int and 0 <= at < size for at, size in zip(place, self._sizes, strict=True)):
            ends = " and ".join(f"{name} in 0..{size - 1}" for name, size in zip(self.fields, self._sizes, strict=True))
            return f"{place} is no cell of the grid, which has {ends}"
        return "" if occupied < self._capacity else f"the cell {place} is full"

    def sketch(self) -> dict[str, Any]:
        across, up = self._sizes[0], self._sizes[1] if len(self._sizes) > 1 else 1
        return {"axes": "plane", "lines": list(_grid_lines(-0.5, -0.5, across, up))}


class _CellGrid(_Whole):
    """mesa.discrete_space: agents stand in cells with coordinates."""

    mark = "cell"

    def __init__(self, space: Any) -> None:
        super().__init__(tuple(int(size) for size in space.dimensions), space.capacity)
        self._space = space

    def place_at(self, mark: Any) -> Place | None:
        return None if mark is None else mark.coordinate

    def move(self, agent: Any, place: Place) -> None:
        agent.cell = self._space[place]


class _CellNetwork(_Marked):
    """mesa.discrete_space: agents stand at the nodes of a graph, or in the cells of a mesh."""

    fields: tuple[str, ...] = (NODE,)
    mark = "cell"

    def __init__(self, space: Any) -> None:
        self._space, self._capacity = space, space.capacity or math.inf

    def place_at(self, mark: Any) -> Place | None:
        return None if mark is None else (str(mark.coordinate),)

    def refusal(self, place: Place, occupied: int) -> str:
        if place[0] not in {str(cell.coordinate) for cell in self._space.all_cells}:
            return f"there is no node {place[0]!r}"
        return "" if occupied < self._capacity else f"the node {place[0]} is full"

    def move(self, agent: Any, place: Place) -> None:
        agent.cell = next(cell for cell in self._space.all_cells if str(cell.coordinate) == place[0])

    def sketch(self) -> dict[str, Any]:
        graph = nx.Graph()
        for cell in self._space.all_cells:
            graph.add_node(cell.coordinate)
            graph.add_edges_from((cell.coordinate, other.coordinate) for other in cell.connections.values())
        return _network_sketch(graph)


class _OldNetwork(_Marked):
    """mesa.space.NetworkGrid: an agent's ``pos`` is a node."""

    fields: tuple[str, ...] = (NODE,)
    mark = "pos"

    def __init__(self, space: Any) -> None:
        self._space = space

    def place_at(self, mark: Any) -> Place | None:
        return None if mark is None else (str(mark),)

    def refusal(self, place: Place, occupied: int) -> str:
        return "" if any(str(node) == place[0] for node in self._space.G) else f"there is no node {place[0]!r}"

    def move(self, agent: Any, place: Place) -> None:
        self._space.move_agent(agent, next(node for node in self._space.G if str(node) == place[0]))

    def sketch(self) -> dict[str, Any]:
        return _network_sketch(nx.Graph(self._space.G.edges()) if self._space.G.edges else nx.Graph(self._space.G))


class _OldGrid(_Whole):
    """mesa.space: an agent's ``pos`` is the cell of a grid."""

    mark = "pos"

    def __init__(self, space: Any) -> None:
        one_each = isinstance(space, (old_spaces.SingleGrid, old_spaces.HexSingleGrid))
        super().__init__((space.width, space.height), 1 if one_each else None)
        self._space = space

    def place_at(self, mark: Any) -> Place | None:
        return None if mark is None else tuple(map(int, mark))

    def move(self, agent: Any, place: Place) -> None:
        self._space.move_agent(agent, place)


class _Plane:
    """mesa.experimental.continuous_space: agents have a ``position``, a new one whenever it is asked for."""

    mark = ""

    def __init__(self, space: Any) -> None:
        load_distances()  # it measures them, and a sandbox, which may read no files by then, is made of this process
        self._space = space
        self._low, self._high = space.dimensions[:, 0].tolist(), space.dimensions[:, 1].tolist()
        self._torus = bool(space.torus)
        self.fields = tuple(AXES[: len(self._low)]) if len(self._low) <= len(AXES) else ()

    def place_at(self, mark: Any) -> Place | None:
        raise ValueError(f"{mark!r} does not tell where an agent is: positions are no objects that stay the same")

    def place_of(self, agent: Any) -> Place | None:
        space = getattr(agent, "space", None)
        return None if space is None else tuple(agent.position.tolist())

    def refusal(self, place: Place, occupied: int) -> str:
        if not all(type(at) in (int, float) for at in place):
            return f"{place} is no position: it takes numbers"
        inside = all(low <= at <= high for low, at, high in zip(self._low, place, self._high, strict=True))
        return "" if inside or self._torus else f"{place} is outside of the space, {self._low} to {self._high}"

    def move(self, agent: Any, place: Place) -> None:
        agent.position = np.array(place, float)

    def sketch(self) -> dict[str, Any]:
        (west, south), (east, north) = (*self._low, 0.0)[:2], (*self._high, 1.0)[:2]
        return {"axes": "plane", "lines": [_edge(west, south, east, north)]}


class _OldPlane(_Plane):
    """mesa.space.ContinuousSpace: an agent's ``pos`` is a position."""

    def __init__(self, space: Any) -> None:
        self._space = space
        self._low, self._high = [float(space.x_min), float(space.y_min)], [float(space.x_max), float(space.y_max)]
        self._torus = bool(space.torus)
        self.fields = AXES[:2]

    def place_of(self, agent: Any) -> Place | None:
        return None if agent.pos is None else (float(agent.pos[0]), float(agent.pos[1]))

    def move(self, agent: Any, place: Place) -> None:
        self._space.move_agent(agent, place)


def _edge(west: float, south: float, east: float, north: float) -> list[list[float]]:
    return [[west, south], [east, south], [east, north], [west, north], [west, south]]


def _grid_lines(west: float, south: float, across: int, up: int) -> Iterator[list[list[float]]]:
    if max(across, up) > MOST_LINES:
        yield _edge(west, south, west + across, south + up)
        return
    yield from ([[west + at, south], [west + at, south + up]] for at in range(across + 1))
    yield from ([[west, south + at], [west + across, south + at]] for at in range(up + 1))


def _network_sketch(graph: Graph) -> dict[str, Any]:
    layout = nx.spring_layout(graph, seed=1) if len(graph) else {}
    spots = {node: [round(float(at), 4) for at in spot] for node, spot in layout.items()}
    lines = [[spots[one], spots[other]] for one, other in graph.edges if one != other]
    return {"axes": "plane", "nodes": {str(node): spot for node, spot in spots.items()}, "lines": lines}
