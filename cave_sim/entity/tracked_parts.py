"""Where a tracked value lives and what its parts are made of, for the rooms that net, apply and keep changes.

Cells hold these values: no public name of theirs may tell.
"""

from __future__ import annotations

from typing import Any

from cave_sim.entity.containers import Items, Tracked, TrackedDict, TrackedSet, tracked_in
from cave_sim.entity.graphs import GraphDict, TrackedGraph
from cave_sim.entity.references import RefSet


def home_of(value: Tracked | TrackedGraph) -> tuple[Any, str]:
    """Return the entity that a value belongs to, None if it is in none, and the field that it lives in."""
    return value._owner, value._field


def graph_of(part: GraphDict) -> TrackedGraph:
    """Return the graph that a dict is a part of."""
    return part._graph


def names_of(references: RefSet) -> TrackedSet:
    """Return the set in which a set of references keeps the names."""
    return references._names


def place_of(part: GraphDict) -> tuple[Any, ...]:
    """Return where in its graph a dict hangs: ("node", key), ("edge", key, key) or ("graph",)."""
    return part._graph._place_of(part)


def item_type_of(container: Tracked) -> Items:
    """Return how the items of a container are checked, encoded and decoded."""
    return container._items


def key_type_of(container: TrackedDict) -> Items | None:
    """Return the same for the keys of a dict; None where they are plain texts."""
    return container._keys


def settle_in(value: Any, entity: Any, field: str) -> Any:
    """Let a value be part of an entity's field, with every container inside, and return it; scalars are nobody's."""
    if isinstance(value, TrackedGraph):
        value._settle_in(entity, field)
    elif isinstance(value, (Tracked, tuple)):
        for container in tracked_in((value,)):
            container._settle_in(entity, field)
    return value
