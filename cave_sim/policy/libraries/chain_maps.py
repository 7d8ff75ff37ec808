"""``collections.ChainMap`` in a cell: several dicts as one, of which the first is written."""

from __future__ import annotations

import collections
from collections.abc import Iterator
from typing import Any

from cave_sim.diagnostics.plurals import article
from cave_sim.policy.libraries import mapping_views
from cave_sim.policy.libraries.cell_classes import OWN_CLASSES
from cave_sim.policy.libraries.kept_classes import kept_class


@kept_class("maps")
class ChainMap(collections.ChainMap[Any, Any]):
    """``collections.ChainMap``, of dicts and of mappings of the cell's own classes."""

    maps: list[Any]

    def __init__(self, *maps: Any) -> None:
        super().__init__(*maps)
        self._check()

    def _check(self) -> None:
        """Raise TypeError where it would call a method of something else than a mapping: its list is the cell's."""
        for each in self.maps if isinstance(self.maps, list) and self.maps else [None]:
            if not isinstance(each, (dict, ChainMap)) and type(each) not in OWN_CLASSES:
                raise TypeError(f"a ChainMap is made of dicts, not of {article(type(each).__name__)}")

    def __getitem__(self, key: Any) -> Any:
        for mapping in self._checked():
            try:
                return mapping[key]
            except KeyError:
                continue
        raise KeyError(key)

    def __contains__(self, key: Any) -> bool:
        return any(key in mapping for mapping in self._checked())

    def __iter__(self) -> Iterator[Any]:
        self._check()
        return iter({key: None for mapping in reversed(self.maps) for key in mapping})

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __bool__(self) -> bool:
        return any(map(len, self._checked()))

    get, keys, items, values = mapping_views.get, mapping_views.keys, mapping_views.items, mapping_views.values

    def copy(self) -> ChainMap:
        """Return another of the same dicts, but for the first, of which it has a copy."""
        self._check()
        return ChainMap(self.maps[0].copy(), *self.maps[1:])

    __copy__ = copy

    def new_child(self, m: Any = None, **kwargs: Any) -> ChainMap:
        """Return another with a dict before these."""
        self._check()
        child: Any = kwargs if m is None else m
        if m is not None and kwargs:
            child.update(kwargs)
        return ChainMap(child, *self.maps)

    @property
    def parents(self) -> ChainMap:
        """Another of all dicts but the first."""
        self._check()
        return ChainMap(*self.maps[1:])

    def popitem(self) -> tuple[Any, Any]:
        """Take the last item out of the first dict."""
        self._check()
        return super().popitem()

    def pop(self, key: Any, *args: Any) -> Any:
        """Take an item out of the first dict."""
        self._check()
        return super().pop(key, *args)

    def clear(self) -> None:
        """Empty the first dict."""
        self._check()
        self.maps[0].clear()

    def _checked(self) -> list[Any]:
        self._check()
        return self.maps
