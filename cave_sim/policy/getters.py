"""What reads through the guard of its world: ``operator.attrgetter``, ``text.format``, a method taken from a class."""

from __future__ import annotations

import functools
import string
from _string import formatter_field_name_split  # type: ignore[import-not-found]
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from cave_sim.diagnostics.told_names import told_as
from cave_sim.entity.reference_containers import RefSet
from cave_sim.entity.values import StableFrozenSet, StableSet
from cave_sim.policy.libraries.formats import checked_format
from cave_sim.policy.text_cleaning import without_addresses

Get = Callable[[Any, str], Any]
FORMATS = ("format", "format_map")


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

    __slots__ = ("_get", "_name", "_text")

    def __init__(self, get: Get, text: str, name: str) -> None:
        self._get, self._text, self._name = get, text, name

    def __call__(self, *args: Any, **named: Any) -> str:
        if self._name == "format_map":
            (named,) = args
            args = ()
        return without_addresses(_Formatter(self._get).vformat(self._text, args, named))

    def __repr__(self) -> str:
        return f"<built-in method {self._name} of str object>"

    def kept_as(self) -> list[str]:
        """Return what it is made of: the text, and which of both."""
        return [self._text, self._name]


class _Formatter(string.Formatter):
    def __init__(self, get: Get) -> None:
        self._get = get
        self._numbered, self._counted = 0, False

    def parse(self, format_string: str) -> Iterator[Any]:
        for literal, name, spec, conversion in super().parse(format_string):
            yield literal, name if name is None else self._with_number(name), spec, conversion

    def _with_number(self, name: str) -> str:
        """Return what a field reads with the number of its argument, which ``{.x}`` leaves out as ``{}`` does."""
        first, _ = formatter_field_name_split(name)
        if first == "":
            if self._counted:
                raise ValueError("cannot switch from manual field specification to automatic field numbering")
            name, self._numbered = f"{self._numbered}{name}", self._numbered + 1
        elif isinstance(first, int):
            if self._numbered:
                raise ValueError("cannot switch from automatic field numbering to manual field specification")
            self._counted = True
        return name

    def get_field(self, field_name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        first, rest = formatter_field_name_split(field_name)
        value = self.get_value(first, args, kwargs)
        for is_attribute, key in rest:
            value = self._get(value, key) if is_attribute else value[key]
        return value, first

    def format_field(self, value: Any, format_spec: str) -> str:
        return format(*(value, checked_format(format_spec)))  # as for format_text: one count of calls, however often


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


class UnboundMethod:
    """``set.union``, ``list.sort`` and their like: a method of the object that is given first, as a cell could call it.

    The class's own would step over what a container of the world does in its place.
    """

    __slots__ = ("__name__", "_get", "_kind")

    def __init__(self, get: Get, kind: type, name: str) -> None:
        self._get, self._kind, self.__name__ = get, kind, name

    def __call__(self, /, *args: Any, **options: Any) -> Any:
        title = self._kind.__name__
        if not args:
            raise TypeError(f"unbound method {title}.{self.__name__}() needs an argument")
        holder, *given = args
        if not isinstance(holder, _HOLDERS.get(self._kind, self._kind)):
            other = type(holder).__name__
            raise TypeError(f"descriptor {self.__name__!r} for {title!r} objects doesn't apply to a {other!r} object")
        return self._get(holder, self.__name__)(*given, **options)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, UnboundMethod) and self.kept_as() == other.kept_as()

    def __hash__(self) -> int:
        return hash(self.kept_as())

    def __repr__(self) -> str:
        return f"<method {self.__name__!r} of {self._kind.__name__!r} objects>"

    def kept_as(self) -> tuple[type, str]:
        """Return what it is made of: the class, and the name."""
        return self._kind, self.__name__


told_as(UnboundMethod, "method_descriptor")
_HOLDERS: dict[type, tuple[type, ...]] = {StableSet: (set, RefSet), StableFrozenSet: (frozenset,)}


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
