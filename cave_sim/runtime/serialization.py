"""What a cell holds, as plain data: variables between turns, and what it hands to methods.

Wider than what may enter a world: infinite numbers, dates, whatever the scope offers by name. Reading it back
runs no code.
"""

from __future__ import annotations

import collections
import math
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

import msgspec
import numpy as np

from cave_sim.changes.turn import Turn
from cave_sim.entity.codecs import codec_named, codec_of
from cave_sim.entity.containers import Tracked
from cave_sim.entity.entity import Entity
from cave_sim.entity.identity import name_of
from cave_sim.entity.json_form import ATOMS, CONTAINERS, FLOAT, REF, SET, TUPLE, Form, is_key, tag_of, write_pairs
from cave_sim.entity.references import RefSet
from cave_sim.entity.tracked_parts import home_of
from cave_sim.entity.values import StableSet
from cave_sim.errors import SchemaError

CODE = ("$name", "$object")
"""Tags of what is no data: something that the scope offers, and an object of a cell's own class."""
MAX_DEPTH = 40
MAX_PARTS = 200_000
MAX_BITS = 4_096

_FACTORIES: dict[str, Callable[[], Any]] = {
    "list": list, "dict": dict, "int": int, "float": float, "str": str, "bool": bool, "set": StableSet,
}  # fmt: skip


def refuse(value: Any, _serializer: Serializer) -> NoReturn:
    """Keep nothing but data; raises SchemaError."""
    raise SchemaError(f"a {type(value).__name__} cannot be kept: only data can")


class Serializer:
    """Turns one value into plain data; used once.

    Args:
        other: packs what is no data, or raises SchemaError.
    """

    def __init__(self, other: Callable[[Any, Serializer], Any] = refuse) -> None:
        self._other = other
        self._parts = 0
        self._inside: list[int] = []

    def pack(self, value: Any) -> Any:
        """Return the value as plain data; raises SchemaError if it cannot be kept."""
        kind = type(value)
        if kind in (bool, type(None)):
            return value
        if kind is int:
            return _fits(value, value.bit_length() <= MAX_BITS)
        if kind is float:
            return value if math.isfinite(value) else FLOAT.write(value)
        if kind is str:
            return _storable(value)
        if isinstance(value, Entity):
            return _fits({REF: (name := name_of(value))}, name is not None)
        return self._object(value, kind)

    def _object(self, value: Any, kind: type) -> Any:
        if isinstance(value, Tracked) and (home := home_of(value))[0] is not None:
            owner, field = home
            if owner.__dict__.get(field) is value and (name := name_of(owner)) is not None:
                return {"$at": [name, field]}
        if kind in _BY_KIND:
            return _BY_KIND[kind].write(value)
        if isinstance(value, np.generic):
            return _NUMBER.write(value)
        if (codec := codec_of(kind)) is not None:
            return {"$codec": codec.type.__name__, "data": codec.snapshot(value)}
        if not isinstance(value, _CONTAINERS) or (isinstance(value, tuple) and kind is not tuple):
            return self._other(value, self)
        self._enter(value)
        packed = self._container(value, kind)
        self._inside.pop()
        return packed

    def _enter(self, value: Any) -> None:
        self._parts += len(value) + 1
        if id(value) in self._inside or len(self._inside) >= MAX_DEPTH or self._parts > MAX_PARTS:
            raise SchemaError("a value that contains itself, or is too deep or too large, cannot be kept")
        self._inside.append(id(value))

    def _container(self, value: Any, kind: type) -> Any:
        if isinstance(value, dict):
            return self._dict(value, kind)
        items = [self.pack(item) for item in value]
        if isinstance(value, list):
            return items
        if kind is collections.deque:
            return {"$deque": items, "most": value.maxlen}
        return {TUPLE if kind is tuple else SET: items}

    def _dict(self, value: dict[Any, Any], kind: type) -> Any:
        items = [[self.pack(key), self.pack(item)] for key, item in value.items()]
        if kind is collections.Counter:
            return {"$counter": items}
        if kind is collections.defaultdict:
            factory = getattr(value.default_factory, "__name__", "")  # type: ignore[attr-defined]
            known = value.default_factory is None or _FACTORIES.get(factory) is value.default_factory  # type: ignore[attr-defined]
            return _fits({"$defaultdict": items, "factory": factory}, known)
        return write_pairs(items, all(map(is_key, value)))


class Deserializer:
    """Turns plain data back into values.

    Args:
        entities: the world's, by name.
        other: reads back what is no data, by its tag and what it holds; without it, that is malformed.
    """

    def __init__(self, entities: Mapping[str, Entity], other: Callable[[str, Any], Any] | None = None) -> None:
        self._entities, self._other = entities, other

    def unpack(self, data: Any) -> Any:
        """Return the value that the data stands for; raises SchemaError where it is malformed."""
        if isinstance(data, list):
            return [self.unpack(item) for item in data]
        if not isinstance(data, dict):
            return data
        if not (tag := tag_of(data)):
            return {key: self.unpack(item) for key, item in data.items()}
        try:
            return self._tagged(tag, data[tag], data)
        except (KeyError, ValueError, TypeError, OverflowError, AttributeError) as error:
            raise SchemaError(f"{tag} cannot be read back: {error}") from None

    def _tagged(self, tag: str, content: Any, data: dict[str, Any]) -> Any:
        if tag in _BY_TAG:
            return _BY_TAG[tag].decode(content)
        if tag == REF:
            return self._entities.get(content)
        if tag == "$at":
            return getattr(self._entities[content[0]], _public(content[1]), None)
        if tag == "$codec":
            return codec_named(content).restore(data["data"])
        if tag in CODE and self._other is not None:
            return self._other(tag, content)
        return self._container(tag, content, data)

    def _container(self, tag: str, content: Any, data: dict[str, Any]) -> Any:
        if tag in (TUPLE, SET):
            return _FILLED[tag].decode([self.unpack(item) for item in content])
        if tag == "$deque":
            return collections.deque([self.unpack(item) for item in content], data["most"])
        pairs = [(self.unpack(key), self.unpack(item)) for key, item in content]
        if tag == "$defaultdict":
            return collections.defaultdict(_FACTORIES.get(data["factory"]), pairs)
        if tag == "$counter":
            return collections.Counter(dict(pairs))
        return _FILLED[tag].decode(pairs)


def _fits(data: Any, is_fit: bool) -> Any:
    if not is_fit:
        raise SchemaError("this value cannot be kept")
    return data


def _storable(text: str) -> str:
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            raise SchemaError("a text with a lone surrogate cannot be kept") from None
    return text


def _public(name: Any) -> str:
    return str(_fits(name, type(name) is str and not name.startswith("_")))


_CONTAINERS = (list, tuple, dict, set, frozenset, collections.deque, RefSet)

_TURN = Form("$turn", Turn, msgspec.to_builtins, lambda data: msgspec.convert(data, Turn))
_NUMBER = Form(
    "$number",
    np.generic,
    lambda value: codec_named("ndarray").snapshot(np.asarray(value)),
    lambda data: codec_named("ndarray").restore(data)[()],
)
_BY_KIND = {form.kind: form for form in (*ATOMS, _TURN)}
_BY_TAG = {form.tag: form for form in (*ATOMS, FLOAT, _NUMBER, _TURN)}
_FILLED = {form.tag: form for form in CONTAINERS}
