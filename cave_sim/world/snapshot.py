"""State as a whole: its digest, its bytes, and a second world with the same future."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

from cave_sim.changes.state_hash import StateHash
from cave_sim.changes.turn import Limits
from cave_sim.determinism.canonical_json import to_json
from cave_sim.entity.builtin_entities import SYSTEM
from cave_sim.entity.entity import Entity, blank, decode_entity, encode_fields
from cave_sim.entity.preparation import checks_of, fields_of, types_of
from cave_sim.entity.references import name_references
from cave_sim.entity.tracked_parts import settle_in
from cave_sim.errors import SchemaError, WorldError
from cave_sim.world import injection
from cave_sim.world.state import WorldState

FORMAT = 1
PARTS = frozenset({"format", "seed", "step_s", "start", "policy", "turns", "types", "entities", "namespaces"})
W = TypeVar("W", bound=WorldState)


def dump(world: WorldState, *, with_variables: bool = True) -> bytes:
    """Return a world's state: format, settings, every entity in order of arrival, and agents' variables."""
    entities = world.undo_log.entities
    namespaces = world.interpreter.namespaces if with_variables else {}
    return to_json(
        {
            "format": FORMAT,
            "seed": world.seed,
            "step_s": world.step_s,
            "start": world.start.isoformat(),
            "policy": world.policy,
            "turns": world.turns.last_id,
            "types": {type(entity).__name__: list(fields_of(entity)) for entity in entities.values()},
            "classes": world.registry.origins(),
            "entities": [
                [name, type(entity).__name__, list(encode_fields(entity).values())] for name, entity in entities.items()
            ],
            "namespaces": {agent: namespace.data for agent, namespace in namespaces.items() if namespace.data},
        }
    )


def load(
    cls: type[W], state: bytes, *, limits: Limits | None = None, policy: str | None = None, record_reads: bool = False
) -> W:
    """Return the world of a snapshot.

    Raises:
        WorldError: the bytes are no snapshot, or name an entity class that is not loaded.
    """
    data = _read(state)
    settings = {"seed": data["seed"], "step_s": data["step_s"], "start": data["start"]}
    world = cls(**settings, policy=policy or data["policy"], limits=limits, record_reads=record_reads)
    _fill(world, data)
    return world


def restore_into(world: WorldState, state: bytes) -> None:
    """Bring a world that stands, with its dynamics, invariants and tools, to the state of a snapshot.

    Entities that are there already stay the same objects, so that code which holds them goes on holding them.

    Args:
        world: whose dynamics, invariants and tools these are.
        state: the snapshot.

    Raises:
        WorldError: the bytes are no snapshot, or one of a world with other entity classes or another clock.
    """
    data = _read(state)
    clock = (data["step_s"], data["start"])
    if clock != (world.step_s, world.start.isoformat()):
        raise WorldError(f"a snapshot with steps of {clock[0]} s from {clock[1]} on does not fit a world with another")
    world.randomness.seed = data["seed"]
    _fill(world, data)
    world.randomness.begin_step()
    world.rules.follow(world)


def _read(state: bytes) -> dict[str, Any]:
    try:
        data: dict[str, Any] = msgspec.json.decode(state)
        missing = PARTS - data.keys()
    except (msgspec.DecodeError, AttributeError, TypeError, UnicodeError) as error:
        raise WorldError(f"this is no snapshot of a world: {error}") from None
    if missing:
        raise WorldError(f"this is no snapshot of a world: it lacks {min(missing)!r}")
    if data["format"] != FORMAT:
        raise WorldError(f"this snapshot has format {data['format']!r}; this version reads format {FORMAT}")
    return data


def _fill(world: WorldState, data: dict[str, Any]) -> None:
    """Put entities and variables where there were others."""
    registry, entities = world.registry, world.undo_log.entities
    origins = data.get("classes", {})  # older snapshots do not say
    try:
        types: dict[str, list[str]] = data["types"]
        classes = {
            kind: registry.class_for(kind, types[kind], origins.get(kind))
            for kind in dict.fromkeys(kind for _, kind, _ in data["entities"])
        }
        arrivals = {
            name: decode_entity(classes[kind], dict(zip(types[kind], values, strict=True)))
            for name, kind, values in data["entities"]
        }
    except (KeyError, TypeError, ValueError) as error:
        raise WorldError(f"this is no snapshot of a world: {error}") from None
    for name in list(entities):
        if type(entities[name]) is not type(arrivals.get(name)):
            registry.displace(name)
    for name, entity in arrivals.items():
        if name in entities:
            _take_over(entities[name], entity)
            entities[name] = entities.pop(name)  # in the snapshot's order of arrival
        else:
            registry.place(name, entity)
    world.turns.last_id = data["turns"]
    _forget_history(world)
    for agent in {**world.interpreter.namespaces, **data["namespaces"]}:
        _replace_variables(world, agent, data["namespaces"].get(agent, {}))


def _replace_variables(world: WorldState, agent: str, variables: dict[str, Any]) -> None:
    """Let an agent have these variables and no others, but for injected objects that have no form as data."""
    namespace = world.interpreter.namespace(agent)
    namespace.drop(namespace.data.keys() - variables.keys())
    try:
        namespace.put(variables)
    except SchemaError as error:
        raise WorldError(f"this is no snapshot of a world: a variable of {agent}: {error}") from None


def _take_over(entity: Entity, other: Entity) -> None:
    """Let an entity have what another one holds."""
    for name, value in other.__dict__.items():
        entity.__dict__[name] = settle_in(value, entity, name)


def _forget_history(world: WorldState) -> None:
    """Forget how the state came to be; mark every digest as stale."""
    world.undo_log.undo.clear()
    world.undo_log.checkouts.clear()
    world.undo_log.epoch += 1
    world.turns.state_hash = StateHash()
    world.turns.state_hash.touch_all(world.undo_log.entities)


def fork(world: W) -> W:
    """Return a copy of a world, entity by entity, that shares nothing with it that can change."""
    twin = type(world)(
        world.seed, world.step_s, world.start, policy=world.policy, limits=world.limits, record_reads=world.record_reads
    )
    twin.registry.class_source = world.registry.class_source
    twin.registry.displace(SYSTEM)
    for name, entity in world.undo_log.entities.items():
        twin.registry.place(name, copy_entity(entity))
    twin.turns.last_id, twin.violations = world.turns.last_id, dict(world.violations)
    _forget_history(twin)
    twin.turns.state_hash = world.turns.state_hash.copy()
    twin.randomness.draw_on_as(world.randomness)
    twin.rules = world.rules.copy()
    for tool in world.tools.values():
        injection.inject(twin, tool.name, tool.value, tool.about, tool.agent)
    twin.tools.update(world.tools)  # which tell of themselves as they were
    for agent, namespace in world.interpreter.namespaces.items():
        _replace_variables(twin, agent, namespace.data)
    return twin


def copy_entity(entity: Entity) -> Entity:
    """Return an independent copy of an entity, in no world; its references are names already."""
    twin = blank(type(entity))
    fast, fields = checks_of(entity), twin.__dict__
    for name, value in entity.__dict__.items():
        fields[name] = value
        if name not in fast and value is not None:
            field_type = types_of(entity)[name]
            copied = field_type.decode(field_type.encode(value))
            fields[name] = name_references(settle_in(copied, twin, name))
    return twin
