"""Texts that numpy and pandas make of objects, without the places in memory at which these lie.

Both call what Python shows of a function or an object without a text of its own from C, past the ``str`` of cells:
``column.astype(str)``, ``texts[0] = len``, ``table.add_prefix(len)``. What comes of it is cleaned before
a cell reads it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np
import pandas as pd
from pandas._libs import lib
from pandas.core.arrays import string_
from pandas.core.dtypes.base import Registry

from cave_sim.diagnostics.told_names import told_as
from cave_sim.policy.libraries.addresses import without_addresses
from cave_sim.policy.libraries.numpy_dates import settled_dates
from cave_sim.policy.libraries.stand_ins import StandIn

_LIB, _STRINGS = vars(lib), vars(string_)
_TEXTS = "UST"
_PLAIN = frozenset({str, int, float, bool, bytes, type(None), type(pd.NA), np.str_})


def clean_texts(result: Any, out: Any = None) -> Any:
    """Return what numpy made, a text or an array of texts, without places in memory; all else as it is.

    Args:
        result: what it returned.
        out: the array that it was to write into, which is cleaned where it is.
    """
    if isinstance(result, str):
        return type(result)(without_addresses(result))
    if isinstance(result, np.ndarray) and result.dtype.kind in _TEXTS and result.size and _has_addresses(result):
        items = [_cleaned(item) for item in result.ravel().tolist()]
        cleaned = np.array(items, dtype=result.dtype.char).reshape(result.shape)
        if result is not out:
            return cleaned
        out[...] = cleaned
    return result


def _has_addresses(texts: Any) -> bool:
    return bool((np.strings.find(texts, b" at 0x" if texts.dtype.kind == "S" else " at 0x") >= 0).any())


def _cleaned(text: Any) -> Any:
    if isinstance(text, bytes):
        return without_addresses(text.decode("latin-1")).encode("latin-1")
    return without_addresses(text)


def with_clean_texts(make: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function whose result, or the labels of a table that it returns, are without places in memory."""

    @wraps(make)
    def call(*args: Any, **options: Any) -> Any:
        result = make(*args, **options)
        return _relabelled(result) if isinstance(result, (pd.DataFrame, pd.Series)) else clean_texts(result)

    return call


def clean_method(holder: Any, name: str) -> Callable[..., Any]:
    """A method of a table, a column or an array, the same way."""
    return with_clean_texts(getattr(holder, name))


def _relabelled(table: Any) -> Any:
    for axis in ("index", "columns") if isinstance(table, pd.DataFrame) else ("index",):
        labels = getattr(table, axis)
        if labels.dtype.kind == "O" and any(" at 0x" in part for label in labels for part in _texts_of(label)):
            setattr(table, axis, labels.map(_label))
    return table


def _texts_of(label: Any) -> list[str]:
    return [part for part in (label if type(label) is tuple else (label,)) if type(part) is str]


def _label(label: Any) -> Any:
    if type(label) is tuple:
        return tuple(map(_label, label))
    return without_addresses(label) if type(label) is str else label


def filling(texts: Any, _name: str) -> Callable[[Any], None]:
    """``fill``, into an array of texts as into any other."""
    return lambda value: store(texts, ..., value)


def store(holder: Any, key: Any, value: Any) -> None:
    """``holder[key] = value``."""
    into(holder)[key] = value


def into(holder: Any) -> Any:
    """Return what a cell writes items of: the holder, or what stands before an array of texts or dates; ``_into_``."""
    if type(holder) is np.ndarray and holder.dtype.kind in _TEXTS:
        return _Items(holder, _plain_texts)
    if type(holder) is np.ndarray and holder.dtype.kind == "M":
        return _Items(holder, settled_dates)
    return holder


class _Items:
    """Those of an array, each looked at before it is written."""

    __slots__ = ("_array", "_looked_at")

    def __init__(self, array: Any, looked_at: Callable[[Any, Any], Any]) -> None:
        self._array, self._looked_at = array, looked_at

    def __getitem__(self, key: Any) -> Any:
        return self._array[key]

    def __delitem__(self, key: Any) -> None:
        del self._array[key]

    def __setitem__(self, key: Any, value: Any) -> None:
        self._array[key] = self._looked_at(self._array, value)


told_as(_Items, "numpy.ndarray")


def _plain_texts(texts: Any, value: Any) -> Any:
    return value if type(value) in _PLAIN else clean_texts(np.asarray(value).astype(texts.dtype.char))


class _ArrayTextClass(type):
    def __instancecheck__(cls, value: Any) -> bool:
        return isinstance(value, np.str_)


class ArrayText(np.str_, metaclass=_ArrayTextClass):  # type: ignore[misc]
    """``np.str_`` in a cell."""

    def __new__(cls, value: Any = "") -> Any:
        """Return the text of a value."""
        return clean_texts(np.str_(value))


told_as(_ArrayTextClass, "type")
ArrayText.__name__ = ArrayText.__qualname__ = "str_"


class TextGuards:
    """What stands in the functions by which pandas makes texts, while a cell runs and at no other time."""

    def __init__(self) -> None:
        self._own_make, self._own_cast, self._own_find = lib.ensure_string_array, pd.Categorical.astype, Registry.find
        self._make, self._cast = _made_of(lib.ensure_string_array), with_clean_texts(pd.Categorical.astype)
        self._find = _finding(Registry.find)

    def enter(self) -> None:
        """Put the guards where pandas's functions are."""
        _LIB["ensure_string_array"] = _STRINGS["ensure_string_array"] = self._make
        pd.Categorical.astype = self._cast
        Registry.find = self._find

    def leave(self) -> None:
        """Put pandas's functions back."""
        _LIB["ensure_string_array"] = _STRINGS["ensure_string_array"] = self._own_make
        pd.Categorical.astype = self._own_cast
        Registry.find = self._own_find


def _made_of(own: Callable[..., Any]) -> Callable[..., Any]:
    def make(values: Any, *args: Any, **options: Any) -> Any:
        kinds = set(map(type, values.flat if isinstance(values, np.ndarray) else values))
        texts = own(values, *args, **options)
        if not kinds <= _PLAIN:
            for place, text in enumerate(texts.flat):
                if type(text) is str and " at 0x" in text:
                    texts.flat[place] = without_addresses(text)
        return texts

    return make


def _finding(own: Callable[..., Any]) -> Callable[..., Any]:
    """Return how pandas finds its type of a class: ``str`` of a cell is one to it only by its equal."""

    def find(registry: Any, dtype: Any) -> Any:
        if isinstance(dtype, StandIn) and dtype.stands_for is str:
            return pd.api.types.pandas_dtype(str)
        return own(registry, dtype)

    return find
