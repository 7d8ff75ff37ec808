"""A part of a value, found in plain data: an item of a list, a key below a key, a node or an edge of a graph."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from cave_sim.entity.json_form import SET, TUPLE, read_pairs, tag_of
from cave_sim.history.path_steps import GONE, Step, is_named

NODES, EDGES = ("nodes", "node"), ("edges", "edge")
PLURAL = {"node": "nodes", "edge": "edges"}
GRAPH = {"directed", "graph", "nodes", "edges"}
ARRAY = {"dtype", "shape", "base64"}
TABLE = {"columns", "index", "index_name"}


def array_parts() -> Any:
    """Return what looks into arrays and tables: :mod:`cave_sim.history.array_parts`, loaded when it is asked for."""
    return import_module("cave_sim.history.array_parts")


def part(data: Any, steps: tuple[Step, ...]) -> Any:
    """Return what plain data holds at the end of some steps; :data:`GONE` if there is nothing."""
    for at, step in enumerate(steps):
        if isinstance(data, dict):
            if data.keys() >= GRAPH:
                return _graph_part(data, steps[at:])
            if data.keys() == ARRAY:
                return array_parts().array_part(data, steps[at:])
            if data.keys() == TABLE:
                return array_parts().table_part(data, steps[at:])
        data = _item(data, step)
        if data is GONE:
            break
    return data


def concerns(below: tuple[Any, ...], steps: tuple[Step, ...]) -> bool:
    """Say whether a change of what lies ``below`` a field may change the part at the end of some steps."""
    if len(below) < 2:  # of the whole field, or of a key
        return not below or is_named(below[0], steps[0])
    if len(steps) < 2:
        return True
    named = steps[1:2] if steps[0] in NODES else _ends(steps[1:])[0]
    return all(any(is_named(key, name) for name in named) for key in below[1:])


def _item(data: Any, step: Step) -> Any:
    """Return what a dict has under a key, a list at a position, or a set or list if it is in it."""
    if isinstance(data, dict) and (tag := tag_of(data)) in (TUPLE, SET):
        data = data[tag]
    if isinstance(data, dict):
        return next((value for key, value in read_pairs(data) if is_named(key, step)), GONE)
    if not isinstance(data, list):
        return GONE
    if type(step) is int:
        return data[step] if -len(data) <= step < len(data) else GONE
    return next((item for item in data if is_named(item, step)), GONE)


def _graph_part(data: dict[str, Any], steps: tuple[Step, ...]) -> Any:
    kind, rest = steps[0], steps[1:]
    if kind not in NODES + EDGES or not rest:
        return part(data.get(PLURAL.get(str(kind), str(kind)), GONE), rest)
    if kind in NODES:
        return part(next((node for key, node in data["nodes"] if is_named(key, rest[0])), GONE), rest[1:])
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
    return len(keys) == len(steps) and all(map(is_named, keys, steps))
