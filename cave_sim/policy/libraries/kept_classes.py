"""Classes of ours that stand for a library's, and whose objects are kept between turns as the attributes they have.

All their public names are meant for cells. What is kept of an object is read back without a call of its constructor, so
whoever does with it what only some attributes allow asks these again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

Kind = TypeVar("Kind")

KEPT_ATTRIBUTES: dict[type, tuple[str, ...]] = {}
"""Class -> the names of what is kept of its objects."""
KEPT_CLASSES: dict[str, type] = {}
"""Name -> class."""


def kept_class(*attributes: str) -> Callable[[type[Kind]], type[Kind]]:
    """Declare a class of which objects are kept: as these attributes, in this order."""

    def declare(kind: type[Kind]) -> type[Kind]:
        KEPT_ATTRIBUTES[kind] = attributes
        KEPT_CLASSES[kind.__name__] = kind
        return kind

    return declare


def kept_of(value: object) -> list[Any]:
    """Return what is kept of an object of a declared class, for a function beside it, which no cell can call."""
    return [getattr(value, name) for name in KEPT_ATTRIBUTES[type(value)]]
