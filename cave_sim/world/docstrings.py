"""What docstrings say: their first line, and what they say of arguments."""

from __future__ import annotations

import inspect
import re
import typing
from collections.abc import Iterator
from functools import cached_property, partial
from types import UnionType
from typing import Any

from cave_sim.world.signatures import line

_ARGS = re.compile(r"^(?:Args|Arguments|Parameters):\s*\n((?:[ \t]+.*\n?|\n)*)", re.MULTILINE)
_ATTRIBUTES = re.compile(r"^Attributes:\s*\n((?:[ \t]+.*\n?|\n)*)", re.MULTILINE)
_ARG = re.compile(r"^\*{0,2}(\w+)\s*(?:\([^)\n]*\))?:\s*(.*)")
_NUMPY = re.compile(r"^(?:Other )?Parameters\n-{3,}\n((?:(?!.+\n-{3,}).*\n?)*)", re.MULTILINE)
_NUMPY_ATTRIBUTES = re.compile(r"^Attributes\n-{3,}\n((?:(?!.+\n-{3,}).*\n?)*)", re.MULTILINE)
_NUMPY_ARG = re.compile(r"^\*{0,2}(\w+)(?: *, *\*{0,2}\w+)* *(?::.*)?\n[ \t]+(.+)", re.MULTILINE)
_PARAM = re.compile(r"^:param (?:[\w\[\], |.]+ )?\*{0,2}(\w+):\s*(.*)$", re.MULTILINE)


def document(value: Any) -> str:
    """Return the docstring of an object without its indentation; "" for none."""
    text = inspect.getattr_static(value, "__doc__", None)
    text = getattr(value, "__doc__", None) if not isinstance(text, str) else text
    return inspect.cleandoc(text) if isinstance(text, str) else ""


def first_line(value: Any) -> str:
    """Return the first line of a docstring that somebody wrote for a function, a class, or the class of an object."""
    if isinstance(value, partial | UnionType | typing.NewType) or typing.get_origin(value) is not None:
        return ""  # that of their classes says nothing of them
    if not inspect.isroutine(value) and not isinstance(value, (property, cached_property, type)):
        value = type(value)
    if isinstance(value, type) and ("__doc__" not in vars(value) or _is_generated(value)):
        return ""
    return document(value).partition("\n")[0]


def _is_generated(kind: type) -> bool:
    """Say whether a class's docstring was written by its decorator: ``Stop(name: str)``, ``Alias for field 0``."""
    return document(kind).startswith(f"{kind.__name__}(")


def arguments(text: str) -> Iterator[tuple[str, str]]:
    """Yield the arguments that a docstring explains, each with the first line of what it says."""
    if section := _ARGS.search(text):
        yield from _rows(section[1])
    elif section := _NUMPY.search(text):
        yield from _numpy_rows(section[1])
    else:
        yield from ((name, line(text_of)) for name, text_of in _PARAM.findall(text))


def attributes(text: str) -> Iterator[tuple[str, str]]:
    """Yield the attributes that the docstring of a class explains, each with the first line of what it says."""
    if section := _ATTRIBUTES.search(text):
        yield from _rows(section[1])
    elif section := _NUMPY_ATTRIBUTES.search(text):
        yield from _numpy_rows(section[1])


def _rows(section: str) -> Iterator[tuple[str, str]]:
    rows = section.split("\n")
    indent = min((len(row) - len(row.lstrip()) for row in rows if row.strip()), default=0)
    for row in rows:
        if len(row) - len(row.lstrip()) == indent and (match := _ARG.match(row.strip())):
            yield match[1], line(match[2])


def _numpy_rows(section: str) -> Iterator[tuple[str, str]]:
    yield from ((name, line(text_of)) for name, text_of in _NUMPY_ARG.findall(section))
