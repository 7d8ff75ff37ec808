"""What is raised where a value has no canonical form, and what an agent can do instead."""

from __future__ import annotations

import io
import types
from typing import Any

import pandas as pd

from cave_sim.diagnostics.plurals import article
from cave_sim.errors import SchemaError


class CannotBeKept(SchemaError):
    """A variable holds something that has no form in which it could be kept between turns.

    Args:
        variable: its name.
        message: what it holds, and the way out.
    """

    def __init__(self, variable: str, message: str) -> None:
        super().__init__(message)
        self.variable = variable


class Malformed(SchemaError):
    """Data that should be variables is not what any cell left."""


def describe(value: Any, path: str) -> str:
    """Return what kind of thing cannot be kept, and the way out of it.

    Args:
        value: the thing.
        path: how the cell calls the variable that holds it.
    """
    kind = type(value)
    for kinds, noun, way_out in _WAYS_OUT:
        if isinstance(value, kinds):
            return f"{article(noun)}, which cannot be kept between turns: {way_out.format(path)}"
    if hasattr(kind, "__next__"):
        return f"{article(kind.__name__)}, an iterator, which cannot be kept between turns: keep list({path})"
    if hasattr(kind, "__iter__"):
        return f"{article(kind.__name__)}, which cannot be kept between turns: keep list({path})"
    return f"{article(kind.__name__)}, which cannot be kept between turns: keep what you need of it as data"


_GROUPS = (pd.api.typing.Rolling, pd.api.typing.Expanding)
_WAYS_OUT: tuple[tuple[Any, str, str], ...] = (
    (types.GeneratorType, "generator", "keep list({0})"),
    ((types.CoroutineType, types.AsyncGeneratorType), "coroutine", "await it in the same turn and keep the result"),
    ((type({}.values()), type({}.keys()), type({}.items())), "view of a dict", "keep list({0}), or the dict itself"),
    (io.IOBase, "open file", "keep what you read from it"),
    (_GROUPS, "window over a table", "keep the table, and open the window where you need it"),
    (types.ModuleType, "module", "import it in each turn that uses it"),
)
