"""``operator.attrgetter``, ``methodcaller`` and ``text.format``, which read through the guard of their world."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

Get = Callable[[Any, str], Any]


class AttributeGetter:
    """``operator.attrgetter``: reads attributes, dotted ones too, as the cell itself could."""

    __slots__ = ("_get", "_names")

    def __init__(self, get: Get, names: tuple[str, ...]) -> None:
        if not names or not all(type(name) is str for name in names):
            raise TypeError("attrgetter() takes names of attributes")
        self._get, self._names = get, names

    def __call__(self, holder: Any) -> Any:
        values = [functools.reduce(self._get, name.split("."), holder) for name in self._names]
        return values[0] if len(values) == 1 else tuple(values)

    def __repr__(self) -> str:
        return f"operator.attrgetter({', '.join(map(repr, self._names))})"

    def kept_as(self) -> tuple[str, ...]:
        """Return what it is made of: the names."""
        return self._names


class TextFormat:
    """``text.format`` or ``text.format_map``, whose fields reach no further than the cell itself could."""

    __slots__ = ("_fill", "_name", "_text")

    def __init__(self, text: str, name: str, fill: Callable[[str, tuple[Any, ...], Any], str]) -> None:
        self._text, self._name, self._fill = text, name, fill

    def __call__(self, *args: Any, **named: Any) -> str:
        if self._name == "format":
            return self._fill(self._text, args, named)
        (mapping,) = args
        return self._fill(self._text, (), mapping)

    def __repr__(self) -> str:
        return f"<built-in method {self._name} of str object>"

    def kept_as(self) -> list[str]:
        """Return what it is made of: the text, and which of both."""
        return [self._text, self._name]


class MethodCaller:
    """``operator.methodcaller``: calls a method that the cell itself could call."""

    __slots__ = ("_args", "_get", "_name", "_options")

    def __init__(self, get: Get, name: str, args: tuple[Any, ...], options: dict[str, Any]) -> None:
        if type(name) is not str:
            raise TypeError("methodcaller() takes the name of a method")
        self._get, self._name, self._args, self._options = get, name, args, options

    def __call__(self, holder: Any) -> Any:
        return self._get(holder, self._name)(*self._args, **self._options)

    def __repr__(self) -> str:
        given = [*map(repr, (self._name, *self._args)), *(f"{name}={each!r}" for name, each in self._options.items())]
        return f"operator.methodcaller({', '.join(given)})"

    def kept_as(self) -> tuple[str, tuple[Any, ...], dict[str, Any]]:
        """Return what it is made of: the name, the arguments, the named ones."""
        return self._name, self._args, self._options


def check_arguments_of_getattr(name: Any, default: tuple[Any, ...]) -> None:
    """Raise TypeError as ``getattr`` does, for what is no name and for too many arguments."""
    if not isinstance(name, str):
        raise TypeError(f"attribute name must be string, not {type(name).__name__!r}")
    if len(default) > 1:
        raise TypeError(f"getattr expected at most 3 arguments, got {2 + len(default)}")


def make(get: Get) -> dict[str, Callable[..., Any]]:
    """Return what the module ``operator`` offers of them.

    Args:
        get: reads an attribute as cells may.
    """

    def attrgetter(*names: str) -> AttributeGetter:
        return AttributeGetter(get, names)

    def methodcaller(name: str, /, *args: Any, **options: Any) -> MethodCaller:
        return MethodCaller(get, name, args, options)

    return {"attrgetter": attrgetter, "methodcaller": methodcaller}
