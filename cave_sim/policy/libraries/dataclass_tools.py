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
from cave_sim.policy.libraries.copies import COPY


def own_dataclass(kind: Any = None, **options: Any) -> Any:
    """``@dataclass`` for the classes of a cell; others are not its to change.

    Objects of cells are numbered in their ``__dict__``, so they have one in any case, whatever is said of slots.
    """
    if kind is None:
        return lambda decorated: own_dataclass(decorated, **options)
    options = {name: value for name, value in options.items() if name not in ("slots", "weakref_slot")}
    if kind not in OWN_CLASSES:
        raise Blocked("dataclass() takes a class that the cell defined")
    unnumber(kind)
    _settle_annotations(kind)
    completed = dataclasses.dataclass(**options)(kind)
    adopt(completed)
    return completed


def _settle_annotations(kind: type) -> None:
    """Put what dataclass looks for in the place of its name: it would ask a module, and a cell is in none."""
    annotations = inspect.get_annotations(kind)
    for name, annotation in annotations.items():
        match = _SAID.match(annotation) if isinstance(annotation, str) else None
        if match is not None:
            annotations[name] = _MEANT[match[1]]
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


def _own_object(value: Any) -> bool:
    return type(value) in OWN_CLASSES and dataclasses.is_dataclass(value)


def _pairs_of(value: Any, name: str, parts: Callable[[Any], Any]) -> list[tuple[str, Any]]:
    if not _own_object(value):
        raise TypeError(f"{name}() should be called on dataclass instances")
    return [(each.name, parts(getattr(value, each.name))) for each in dataclasses.fields(value)]


def _asdict(obj: Any, *, dict_factory: Callable[[Any], Any] = dict) -> Any:
    """``dataclasses.asdict``: what is within is told likewise, and copied."""

    def parts(value: Any) -> Any:
        return _asdict(value, dict_factory=dict_factory) if _own_object(value) else _copied(value, parts)

    return dict_factory(_pairs_of(obj, "asdict", parts))


def _astuple(obj: Any, *, tuple_factory: Callable[[Any], Any] = tuple) -> Any:
    """``dataclasses.astuple``, likewise."""

    def parts(value: Any) -> Any:
        return _astuple(value, tuple_factory=tuple_factory) if _own_object(value) else _copied(value, parts)

    return tuple_factory([value for _, value in _pairs_of(obj, "astuple", parts)])


def _copied(value: Any, parts: Callable[[Any], Any]) -> Any:
    """Return a copy of what is in a field, with its parts told as a dataclass says."""
    kind = type(value)
    if kind in (list, tuple):
        return kind(map(parts, value))
    if isinstance(value, tuple) and hasattr(kind, "_fields"):
        return kind(*map(parts, value))
    if kind is dict:
        return {parts(key): parts(each) for key, each in value.items()}
    return COPY["deepcopy"](value)


Field = collections.namedtuple(
    "Field", "name type default metadata kw_only", defaults=(None, None, False), module="__main__"
)


def _fields(instance_or_class: Any) -> tuple[Any, ...]:
    """``dataclasses.fields``, with what a cell may know of each: its name, its type, its default if it has one."""
    if (instance_or_class if isinstance(instance_or_class, type) else type(instance_or_class)) not in OWN_CLASSES:
        raise TypeError("fields() takes a dataclass that a cell defined, or an object of one")
    return tuple(
        Field(
            each.name,
            each.type,
            None if each.default is dataclasses.MISSING else each.default,
            dict(each.metadata),
            bool(each.kw_only),
        )
        for each in dataclasses.fields(instance_or_class)
    )


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
