"""The steps of a path below a field, as people write them, ``.plan["18:00"]``, and what each of them names."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

from cave_sim.entity.json_form import TUPLE, referenced

Step = Any
"""A text, a whole number, or several of them as a tuple: what stands between the dots and in the brackets."""
GONE = object()
"""Stands for the value of a part that is not there."""

QUOTED = r"""(?:"[^"]*"|'[^']*'|[^\]"'])"""
STEP = re.compile(rf"""\.?([^.\[\]]+)|\.?\[({QUOTED}*)\]|(.)""", re.DOTALL)


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
        key = ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return text
    return key if isinstance(key, (str, int, tuple)) else text


def is_named(key: Any, step: Step) -> bool:
    """Say whether a key, as plain data, is the one that a step names."""
    key = _plain(key)
    return bool(key == step) if isinstance(step, tuple) or isinstance(key, tuple) else str(key) == str(step)


def _plain(key: Any) -> Any:
    """Return a key as steps name it: a reference by the entity's name, a list as a tuple."""
    if isinstance(key, dict):
        name = referenced(key)
        return tuple(map(_plain, key.get(TUPLE, ()))) if name is None else name
    return tuple(map(_plain, key)) if isinstance(key, list) else key
