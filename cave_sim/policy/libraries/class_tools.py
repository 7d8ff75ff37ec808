"""What cells get of abc, functools and typing: tools for classes and functions of their own."""

from __future__ import annotations

import collections.abc
import functools
import typing
from collections.abc import Callable
from typing import Any

from cave_sim.errors import Blocked
from cave_sim.policy.libraries.cell_classes import OWN_CLASSES, is_own_function


class ABC:
    """``abc.ABC`` in a cell: of a class below it with abstract methods left, no object is made."""


def abstractmethod(function: Any) -> Any:
    """``abc.abstractmethod``: a method that classes below must have of their own."""
    if is_own_function(function):
        function.__isabstractmethod__ = True
    return function


def note_abstract(built: Any, *, is_declared: bool) -> None:
    """Have Python refuse to make objects of a class with abstract methods left, as ``abc.ABCMeta`` does.

    Args:
        built: the class.
        is_declared: whether ABC is among its bases as they were written; that of a class above counts as well.
    """
    if is_declared or any(ABSTRACT_METHODS in vars(base) for base in built.__bases__):
        methods = ((name, getattr(built, name, None)) for name in dir(built))
        left = (name for name, method in methods if getattr(method, "__isabstractmethod__", False) is True)
        built.__abstractmethods__ = frozenset(left)


ABSTRACT_METHODS = "__abstractmethods__"


def note_generic(built: Any) -> None:
    """Have a class that was written below ``Generic[T]`` be what ``Stack[int]`` means."""
    setattr(built, SUBSCRIPTED, classmethod(_subscripted))


def _subscripted(kind: type, _types: Any) -> type:
    return kind


SUBSCRIPTED = "__class_getitem__"


def is_abstract(base: Any) -> bool:
    """Say whether a base class only says something to readers: ABC, Protocol, Generic[T]."""
    return base is ABC or base in _GENERIC or typing.get_origin(base) in _GENERIC


def note_declared(built: Any, bases: tuple[Any, ...]) -> None:
    """Take in what the bases of a class say of it, as they were written."""
    note_abstract(built, is_declared=ABC in bases)
    if any(typing.get_origin(base) in _GENERIC for base in bases):
        note_generic(built)


_GENERIC = (typing.Generic, typing.Protocol)


def total_ordering(kind: Any) -> Any:
    """``functools.total_ordering``, for the classes of a cell."""
    if kind not in OWN_CLASSES:
        raise Blocked("total_ordering() takes a class that the cell defined")
    return functools.total_ordering(kind)


def _orderings() -> dict[tuple[str, str], Any]:
    roots = ("__lt__", "__le__", "__gt__", "__ge__")
    kinds: dict[str, type] = {root: functools.total_ordering(type("Ordered", (), {root: _compare})) for root in roots}
    return {(root, name): vars(kind)[name] for root, kind in kinds.items() for name in roots if name != root}


def _compare(_one: Any, _other: Any) -> bool:
    raise NotImplementedError


ORDERINGS = _orderings()
"""What :func:`total_ordering` gives to classes: by the method that the class has, and the one that it lacks."""


def wraps(wrapped: Any, **_: Any) -> Callable[[Any], Any]:
    """``functools.wraps``, for functions that the cell defined."""

    def decorate(wrapper: Any) -> Any:
        if not is_own_function(wrapper):
            raise Blocked("wraps() decorates a function that the cell defined")
        if is_own_function(wrapped):
            wrapper.__dict__.update(wrapped.__dict__)
        wrapper.__name__ = str(getattr(wrapped, "__name__", wrapper.__name__))
        wrapper.__doc__ = getattr(wrapped, "__doc__", None)
        return wrapper

    return decorate


ABSTRACT: dict[str, Any] = {"ABC": ABC, "ABCMeta": ABC, "abstractmethod": abstractmethod}
_TO_ASK_FOR = (
    "Callable Collection Container Generator Hashable ItemsView Iterable Iterator KeysView Mapping MutableMapping "
    "MutableSequence MutableSet Reversible Sequence Set Sized ValuesView"
)
COLLECTIONS_ABC = {name: getattr(collections.abc, name) for name in _TO_ASK_FOR.split()}
"""Classes to ask for, and to annotate with."""
