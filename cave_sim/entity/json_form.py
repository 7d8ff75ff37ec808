"""The JSON form of values that JSON has no notation for: an object whose first key is a tag, ``{"$tuple": [1, 2]}``.

A dict whose own keys could pass for tags is written as pairs, ``{"$items": [[key, value], ...]}``; so an object with a
tag never stands for itself. Reading runs no code.
"""

from __future__ import annotations

import base64
import datetime as dt
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

from cave_sim.entity.zones import read_time, write_time

REF = "$ref"
"""Holds the name of an entity."""
TUPLE = "$tuple"
"""Holds the items of a tuple."""
SET = "$set"
"""Holds the items of a set, in sorted order."""
ITEMS = "$items"
"""Holds the pairs of a dict whose keys are not all texts that JSON can have as keys."""


@dataclass(frozen=True, slots=True)
class TaggedForm:
    """How the values of one type are written.

    Attributes:
        tag: what marks them.
        kind: their type.
        encode: value -> what stands behind the tag; raises SchemaError for a value that would not come back the same.
        decode: what stands behind the tag -> value; raises ValueError, TypeError or OverflowError if it is malformed.
    """

    tag: str
    kind: type
    encode: Callable[[Any], Any]
    decode: Callable[[Any], Any]

    def write(self, value: Any) -> dict[str, Any]:
        """Return a value in its form; of containers, the items must be written already."""
        return {self.tag: self.encode(value)}


def _read_float(text: Any) -> float:
    number = float(text)
    return math.nan if math.isnan(number) else number  # one object: `nan in xs` asks which it is, since none is equal


FLOAT = TaggedForm("$float", float, str, _read_float)
"""For infinities and NaN alone; JSON has the other numbers."""
ATOMS = (
    TaggedForm("$date", dt.date, dt.date.isoformat, dt.date.fromisoformat),
    TaggedForm("$datetime", dt.datetime, write_time, partial(read_time, dt.datetime)),
    TaggedForm("$time", dt.time, write_time, partial(read_time, dt.time)),
    TaggedForm("$timedelta", dt.timedelta, lambda span: [span.days, span.seconds, span.microseconds],
         lambda parts: dt.timedelta(*parts)),
    TaggedForm("$bytes", bytes, lambda value: base64.b64encode(value).decode("ascii"),
         lambda text: base64.b64decode(text, validate=True)),
    TaggedForm("$range", range, lambda value: [value.start, value.stop, value.step], lambda parts: range(*parts)),
    TaggedForm("$complex", complex, str, complex),
)  # fmt: skip
"""Values that hold no others. A world has no room for them; the variables of cells do."""


def tag_of(data: Any) -> str:
    """Return the tag of plain data; empty if it stands for itself."""
    first = next(iter(data), "") if isinstance(data, dict) else ""
    return first if first[:1] == "$" else ""


def is_key(key: Any) -> bool:
    """Say whether JSON can hold an item under a key as it is."""
    return type(key) is str and key[:1] != "$"


def write_pairs(pairs: Iterable[Any], is_plain: bool) -> dict[str, Any]:
    """Return the form of a dict.

    Args:
        pairs: its keys and items, both written already.
        is_plain: whether :func:`is_key` holds for every key.
    """
    return dict(pairs) if is_plain else {ITEMS: [[key, item] for key, item in pairs]}


def read_pairs(data: dict[str, Any]) -> Iterable[Any]:
    """Return the pairs of a dict from its form, keys and items as they are written."""
    return data[ITEMS] if ITEMS in data else data.items()


def read_world_value(data: Any, reference: Callable[[str], Any]) -> Any:
    """Return the value of a field from its form, without knowing how the field was declared; sets come as lists.

    Args:
        data: as a snapshot or a change has it.
        reference: name of an entity -> what is to stand for a reference to it.
    """

    def read(data: Any) -> Any:
        if isinstance(data, list):
            return [read(item) for item in data]
        tag = tag_of(data)
        if tag == REF:
            return reference(data[REF])
        if tag == ITEMS:
            return {read(key): read(item) for key, item in data[ITEMS]}
        if tag in (TUPLE, SET):
            items = [read(item) for item in data[tag]]
            return tuple(items) if tag == TUPLE else items
        return {key: read(item) for key, item in data.items()} if isinstance(data, dict) else data

    return read(data)


def referenced(data: Any) -> str | None:
    """Return the name of the entity that plain data refers to; None if it is no reference."""
    return str(data[REF]) if tag_of(data) == REF else None
