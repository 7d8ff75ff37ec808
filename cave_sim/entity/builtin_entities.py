"""What a world keeps for itself, as entities: so it rolls back, is journaled and is restored like any other."""

from __future__ import annotations

from typing import Any, ClassVar

from cave_sim.entity.codecs import codec_named
from cave_sim.entity.entity import ENTITY_TYPES, Entity
from cave_sim.entity.field import field

SYSTEM = "$system"
"""The name of the system entity; no cell can spell it as a name, and no agent may write it."""


class System(Entity):
    """The step, the queue of events and the grants of one world."""

    step: int = field(0, ge=0, about="how many steps have been taken")
    next_event: int = field(1, ge=1, about="the number of the next event")
    events: dict[str, dict[str, Any]] = field(
        {}, about="what is scheduled: when, on which entity, which method, with what"
    )
    grants: dict[str, list[str]] = field({}, about="what each agent may write beside its own entity")


class Shared(Entity):
    """A value that was injected for every agent: plain data."""

    value: Any = field(None, about="the value itself")
    about: str = field("", about="one line for the agents that use it")
    shared: ClassVar[bool] = True


SHARED = "Shared"
"""The names of the classes below begin with it."""


def shared_class(codec_name: str) -> type[Entity]:
    """Return the entity class that holds an injected value of a type with a codec."""
    name = f"{SHARED}{codec_name}"
    if not codec_name:
        return Shared
    known = ENTITY_TYPES.get(name)
    if known is not None:
        return known
    kind = codec_named(codec_name).type
    body = {
        "__annotations__": {"value": kind, "about": str},
        "value": field(..., about="the value itself"),
        "about": field("", about="one line for the agents that use it"),
        "shared": True,
        "__doc__": f"A {kind.__name__} that was injected for every agent.",
        "__module__": __name__,
    }
    return type(name, (Entity,), body)
