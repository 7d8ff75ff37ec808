"""What cells get of contextlib, abc, enum, functools and typing: tools for classes and functions of their own."""

from __future__ import annotations

import collections.abc
import contextlib
import enum
import typing
from collections.abc import Callable
from types import FunctionType
from typing import Any

from cave_sim.errors import Blocked

CELL_FILE = "<cell>"


class ABC:
    """``abc.ABC`` in a cell: a base that says something to readers, and does nothing."""


def abstractmethod(function: Any) -> Any:
    """``abc.abstractmethod``: says something to readers."""
    return function


def is_abstract(base: Any) -> bool:
    """Say whether a base class only says something to readers: ABC, Protocol, Generic[T]."""
    return base is ABC or base in (typing.Protocol, typing.Generic) or typing.get_origin(base) in _GENERIC


_GENERIC = (typing.Generic, typing.Protocol)


def wraps(wrapped: Any, **_: Any) -> Callable[[Any], Any]:
    """``functools.wraps``, for functions that the cell defined."""

    def decorate(wrapper: Any) -> Any:
        if type(wrapper) is not FunctionType or wrapper.__code__.co_filename != CELL_FILE:
            raise Blocked("wraps() decorates a function that the cell defined")
        wrapper.__name__ = str(getattr(wrapped, "__name__", wrapper.__name__))
        wrapper.__doc__ = getattr(wrapped, "__doc__", None)
        return wrapper

    return decorate


def _picked(module: Any, names: str) -> dict[str, Any]:
    return {name: getattr(module, name) for name in names.split()}


MANAGERS = frozenset({contextlib.suppress, contextlib.nullcontext, contextlib._GeneratorContextManager})
"""Context managers of the library that cells may enter."""

CONTEXTLIB = _picked(contextlib, "suppress nullcontext contextmanager")
ENUM = _picked(enum, "Enum IntEnum StrEnum auto unique")
ABSTRACT = {"ABC": ABC, "ABCMeta": ABC, "abstractmethod": abstractmethod}
COLLECTIONS_ABC = _picked(
    collections.abc,
    "Callable Collection Container Generator Hashable ItemsView Iterable Iterator KeysView Mapping MutableMapping "
    "MutableSequence MutableSet Reversible Sequence Set Sized ValuesView",
)
"""Classes to ask for, and to annotate with."""
