"""What libraries give as parts with names, as ``iris.data`` and ``iris["data"]``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from cave_sim.policy.libraries.kept_classes import kept_class


class NamedParts:
    """Parts with names, read as attributes and as items; what it is called in errors is up to its class."""

    __slots__ = ("_fields",)

    _called = "a result"

    def __init__(self, fields: Mapping[str, Any]) -> None:
        self._fields = dict(fields)

    def keys(self) -> list[str]:
        """Return the names of its parts."""
        return list(self._fields)

    def values(self) -> list[Any]:
        """Return its parts."""
        return [self[name] for name in self._fields]

    def items(self) -> list[tuple[str, Any]]:
        """Return names and parts."""
        return [(name, self[name]) for name in self._fields]

    def get(self, name: Any, default: Any = None) -> Any:
        """Return a part, or what there is instead."""
        return self[name] if name in self._fields else default

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in self._fields:
            raise AttributeError(f"{self._called} has no {name!r}. It has: {', '.join(self._fields)}")
        return self[name]

    def __getitem__(self, name: str) -> Any:
        return self._fields[name]

    def __contains__(self, name: object) -> bool:
        return name in self._fields

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys())

    def __len__(self) -> int:
        return len(self._fields)

    def __repr__(self) -> str:
        return repr(self._fields)


@kept_class("_fields")
class Bunch(NamedParts):
    """A data set of scikit-learn's, as its ``Bunch``."""

    __slots__ = ()

    _called = "a Bunch"
