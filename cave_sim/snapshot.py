"""State as a whole: its digest, its bytes, and a second world with the same future."""

from __future__ import annotations

from functools import partial
from typing import TypeVar

import msgspec

from cave_sim import injection
from cave_sim.apply import build_entity
from cave_sim.digest import StateHash, to_json
from cave_sim.entity import Entity, blank, encode_fields
from cave_sim.errors import WorldError
from cave_sim.execute import take_turn
from cave_sim.limits import Limits
from cave_sim.references import name_references
from cave_sim.runtime.namespace import Namespace
from cave_sim.state import WorldState
from cave_sim.system import SYSTEM

FORMAT = 1
W = TypeVar("W", bound=WorldState)


def dump(world: WorldState) -> bytes:
    """Return a world's state: format, settings, every entity in order of arrival, and agents' variables."""
    entities = world._ledger.entities
    namespaces = {agent: namespace.snapshot()[0] for agent, namespace in world._namespaces.items()}
    return to_json(
        {
            "format": FORMAT,
            "seed": world.seed,
            "step_s": world.step_s,
            "start": world.start.isoformat(),
            "policy": world.policy,
            "turns": world._turns,
            "types": {type(entity).__name__: list(entity._declared) for entity in entities.values()},
            "entities": [
                [name, type(entity).__name__, list(encode_fields(entity).values())] for name, entity in entities.items()
            ],
            "namespaces": {agent: kept for agent, kept in namespaces.items() if kept},
        }
    )


def load(cls: type[W], state: bytes, *, limits: Limits | None = None, policy: str | None = None) -> W:
    """Return the world of a snapshot.

    Raises:
        WorldError: the bytes are no snapshot, or name an entity class that is not loaded.
    """
    try:
        data = msgspec.json.decode(state)
        settings = {"seed": data["seed"], "step_s": data["step_s"], "start": data["start"]}
        entities, types, turns, written = data["entities"], data["types"], data["turns"], data["format"]
    except (msgspec.DecodeError, KeyError, TypeError) as error:
        raise WorldError(f"this is no snapshot of a world: {error}") from None
    if written != FORMAT:
        raise WorldError(f"this snapshot has format {written!r}; this version reads format {FORMAT}")
    world = cls(**settings, policy=policy or data["policy"], limits=limits)
    world._register.displace(SYSTEM)
    for name, kind, values in entities:
        world._register.place(name, build_entity({"type": kind, "fields": dict(zip(types[kind], values, strict=True))}))
    world._system = world[SYSTEM]
    world._turns = turns
    _settle(world)
    for agent, kept in data["namespaces"].items():
        world._namespace(agent).restore(kept, world._ledger.entities, partial(_define, world))
    return world


def _settle(world: WorldState) -> None:
    """Forget how the state came to be; mark every digest as stale."""
    world._ledger.undo.clear()
    world._ledger.epoch += 1
    world._hash = StateHash()
    world._hash._stale.update(world._ledger.entities)


def _define(world: WorldState, namespace: Namespace, source: str) -> None:
    """Define a function or class again, as a turn of its agent of which nothing else is left."""
    turns = world._turns
    sink, world.sink = world.sink, None
    mark = world._ledger.mark()
    try:
        take_turn(world, source, namespace.agent)
    finally:
        world._ledger.rollback(mark)
        world._ledger.close()
        world._turns, world.sink = turns, sink


def fork(world: W) -> W:
    """Return a copy of a world, entity by entity, that shares nothing with it that can change."""
    twin = type(world)(world.seed, world.step_s, world.start, policy=world.policy, limits=world.limits)
    twin._register.displace(SYSTEM)
    for name, entity in world._ledger.entities.items():
        twin._register.place(name, copy_entity(entity))
    twin._system = twin[SYSTEM]
    twin._turns = world._turns
    _settle(twin)
    twin._hash = world._hash.copy()
    twin._dynamics, twin._invariants = list(world._dynamics), list(world._invariants)
    for tool in world._tools.values():
        injection.inject(twin, tool.name, tool.value, tool.about, tool.agent)
    for agent, namespace in world._namespaces.items():
        kept, _ = namespace.snapshot()
        twin._namespace(agent).restore(kept, twin._ledger.entities, partial(_define, twin))
    return twin


def copy_entity(entity: Entity) -> Entity:
    """Return an independent copy of an entity, in no world; its references are names already."""
    twin = blank(type(entity))
    fast, kept = entity._fast, twin.__dict__
    for name, value in entity.__dict__.items():
        kept[name] = value
        if name not in fast and value is not None:
            spec = entity._specs[name]
            copied = spec.decode(spec.encode(value))
            if hasattr(copied, "_settle_in"):
                copied._settle_in(twin, name)
            kept[name] = name_references(copied)
    return twin
