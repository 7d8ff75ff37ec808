"""What a cell gets of json and textwrap: texts no longer than what they are made of."""

from __future__ import annotations

import functools
import json
import textwrap
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from cave_sim.entity.values import LIMITS, NodeCounter, check_scalar, plain_scalar
from cave_sim.errors import Blocked
from cave_sim.policy.libraries.kept_classes import kept_class

MAX_INDENT = 16
MAX_PREFIX = 200


def dumps(
    value: Any,
    *,
    indent: int | str | None = None,
    sort_keys: bool = False,
    default: Callable[[Any], Any] | None = None,
    ensure_ascii: bool = True,
    separators: tuple[str, str] | None = None,
) -> str:
    """``json.dumps``, of what is bounded in size, so that nothing shared a thousandfold is written out."""
    between = [len(indent) if isinstance(indent, str) else indent or 0, *map(len, separators or ())]
    if max(between) > MAX_INDENT:
        raise Blocked(f"json.dumps: at most {MAX_INDENT} characters between two items")
    plain = _written(value, default or _unknown, NodeCounter())
    return json.dumps(plain, indent=indent, sort_keys=sort_keys, ensure_ascii=ensure_ascii, separators=separators)


def loads(text: Any, *, object_hook: Any = None, **options: Any) -> Any:
    """``json.loads``; the hook is called for each object when all is read, those within before those around them."""
    if not set(options) <= {"parse_float", "parse_int", "object_pairs_hook"}:
        raise TypeError("json.loads() takes object_hook, object_pairs_hook, parse_float and parse_int")
    value = json.loads(text, **options)
    return value if object_hook is None or options.get("object_pairs_hook") else _hooked(value, object_hook)


def _hooked(value: Any, hook: Callable[[dict[str, Any]], Any]) -> Any:
    if type(value) is list:
        return [_hooked(item, hook) for item in value]
    return hook({key: _hooked(item, hook) for key, item in value.items()}) if type(value) is dict else value


def _unknown(value: Any) -> NoReturn:
    raise TypeError(f"Object of type {type(value).__name__} is not JSON serializable")


def _written(value: Any, default: Callable[[Any], Any], budget: NodeCounter) -> Any:
    """Return a value as plain data, with what ``default`` makes of all else."""
    scalar = _scalar(value)
    if type(scalar) is float or check_scalar(scalar):  # a text may tell of infinity, which no field of an entity holds
        return scalar
    if isinstance(value, (dict, list, tuple)):
        budget.enter(value)
        if isinstance(value, dict):
            copied: Any = {_key(key): _written(item, default, budget) for key, item in dict.items(value)}
        else:
            copied = [_written(item, default, budget) for item in value]
    else:
        level = (value,)
        budget.enter(level)
        copied = _written(default(value), default, budget)
    budget.leave()
    return copied


def _scalar(value: Any) -> Any:
    return value if isinstance(value, (np.datetime64, np.timedelta64)) else plain_scalar(value)


def _key(key: Any) -> Any:
    scalar = _scalar(key)
    if type(scalar) is float or check_scalar(scalar):
        return scalar
    raise TypeError(f"keys must be str, int, float, bool or None, not {type(key).__name__}")


def _bounded(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of textwrap that repeats nothing long, and nothing wide."""

    @functools.wraps(function)
    def call(text: str, *args: Any, **options: Any) -> Any:
        if any(isinstance(given, str) and len(given) > MAX_PREFIX for given in (*args, *options.values())):
            raise Blocked(f"{function.__name__}(): a text of more than {MAX_PREFIX} characters on every line")
        if "tabsize" in options or len(text) > LIMITS.text_chars:
            raise Blocked(f"{function.__name__}() takes no tabsize, and at most {LIMITS.text_chars:,} characters")
        return function(text, *args, **options)

    return call


@kept_class("width", "_options")
class TextWrapper:
    """``textwrap.TextWrapper``: how to wrap texts."""

    __slots__ = ("_options", "width")

    def __init__(self, width: int = 70, **options: Any) -> None:
        self.width: int = width
        self._options = options

    def wrap(self, text: str) -> list[str]:
        """Return a text as lines."""
        return _bounded(textwrap.wrap)(text, self.width, **self._options)  # type: ignore[no-any-return]

    def fill(self, text: str) -> str:
        """Return a text with ends of lines."""
        return "\n".join(self.wrap(text))


TEXTS: dict[str, Any] = {"TextWrapper": TextWrapper} | {
    name: _bounded(getattr(textwrap, name)) for name in ("shorten", "wrap", "fill", "dedent", "indent")
}
"""What ``textwrap`` offers."""
