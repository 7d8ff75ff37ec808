"""What a world must know of a type whose values cannot note their own writes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Codec:
    """How one type lives in a world.

    Attributes:
        name: as error texts call it.
        type: the Python type.
        snapshot: value -> plain JSON data, the same for equal values.
        restore: plain JSON data -> value.
        copy: value -> an independent one.
        same: whether two values are equal.
        patch: (old, new) -> plain data with which :attr:`apply` turns old into new.
        apply: (old, patch) -> new.
        take: value -> the one that a field keeps, of which a snapshot gives back the very same; None: its copy does.
            Raises SchemaError for a value that has no snapshot.
    """

    name: str
    type: type
    snapshot: Callable[[Any], Any]
    restore: Callable[[Any], Any]
    copy: Callable[[Any], Any]
    same: Callable[[Any, Any], bool]
    patch: Callable[[Any, Any], Any]
    apply: Callable[[Any, Any], Any]
    take: Callable[[Any], Any] | None = None
