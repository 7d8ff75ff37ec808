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
