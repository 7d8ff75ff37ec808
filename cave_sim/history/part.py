"""A part of a value, found in plain data: an item of a list, a key below a key, a node or an edge of a graph."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from cave_sim.entity.codecs import codec_named
from cave_sim.entity.json_form import FLOAT, SET, TUPLE, read_pairs, referenced, tag_of

Step = Any
"""A text, a whole number, or several of them as a tuple: what stands between the dots and in the brackets."""
GONE = object()
"""Stands for the value of a part that is not there."""

QUOTED = r"""(?:"[^"]*"|'[^']*'|[^\]"'])"""
STEP = re.compile(rf"""\.?([^.\[\]]+)|\.?\[({QUOTED}*)\]|(.)""", re.DOTALL)
NODES, EDGES = ("nodes", "node"), ("edges", "edge")
PLURAL = {"node": "nodes", "edge": "edges"}
GRAPH = {"directed", "graph", "nodes", "edges"}
ARRAY = {"dtype", "shape", "base64"}
MOST_ROWS = 32
"""Of an array that is shown to people."""
TABLE = {"columns", "index", "index_name"}


def steps_of(text: str) -> tuple[Step, ...]:
    """Return the steps of ``.plan["18:00"]``, ``[3].name``, ``.nodes["ann"]``, ``.edges["ann", "bob"]``.

    Raises:
        ValueError: a bracket is not closed.
    """
    return tuple(_steps(text))


def _steps(text: str) -> Iterator[Step]:
    for name, inside, rest in STEP.findall(text):
        if rest:
            raise ValueError(f"{text!r} has an open bracket, or a dot too many")
        yield name or _inside(inside)


def _inside(text: str) -> Step:
    """Return what stands in brackets: a literal of Python's, or else a text whose quotation marks were left away."""
    try:
        found = ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return text
    return found if isinstance(found, (str, int, tuple)) else text


def part(data: Any, steps: tuple[Step, ...]) -> Any:
    """Return what plain data holds at the end of some steps; :data:`GONE` if there is nothing."""
    for at, step in enumerate(steps):
        if isinstance(data, dict):
            if data.keys() >= GRAPH:
                return _graph_part(data, steps[at:])
            if data.keys() == ARRAY:
                return _array_part(data, steps[at:])
            if data.keys() == TABLE:
                return _table_part(data, steps[at:])
        data = _item(data, step)
        if data is GONE:
            break
    return data


def concerns(below: tuple[Any, ...], steps: tuple[Step, ...]) -> bool:
    """Say whether a change of what lies ``below`` a field may change the part at the end of some steps."""
    if len(below) < 2:  # of the whole field, or of a key
        return not below or _is(below[0], steps[0])
    if len(steps) < 2:
        return True
    named = steps[1:2] if steps[0] in NODES else _ends(steps[1:])[0]
    return all(any(_is(key, name) for name in named) for key in below[1:])


def _item(data: Any, step: Step) -> Any:
    """Return what a dict has under a key, a list at a position, or a set or list if it is in it."""
    if isinstance(data, dict) and (tag := tag_of(data)) in (TUPLE, SET):
        data = data[tag]
    if isinstance(data, dict):
        return next((value for key, value in read_pairs(data) if _is(key, step)), GONE)
    if not isinstance(data, list):
        return GONE
    if type(step) is int:
        return data[step] if -len(data) <= step < len(data) else GONE
    return next((item for item in data if _is(item, step)), GONE)


def _graph_part(data: dict[str, Any], steps: tuple[Step, ...]) -> Any:
    kind, rest = steps[0], steps[1:]
    if kind not in NODES + EDGES or not rest:
        return part(data.get(PLURAL.get(str(kind), str(kind)), GONE), rest)
    if kind in NODES:
        return part(next((found for key, found in data["nodes"] if _is(key, rest[0])), GONE), rest[1:])
    ends, below = _ends(rest)
    for one, other, attributes in data["edges"]:
        if _are((one, other), ends) or (not data["directed"] and _are((other, one), ends)):
            return part(attributes, below)
    return GONE


def _ends(steps: tuple[Step, ...]) -> tuple[tuple[Step, ...], tuple[Step, ...]]:
    """Return the two ends of the edge that steps begin with, ``["ann", "bob"]`` or ``.ann.bob``, and what follows."""
    both = steps[0]
    return (both, steps[1:]) if isinstance(both, tuple) and len(both) == 2 else (steps[:2], steps[2:])


def _are(keys: tuple[Any, ...], steps: tuple[Step, ...]) -> bool:
    return len(keys) == len(steps) and all(map(_is, keys, steps))


def _array_part(data: dict[str, Any], steps: tuple[Step, ...]) -> Any:
    codec = codec_named(np.ndarray.__name__)
    place = tuple(index for step in steps for index in (step if isinstance(step, tuple) else (step,)))
    try:
        found = codec.restore(data)[place]
    except (IndexError, TypeError, ValueError):
        return GONE
    return codec.snapshot(found) if isinstance(found, np.ndarray) else _plain_item(found.item())


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


def _table_part(data: dict[str, Any], steps: tuple[Step, ...]) -> Any:
    table = codec_named(pd.DataFrame.__name__).restore(data)
    name = next((name for name in table.columns if _is(name, steps[0])), GONE)
    if name is GONE:
        return GONE
    items = [_plain_item(item) for item in table[name].tolist()]
    if len(steps) == 1:
        return items
    rows = [row for row, label in enumerate(table.index.tolist()) if _is(label, steps[1])]
    return items[rows[0]] if rows else GONE


def _plain_item(item: Any) -> Any:
    """Return an item of an array or a table as plain data."""
    if isinstance(item, float) and not math.isfinite(item):
        return FLOAT.write(item)
    return item if item is None or isinstance(item, (bool, int, float, str)) else str(item)


def _is(key: Any, step: Step) -> bool:
    """Say whether a key, as plain data, is the one that a step names."""
    key = _plain(key)
    return bool(key == step) if isinstance(step, tuple) or isinstance(key, tuple) else str(key) == str(step)


def _plain(key: Any) -> Any:
    """Return a key as steps name it: a reference by the entity's name, a list as a tuple."""
    if isinstance(key, dict):
        name = referenced(key)
        return tuple(map(_plain, key.get(TUPLE, ()))) if name is None else name
    return tuple(map(_plain, key)) if isinstance(key, list) else key
