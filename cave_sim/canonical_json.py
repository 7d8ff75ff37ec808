"""The compact JSON that digests and files are made of."""

from __future__ import annotations

import json
from typing import Any

import msgspec


def to_json(data: Any, *, sort: bool = False) -> bytes:
    """Return compact JSON; integers beyond 64 bits are written by the standard library."""
    try:
        return msgspec.json.encode(data, order="deterministic" if sort else None)
    except (TypeError, OverflowError):
        return json.dumps(data, sort_keys=sort, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()


def same_json(one: Any, other: Any, *, ordered: bool = True) -> bool:
    """Say whether plain data is written alike; ``==`` overlooks the kind of a number and the order of keys.

    Args:
        one: plain data.
        other: what it is compared with.
        ordered: whether the order of keys counts.
    """
    if one != other or type(one) is not type(other):
        return False
    is_nested = isinstance(one, (list, dict, tuple))
    return not is_nested or to_json(one, sort=not ordered) == to_json(other, sort=not ordered)
