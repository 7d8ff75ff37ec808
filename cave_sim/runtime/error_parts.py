"""What an error holds, as text that Python's and numpy's own code writes: nothing that a cell wrote may run here."""

from __future__ import annotations

import datetime as dt
import decimal
from collections.abc import Collection, Iterator
from itertools import islice
from typing import Any

import numpy as np
import pandas as pd

from cave_sim.diagnostics.plurals import article, counted
from cave_sim.entity.values import StableFrozenSet, StableSet
from cave_sim.policy.libraries.decimals import Decimal

PLAIN: frozenset[type] = frozenset({str, int, float, bool, type(None), bytes})
MAX_VALUES = 20
"""How many values within one part are written."""
MAX_TEXT_CHARS = 200
"""How much of a text within another value is written."""
MAX_BITS = 2_000

_SEQUENCES: dict[type, tuple[str, str]] = {tuple: ("(", ")"), list: ("[", "]")}
_SETS: dict[type, type] = {set: set, StableSet: set, frozenset: frozenset, StableFrozenSet: frozenset}
_DATES = frozenset({dt.date, dt.datetime, dt.time, pd.Timestamp})
_TEXTS = frozenset({str, bytes, np.str_, np.bytes_})
_NUMPY = frozenset({*np.sctypeDict.values()}) - {np.object_, np.void}
_WRITTEN_IN_C = PLAIN | _DATES | _NUMPY | {complex, decimal.Decimal, Decimal, dt.timedelta, np.ufunc}


def is_plain(part: Any) -> bool:
    """Say whether Python itself may write a value; of a long whole number, it refuses to."""
    return type(part) in PLAIN and (type(part) is not int or part.bit_length() <= MAX_BITS)


def text_of_part(part: Any) -> str:
    """Return what is told of a value that an error was made with: the value, or else of what kind it is."""
    return part if type(part) is str else _written(part, [MAX_VALUES])


def text_of_key(key: Any) -> str:
    """Return what is told of a key that is nowhere, behind ``there is no``."""
    text, kind = text_of_part(key), type(key).__name__
    return f"such {kind}" if text.startswith(article(kind)) else text


def text_of_numpy(error: BaseException, args: tuple[Any, ...]) -> str | None:
    """Return the text of an error that numpy makes of its functions and types; None for any other."""
    is_of_numpy = type(error).__module__ == "numpy._core._exceptions"
    return str(error) if is_of_numpy and _is_of_numpy((args, *vars(error).values())) else None


def _is_of_numpy(part: Any) -> bool:
    if type(part) is tuple:
        return all(map(_is_of_numpy, part))
    return type(part) in PLAIN or type(part) is np.ufunc or _is_simple_dtype(part)


def _is_simple_dtype(value: Any) -> bool:
    return isinstance(value, np.dtype) and value.names is None and value.metadata is None and value.subdtype is None


def _written(value: Any, room: list[int]) -> str:
    """Return how a value is written, as long as there is room for one more."""
    kind = type(value)
    room[0] -= 1
    if kind in _WRITTEN_IN_C:
        return _written_in_c(value, kind)
    if kind in _SEQUENCES:
        first, last = _SEQUENCES[kind]
        only = "," if kind is tuple and len(value) == 1 else ""
        return f"{first}{_listed(value, _each(value, room))}{only}{last}"
    if kind is dict:
        items = islice(value.items(), max(room[0], 0))  # looks up no key: its hash may be a cell's own
        pairs = (f"{_written(key, room)}: {_written(each, room)}" for key, each in items)
        return f"{{{_listed(value, pairs)}}}"
    if kind in _SETS:
        return _of_set(value, _SETS[kind])
    if _is_simple_dtype(value):
        return repr(value)
    return f"<class {value.__name__!r}>" if kind is type else article(kind.__name__)


def _written_in_c(value: Any, kind: type) -> str:
    if kind in _TEXTS and len(value) > MAX_TEXT_CHARS:
        return f"{value[:MAX_TEXT_CHARS]!r}..."
    if kind is int and value.bit_length() > MAX_BITS:
        return f"an int of {value.bit_length():,} bits"
    zone = getattr(value, "tzinfo", None) if kind in _DATES else None
    if zone is not None and zone is not dt.UTC:
        return article(kind.__name__)  # its zone may be anybody's
    return repr(value)


def _each(values: Any, room: list[int]) -> Iterator[str]:
    for value in values:
        if room[0] <= 0:
            return
        yield _written(value, room)


def _listed(values: Collection[Any], written: Iterator[str]) -> str:
    """Return values as far as there was room for them."""
    texts = [*written]
    return ", ".join(texts if len(texts) == len(values) else [*texts, "..."])


def _of_set(values: Any, plain: type) -> str:
    """Return a small set of simple values in the order of their texts: its own follows the salt of hashes."""
    items = [*plain.__iter__(values)] if len(values) <= MAX_VALUES else []  # type: ignore[attr-defined]
    if not items or not all(type(item) in _WRITTEN_IN_C for item in items):
        return f"{article(plain.__name__)} of {counted(len(values), 'item')}"
    text = f"{{{', '.join(sorted(_written_in_c(item, type(item)) for item in items))}}}"
    return f"frozenset({text})" if plain is frozenset else text
