"""Parts of an array and of a table, found in plain data; loaded where a run has them, since few do."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd

from cave_sim.entity.codecs import codec_named
from cave_sim.entity.json_form import FLOAT
from cave_sim.history.path_steps import GONE, Step, is_named

MOST_ROWS = 32
"""Of an array that is shown to people."""


def array_part(data: dict[str, Any], steps: tuple[Step, ...]) -> Any:
    """Return the item, or the part, of an array that steps lead to; :data:`GONE` if there is nothing."""
    codec = codec_named(np.ndarray.__name__)
    place = tuple(index for step in steps for index in (step if isinstance(step, tuple) else (step,)))
    try:
        value = codec.restore(data)[place]
    except (IndexError, TypeError, ValueError):
        return GONE
    return codec.snapshot(value) if isinstance(value, np.ndarray) else _plain_item(value.item())


def first_items(data: dict[str, Any]) -> list[Any]:
    """Return the items of an array, or of its first rows, as nested lists; empty if it is none after all."""
    try:
        return list(np.atleast_1d(codec_named(np.ndarray.__name__).restore(data))[:MOST_ROWS].tolist())
    except (TypeError, ValueError):
        return []


def first_rows(data: dict[str, Any]) -> dict[str, Any]:
    """Return the first rows of a table, as a list for each column; empty if it is none after all."""
    try:
        table = codec_named(pd.DataFrame.__name__).restore(data)[:MOST_ROWS]
    except (KeyError, TypeError, ValueError):
        return {}
    return {
        str(name): [item if isinstance(item, float) else _plain_item(item) for item in items]
        for name, items in table.to_dict("list").items()
    }


def table_part(data: dict[str, Any], steps: tuple[Step, ...]) -> Any:
    """Return a column of a table, or its item in a row, that steps lead to; :data:`GONE` if there is nothing."""
    table = codec_named(pd.DataFrame.__name__).restore(data)
    name = next((name for name in table.columns if is_named(name, steps[0])), GONE)
    if name is GONE:
        return GONE
    items = [_plain_item(item) for item in table[name].tolist()]
    if len(steps) == 1:
        return items
    rows = [row for row, label in enumerate(table.index.tolist()) if is_named(label, steps[1])]
    return items[rows[0]] if rows else GONE


def _plain_item(item: Any) -> Any:
    """Return an item of an array or a table as plain data."""
    if isinstance(item, float) and not math.isfinite(item):
        return FLOAT.write(item)
    return item if item is None or isinstance(item, (bool, int, float, str)) else str(item)
