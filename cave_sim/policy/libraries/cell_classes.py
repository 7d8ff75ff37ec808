"""The classes that cells defined, and hashes of their objects that do not tell where in memory these lie."""

from __future__ import annotations

import itertools
import weakref
from typing import Any

from cave_sim.entity.values import SERIAL

OWN_CLASSES: weakref.WeakSet[type] = weakref.WeakSet()
"""Every class that a cell defined."""

_numbers = itertools.count(1)


def adopt(kind: type) -> None:
    """Note a class as a cell's own, and number its objects as they are hashed, so that sets of them have an order."""
    OWN_CLASSES.add(kind)
    own_hash = kind.__dict__.get("__hash__", MISSING_HASH)
    if own_hash is None or getattr(own_hash, "is_numbering", False):
        return
    if own_hash is not MISSING_HASH:
        kind.__hash__ = _numbering(own_hash)  # type: ignore[assignment]
    elif kind.__hash__ is object.__hash__ or kind.__hash__ is BaseException.__hash__:
        kind.__hash__ = number_of  # type: ignore[assignment]


MISSING_HASH = object()


def number_of(instance: Any) -> int:
    """Return the number of an object: 1 for the first that was hashed in this process."""
    known: int | None = instance.__dict__.get(SERIAL)
    if known is None:
        known = instance.__dict__[SERIAL] = next(_numbers)
    return known


number_of.is_numbering = True  # type: ignore[attr-defined]


def _numbering(own_hash: Any) -> Any:
    def hash_(instance: Any) -> Any:
        number_of(instance)
        return own_hash(instance)

    hash_.is_numbering = True  # type: ignore[attr-defined]
    return hash_
