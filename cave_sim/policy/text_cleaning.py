"""Cleaning the texts that cells make, before anybody is shown them or anything keeps them."""

from __future__ import annotations

from typing import Any

from cave_sim.policy.hidden_text import without_hidden
from cave_sim.policy.libraries.addresses import without_addresses
from cave_sim.policy.libraries.stand_ins import StandIn

__all__ = ["Text", "clean", "without_addresses"]


class _TextClass(StandIn):
    stands_for = str

    def __call__(self, *args: Any, **kwargs: Any) -> str:
        return without_addresses(str(*args, **kwargs))

    def __getattr__(self, name: str) -> Any:
        return getattr(str, name)


class Text(str, metaclass=_TextClass):
    """``str`` in a cell wherever it may be called: texts that do not tell where in memory something lies.

    It is below ``str``, for ``typing`` takes equal classes for one, and may ask the other of the two.
    """


Text.__name__ = Text.__qualname__ = "str"
Text.__module__ = "builtins"  # where annotations that name it are shown, it is Python's own


def clean(text: str) -> str:
    """Return text without control, invisible and unstorable characters, and without places in memory."""
    text = without_addresses(text)
    return without_hidden(text)
