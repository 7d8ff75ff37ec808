"""``dataclasses`` in a cell, for the classes of cells."""

from __future__ import annotations

import collections
import dataclasses
import inspect
import re
import typing
from collections.abc import Callable
from typing import Any

from cave_sim.errors import Blocked
from cave_sim.policy.libraries.cell_classes import OWN_CLASSES, adopt, unnumber


def own_dataclass(kind: Any = None, **options: Any) -> Any:
    """``@dataclass`` for the classes of a cell; others are not its to change.

    Objects of cells are numbered in their ``__dict__``, so they have one in any case, whatever is said of slots.
    """
    if kind is None:
        return lambda found: own_dataclass(found, **options)
    options = {name: value for name, value in options.items() if name not in ("slots", "weakref_slot")}
    if kind not in OWN_CLASSES:
        raise Blocked("dataclass() takes a class that the cell defined")
    unnumber(kind)
    _settle_annotations(kind)
    made = dataclasses.dataclass(**options)(kind)
    adopt(made)
    return made


def _settle_annotations(kind: type) -> None:
    """Put what dataclass looks for in the place of its name: it would ask a module, and a cell is in none."""
    annotations = inspect.get_annotations(kind)
    for name, told in annotations.items():
        found = _SAID.match(told) if isinstance(told, str) else None
        if found is not None:
            annotations[name] = _MEANT[found[1]]
    if annotations:
        kind.__annotations__ = annotations


_SAID = re.compile(r"(?:\w+\.)?(ClassVar|InitVar|KW_ONLY)\b")
_MEANT: dict[str, Any] = {
    "ClassVar": typing.ClassVar,
    "InitVar": dataclasses.InitVar(object),
    "KW_ONLY": dataclasses.KW_ONLY,
}


def _is_dataclass(value: Any) -> bool:
    """``dataclasses.is_dataclass``, of the classes of cells and their objects."""
    return (value if isinstance(value, type) else type(value)) in OWN_CLASSES and dataclasses.is_dataclass(value)


def _asdict(instance: Any) -> dict[str, Any]:
    return {each.name: _plain_parts(getattr(instance, each.name)) for each in dataclasses.fields(instance)}


Field = collections.namedtuple("Field", "name type default", defaults=(None,), module="__main__")


def _fields(instance_or_class: Any) -> tuple[Any, ...]:
    """``dataclasses.fields``, with what a cell may know of each: its name, its type, its default if it has one."""
    if (instance_or_class if isinstance(instance_or_class, type) else type(instance_or_class)) not in OWN_CLASSES:
        raise TypeError("fields() takes a dataclass that a cell defined, or an object of one")
    return tuple(
        Field(each.name, each.type, None if each.default is dataclasses.MISSING else each.default)
        for each in dataclasses.fields(instance_or_class)
    )


def _astuple(instance: Any) -> tuple[Any, ...]:
    return tuple(_plain_parts(getattr(instance, each.name), _astuple) for each in _fields(instance))


def _plain_parts(value: Any, of: Callable[[Any], Any] = _asdict) -> Any:
    if dataclasses.is_dataclass(value) and type(value) in OWN_CLASSES:
        return of(value)
    if type(value) in (list, tuple):
        return type(value)(_plain_parts(item, of) for item in value)
    return {key: _plain_parts(item, of) for key, item in value.items()} if type(value) is dict else value


DATACLASSES: dict[str, Any] = {
    "dataclass": own_dataclass,
    "field": dataclasses.field,
    "replace": dataclasses.replace,
    "asdict": _asdict,
    "astuple": _astuple,
    "fields": _fields,
    "is_dataclass": _is_dataclass,
    "KW_ONLY": dataclasses.KW_ONLY,
    "InitVar": dataclasses.InitVar,
    "FrozenInstanceError": dataclasses.FrozenInstanceError,
}
