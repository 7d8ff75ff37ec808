"""The digest of a state."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from cave_sim.canonical_json import to_json
from cave_sim.changes.change import Change
from cave_sim.entity.entity import Entity, encode_fields

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
                part = self._parts[name] = _entity_digest(name, entity)
                self._root += part
        self._stale.clear()
        self._root %= MODULUS
        return f"{self._root:064x}"

    def copy(self) -> StateHash:
        """Return an independent copy."""
        other = StateHash()
        other._parts, other._root, other._stale = dict(self._parts), self._root, set(self._stale)
        return other


def _entity_digest(name: str, entity: Entity) -> int:
    data = [name, type(entity).__name__, encode_fields(entity)]
    return int.from_bytes(hashlib.sha256(to_json(data, sort=True)).digest(), "big")
