"""``UserDict`` and ``UserList`` of ``collections``: bases for dicts and lists of a cell's own classes.

They are written here in plain Python, without a metaclass, so that their objects are kept as those of any class of a
cell: by their attributes. What they hold is the cell's, so each method asks whether it is what a method is called on.
"""

from __future__ import annotations

import collections.abc
from collections.abc import Iterator
from typing import Any

from cave_sim.diagnostics.plurals import article
from cave_sim.entity.containers import TrackedDict, TrackedList
from cave_sim.errors import Blocked
from cave_sim.policy.libraries import mapping_views

MAX_ITEMS = 5_000_000
_DICTS = (dict, TrackedDict, collections.OrderedDict, collections.defaultdict, collections.Counter)
_LISTS = (list, TrackedList)
_MISSING = object()


class UserDict:
    """``collections.UserDict``: a dict to those who use it, whose methods a class below writes anew."""

    def __init__(self, items: Any = None, /, **kwargs: Any) -> None:
        self.data: Any = {}
        if items is not None:
            self.update(items)
        if kwargs:
            self.update(kwargs)

    def _dict(self) -> Any:
        if type(self.data) not in _DICTS:
            raise TypeError(f"{type(self).__name__}.data is a dict, not {article(type(self.data).__name__)}")
        return self.data

    def __len__(self) -> int:
        return len(self._dict())

    def __getitem__(self, key: Any) -> Any:
        if key in self._dict():
            return self._dict()[key]
        missing = getattr(type(self), "__missing__", None)
        if missing is not None:
            return missing(self, key)
        raise KeyError(key)

    def __setitem__(self, key: Any, item: Any) -> None:
        self._dict()[key] = item

    def __delitem__(self, key: Any) -> None:
        del self._dict()[key]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._dict())

    def __contains__(self, key: Any) -> bool:
        return key in self._dict()

    def __repr__(self) -> str:
        return repr(self._dict())

    def __eq__(self, other: object) -> Any:
        if not isinstance(other, (dict, UserDict)):
            return NotImplemented
        return dict(self.items()) == dict(other.items())

    __hash__ = None  # type: ignore[assignment]

    def __or__(self, other: Any) -> Any:
        return self._joined(self, other)

    def __ror__(self, other: Any) -> Any:
        return self._joined(other, self)

    def _joined(self, one: Any, other: Any) -> Any:
        if not all(isinstance(each, (dict, UserDict)) for each in (one, other)):
            return NotImplemented
        return type(self)({**dict(one.items()), **dict(other.items())})

    def __ior__(self, other: Any) -> Any:
        self.update(other)
        return self

    get, keys, items, values = mapping_views.get, mapping_views.keys, mapping_views.items, mapping_views.values

    def pop(self, key: Any, default: Any = _MISSING) -> Any:
        """Take out what is there for a key."""
        try:
            value = self[key]
        except KeyError:
            if default is _MISSING:
                raise
            return default
        del self[key]
        return value

    def popitem(self) -> tuple[Any, Any]:
        """Take out the first item."""
        try:
            key = next(iter(self))
        except StopIteration:
            raise KeyError from None
        value = self[key]
        del self[key]
        return key, value

    def clear(self) -> None:
        """Take out everything."""
        while len(self):
            self.popitem()

    def update(self, other: Any = (), /, **kwds: Any) -> None:
        """Put in what a mapping or pairs say."""
        if isinstance(other, (dict, UserDict, collections.ChainMap)):
            for key in other:
                self[key] = other[key]
        else:
            for key, value in other:
                self[key] = value
        for key, value in kwds.items():
            self[key] = value

    def setdefault(self, key: Any, default: Any = None) -> Any:
        """Return what is there for a key, once the default is if nothing was."""
        try:
            return self[key]
        except KeyError:
            self[key] = default
        return default

    def copy(self) -> Any:
        """Return another one with the same items."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other.data = {}
        other.update(self)
        return other


class UserList:
    """``collections.UserList``: a list to those who use it, whose methods a class below writes anew."""

    def __init__(self, initlist: Any = None) -> None:
        self.data: Any = [] if initlist is None else list(_plain(initlist))

    def _other(self, items: list[Any]) -> Any:
        if len(items) > MAX_ITEMS:
            raise Blocked(f"a list of {len(items):,} items; at most {MAX_ITEMS:,} can be made")
        return type(self)(items)

    def __repr__(self) -> str:
        return repr(_list_of(self))

    def __lt__(self, other: Any) -> Any:
        return _list_of(self) < _plain(other)

    def __le__(self, other: Any) -> Any:
        return _list_of(self) <= _plain(other)

    def __eq__(self, other: object) -> Any:
        return _list_of(self) == _plain(other)

    def __gt__(self, other: Any) -> Any:
        return _list_of(self) > _plain(other)

    def __ge__(self, other: Any) -> Any:
        return _list_of(self) >= _plain(other)

    __hash__ = None  # type: ignore[assignment]

    def __contains__(self, item: Any) -> bool:
        return item in _list_of(self)

    def __len__(self) -> int:
        return len(_list_of(self))

    def __iter__(self) -> Iterator[Any]:
        at = 0
        while at < len(self):
            yield self[at]
            at += 1

    def __getitem__(self, i: Any) -> Any:
        items = _list_of(self)[i]
        return self._other(items) if isinstance(i, slice) else items

    def __setitem__(self, i: Any, item: Any) -> None:
        _list_of(self)[i] = item

    def __delitem__(self, i: Any) -> None:
        del _list_of(self)[i]

    def __add__(self, other: Any) -> Any:
        return self._other(_list_of(self) + list(_plain(other)))

    def __radd__(self, other: Any) -> Any:
        return self._other(list(_plain(other)) + _list_of(self))

    def __iadd__(self, other: Any) -> Any:
        self.extend(other)
        return self

    def __mul__(self, n: Any) -> Any:
        return self._other(self._repeated(n))

    __rmul__ = __mul__

    def __imul__(self, n: Any) -> Any:
        self.data = self._repeated(n)
        return self

    def _repeated(self, n: Any) -> list[Any]:
        if type(n) is not int:
            raise TypeError(f"can't multiply sequence by non-int of type '{type(n).__name__}'")
        if n * len(_list_of(self)) > MAX_ITEMS:
            raise Blocked(f"a list of {n * len(_list_of(self)):,} items; at most {MAX_ITEMS:,} can be made")
        return list(_list_of(self) * n)

    def append(self, item: Any) -> None:
        """Put an item at the end."""
        _list_of(self).append(item)

    def insert(self, i: Any, item: Any) -> None:
        """Put an item at a place."""
        _list_of(self).insert(i, item)

    def pop(self, i: Any = -1) -> Any:
        """Take an item out."""
        return _list_of(self).pop(i)

    def remove(self, item: Any) -> None:
        """Take out the first that is equal to an item."""
        _list_of(self).remove(item)

    def clear(self) -> None:
        """Take out everything."""
        _list_of(self).clear()

    def copy(self) -> Any:
        """Return another one with the same items."""
        return type(self)(self)

    def count(self, item: Any) -> int:
        """Return how many are equal to an item."""
        return int(_list_of(self).count(item))

    def index(self, item: Any, *args: Any) -> int:
        """Return where the first is that is equal to an item."""
        return int(_list_of(self).index(item, *args))

    def reverse(self) -> None:
        """Turn the order round."""
        _list_of(self).reverse()

    def sort(self, /, *, key: Any = None, reverse: bool = False) -> None:
        """Bring the items into order."""
        _list_of(self).sort(key=key, reverse=reverse)

    def extend(self, other: Any) -> None:
        """Put several items at the end."""
        more = list(_plain(other))
        if len(_list_of(self)) + len(more) > MAX_ITEMS:
            raise Blocked(f"a list of more than {MAX_ITEMS:,} items")
        _list_of(self).extend(more)


def _list_of(holder: UserList) -> Any:
    if type(holder.data) not in _LISTS:
        raise TypeError(f"{type(holder).__name__}.data is a list, not {article(type(holder.data).__name__)}")
    return holder.data


def _plain(items: Any) -> Any:
    return _list_of(items) if isinstance(items, UserList) else items


collections.abc.MutableMapping.register(UserDict)
collections.abc.MutableSequence.register(UserList)

USER_BASES = (UserDict, UserList)
"""Classes of ours below which a cell may write its own."""
INHERITED: dict[type, frozenset[str]] = {
    base: frozenset(name for name in vars(base) if not name.startswith("_")) | {"data"} for base in USER_BASES
}
"""What cells may read on objects of them, and through ``super()``."""
INHERITED_SPECIAL: dict[type, frozenset[str]] = {
    base: frozenset(name for name in vars(base) if name.startswith("__") and callable(vars(base)[name]))
    for base in USER_BASES
}
"""The special methods of theirs, which cells may call through ``super()``."""
