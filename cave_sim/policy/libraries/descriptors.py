"""``functools.cached_property``, ``partialmethod``, ``singledispatch`` and their kin, for functions of cells."""

from __future__ import annotations

import functools
import types
from typing import Any

import numpy as np

from cave_sim.errors import Blocked
from cave_sim.policy.libraries.cell_classes import is_own_function
from cave_sim.policy.libraries.kept_classes import kept_class
from cave_sim.policy.libraries.numpy_api import Array

_MISSING = object()


@kept_class("_function", "_name")
class CachedProperty:
    """``functools.cached_property``: asked once of each object, which has it as an attribute from then on."""

    __slots__ = ("_function", "_name")

    def __init__(self, func: Any) -> None:
        self._function, self._name = _own(func, "cached_property"), ""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        if instance is None:
            return self
        attributes = getattr(instance, "__dict__", None)
        if attributes is None or not self._name or self._name.startswith("__"):
            raise TypeError("a cached_property is an attribute of a class, whose objects have room for its value")
        value = attributes.get(self._name, _MISSING)
        if value is _MISSING:
            value = attributes[self._name] = _own(self._function, "cached_property")(instance)
        return value


@kept_class("_function", "_args", "_named")
class PartialMethod:
    """``functools.partialmethod``: a method with some of its arguments given beforehand."""

    __slots__ = ("_args", "_function", "_named")

    def __init__(self, func: Any, /, *args: Any, **keywords: Any) -> None:
        self._function, self._args, self._named = _own(func, "partialmethod"), args, keywords

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        function = _own(self._function, "partialmethod")
        if instance is not None:
            return functools.partial(types.MethodType(function, instance), *self._args, **self._named)
        return lambda holder, *args, **named: function(holder, *self._args, *args, **(self._named | named))


@kept_class("_default", "_entries")
class Dispatch:
    """``functools.singledispatch``: a function that is another for each type of its first argument."""

    __slots__ = ("_default", "_dispatcher", "_entries")

    def __init__(self, func: Any) -> None:
        self._default = _own(func, "singledispatch")
        self._entries: list[tuple[Any, Any]] = []
        self._dispatcher: Any = None

    @property
    def __name__(self) -> str:
        return str(getattr(self._default, "__name__", "function"))

    def register(self, cls: Any, func: Any = None) -> Any:
        """Have a function called for a type of the first argument: ``@show.register`` or ``@show.register(int)``."""
        if func is None and is_own_function(cls):
            raise TypeError("register: annotate the first argument, or name the type: @show.register(int)")
        if func is None:
            return lambda function: self.register(cls, function)
        kinds = list(map(_original, getattr(cls, "__args__", None) or (cls,)))
        if not all(isinstance(kind, type) for kind in kinds):
            raise TypeError(f"register: {cls!r} is no class")
        called = func.__func__ if isinstance(func, (staticmethod, classmethod)) else func
        _callable(called)
        self._entries += [(kind, func) for kind in kinds]
        self._dispatcher = None
        return func

    def dispatch(self, cls: Any) -> Any:
        """Return which function is called for a type."""
        if getattr(self, "_dispatcher", None) is None:
            self._dispatcher = functools.singledispatch(self._default)
            for kind, function in self._entries:
                self._dispatcher.register(kind, function)
        return self._dispatcher.dispatch(_original(cls))

    def __call__(self, *args: Any, **named: Any) -> Any:
        if not args:
            raise TypeError(f"{self.__name__} requires at least 1 positional argument")
        return self.dispatch(type(args[0]))(*args, **named)


@kept_class("_default", "_entries")
class DispatchMethod(Dispatch):
    """``functools.singledispatchmethod``: a method that is another for each type of its first argument."""

    __slots__ = ()

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else functools.partial(self._call, instance, owner)

    def _call(self, instance: Any, owner: Any, *args: Any, **named: Any) -> Any:
        if not args:
            raise TypeError(f"{self.__name__} requires at least 1 positional argument")
        return self.dispatch(type(args[0])).__get__(instance, owner)(*args, **named)


def _own(function: Any, title: str) -> Any:
    if not is_own_function(function):
        raise Blocked(f"{title}() takes a function that the cell defined")
    return function


def _callable(function: Any) -> None:
    if not callable(function):
        raise TypeError(f"register: a {type(function).__name__} cannot be called")


def _original(kind: Any) -> Any:
    """Return the class that objects have, of one that stands for it in cells."""
    if kind is Array:
        return np.ndarray
    return str if isinstance(kind, type) and kind == str else kind  # noqa: E721 -- cells have a class that equals it
