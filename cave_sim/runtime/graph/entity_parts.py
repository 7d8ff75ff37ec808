"""Live parts of entities among variables, as ``x = me.items``: kept by where they are, so that they stay live."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cave_sim.entity.containers import Tracked
from cave_sim.entity.graphs import GraphDict, TrackedGraph, edge_between, place_of, table_of
from cave_sim.entity.home import Home, home_of
from cave_sim.entity.identity import name_of
from cave_sim.entity.preparation import fields_of
from cave_sim.entity.reference_containers import RefSet
from cave_sim.entity.tracked_parts import graph_of, names_of
from cave_sim.errors import PermissionDenied
from cave_sim.runtime.graph.errors import Malformed
from cave_sim.runtime.graph.scalars import write_scalar
from cave_sim.runtime.graph.surroundings import Surroundings


def part_of(value: Any, surroundings: Surroundings) -> list[Any] | None:
    """Return entity, field, and the keys that lead from the field to a part; None for what is no entity's now.

    While a turn fails, it is where it will be when that is undone.
    """
    if isinstance(value, GraphDict):
        return _place_in_graph(value, surroundings)
    holder = names_of(value) if isinstance(value, RefSet) else value
    home = home_of(holder)
    for name, content in _contents_of(home, surroundings):
        if (keys := _keys_to(content, holder)) is not None:
            return [name, home.field, *keys]
    return None


def _contents_of(home: Home, surroundings: Surroundings) -> Iterator[tuple[str, Any]]:
    """Yield the name of an entity and what a field of it holds: as it is now, and as it will be without the turn."""
    owner, name = home.owner, None if home.owner is None else name_of(home.owner)
    if owner is not None and name is None and surroundings.held is not None:
        name = surroundings.left.get(id(owner))
    if owner is not None and name is not None:
        yield name, owner.__dict__.get(home.field)
        if surroundings.held is not None and (id(owner), home.field) in surroundings.held:
            yield name, surroundings.held[id(owner), home.field]


def _keys_to(start: Any, part: Any) -> list[Any] | None:
    """Return the keys that lead to a part; None if it is not there."""
    ways: list[tuple[Any, list[Any]]] = [(start, [])]
    while ways:
        holder, keys = ways.pop()
        if holder is part:
            return keys
        if isinstance(holder, Tracked) and isinstance(holder, (list, dict)):
            parts = enumerate(list.__iter__(holder)) if isinstance(holder, list) else dict.items(holder)
            ways += [(item, [*keys, _key(key)]) for key, item in parts if isinstance(item, Tracked)]
    return None


def _key(key: Any) -> Any:
    return {"$tuple": [_key(part) for part in key]} if type(key) is tuple else write_scalar(key)


def _place_in_graph(part: GraphDict, surroundings: Surroundings) -> list[Any] | None:
    graph = graph_of(part)
    home = home_of(graph)
    name = next((name for name, content in _contents_of(home, surroundings) if content is graph), None)
    if name is None:
        return None
    kind, *keys = place_of(part)
    if kind == "edge" and len(keys) == 2 and not graph.is_directed():
        keys = [*edge_between(*keys)]
    return [name, home.field, kind, *map(_key, keys)]


def make_part(content: Any, reader: Any) -> Any:
    """Return the part of an entity that is there now; None if it is there no more, or not for this agent any more."""
    name, field, *keys = content
    if type(field) is not str or field.startswith("_"):
        raise Malformed(f"{field!r} is no field")
    entity = reader.surroundings.entity(name)
    if entity is None or field not in fields_of(entity):
        return None
    try:
        value = getattr(entity, field)
    except PermissionDenied:  # a grant was taken back since
        return None
    keys = [reader.read(key) for key in keys]
    if isinstance(value, TrackedGraph) and keys:
        kind, *keys = keys
        value = table_of(value, kind) if kind in ("node", "edge", "graph") else None
    for key in keys:
        try:
            value = value[key]
        except (LookupError, TypeError):
            return None
    return value
