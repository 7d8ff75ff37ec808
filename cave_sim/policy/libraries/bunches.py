"""What scikit-learn's data sets come as: parts with names, as ``iris.data`` and ``iris["data"]``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from cave_sim.policy.libraries.kept_classes import kept_class


@kept_class("_fields")
class Bunch:
    """Parts with names, as scikit-learn's ``Bunch`` has them."""

    __slots__ = ("_fields",)

    def __init__(self, fields: Mapping[str, Any]) -> None:
        self._fields = dict(fields)

    def keys(self) -> list[str]:
        """Return the names of its parts."""
        return list(self._fields)

    def values(self) -> list[Any]:
        """Return its parts."""
        return list(self._fields.values())

    def items(self) -> list[tuple[str, Any]]:
        """Return names and parts."""
        return list(self._fields.items())

    def get(self, name: Any, default: Any = None) -> Any:
        """Return a part, or what there is instead."""
        return self._fields.get(name, default)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in self._fields:
            raise AttributeError(f"a Bunch has no {name!r}. It has: {', '.join(self._fields)}")
        return self._fields[name]

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
