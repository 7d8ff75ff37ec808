"""Python's own functions as cells have them: they end, and say the same in every process."""

from __future__ import annotations

import dataclasses
import datetime as dt
import enum
import numbers
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import repeat
from typing import Any

import numpy as np
import pandas as pd

from cave_sim.determinism.random_streams import draw
from cave_sim.errors import Blocked
from cave_sim.policy.libraries.cell_classes import OWN_CLASSES, hash_under, is_generated
from cave_sim.policy.libraries.formats import checked_format
from cave_sim.policy.text_cleaning import clean, without_addresses

MAX_DIGITS = 400


def endless_ticks() -> Callable[[], None]:
    """Return a tick that never runs out, for code that runs outside a turn."""
    return repeat(None).__next__


def ticking_iter(tick: Callable[[], None]) -> Callable[..., Iterator[Any]]:
    """Return ``iter``, whose form of two arguments, which may never end, spends a tick for each call."""

    def until(function: Callable[[], Any], sentinel: Any) -> Iterator[Any]:
        while True:
            tick()
            item = function()
            if item == sentinel:
                return
            yield item

    def iter_(*of: Any) -> Iterator[Any]:
        return until(*of) if len(of) == 2 else iter(*of)

    iter_.__name__ = iter_.__qualname__ = "iter"
    return iter_


def bounded_round(number: Any, ndigits: int | None = None) -> Any:
    """``round``, refused where it would compute a power of ten without end."""
    if ndigits is not None and abs(ndigits) > MAX_DIGITS:
        raise Blocked(f"round to {ndigits} digits; at most {MAX_DIGITS}")
    return round(number, ndigits)


def format_text(value: Any, spec: str = "") -> str:
    """``format``, and what an f-string with a computed format calls.

    It is called in a way that Python never makes short: what a cell nests as deep as it may would else be told here or
    not by how often this line ran.
    """
    return clean(format(*(value, checked_format(spec))))


def stable_hash(value: Any) -> int:
    """``hash`` that is the same in every process, and the same of equal values.

    Numbers have the hash that Python gives them, and so have tuples and dataclasses made of numbers. All else
    has one of what it shows.
    """
    hash(value)  # raises where there is none
    kind = type(value)
    if kind in OWN_CLASSES and not isinstance(value, enum.Enum) and hash_under(kind.__hash__) is kind.__hash__:
        raise TypeError(f"a {kind.__name__} has no hash that repeats; define __hash__, or use a key")
    return _hash_of(value)


def _hash_of(value: Any) -> int:
    kind = type(value)
    if kind in OWN_CLASSES and (own := hash_under(kind.__hash__)) is not kind.__hash__:
        return _hash_of_fields(value) if is_generated(own) else hash(value)  # the cell's own
    if isinstance(value, (np.datetime64, np.timedelta64)):
        return draw(kind.__name__, repr(_in_largest_unit(value))) >> 3
    if isinstance(value, (numbers.Number, np.bool_)):
        return hash(value) if value == value else 0
    if isinstance(value, tuple):
        return hash(tuple(map(_hash_of, value)))
    if isinstance(value, frozenset):
        return hash(frozenset(map(_hash_of, value)))
    if type(value) is range:
        return _hash_of((len(value), *value[:1], *(value[1:2] and (value.step,))))
    if isinstance(value, (dt.datetime, dt.time, dt.timedelta)):
        value = _without_form(value)
        return draw(type(value).__name__, repr(value)) >> 3
    if isinstance(value, str):
        return draw("str", without_addresses(repr(str(value)))) >> 3
    return draw(kind.__name__, without_addresses(repr(value))) >> 3


def _in_largest_unit(value: Any) -> Any:
    """Return a moment or a span of numpy's in the largest unit that it is whole in, as all of its equals are."""
    letter = value.dtype.kind
    for unit in _UNITS:
        if np.can_cast(f"{letter}8[{unit}]", value.dtype) or np.can_cast(value.dtype, f"{letter}8[{unit}]"):
            coarse = value.astype(f"{letter}8[{unit}]")
            if coarse == value:
                return coarse
    return value


_UNITS = "Y M W D h m s ms us ns ps fs as".split()


def _without_form(value: Any) -> Any:
    """Return a moment or a span as its equals are told: in one zone, without a fold, of Python's class where it can."""
    with suppress(ValueError, OverflowError):  # past the years that Python counts, where none of its own is equal
        if isinstance(value, pd.Timestamp) and not value.nanosecond:
            value = value.to_pydatetime()
        elif isinstance(value, pd.Timedelta) and not value.nanoseconds:
            value = value.to_pytimedelta()
    if value is pd.NaT or isinstance(value, dt.timedelta):
        return value
    value = value.replace(fold=0)
    offset = value.utcoffset()
    if offset is None:
        return value
    if isinstance(value, dt.time):
        return dt.timedelta(hours=value.hour, minutes=value.minute, seconds=value.second) - offset, value.microsecond
    try:
        return value.astimezone(dt.UTC)
    except OverflowError:  # at either end of the calendar, where nothing else is equal to it
        return value


def _hash_of_fields(value: Any) -> int:
    counted = (each for each in dataclasses.fields(value) if (each.compare if each.hash is None else each.hash))
    return _hash_of(tuple(getattr(value, each.name) for each in counted))


def clean_repr(value: Any) -> str:
    """``repr``, which tells no place in memory and hides no character."""
    return clean(repr(value))


def clean_ascii(value: Any) -> str:
    """``ascii``, likewise."""
    return clean(ascii(value))
