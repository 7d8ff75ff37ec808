"""The filters of templates: those that take a value and make no more of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from jinja2 import Undefined
from jinja2.exceptions import SecurityError, UndefinedError

from cave_sim.rendering.limits import Meter

MOST_DIGITS = 12


def default(value: Any, other: Any = "") -> Any:
    """Return a value, or another one where there is none."""
    return other if isinstance(value, Undefined) or value is None else value


def number(value: Any, digits: int = 0) -> str:
    """Return a number with thousands marked and so many digits behind the point."""
    return f"{float(value):,.{_digits(digits)}f}"


def rounded(value: Any, digits: int = 0) -> float:
    """Return a number, rounded."""
    return round(float(value), _digits(digits))


def _digits(digits: int) -> int:
    if not (isinstance(digits, int) and 0 <= digits <= MOST_DIGITS):
        raise SecurityError(f"digits are 0 to {MOST_DIGITS}")
    return digits


def _text(function: Callable[[str], str]) -> Callable[[Any], str]:
    def filtered(value: Any) -> str:
        if isinstance(value, Undefined):
            raise UndefinedError(str(value))
        if not isinstance(value, str):
            raise SecurityError("this filter is for texts")
        return function(value)

    return filtered


def _items(value: Any) -> list[tuple[Any, Any]]:
    if not isinstance(value, Mapping):
        raise SecurityError("items is for mappings")
    return list(value.items())


def _place(place: int) -> Callable[[Any], Any]:
    def filtered(value: Any) -> Any:
        if not isinstance(value, str | list | tuple) or not value:
            raise SecurityError("first and last are for texts and lists that are not empty")
        return value[place]

    return filtered


def by_name(meter: Meter, safe: Callable[[Any], Any]) -> dict[str, Callable[..., Any]]:
    """Return the filters, which count what they take.

    Args:
        meter: counts.
        safe: escapes what is no block.
    """

    def join(values: Iterable[Any], between: str = "") -> Any:
        pieces, chars = [], 0
        mark = safe(between)
        for value in meter.counted(values):
            pieces.append(safe(value))
            chars += len(pieces[-1]) + len(mark)
            if chars > meter.limits.chars:
                raise meter.too_long()
        return mark.join(pieces)

    def ordered(values: Iterable[Any], reverse: bool = False) -> list[Any]:
        items = list(meter.counted(values))
        return sorted(items, reverse=bool(reverse))

    def tojson(value: Any) -> str:
        return str(meter.bounded(json.dumps(value, ensure_ascii=False, default=_no_json)))

    return {
        "abs": abs,
        "capitalize": _text(str.capitalize),
        "d": default,
        "default": default,
        "e": safe,
        "escape": safe,
        "first": _place(0),
        "float": float,
        "int": int,
        "items": _items,
        "join": join,
        "last": _place(-1),
        "length": len,
        "lower": _text(str.lower),
        "number": number,
        "round": rounded,
        "sort": ordered,
        "title": _text(str.title),
        "tojson": tojson,
        "trim": _text(str.strip),
        "upper": _text(str.upper),
    }


def _no_json(value: Any) -> Any:
    raise SecurityError(f"a {type(value).__name__} is no JSON")


NAMES = tuple(by_name(Meter(), str))
