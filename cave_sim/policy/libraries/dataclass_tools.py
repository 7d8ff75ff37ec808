"""``dataclasses`` in a cell, for the classes of cells."""

from __future__ import annotations

import collections
import dataclasses
from collections.abc import Callable
from typing import Any

from cave_sim.errors import Blocked
from cave_sim.policy.libraries.cell_classes import OWN_CLASSES, adopt, unnumber


def own_dataclass(kind: Any = None, **options: Any) -> Any:
    """``@dataclass`` for the classes of a cell; others are not its to change."""
    if kind is None:
        return lambda found: own_dataclass(found, **options)
    if kind not in OWN_CLASSES:
        raise Blocked("dataclass() takes a class that the cell defined")
    unnumber(kind)
    made = dataclasses.dataclass(**options)(kind)
    adopt(made)
    return made


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
}
