"""Arrays and tables of injected objects that hold Python's own objects, as a turn leaves them: of a cell, only data."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd

OBJECTS = np.dtype(object)
Put = Callable[[int, Any], None]
"""Sets the item at a place."""


def holds_objects(value: Any) -> bool:
    """Say whether a value is an array or a table with room for whatever Python has."""
    if isinstance(value, np.ndarray):
        return bool(value.dtype == OBJECTS)
    if isinstance(value, pd.DataFrame):
        return any(dtype == OBJECTS for dtype in value.dtypes)
    return isinstance(value, pd.Series) and value.dtype == OBJECTS


def objects_of(value: Any) -> Iterator[Any]:
    """Yield the objects that an array or a table holds."""
    for items, _ in _columns(value):
        yield from items


def took_out(value: Any, may_stay: Callable[[Any], bool]) -> bool:
    """Set what may not stay in an array or a table to None; returns whether there was any."""
    taken = False
    for items, put in _columns(value):
        for at, item in enumerate(items):
            if not may_stay(item):
                put(at, None)
                taken = True
    return taken


def _columns(value: Any) -> Iterator[tuple[list[Any], Put]]:
    if isinstance(value, np.ndarray):
        if value.dtype == OBJECTS:
            yield list(value.flat), lambda at, item: value.flat.__setitem__(at, item)
    elif isinstance(value, pd.Series):
        if value.dtype == OBJECTS:
            yield list(value.array), lambda at, item: value.iloc.__setitem__(at, item)
    else:
        for place, dtype in enumerate(value.dtypes):
            if dtype == OBJECTS:
                column = list(value.iloc[:, place].array)
                yield column, lambda at, item, place=place: value.iloc.__setitem__((at, place), item)  # type: ignore[misc]
