"""How a Mesa model is drawn on a map: its space, and which fields say where an agent is and what colours it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cave_sim.entity.entity import Entity
from cave_sim.mesa_models.counterparts import Counterparts
from cave_sim.mesa_models.spaces import NODE, is_tile

COLOURING = ("state", "status", "type", "kind", "mood", "activity")
"""Fields that colour an agent before any other."""
MOST_COLOURS = 8


def looks_of(counterparts: Counterparts) -> dict[str, Any]:
    """Return the entries of a manifest that say how a run is drawn; none for a model without a space."""
    space = counterparts.space
    if space is None or not counterparts.agent_entities or not space.fields:
        return {}
    if space.fields == (NODE,):
        where = {"node": NODE}
    else:
        where = {"across": space.fields[0], "up": space.fields[min(1, len(space.fields) - 1)]}
    kinds = {kind: cls for kind, cls in counterparts.classes.items() if kind is not type(counterparts.model)}
    looks: dict[str, Any] = {
        cls.__name__: {"role": "mover", **where, **_colour(counterparts, cls, len(kinds))} for cls in kinds.values()
    }
    for cls in (cls for kind, cls in kinds.items() if is_tile(kind, space)):
        looks[cls.__name__]["tile"] = True
    looks["*"] = {"role": "mover", **where}
    return {"map": space.sketch(), "portrayal": looks}


def _colour(counterparts: Counterparts, cls: type[Entity], kinds: int) -> dict[str, str]:
    """Return what colours the agents of a class: a field of few values, or else the name of the class."""
    present = counterparts.world.all(cls)
    fields = [name for name in present[0].__dict__ if name not in counterparts.space.fields] if present else []  # type: ignore[union-attr]
    for name in sorted(fields, key=_rank):
        values = {entity.__dict__[name] for entity in present if not isinstance(entity.__dict__[name], (float, dict))}
        if name in COLOURING and values - {None}:
            return {"state": name}
        if 1 < len(values - {None}) <= MOST_COLOURS:
            return {"state": name}
    return {"word": cls.__name__} if kinds > 1 else {}


def _rank(name: str, order: Sequence[str] = COLOURING) -> int:
    return order.index(name) if name in order else len(order)
