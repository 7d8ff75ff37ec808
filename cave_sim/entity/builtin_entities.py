"""What a world keeps for itself, as entities: so it rolls back, is journaled and is restored like any other."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

from cave_sim.entity.class_lookup import loaded_classes, recorded_class
from cave_sim.entity.codecs import codec_named
from cave_sim.entity.entity import Entity
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


WIRING = "$wiring"
"""The name of the entity that keeps how agents are wired; a world has none before a cell rewires somebody."""


def _paused_by_any(start: list[str], current: list[str], written: list[str]) -> list[str]:
    """Merge who is paused: what each of several who act at once did to that stands."""
    resumed, paused = {*start} - {*written}, {*written} - {*start}
    return sorted(({*current} - resumed) | paused)


class AgentWiring(Entity):
    """How meta-agents have wired the agents of one world."""

    paused: list[str] = field([], about="agents that do not act by themselves", merge=_paused_by_any)
    roles: dict[str, str] = field({}, about="what an agent is there for, where it was told anew")
    habits: dict[str, dict[str, Any]] = field({}, about="how an agent goes about its loop, where it was told anew")


EFFECTS = "$effects"
"""The name of the entity that keeps what was asked of tools with effects; a world without such tools has none."""


class Effects(Entity):
    """What the cells of one world asked of tools with effects, and what came of it."""

    made: dict[str, int] = field({}, about="how many requests each agent has made")
    pending: dict[str, dict[str, Any]] = field({}, about="by ticket: tool, arguments, agent, step")
    outcomes: dict[str, dict[str, Any]] = field({}, about="by ticket: status, and result or error; the latest")


class Shared(Entity):
    """A value that was injected for every agent: plain data."""

    value: Any = field(None, about="the value itself")
    about: str = field("", about="one line for the agents that use it")


KEPT_CLASSES = frozenset({System, AgentWiring, Effects})
KEPT_NAMES = frozenset({SYSTEM, WIRING, EFFECTS})
"""What a world keeps for itself: no cell may write it, whatever its agent was granted."""


def is_shared(kind: type[Entity]) -> bool:
    """Say whether a class holds values that were injected for every agent: such classes are made here alone."""
    return kind.__module__ == __name__ and kind not in KEPT_CLASSES


SHARED = "Shared"
"""The names of the classes of shared values begin with it."""


def is_builtin(cls: type[Entity]) -> bool:
    """Say whether an entity class is ours: it means the same in every world."""
    return cls.__module__ == __name__


@cache
def shared_class(kind: type) -> type[Entity]:
    """Return the entity class that holds an injected value of a type with a codec."""
    name = f"{SHARED}{kind.__name__}"
    body = {
        "__annotations__": {"value": kind, "about": str},
        "value": field(..., about="the value itself"),
        "about": field("", about="one line for the agents that use it"),
        "__doc__": f"A {kind.__name__} that was injected for every agent.",
        "__module__": __name__,
    }
    return type(name, (Entity,), body)


def entity_class(name: str, fields: Iterable[str], recorded: str | None = None) -> type[Entity]:
    """Return the loaded entity class that data was written of.

    Args:
        name: the bare name in the data.
        fields: of the data.
        recorded: ``module:qualname`` that was written down with the data; None if there was none.

    Raises:
        WorldError: no such class is loaded, or nothing says which of several is meant.
    """
    if name.startswith(SHARED) and all(cls.__module__ == __name__ for cls in loaded_classes(Entity, name)):
        return Shared if name == SHARED else shared_class(codec_named(name.removeprefix(SHARED)).type)
    return recorded_class(Entity, name, fields, recorded)
