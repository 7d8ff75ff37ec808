"""Values without an identity that matters: numbers, texts, dates; each is written as it is, wherever it stands."""

from __future__ import annotations

import datetime as dt
import decimal
import math
import re
import uuid
import zoneinfo
from collections.abc import Collection
from typing import Any

import numpy as np
import pandas as pd

from cave_sim.entity.codecs import codec_named
from cave_sim.entity.json_form import ATOMS, FLOAT, TaggedForm
from cave_sim.entity.zones import read_zone, write_zone
from cave_sim.errors import Blocked, SchemaError
from cave_sim.policy.libraries.decimals import Decimal, own_decimal
from cave_sim.policy.libraries.ratios import Fraction

PLAIN = frozenset({str, int, float, bool, type(None)})
LARGE = 2**62
MAX_BITS = 4_096
MAX_TEXT_BYTES = 64 * 2**20


SHORT = 100
"""Texts of so many characters are most of what there is, and are not counted."""


def is_plain_scalar(value: Any) -> bool:
    """Say whether a number, a text, a boolean or None is its own plain data, without raising for one that is none."""
    kind = type(value)
    if kind is str:
        return len(value) < MAX_TEXT_BYTES and value.isascii()
    return kind is bool or value is None or (-LARGE < value < LARGE if kind is int else math.isfinite(value))


def are_plain_scalars(values: Collection[Any]) -> bool:
    """Say whether all of many values are; in a few calls, because most containers hold nothing else."""
    kinds = set(map(type, values))
    if not kinds <= PLAIN:
        return False
    if str in kinds:
        texts = list(_only(values, kinds, str))
        if sum(map(len, texts)) > SHORT * len(texts) or not "".join(texts).isascii():
            return False  # long ones are counted one by one
    if int in kinds and not -LARGE < min(_only(values, kinds, int)) <= max(_only(values, kinds, int)) < LARGE:
        return False
    return float not in kinds or all(map(math.isfinite, _only(values, kinds, float)))


def _only(values: Collection[Any], kinds: set[type], kind: type) -> Collection[Any]:
    return values if len(kinds) == 1 else [value for value in values if type(value) is kind]


def write_scalar(value: Any) -> Any:
    """Return a scalar as plain data, and any other value as it is; raises SchemaError for a scalar that has no form."""
    kind = type(value)
    if kind is str:
        return _storable(value)
    if kind is bool or value is None:
        return value
    if kind is int:
        if value.bit_length() > MAX_BITS:
            raise SchemaError(f"an integer of {value.bit_length():,} bits; at most {MAX_BITS:,} are kept")
        return value
    if kind is float:
        return value if math.isfinite(value) else FLOAT.write(value)
    form = _BY_KIND.get(kind)
    if form is None:
        return {"$number": _number(value)} if isinstance(value, np.generic) else value
    return form.write(value)


def _storable(text: str) -> str:
    if len(text) > MAX_TEXT_BYTES:
        raise SchemaError(f"a text of {len(text):,} characters is too long to be kept")
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            raise SchemaError("a text with a lone surrogate cannot be kept") from None
    return text


def _number(value: Any) -> Any:
    return codec_named("ndarray").snapshot(np.asarray(value))


def _read_number(data: Any) -> Any:
    return codec_named("ndarray").restore(data)[()]


def _bounded_bytes(form: TaggedForm) -> TaggedForm:
    def encode(value: bytes) -> Any:
        if len(value) > MAX_TEXT_BYTES:
            raise SchemaError(f"{len(value):,} bytes are too many to be kept")
        return form.encode(value)

    return TaggedForm(form.tag, form.kind, encode, form.decode)


def _bounded_decimal(value: decimal.Decimal) -> Any:
    try:
        return own_decimal(value)
    except Blocked as error:
        raise SchemaError(str(error)) from None


def _stamp(value: Any) -> Any:
    zone = None if value.tz is None else write_zone(value.tz)
    return [int(value.asm8.astype("int64")), value.unit, zone]


def _read_stamp(data: Any) -> Any:
    number, unit, zone = data
    moment = pd.Timestamp(np.array(int(number)).astype(f"M8[{unit}]")[()])
    return moment if zone is None else moment.tz_localize("UTC").tz_convert(read_zone(zone))


def _read_scalar(data: Any) -> Any:
    if type(data) is not dict:
        return data
    ((tag, content),) = data.items()
    return SCALARS[tag](content)


def _pattern(value: re.Pattern[Any]) -> Any:
    """A pattern is what it says: Python may hand out one object for two, and may not."""
    if type(value.pattern) is not str:
        raise SchemaError("a pattern of bytes cannot be kept; use one of text")
    return [_storable(value.pattern), value.flags]


def _nothing(data: Any, value: Any) -> Any:
    if data is not True:
        raise ValueError("takes true")
    return value


_EXACT = (
    TaggedForm("$decimal", Decimal, str, Decimal),
    TaggedForm("$decimal", decimal.Decimal, lambda value: str(_bounded_decimal(value)), Decimal),
    TaggedForm("$fraction", Fraction, lambda value: [write_scalar(value.numerator), write_scalar(value.denominator)],
         lambda data: Fraction(int(data[0]), int(data[1]))),
    TaggedForm("$uuid", uuid.UUID, str, uuid.UUID),
    *(TaggedForm("$zone", kind, write_zone, read_zone) for kind in (dt.timezone, zoneinfo.ZoneInfo)),
    TaggedForm("$pattern", re.Pattern, _pattern, lambda data: re.compile(data[0], int(data[1]))),
    TaggedForm("$timestamp", pd.Timestamp, _stamp, _read_stamp),
    TaggedForm("$elapsed", pd.Timedelta, lambda span: [int(span.asm8.astype("int64")), span.unit],
         lambda data: pd.Timedelta(np.array(int(data[0])).astype(f"m8[{data[1]}]")[()])),
    TaggedForm("$period", pd.Period, lambda period: [int(period.ordinal), period.freqstr],
         lambda data: pd.Period(ordinal=int(data[0]), freq=str(data[1]))),
    TaggedForm("$interval", pd.Interval,
               lambda interval: [write_scalar(interval.left), write_scalar(interval.right), interval.closed],
               lambda data: pd.Interval(_read_scalar(data[0]), _read_scalar(data[1]), str(data[2]))),
    TaggedForm("$nat", type(pd.NaT), lambda _: True, lambda data: _nothing(data, pd.NaT)),
    TaggedForm("$na", type(pd.NA), lambda _: True, lambda data: _nothing(data, pd.NA)),
    TaggedForm("$ellipsis", type(Ellipsis), lambda _: True, lambda data: _nothing(data, Ellipsis)),
    TaggedForm("$unimplemented", type(NotImplemented), lambda _: True, lambda data: _nothing(data, NotImplemented)),
)  # fmt: skip
_ATOMS = tuple(_bounded_bytes(form) if form.kind is bytes else form for form in ATOMS)
_BY_KIND = {form.kind: form for form in (*_ATOMS, *_EXACT)}
SCALARS = {form.tag: form.decode for form in (*_ATOMS, *_EXACT, FLOAT)} | {"$number": _read_number}
"""Tag -> what reads it back."""
