"""Narration: in which words people are told that somebody called a method, given by the method itself.

The words are a template, ``heads for {place}``, and become data of a run: who tells the run later needs no code of it.
"""

from __future__ import annotations

import inspect
import string
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

Method = TypeVar("Method", bound=Callable[..., Any])
OWNER = "self"
"""The placeholder of the entity whose method it is; needed where it is not the one who acts."""


def narrates(template: str, *, if_written: Mapping[str, str] | None = None) -> Callable[[Method], Method]:
    """Say in which words a call of a method is told, after the name of who called it.

    Args:
        template: such as ``says to {other}: “{text}”``. A placeholder is an argument of the method, or ``{self}``.
        if_written: of a method that does one of several things, templates by a text that its turn then wrote:
            ``{"Yes, at": "agrees with {other}"}``.

    Raises:
        TypeError: the template names something that is no argument, as the class is made.
    """
    others = dict(if_written or {})

    def mark(method: Method) -> Method:
        for each in (template, *others.values()):
            if unknown := _unknown(each, method):
                raise TypeError(
                    f"narrates({each!r}): {method.__name__} has no argument {unknown[0]!r};"
                    f" it has: {', '.join(inspect.signature(method).parameters)}"
                )
        method.narration = template, others  # type: ignore[attr-defined]
        return method

    return mark


def _unknown(template: str, method: Callable[..., Any]) -> list[str]:
    """Return what a template names and is no argument of a method."""
    parameters = inspect.signature(method).parameters
    return [name for _, name, _, _ in string.Formatter().parse(template) if name is not None and name not in parameters]


def _defaults(method: Callable[..., Any]) -> dict[str, Any]:
    """Return the defaults that can be told."""
    parameters = inspect.signature(method).parameters.values()
    return {each.name: each.default for each in parameters if isinstance(each.default, str | int | float)}


def narrations(classes: Iterable[type]) -> dict[str, dict[str, Any]]:
    """Return the words of classes, as plain data: class -> method -> template, parameters, defaults, and if_written.

    A method that overrides another one and has no words of its own is told in those of that one, if they fit.
    """
    by_class: dict[str, dict[str, Any]] = {}
    for cls in classes:
        marked = {name for base in cls.__mro__ for name, each in vars(base).items() if hasattr(each, "narration")}
        by_method = {name: words for name in sorted(marked) if (words := _words(cls, name))}
        if by_method:
            by_class[cls.__name__] = by_method
    return by_class


def _words(cls: type, name: str) -> dict[str, Any] | None:
    method = getattr(cls, name)
    templates = (getattr(vars(base).get(name), "narration", None) for base in cls.__mro__)
    template, others = next(filter(None, templates))
    if not callable(method) or any(_unknown(each, method) for each in (template, *others.values())):
        return None
    parameters = list(inspect.signature(method).parameters)
    words = {"template": template, "parameters": parameters[1:], "defaults": _defaults(method)}
    return words | ({"if_written": others} if others else {})
