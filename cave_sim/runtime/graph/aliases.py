"""Forms of what cells write for readers alone and give a name: ``Vector = list[float]``, ``T = TypeVar("T")``."""

from __future__ import annotations

import types
import typing
from typing import Any

from cave_sim.runtime.graph.errors import Malformed
from cave_sim.runtime.graph.node import Form, See

_NONE = type(None)


def is_alias(value: Any) -> bool:
    """Say whether a value is a class with arguments, or a choice between classes."""
    return isinstance(value, types.UnionType) or (not isinstance(value, type) and bool(typing.get_args(value)))


def _write_alias(value: Any, see: See) -> Any:
    origin = typing.get_origin(value)
    kind = typing.Union if origin is types.UnionType else origin
    return [see(kind), *(see(list(part) if type(part) is list else _named(part)) for part in typing.get_args(value))]


def _named(part: Any) -> Any:
    if isinstance(part, typing.ForwardRef):
        return part.__forward_arg__
    return None if part is _NONE else part


def _make_alias(content: Any, reader: Any) -> Any:
    kind, *parts = (list(map(reader.read, part)) if type(part) is list else reader.read(part) for part in content)
    if not (isinstance(kind, type) or kind in (typing.Union, typing.Literal)):
        raise Malformed("an annotation of no class")
    return kind[tuple(parts) if len(parts) != 1 else parts[0]]  # type: ignore[index]


def _make_variable(content: Any, _reader: Any) -> Any:
    return typing.TypeVar(str(content))


ALIAS = Form("$alias", _write_alias, _make_alias)
TYPE_VARIABLE = Form("$typevar", lambda variable, see: see(variable.__name__), _make_variable)
