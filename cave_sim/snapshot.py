"""State as a whole: its digest, its bytes, and a second world with the same future."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import orjson

from cave_sim.apply import build_entity
from cave_sim.changes import Change
from cave_sim.entity import Entity, blank, encode_fields
from cave_sim.errors import WorldError
from cave_sim.limits import Limits
from cave_sim.references import name_references
from cave_sim.runtime.cell import CellCache
from cave_sim.runtime.namespace import Namespace
from cave_sim.system import SYSTEM

if TYPE_CHECKING:
    from cave_sim.world import World

FORMAT = 1
_MODULUS = 2**256


class StateHash:
    """The digest of all entities: the sum of one digest for each, so that it is brought up to date by what changed.

    Names and keys are sorted before hashing: how a dict came to be does not matter, nor in which process.
    """

    def __init__(self) -> None:
        self._parts: dict[str, int] = {}
        self._root = 0
        self._stale: set[str] = set()

    def touch(self, changes: Iterable[Change]) -> None:
        """Note whose digests no longer hold."""
        self._stale.update(change.entity for change in changes)

    def digest(self, entities: dict[str, Entity]) -> str:
        """Return the digest as 64 hexadecimal digits."""
        for name in self._stale:
            self._root -= self._parts.pop(name, 0)
            entity = entities.get(name)
            if entity is not None:
                part = self._parts[name] = _entity_digest(name, entity)
                self._root += part
        self._stale.clear()
        self._root %= _MODULUS
        return f"{self._root:064x}"

    def copy(self) -> StateHash:
        """Return an independent copy."""
        other = StateHash()
        other._parts, other._root, other._stale = dict(self._parts), self._root, set(self._stale)
        return other


def _entity_digest(name: str, entity: Entity) -> int:
    data = [name, type(entity).__name__, encode_fields(entity)]
    return int.from_bytes(hashlib.sha256(to_json(data, sort=True)).digest(), "big")


def to_json(data: Any, *, sort: bool = False) -> bytes:
    """Return compact JSON; integers beyond 64 bits are written by the standard library."""
    try:
        return orjson.dumps(data, option=orjson.OPT_SORT_KEYS if sort else None)
    except TypeError:
        import json

        return json.dumps(data, sort_keys=sort, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()


def dump(world: World) -> bytes:
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


def load(cls: type[World], state: bytes, *, limits: Limits | None = None, policy: str | None = None) -> World:
    """Return the world of a snapshot.

    Raises:
        WorldError: the bytes are no snapshot, or name an entity class that is not loaded.
    """
    try:
        data = orjson.loads(state)
        settings = {"seed": data["seed"], "step_s": data["step_s"], "start": data["start"]}
        entities, types, turns, written = data["entities"], data["types"], data["turns"], data["format"]
    except (orjson.JSONDecodeError, KeyError, TypeError) as error:
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
        world._namespace(agent).restore(kept, world._ledger.entities, _define)
    return world


def _settle(world: World) -> None:
    """Forget how the state came to be; mark every digest as stale."""
    world._ledger.undo.clear()
    world._ledger.epoch += 1
    world._hash = StateHash()
    world._hash._stale.update(world._ledger.entities)


def _define(namespace: Namespace, source: str) -> None:
    """Define a function or class again in its agent's namespace, under the world's policy."""
    cells: CellCache = namespace.cells
    exec(cells.get(source).code, namespace.globals)


def fork(world: World) -> World:
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
        twin.inject(tool.name, tool.value, tool.about) if tool.name in world._tools else None
    for agent, namespace in world._namespaces.items():
        kept, _ = namespace.snapshot()
        twin._namespace(agent).restore(kept, twin._ledger.entities, _define)
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
