"""What tracked values are made of, for the rooms that net, apply and keep changes.

Cells hold these values: no public name of theirs may tell.
"""

from __future__ import annotations

from typing import Any

from cave_sim.entity.containers import Items, Tracked, TrackedDict, TrackedSet, settle
from cave_sim.entity.graphs import GraphDict, TrackedGraph
from cave_sim.entity.home import Home, Homed
from cave_sim.entity.identity import EntityBase
from cave_sim.entity.reference_containers import RefSet


def graph_of(part: GraphDict) -> TrackedGraph:
    """Return the graph that a dict is a part of."""
    return part._graph


def names_of(references: RefSet) -> TrackedSet:
    """Return the set in which a set of references keeps the names."""
    return references._names


def item_type_of(container: Tracked) -> Items:
    """Return how the items of a container are checked, encoded and decoded."""
    return container._items


def key_type_of(container: TrackedDict) -> Items | None:
    """Return the same for the keys of a dict; None where they are plain texts."""
    return container._keys


def level_of(container: Tracked) -> int:
    """Return how many containers of its field a container lies in."""
    return container._level


def settle_in(value: Any, entity: EntityBase, field: str, level: int = 0) -> Any:
    """Let a value be part of an entity's field, with every container inside, and return it; scalars are nobody's.

    Args:
        value: in the form in which entities hold it.
        entity: whose field.
        field: its name.
        level: in how many containers of the field it lies: what was written is looked for no deeper than it is said
            to be.
    """
    if isinstance(value, (Homed, tuple)):
        settle((value,), Home(entity, field), level)
    return value
