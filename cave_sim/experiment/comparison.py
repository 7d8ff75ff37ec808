"""Native objects as plain data for comparison: floats within a relative tolerance, everything else exactly."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from cave_sim.entity.entity import Entity, encode_fields

BREADTH = 1e-6
"""Relative and absolute tolerance within which two floats count as equal."""


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


def parts(value: Any) -> dict[str, Any]:
    """Return the public attributes of an object of a user-defined class, as plain data."""
    attributes = getattr(value, "__dict__", {})
    return {name: plain(part) for name, part in attributes.items() if not name.startswith("_")}


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


def difference(expected: Mapping[str, Any], actual: Mapping[str, Any]) -> str:
    """Return a description of the first difference; "" if there is none."""
    for path in sorted(expected.keys() | actual.keys()):
        if path not in actual:
            return f"{path} is missing"
        if path not in expected:
            return f"{path} is unexpected"
        if not same(expected[path], actual[path]):
            return f"{path} is {_short(actual[path])}, not {_short(expected[path])}"
    return ""


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."
