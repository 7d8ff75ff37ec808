"""The digest of a state."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

from cave_sim.canonical_json import to_json
from cave_sim.changes.change import Change
from cave_sim.entity.entity import Entity, encode_fields
from cave_sim.entity.graph_form import ORDER

MODULUS = 2**256


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
        for change in changes:
            self._stale.add(change.entity)

    def touch_all(self, names: Iterable[str]) -> None:
        """Note that the digests of all entities of these names no longer hold."""
        self._stale.update(names)

    def digest(self, entities: dict[str, Entity]) -> str:
        """Return the digest as 64 hexadecimal digits."""
        for name in self._stale:
            self._root -= self._parts.pop(name, 0)
            entity = entities.get(name)
            if entity is not None:
                part = self._parts[name] = entity_digest(name, type(entity).__name__, encode_fields(entity))
                self._root += part
        self._stale.clear()
        self._root %= MODULUS
        return f"{self._root:064x}"

    def copy(self) -> StateHash:
        """Return an independent copy."""
        other = StateHash()
        other._parts, other._root, other._stale = dict(self._parts), self._root, set(self._stale)
        return other


def entity_digest(name: str, kind: str, fields: Mapping[str, Any]) -> int:
    """Return the part of a state's digest that is one entity's.

    Args:
        name: of the entity.
        kind: the name of its class.
        fields: its fields as plain data.
    """
    counted = fields
    if dict in map(type, fields.values()):
        counted = {field: _counted(data) for field, data in fields.items()}
    return int.from_bytes(hashlib.sha256(to_json([name, kind, counted], sort=True)).digest(), "big")


def _counted(data: Any) -> Any:
    """Return what a digest counts of a field: an order that differs alone is no other state."""
    if type(data) is dict and ORDER in data:
        return {key: value for key, value in data.items() if key != ORDER}
    return data
