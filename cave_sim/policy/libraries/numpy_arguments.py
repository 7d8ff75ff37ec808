"""Arguments of numpy's functions as a cell gave them: those with names put in their places, and none that changes.

What is asked of an argument, as its size, is asked before numpy reads it. An object of a cell's class could answer
otherwise the second time, or change a list that it is in; so numpy gets an array of what it was read as once.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from cave_sim.errors import Blocked
from cave_sim.policy.libraries.cell_classes import OWN_CLASSES

_IN_PLACE = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


@functools.cache
def leading_names(function: Callable[..., Any], size: Callable[..., Any] | None) -> tuple[str, ...]:
    """Return the names of the first parameters of a function: those that it needs, or that its size is told from.

    They are looked up when a function is first called: hundreds that nobody calls would add to every start.
    """
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except ValueError:  # some of those in C do not say
        return ()
    counted = _count(size) if size is not None else 0
    names = []
    for at, each in enumerate(parameters):
        if each.kind not in _IN_PLACE or each.name == "out" or (each.default is not each.empty and at >= counted):
            break
        names.append("" if each.kind is inspect.Parameter.POSITIONAL_ONLY else each.name)
    return tuple(names)


def _count(size: Callable[..., Any]) -> float:
    kinds = [each.kind for each in inspect.signature(size).parameters.values()]
    return float("inf") if inspect.Parameter.VAR_POSITIONAL in kinds else sum(kind in _IN_PLACE for kind in kinds)


def in_order(
    names: tuple[str, ...], args: tuple[Any, ...], named: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return arguments with those of leading names in their places, and each of them :func:`settled`.

    Args:
        names: of the parameters, in their order.
        args: given by place.
        named: given by name.
    """
    placed, rest = list(map(settled, args)), {name: settled(value) for name, value in named.items()}
    for name in names[len(args) :]:
        if name not in rest:
            break
        placed.append(rest.pop(name))
    return tuple(placed), rest


def settled(value: Any) -> Any:
    """Return an argument as numpy reads it now, if a cell's code is asked for what it is; else the argument itself."""
    kind = type(value)
    if kind not in _PLAIN and kind in OWN_CLASSES and any(hasattr(value, name) for name in ("shape", "size", "ndim")):
        return np.asarray(value)
    return _read(value)


def _read(value: Any) -> Any:
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind in _LISTS:
        return kind(map(_read, value)) if _asks_code(value) else value
    is_row = kind in OWN_CLASSES and hasattr(kind, "__len__") and hasattr(kind, "__getitem__")
    return np.asarray(value) if is_row else value


_LISTS = (list, tuple)
_PLAIN = frozenset({bool, int, float, complex, str, type(None), type, np.ndarray, np.float64, np.int64})


def _asks_code(values: list[Any] | tuple[Any, ...]) -> bool:
    kinds = set(map(type, values)) - _PLAIN
    if any(kind in OWN_CLASSES for kind in kinds):
        return True
    return not kinds.isdisjoint(_LISTS) and any(type(each) in _LISTS and _asks_code(each) for each in values)


MAX_TURNS = 10_000_000


def check_turns(title: str, size: Any, indices: Any, mode: Any) -> None:
    """Return if no index goes round an array too often: numpy takes off its length once for each time."""
    if mode in ("raise", "clip") or np.size(indices) == 0:
        return
    farthest = np.abs(np.asarray(indices, dtype=float)).max()
    if not farthest * np.size(indices) / max(1, size) <= MAX_TURNS:
        raise Blocked(f"np.{title}: indices that go round more than {MAX_TURNS:,} times; take indices % len(array)")
