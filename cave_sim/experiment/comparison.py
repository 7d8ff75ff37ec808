"""Native objects as data for comparison: floats within a tolerance, everything else exactly, keys of mappings too.

Where objects themselves are handed back they are compared with all that they are (:func:`exact`): type, dtype, index,
names, the order of rows and columns. Where only text comes back, which has no types, it is what they hold that counts
(:func:`plain`). Studies of types are blind without the former: CaveAgent §4.2 is about types.
"""

from __future__ import annotations

import math
from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, time
from typing import Any

import numpy as np
import pandas as pd

from cave_sim.diagnostics.short_texts import shortened
from cave_sim.entity.entity import Entity, encode_fields

BREADTH = 1e-6
"""Relative and absolute tolerance within which two floats count as equal."""
SHOWN_CHARS = 80
LARGEST_EXACT = 2**53
"""Up to which a float is every whole number."""

Form = Callable[[Any], Any]
"""A way to make data of an object: :func:`exact` or :func:`plain`."""


def exact(value: Any) -> Any:
    """Return a value as data that differs where the objects do; the order of sets and of keys does not count.

    Nor does what depends on how a thing was made: the frequency of an index of dates, the layout of an array, and the
    private attributes of an object that has public ones.
    """
    if isinstance(value, np.bool_ | np.int64 | np.float64 | np.str_):  # what numpy and pandas give for bool, int ...
        value = value.item()
    if type(value) in PLAIN_TYPES:
        return value
    if isinstance(value, Entity):
        return encode_fields(value)
    return {_type_name(value): _held(value)}


def _held(value: Any) -> Any:
    """Return what an object of a type holds."""
    if isinstance(value, pd.DataFrame):
        columns = [_held(value.iloc[:, place].array) for place in range(value.shape[1])]
        return {"index": exact(value.index), "columns": exact(value.columns), "values": columns}
    if isinstance(value, pd.Series):
        return {"name": exact(value.name), "index": exact(value.index), "values": _held(value.array)}
    if isinstance(value, pd.MultiIndex):
        return {"levels": [_held(value.get_level_values(level)) for level in range(value.nlevels)]}
    if isinstance(value, pd.Index):
        return {"names": [exact(name) for name in value.names], "values": _held(value.array)}
    if isinstance(value, pd.api.extensions.ExtensionArray):
        return {"dtype": _dtype(value), "values": [_item(item) for item in value]}
    if isinstance(value, np.ndarray):
        return {"dtype": str(value.dtype), "shape": list(value.shape), "values": _items(value)}
    if isinstance(value, np.generic):
        return value.item()
    return _contents(value)


def _contents(value: Any) -> Any:
    """Return what an object of Python's own types holds, or one of a class of somebody's."""
    if isinstance(value, complex):
        return [value.real, value.imag]
    if isinstance(value, datetime | time) and value.tzinfo is not None:  # zones of one offset are not the same one
        return [str(value), str(value.tzinfo)]
    if isinstance(value, pd.Period):
        return [str(value), value.freqstr]
    if isinstance(value, defaultdict):
        return [getattr(value.default_factory, "__qualname__", ""), exact(dict(value))]
    if isinstance(value, OrderedDict):  # the one mapping whose order is part of what it is
        return [[exact(key), exact(item)] for key, item in value.items()]
    if isinstance(value, Mapping):
        return {repr(exact(key)): exact(item) for key, item in value.items()}
    if isinstance(value, tuple) and (names := getattr(value, "_fields", None)):
        return {name: exact(item) for name, item in zip(names, value, strict=True)}
    if isinstance(value, list | tuple):
        return [exact(item) for item in value]
    if isinstance(value, deque):
        return {"maxlen": value.maxlen, "items": [exact(item) for item in value]}
    if isinstance(value, set | frozenset):
        return sorted((exact(item) for item in value), key=_rank)
    return parts(value, exact) or _inside(value)


def _rank(item: Any) -> tuple[str, float, str]:
    """Return by what items of a set are put in order: floats by size, since close ones may be written unlike."""
    return type(item).__name__, item if isinstance(item, float) else 0.0, repr(item)


def _inside(value: Any) -> Any:
    """Return how an object without public attributes is written, or what it has where that would be its address."""
    written = next(cls for cls in type(value).__mro__ if {"__str__", "__repr__"} & vars(cls).keys())
    return {name: exact(part) for name, part in _attributes(value).items()} if written is object else str(value)


def _dtype(value: Any) -> Any:
    """Return a dtype as data; that of categories has more to it than its name."""
    if isinstance(value.dtype, pd.CategoricalDtype):
        return {"categories": exact(value.dtype.categories), "ordered": bool(value.dtype.ordered)}
    return str(value.dtype)


def _items(array: np.ndarray) -> list[Any]:
    items: list[Any] = array.ravel().tolist()
    return [exact(item) for item in items] if array.dtype.kind in "Oc" else items


def _item(item: Any) -> Any:
    """Return an item of a typed column, whose dtype says what it is; what is missing is one thing in all of them."""
    missing = pd.isna(item)
    return None if missing is True else exact(item.item() if isinstance(item, np.generic) else item)


PLAIN_TYPES = frozenset({bool, int, float, str, type(None)})


def _type_name(value: Any) -> str:
    """Return the name of a type; all indexes of a table are one type, because it depends on how one was made."""
    return "Index" if isinstance(value, pd.Index) else type(value).__name__


def plain(value: Any) -> Any:
    """Return a value as plain data. A table keeps its columns and rows, but not what its index calls them."""
    if isinstance(value, Entity):
        return encode_fields(value)
    if isinstance(value, pd.DataFrame):
        return {"columns": list(map(str, value.columns)), "rows": plain(value.to_numpy().tolist())}
    if isinstance(value, pd.Series):
        return {"index": plain(value.index.tolist()), "values": plain(value.tolist())}
    if isinstance(value, np.ndarray):
        return {"shape": list(value.shape), "values": plain(value.tolist())}
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, set | frozenset):
        return sorted((plain(item) for item in value), key=repr)
    if isinstance(value, str | int | float | bool | type(None)):
        return value
    return parts(value) or str(value)


def class_name(value: Any) -> str:
    """Return which class an object is of; one that a cell made is told from an injected one of that name."""
    return f"{type(value).__module__}.{type(value).__qualname__}"


def parts(value: Any, form: Form = plain) -> dict[str, Any]:
    """Return the public attributes of an object of a user-defined class, as data of a form."""
    return {name: form(part) for name, part in _attributes(value).items() if not name.startswith("_")}


def _attributes(value: Any) -> dict[str, Any]:
    slots = [name for cls in type(value).__mro__ for name in _slots(cls) if hasattr(value, name)]
    return {**{name: getattr(value, name) for name in slots}, **getattr(value, "__dict__", {})}


def _slots(cls: type) -> Sequence[str]:
    names = vars(cls).get("__slots__", ())
    return (names,) if isinstance(names, str) else tuple(names)


def same(one: Any, other: Any) -> bool:
    """Say whether two pieces of plain data are the same; 221 and 221.0 are not."""
    if isinstance(one, float) and isinstance(other, float):
        both_missing = math.isnan(one) and math.isnan(other)
        return both_missing or math.isclose(one, other, rel_tol=BREADTH, abs_tol=BREADTH)
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)


def with_fractions(meant: Any, data: Any) -> Any:
    """Return data that came as text with fractions where these are meant: 26 is how many a model writes 26.0.

    The other way round nothing is changed: what is counted is written without a point.
    """
    if type(meant) is float and type(data) is int and abs(data) <= LARGEST_EXACT:
        return float(data)
    if isinstance(meant, dict) and isinstance(data, dict):
        return {key: with_fractions(meant.get(key), item) for key, item in data.items()}
    if isinstance(meant, list) and isinstance(data, list) and len(meant) == len(data):
        return [with_fractions(*pair) for pair in zip(meant, data, strict=True)]
    return data


def difference(expected: Mapping[str, Any], actual: Mapping[str, Any]) -> str:
    """Return a description of the first difference; "" if there is none."""
    for path in sorted(expected.keys() | actual.keys()):
        if path not in actual:
            return missing(path)
        if path not in expected:
            return f"{path} is unexpected"
        if not same(expected[path], actual[path]):
            value, meant = (shortened(repr(fields[path]), SHOWN_CHARS) for fields in (actual, expected))
            return f"{path} is {value}, not {meant}"
    return ""


def missing(path: str) -> str:
    """Say that nothing is at a path at which something is expected."""
    return f"{path} is missing"
