"""What tests of ``scipy.stats`` return in a cell: named tuples that unpack like SciPy's own, with what these have more.

SciPy's results are tuples of two or so that have more attributes (``df``, ``confidence_interval()``). Here such a one
is of a class of its own, whose attributes these are, so that it is kept and comes out as any named tuple does.
"""

from __future__ import annotations

import collections
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from cave_sim.policy.libraries.kept_classes import kept_class
from cave_sim.policy.libraries.named_tuples import give_attributes

_NUMBERS = ("df", "statistic_location", "statistic_sign", "intercept_stderr", "correlation")
_METHODS = ("confidence_interval", "proportion_ci")
_AT_MOST = 500
"""Characters of a text by which a result shows itself otherwise than a named tuple."""

Ask = Callable[[str, list[Any], dict[str, Any], str, dict[str, Any]], Any]
"""Computes a test again and asks its result for something: its name, what it was given, the method, its options."""
_ask: list[Ask] = []


def asking(function: Ask) -> Ask:
    """Declare what computes a test again."""
    _ask.append(function)
    return function


@kept_class("_text")
class ShownAs:
    """The text of a result."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def __call__(self) -> str:
        return str(self._text)[:_AT_MOST]


@kept_class("_name", "_args", "_named", "_method")
class ResultMethod:
    """A method of a result, which computes the test again: ``result.confidence_interval(0.9)``."""

    __slots__ = ("_args", "_method", "_name", "_named")

    def __init__(self, name: str, args: Sequence[Any], named: dict[str, Any], method: str) -> None:
        own = [each.copy() if isinstance(each, np.ndarray) else each for each in (*args, *named.values())]
        self._name, self._method = name, method
        self._args, self._named = own[: len(args)], dict(zip(named, own[len(args) :], strict=True))

    def __call__(self, confidence_level: Any = 0.95, method: Any = None) -> Any:
        options = {"confidence_level": confidence_level} | ({} if method is None else {"method": method})
        return _ask[0](self._name, self._args, self._named, self._method, options)

    def __repr__(self) -> str:
        return f"<method {self._method} of a result of scipy.stats.{self._name}>"


@cache
def _kind(name: str, fields: str) -> Any:
    return _new_kind(name, fields)


def _new_kind(name: str, fields: str) -> Any:
    make: Callable[..., Any] = collections.namedtuple
    return make(name, fields, module="__main__")


def as_result(
    result: Any, fields: str, keep: Callable[[Any], Any], asked: tuple[str, list[Any], dict[str, Any]] | None = None
) -> Any:
    """Return a result of SciPy's as a cell keeps it.

    Args:
        result: what SciPy returned.
        fields: the names of what it unpacks to.
        keep: returns a number or an array as a cell keeps it.
        asked: the name of the test and what it was given, for what computes it again.
    """
    name = type(result).__name__.strip("_")
    own = fields.split()
    values = [keep(getattr(result, each)) for each in own]
    more = {each: keep(getattr(result, each)) for each in _NUMBERS if hasattr(result, each) and each not in own}
    if asked is not None:
        more |= {each: ResultMethod(*asked, each) for each in _METHODS if callable(getattr(result, each, None))}
    shown = repr(result)
    plain = _kind(name, fields)(*values)
    if len(shown) <= _AT_MOST and shown.startswith(f"{name}(") and shown != repr(plain):
        more["__repr__"] = ShownAs(shown)
    if not more:
        return plain
    kind = _new_kind(name, fields)
    give_attributes(kind, more.items())
    return kind(*values)
