"""``colorsys``, ``pprint``, ``sys``, ``unicodedata``, ``warnings`` in a cell: what of them computes, or is printed."""

from __future__ import annotations

import colorsys
import functools
import pprint
import sys
import unicodedata
from collections.abc import Callable
from typing import Any, NoReturn

from cave_sim.entity.values import plain_copy
from cave_sim.errors import Blocked, SchemaError
from cave_sim.policy.libraries.addresses import without_addresses
from cave_sim.policy.libraries.formats import check_normalized
from cave_sim.policy.libraries.null_context import NullContext

MAX_DEPTH = 1_000

_OF_LETTERS = (
    "name lookup category numeric decimal digit combining bidirectional east_asian_width mirrored decomposition"
)


def _normalizing(name: str) -> Callable[[str, str], Any]:
    """What puts the marks of a text in order, or asks whether they are, for texts that take no longer than a moment."""
    function = getattr(unicodedata, name)

    def call(form: str, text: str, /) -> Any:
        check_normalized(0 if text.isascii() else len(text), name)
        return function(form, text)

    call.__name__ = name
    return call


UNICODEDATA = {name: getattr(unicodedata, name) for name in _OF_LETTERS.split()} | {
    name: _normalizing(name) for name in ("normalize", "is_normalized")
}


def _of_floats(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of colours, of numbers alone."""

    @functools.wraps(function)
    def call(*parts: float) -> Any:
        return function(*map(float, parts))

    return call


_OF_COLOURS = "rgb_to_hsv hsv_to_rgb rgb_to_hls hls_to_rgb rgb_to_yiq yiq_to_rgb"
COLORSYS = {name: _of_floats(getattr(colorsys, name)) for name in _OF_COLOURS.split()}


def pformat(value: Any, indent: int = 1, width: int = 80, depth: int | None = None, **options: Any) -> str:
    """``pprint.pformat``, of plain data; anything else is written in one line."""
    if indent > 16 or width > 1_000:
        raise Blocked("pformat: at most 16 characters of indent, and 1,000 of width")
    try:
        data = plain_copy(value)
    except SchemaError:
        return without_addresses(repr(value))
    ordered = {name: bool(options[name]) for name in ("compact", "sort_dicts", "underscore_numbers") if name in options}
    return pprint.pformat(data, indent, width, depth, **ordered)


def make_pprint(print_: Callable[..., None]) -> dict[str, Any]:
    """Return what ``pprint`` offers."""

    def pretty(value: Any, stream: None = None, *args: Any, **options: Any) -> None:  # noqa: ARG001
        print_(pformat(value, *args, **options))

    return {"pprint": pretty, "pp": pretty, "pformat": pformat}


def make_doctest(print_: Callable[..., None]) -> dict[str, Any]:
    """Return what ``doctest`` offers: modules that end by testing themselves run, and say that none of it was done."""

    def skip(*_: Any, **__: Any) -> tuple[int, int]:
        print_("doctest: examples in docstrings are not run in a cell; check with assert")
        return 0, 0  # failed, attempted

    return {"testmod": skip, "run_docstring_examples": skip, "ELLIPSIS": 8, "NORMALIZE_WHITESPACE": 4}


def make_warnings(print_: Callable[..., None]) -> dict[str, Any]:
    """Return what ``warnings`` offers: a cell's own are printed; libraries give none, so that nothing is filtered."""

    def warn(message: Any, category: Any = UserWarning, *_: Any, **__: Any) -> None:
        print_(f"{category.__name__ if isinstance(category, type) else 'UserWarning'}:", message)

    return {"warn": warn, "catch_warnings": _catch} | dict.fromkeys(("filterwarnings", "simplefilter"), _filter)


def _filter(*_: Any, **__: Any) -> None:
    """Do nothing: what libraries warn of is not shown to cells."""


def _catch(*, record: bool = False, **_: Any) -> NullContext:
    return NullContext([] if record else None)


def _leave(*_: Any) -> NoReturn:
    raise RuntimeError("sys.exit(): a turn ends with its cell's last line; put the rest under an `if`, or `raise`")


def _set_depth(_depth: int) -> None:
    """Do nothing: how deep a cell may go is the same for all."""


SYS: dict[str, Any] = {
    "maxsize": sys.maxsize,
    "float_info": sys.float_info,
    "stdout": None,
    "stderr": None,
    "setrecursionlimit": _set_depth,
    "getrecursionlimit": lambda: MAX_DEPTH,
    "exit": _leave,
}
"""What ``sys`` offers: sizes, and what prints take; nothing of the process."""
