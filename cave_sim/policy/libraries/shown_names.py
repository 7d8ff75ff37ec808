"""Under which names a cell is shown what stands for a library's: those that plain Python has for it.

A class of ours keeps its place in our modules, where whatever copies it finds it again; the texts of cells tell the
library's place instead. A function is called what it is offered as, and one in the place of a function in C shows
itself, answers and is held by classes like such a one.
"""

from __future__ import annotations

import binascii
import bisect
import cmath
import contextlib
import csv
import decimal
import functools
import heapq
import itertools
import math
import operator
import queue
import struct
import sys
import time
import types
import unicodedata
import warnings
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cave_sim.diagnostics.told_names import told_as
from cave_sim.policy.libraries.addresses import show_as
from cave_sim.policy.libraries.kept_classes import KEPT_ATTRIBUTES, KEPT_CLASSES

_IN_C = (
    *(binascii, bisect, cmath, contextlib, csv, decimal, functools, heapq, itertools, math, operator, queue, struct),
    *(sys, time, unicodedata, warnings, zlib),
)
_MODULES = {module.__name__: module for module in _IN_C}
"""Modules that have functions in C, or classes that are only called."""
_FUNCTIONS = (types.FunctionType, functools.partial)
_HOME = str(Path(__file__).parents[2])


class BuiltinFunction:
    """Stands for a function in C: unlike one in Python it is no method of a class that has it as an attribute.

    Args:
        name: what it is called.
        function: what a call of it calls.
        about: the function that it stands for, whose docstring it has.
    """

    __slots__ = ("__name__", "_about", "_function")

    def __init__(self, name: str, function: Callable[..., Any], about: Any = None) -> None:
        self.__name__: str = name
        self._function, self._about = function, about

    def __call__(self, /, *args: Any, **named: Any) -> Any:
        return self._function(*args, **named)

    def __repr__(self) -> str:
        return f"<built-in function {self.__name__}>"

    @property
    def __doc__(self) -> str | None:  # type: ignore[override]
        """What the function that it stands for says of itself."""
        doc: str | None = (self._about or self._function).__doc__
        return doc


class CalledClass(BuiltinFunction):
    """Stands for a class of which objects are only made."""

    __slots__ = ()

    def __repr__(self) -> str:
        return repr(self._about)


told_as(BuiltinFunction, type(len).__name__)
told_as(CalledClass, "type")


def builtin(name: str, own: Any, function: Callable[..., Any]) -> BuiltinFunction:
    """Return what is shown as a function in C, or as a class that is called, and calls another function.

    Args:
        name: what it is called, also where a library has put a function of its own into its place.
        own: what Python has by that name.
        function: what a call of it calls.
    """
    told_of = getattr(function, "__func__", function)
    if isinstance(told_of, types.FunctionType):
        told_of.__name__ = told_of.__qualname__ = name  # which errors tell
    return (CalledClass if isinstance(own, type) else BuiltinFunction)(name, function, own)


def named(module: str, members: dict[str, Any], like: Any = None) -> dict[str, Any]:
    """Return the members of a module that stands for another, called as they are offered.

    Args:
        module: what the module is called.
        members: what it offers, by name.
        like: the module that it stands for, whose functions may be called otherwise than they are offered.
    """
    own = _MODULES.get(module)
    return {
        name: _named(module, name, member, getattr(own, name, None), members, getattr(like, name, None))
        for name, member in members.items()
    }


def _named(module: str, name: str, member: Any, own: Any, members: dict[str, Any], like: Any) -> Any:
    if isinstance(member, type):
        if member.__module__.startswith("cave_sim."):
            _name_class(member, name, getattr(own, "__module__", module), members)
        return member
    if isinstance(own, (type, types.BuiltinFunctionType)) and isinstance(member, _FUNCTIONS):
        return builtin(own.__name__, own, member)
    if not isinstance(member, types.FunctionType) or not member.__code__.co_filename.startswith(_HOME):
        return member
    name = getattr(like, "__name__", name)
    if member.__name__ != name and members.get(member.__name__) is member:  # it is offered under that name, too
        return _copy(member, name)
    member.__name__ = member.__qualname__ = name
    return member


def _name_class(kind: type, name: str, module: str, members: dict[str, Any]) -> None:
    if members.get(kind.__name__) is not kind:
        kind.__name__ = name
        if kind in KEPT_ATTRIBUTES:
            KEPT_CLASSES[name] = kind
    if kind.__name__ == name:
        show_as(f"{kind.__module__}.{kind.__qualname__}", f"{module}.{name}")


def _copy(function: Any, name: str) -> types.FunctionType:
    copied = types.FunctionType(
        function.__code__, function.__globals__, None, function.__defaults__, function.__closure__
    )
    copied.__kwdefaults__, copied.__doc__ = function.__kwdefaults__, function.__doc__
    copied.__name__ = copied.__qualname__ = name
    return copied
