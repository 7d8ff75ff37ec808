"""The compact JSON that digests and files are made of."""

from __future__ import annotations

import json
from math import copysign
from typing import Any

import msgspec

ESCAPING = "backslashreplace"
"""How JSON is encoded where it may name a folder that is no UTF-8; :func:`from_json` gives that name back."""
_AS_IT_IS = msgspec.json.Encoder().encode
TOO_DEEP = "this JSON nests too deeply"
_SORTED = msgspec.json.Encoder(order="deterministic").encode


def to_json(data: Any, *, sort: bool = False) -> bytes:
    """Return compact JSON; integers beyond 64 bits, and folders that are no UTF-8, the standard library writes."""
    try:
        return _SORTED(data) if sort else _AS_IT_IS(data)
    except (TypeError, OverflowError, UnicodeEncodeError):
        text = json.dumps(data, sort_keys=sort, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
        return text.encode(errors=ESCAPING)


def from_json(text: str | bytes) -> Any:
    """Return what JSON says; what only the standard library reads, such as ``NaN`` and half a surrogate, it reads.

    Raises:
        ValueError, TypeError: it is none, or nests deeper than Python can follow.
    """
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError:
        pass
    except RecursionError:
        raise ValueError(TOO_DEEP) from None
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError(TOO_DEEP) from None


def same_scalar(one: Any, other: Any) -> bool:
    """Say whether two scalars are written alike: ``1`` and ``1.0`` are not, nor are ``0.0`` and ``-0.0``."""
    if one != other or type(one) is not type(other):
        return False
    return bool(one) or type(one) is not float or copysign(1.0, one) == copysign(1.0, other)


def same_json(one: Any, other: Any) -> bool:
    """Say whether plain data is written alike; ``==`` overlooks the kind of a number and the order of keys.

    Args:
        one: plain data.
        other: what it is compared with.
    """
    if one != other or type(one) is not type(other):
        return False
    if one and type(one) in _ALIKE_IF_EQUAL:
        return True
    return to_json(one) == to_json(other)


_ALIKE_IF_EQUAL = frozenset({int, float, str, bool})
"""Types whose equal values are written alike, but for zero: there are two of them among floats."""
