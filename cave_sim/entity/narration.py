"""Narration: in which words people are told that somebody called a method, given by the method itself.

The words are a template, ``heads for {place}``, and become data of a run: who tells the run later needs no code of it.
"""

from __future__ import annotations

import inspect
import string
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

Method = TypeVar("Method", bound=Callable[..., Any])
OWNER = "self"
"""The placeholder of the entity whose method it is; needed where it is not the one who acts."""


def narrates(template: str) -> Callable[[Method], Method]:
    """Say in which words a call of a method is told, after the name of who called it.

    Args:
        template: such as ``says to {other}: “{text}”``. A placeholder is an argument of the method, or ``{self}``.

    Raises:
        TypeError: the template names something that is no argument, as the class is made.
    """

    def mark(method: Method) -> Method:
        parameters = list(inspect.signature(method).parameters)
        named = [name for _, name, _, _ in string.Formatter().parse(template) if name is not None]
        unknown = [name for name in named if name not in parameters]
        if unknown:
            raise TypeError(
                f"narrates({template!r}): {method.__name__} has no argument {unknown[0]!r};"
                f" it has: {', '.join(parameters)}"
            )
        method.narration = {"template": template, "parameters": parameters[1:], "defaults": _defaults(method)}  # type: ignore[attr-defined]
        return method

    return mark


def _defaults(method: Callable[..., Any]) -> dict[str, Any]:
    """Return the defaults that can be told."""
    parameters = inspect.signature(method).parameters.values()
    return {each.name: each.default for each in parameters if isinstance(each.default, str | int | float)}


def narrations(classes: Iterable[type]) -> dict[str, dict[str, Any]]:
    """Return the words of classes, as plain data: class -> method -> template, parameters, defaults."""
    found: dict[str, dict[str, Any]] = {}
    for cls in classes:
        methods = inspect.getmembers(cls, lambda member: hasattr(member, "narration"))
        if methods:
            found[cls.__name__] = {name: method.narration for name, method in methods}
    return found
