"""Cleaning the texts that cells make, before anybody is shown them or anything keeps them."""

from __future__ import annotations

from typing import Any

from cave_sim.policy.hidden_text import without_hidden
from cave_sim.policy.libraries.addresses import without_addresses

__all__ = ["Text", "clean", "without_addresses"]


class _TextClass(type):
    """What ``str`` is but for its calls: the class of texts to those who ask, equal to ``str`` itself."""

    def __call__(cls, *args: Any, **kwargs: Any) -> str:
        return without_addresses(str(*args, **kwargs))

    def __instancecheck__(cls, value: Any) -> bool:
        return isinstance(value, str)

    def __subclasscheck__(cls, kind: type) -> bool:
        return issubclass(kind, str)

    def __eq__(cls, other: object) -> bool:
        return other is cls or other is str

    def __hash__(cls) -> int:
        return hash(str)

    def __getattr__(cls, name: str) -> Any:
        return getattr(str, name)

    def __repr__(cls) -> str:
        return repr(str)


class Text(metaclass=_TextClass):
    """``str`` in a cell wherever it may be called: texts that do not tell where in memory something lies."""


Text.__name__ = Text.__qualname__ = "str"
Text.__module__ = "builtins"  # where annotations that name it are shown, it is Python's own


def clean(text: str) -> str:
    """Return text without control, invisible and unstorable characters, and without places in memory."""
    text = without_addresses(text)
    return without_hidden(text)
