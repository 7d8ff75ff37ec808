"""Classes of cells whose objects are numbers and texts: IntEnum and StrEnum. They keep what ``int`` and ``str`` do.

Bounds ask a number how large it is, and a text how long. One that answers otherwise than what Python's own code then
takes would pass them all.
"""

from __future__ import annotations

import enum
from types import FunctionType
from typing import Any

from cave_sim.errors import Blocked

_KINDS = (int, str)
_SHOWN = frozenset({"__init__", "__str__", "__repr__", "__format__", "__doc__"})


class _Plain(enum.IntEnum):
    ONE = 1


class _Text(enum.StrEnum):
    ONE = "1"


_ANSWERS = frozenset().union(*map(dir, _KINDS)) - _SHOWN - set(vars(_Plain)) - set(vars(_Text))
"""What a number or a text is asked, but for what Python itself writes into each class of an Enum."""
_OF_FLAGS = enum.Flag.__or__.__code__.co_filename


def _is_of_flags(value: Any) -> bool:
    """Say whether a method is one that Python writes into each class of flags."""
    return type(value) is FunctionType and value.__code__.co_filename == _OF_FLAGS


def is_number_class(kind: Any) -> bool:
    """Say whether a class is one whose objects are numbers or texts."""
    return isinstance(kind, type) and issubclass(kind, _KINDS)


def check_answers(kind: type) -> None:
    """Return if a class of a cell leaves to ``int`` and ``str`` what these are asked; raises Blocked."""
    if is_number_class(kind):
        members = getattr(kind, "__members__", ())
        taken = sorted(
            name
            for name, value in vars(kind).items()
            if name in _ANSWERS and name not in members and not _is_of_flags(value)
        )
        if taken:
            raise Blocked(
                f"class {kind.__name__}: its members are numbers or texts, which answer {', '.join(taken)} themselves; "
                "call the method otherwise, or write class Name(Enum)"
            )
