"""What a stretch of writes to a graph comes to, and doing it again to another one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cave_sim.determinism.canonical_json import same_json
from cave_sim.entity.containers import WHOLE
from cave_sim.entity.graph_form import GraphParts, read_attribute, write_attribute, write_attributes, write_graph
from cave_sim.entity.graphs import GraphDict, TrackedGraph, edge_between, place_of, table_of
from cave_sim.entity.undo_log import MISSING

Entry = tuple[Any, Any, Any]


class GraphChanges:
    """How a graph differs from what it was before a stretch of writes, found from the undo entries alone.

    Args:
        graph: as it is now.
        entries: of the undo log, all of this graph, oldest first.
    """

    def __init__(self, graph: TrackedGraph, entries: list[Entry]) -> None:
        self._graph, self._entries = graph, entries
        self._of_part: dict[int, list[Entry]] = {}
        for entry in entries:
            self._of_part.setdefault(id(entry[0]), []).append(entry)

    def __iter__(self) -> Iterator[tuple[tuple[Any, ...], Any, Any]]:
        """Yield (where, old data, new data) for every node, edge and attribute that differs; MISSING for absence."""
        for where in self._touched():
            old, new = self._data_before(where), self._data_at(where)
            if not same_json(old, new):
                yield where, old, new

    @property
    def is_reordered(self) -> bool:
        """Whether something left and something came: then parts alone do not tell in which order they stand now."""
        left = any(slot is WHOLE for _, slot, _ in self._entries)
        return left and any(slot is not WHOLE and old is MISSING for _, slot, old in self._entries)

    def snapshot_before(self) -> dict[str, Any]:
        """Return what :func:`graph_snapshot` would have given before the writes."""
        graph, whole = self._graph, self._whole
        nodes = {node: whole(data) for node, data in whole(table_of(graph, "node")).items()}
        tables = [table_of(graph, "edge"), table_of(graph, "source") if graph.is_directed() else GraphDict(graph)]
        rows, sources = (
            {node: {other: whole(data) for other, data in whole(row).items()} for node, row in whole(table).items()}
            for table in tables
        )
        return write_graph(GraphParts(graph.is_directed(), whole(graph.graph), nodes, rows, sources))

    def _touched(self) -> list[tuple[Any, ...]]:
        """Return the nodes ("node", n), edges ("edge", u, v) and attributes ("graph", key) that the writes concern."""
        places: dict[tuple[Any, ...], None] = {}
        for part, slot, old in self._entries:
            keys = slot
            if slot is WHOLE:
                keys = [key for key in {**old, **part} if old.get(key, MISSING) is not dict.get(part, key, MISSING)]
            for key in keys:
                kind, *place = (*place_of(part), key)
                size = 2 if kind == "edge" else 1
                if len(place) >= size and kind != "source":
                    place = place[:size]
                    alike = kind != "edge" or self._graph.is_directed()
                    places[(kind, *(place if alike else edge_between(*place)))] = None
        return list(places)

    def _data_before(self, where: tuple[Any, ...]) -> Any:
        kind, *place = where
        value: Any = table_of(self._graph, kind)
        for key in place:
            value = MISSING if value is MISSING else self._before(value, key)
        return write_attributes(self._whole(value)) if isinstance(value, GraphDict) else _written(value)

    def _data_at(self, where: tuple[Any, ...]) -> Any:
        kind, *place = where
        value: Any = table_of(self._graph, kind)
        for key in place:
            value = MISSING if value is MISSING else dict.get(value, key, MISSING)
        return write_attributes(value) if isinstance(value, GraphDict) else _written(value)

    def _before(self, part: GraphDict, key: Any) -> Any:
        """Return what a key held, or MISSING."""
        for _, slot, old in self._of_part.get(id(part), ()):
            if slot is WHOLE:
                return old.get(key, MISSING)
            if slot[0] == key:
                return old
        return dict.get(part, key, MISSING)

    def _whole(self, part: GraphDict) -> dict[Any, Any]:
        """Return all that a dict held."""
        content = dict(part)
        for _, slot, old in reversed(self._of_part.get(id(part), ())):
            if slot is WHOLE:
                content = dict(old)
            elif old is MISSING:
                content.pop(slot[0], None)
            else:
                content[slot[0]] = old
        return content


def _written(value: Any) -> Any:
    return MISSING if value is MISSING else write_attribute(value)


def write_graph_part(graph: TrackedGraph, where: tuple[Any, ...], data: Any) -> None:
    """Bring one node, edge or attribute of a graph to the data given; MISSING removes it."""
    kind, *place = where
    if kind == "graph" and data is MISSING:
        graph.graph.pop(place[0], None)
    elif kind == "graph":
        graph.graph[place[0]] = read_attribute(data)
    elif data is MISSING:
        present = graph.has_node(*place) if kind == "node" else graph.has_edge(*place)
        if present:
            (graph.remove_node if kind == "node" else graph.remove_edge)(*place)
    else:
        (graph.add_node if kind == "node" else graph.add_edge)(*place)
        attributes = (graph.nodes if kind == "node" else graph.edges)[place[0] if kind == "node" else tuple(place)]
        for key in [key for key in attributes if key not in data]:
            del attributes[key]
        for key, value in data.items():
            if key not in attributes or not same_json(write_attribute(attributes[key]), value):
                attributes[key] = read_attribute(value)
