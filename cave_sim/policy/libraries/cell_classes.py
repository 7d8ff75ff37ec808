"""The classes that cells defined, and hashes of their objects that do not tell where in memory these lie."""

from __future__ import annotations

import itertools
import re
import typing
import weakref
from inspect import currentframe, getattr_static
from types import FunctionType, WrapperDescriptorType
from typing import Any

from cave_sim.entity.asking import CELL_FILE
from cave_sim.entity.values import SERIAL
from cave_sim.policy.libraries.number_classes import check_answers

OWN_CLASSES: weakref.WeakSet[type] = weakref.WeakSet()
"""Every class that a cell defined."""

CACHING_FILES = frozenset({typing.__file__, re.__file__})
"""Modules with caches of the whole process: an object that they kept would be compared in turns of others."""

_numbers = itertools.count(1)


def adopt(kind: type) -> None:
    """Note a class as a cell's own, and number its objects as they are hashed, so that sets of them have an order."""
    check_answers(kind)
    OWN_CLASSES.add(kind)
    shown: Any = kind.__repr__
    if shown is object.__repr__:  # which tells where in memory the object lies
        setattr(kind, "__repr__", _plain_repr)  # noqa: B010 -- as a method of every object of the class
    inherited: Any = kind.__hash__
    if inherited is object.__hash__ or inherited is BaseException.__hash__:
        setattr(kind, "__hash__", number_of)  # noqa: B010 -- as a method of every object of the class
    elif "__hash__" in kind.__dict__ and inherited is not None and not _is_numbering(inherited):
        setattr(kind, "__hash__", _numbering(inherited))  # noqa: B010


def number_of(instance: Any) -> int:
    """Return the number of an object: 1 for the first that was hashed in this process."""
    known: int | None = instance.__dict__.get(SERIAL)
    if known is None:
        known = instance.__dict__[SERIAL] = next(_numbers)
    return known


def _numbering(own_hash: Any) -> Any:
    def hash_(instance: Any) -> Any:
        if currentframe().f_back.f_code.co_filename in CACHING_FILES:  # type: ignore[union-attr]
            raise TypeError(f"a {type(instance).__name__} is no key of a cache that all share")
        number_of(instance)
        return own_hash(instance)

    hash_.own = own_hash  # type: ignore[attr-defined]
    return hash_


_NUMBERS = frozenset({number_of.__code__, _numbering(None).__code__})


def _is_numbering(function: Any) -> bool:
    """Say whether a hash is one of ours, by its code: a function of a cell may have attributes of any name."""
    return getattr(function, "__code__", None) in _NUMBERS


def asks_a_cell(key: Any) -> bool:
    """Say whether code of a cell runs when something becomes an item of a set or a key: its hash, or its ``__eq__``."""
    if isinstance(key, (tuple, frozenset, set)):
        return any(map(asks_a_cell, key))
    kind = type(key)
    if kind not in OWN_CLASSES:
        return False
    methods = [hash_under(kind.__hash__), kind.__eq__]
    if not all(map(_is_of_python, methods)):
        return True
    fields = getattr(kind, "__dataclass_fields__", {})  # which the hash that dataclass made looks at
    return any(isinstance(getattr_static(kind, name, None), property) for name in fields) or any(
        asks_a_cell(object.__getattribute__(key, name)) for name in fields
    )


def _is_of_python(method: Any) -> bool:
    """Say whether Python or dataclass wrote a special method: a decorator of a cell puts in its place what it likes."""
    return isinstance(method, WrapperDescriptorType) or is_generated(method)


def is_generated(method: Any) -> bool:
    """Say whether a function is none of a cell's, so that what it comes to follows from an object's attributes."""
    return type(method) is FunctionType and method.__code__.co_filename != CELL_FILE


def unnumber(kind: type) -> None:
    """Take what :func:`adopt` gave from a class, so that ``dataclass`` finds it as the cell wrote it."""
    if kind.__dict__.get("__hash__") is number_of:
        del kind.__hash__
    if kind.__dict__.get("__repr__") is _plain_repr:
        del kind.__repr__


def _plain_repr(instance: Any) -> str:
    fields = ((name, value) for name, value in vars(instance).items() if name != SERIAL and not callable(value))
    return f"{type(instance).__name__}({', '.join(f'{name}={value!r}' for name, value in fields)})"


def is_adopted(function: Any) -> bool:
    """Say whether a method is one that :func:`adopt` gave to a class; what it has under it is the cell's."""
    return function is _plain_repr or _is_numbering(function)


def hash_under(function: Any) -> Any:
    """Return the hash that a cell wrote under one that numbers, and any other function as it is."""
    return getattr(function, "own", function) if _is_numbering(function) else function


def is_own_function(value: Any) -> bool:
    """Say whether a value is a function that a cell defined."""
    return type(value) is FunctionType and value.__code__.co_filename == CELL_FILE
