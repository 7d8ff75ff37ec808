"""Forms of the Enums that cells define, and of their members, each of which stays one object."""

from __future__ import annotations

import enum
import types
from typing import Any

from cave_sim.entity.asking import CELL_FILE
from cave_sim.policy.guards import build_class
from cave_sim.policy.libraries.cell_classes import OWN_CLASSES, adopt
from cave_sim.policy.libraries.enum_classes import ENUM_BASES
from cave_sim.policy.syntax import CLASS_METHODS, METADATA, is_reserved
from cave_sim.runtime.graph.errors import Malformed
from cave_sim.runtime.graph.node import Form, See
from cave_sim.runtime.graph.scalars import PLAIN

_ENUMS_OWN = frozenset({"_value_", "_name_", "__objclass__", "_sort_order_", "_inverted_"})
GENERATES_VALUES = "_generate_next_value_"
_MADE_BY_CELLS = (property, staticmethod, classmethod)


def _write_enum(kind: Any, see: See) -> Any:
    return {
        "name": kind.__name__,
        "bases": [see(base) for base in kind.__bases__],
        "members": [
            [name, see(member.value), [[key, see(item)] for key, item in vars(member).items() if key not in _ENUMS_OWN]]
            for name, member in kind.__members__.items()
        ],
        "attributes": [
            [name, see(value)]
            for name, value in kind.__dict__.items()
            if _is_cells_own(name, value) or _is_no_member(kind, name)
        ],
    }


def _is_no_member(kind: Any, name: str) -> bool:
    """Say whether Python takes a value in an Enum for an attribute, by its name."""
    return name in METADATA or (name.startswith(f"_{kind.__name__.lstrip('_')}__") and not name.endswith("_"))


def _is_cells_own(name: str, value: Any) -> bool:
    if name == GENERATES_VALUES:  # every Enum has it, and since Python 3.13 as a static method
        value = getattr(value, "__func__", value)
    if is_reserved(name):
        is_function = isinstance(value, types.FunctionType)
        return value.__code__.co_filename == CELL_FILE if is_function else isinstance(value, _MADE_BY_CELLS)
    return hasattr(type(value), "__get__") and not isinstance(value, (types.DynamicClassAttribute, enum.Enum))


def _make_enum(content: Any, reader: Any) -> Any:
    name, bases = content["name"], tuple(map(reader.read, content["bases"]))
    if type(name) is not str or not all(isinstance(base, type) for base in bases):
        raise Malformed("an Enum without a name")
    build_class(_no_body, "Probe", *(base for base in bases if not isinstance(base, enum.EnumMeta)))
    if any(isinstance(base, enum.EnumMeta) and base not in OWN_CLASSES and base not in _BASES for base in bases):
        raise Malformed("an Enum of a base that cells do not have")
    metaclass = next((type(base) for base in bases if isinstance(base, enum.EnumMeta)), None)
    if metaclass is None:
        raise Malformed("an Enum of no base")
    scope = metaclass.__prepare__(name, bases)
    scope["__module__"] = "__main__"
    values = {}
    for member, data, _ in content["members"]:
        if type(member) is not str or member.startswith("_"):
            raise Malformed("a member without a name")
        value = values[member] = reader.read(data)
        scope[member] = value if type(value) in PLAIN else _Unfilled(value)
    kind: Any = type.__call__(metaclass, name, bases, scope)
    adopt(kind)
    reader.later(lambda: _fill(kind, content, reader))
    reader.later(lambda: _set_values(kind, values), last=True)
    return kind


class _Unfilled:
    """Stands for a value that is still empty, as all lists are while they are read, and so equal to any other."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Unfilled) and other.value is self.value

    def __hash__(self) -> int:
        return id(self.value)


def _set_values(kind: Any, values: dict[str, Any]) -> None:
    """Give members the values that were read, once these are whole."""
    for name, value in values.items():
        if type(kind[name]._value_) is _Unfilled:
            kind._value2member_map_.pop(kind[name]._value_, None)
            kind[name]._value_ = value
            try:
                kind._value2member_map_.setdefault(value, kind[name])
            except TypeError:  # it has no hash: Python looks for it among all members, since 3.13 by a map of its own
                getattr(kind, "_unhashable_values_map_", {}).setdefault(name, []).append(value)


def _fill(kind: Any, content: Any, reader: Any) -> None:
    for name, value in content["attributes"]:
        if is_reserved(name) and name not in CLASS_METHODS:
            raise Malformed(f"{name} is no attribute that cells define")
        setattr(kind, name, reader.read(value))
    for name, _, attributes in content["members"]:
        for key, item in attributes:
            if key not in _ENUMS_OWN:
                vars(kind[name])[key] = reader.read(item)


def _no_body() -> None:
    return None


_no_body = types.FunctionType(_no_body.__code__, {"__name__": "__main__", "__builtins__": {}})
_BASES = ENUM_BASES


def _write_member(member: Any, see: See) -> Any:
    """Return the name of a member; of flags that are several, or none, their number."""
    kind = type(member)
    if member.name in kind.__members__:
        return [see(kind), member.name]
    return [see(kind), None, see(int(member.value))]


def _make_member(content: Any, reader: Any) -> Any:
    kind, name, number = reader.read(content[0]), content[1], content[2:]
    if name is None and isinstance(kind, enum.EnumMeta) and issubclass(kind, enum.Flag) and type(number[0]) is int:
        return kind(number[0])
    if not isinstance(kind, enum.EnumMeta) or name not in kind.__members__:
        raise Malformed("a member of no Enum")
    return kind[name]


ENUM = Form("$enum", _write_enum, _make_enum)
MEMBER = Form("$of_enum", _write_member, _make_member)
