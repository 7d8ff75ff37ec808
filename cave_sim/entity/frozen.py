"""Frozen containers: they read like any list, dict or set of a field, and refuse every write.

For containers that stand where no write could be followed, as in the attribute of a graph's node. Whoever wants
another value sets the whole anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

import pydantic

from cave_sim.entity.containers import Tracked, TrackedDict, TrackedList, TrackedSet, settle
from cave_sim.entity.home import Home
from cave_sim.errors import SchemaError

_REFUSAL = (
    "a list, dict or set within a graph's attribute, a tuple or a frozen value cannot be written in place: "
    "set it anew, as in graph.nodes[n]['tags'] = [*graph.nodes[n]['tags'], 'new']"
)


class _FrozenHome(Home):
    """Where nobody may write."""

    __slots__ = ()

    def begin_write(self) -> NoReturn:
        raise SchemaError(_REFUSAL)

    def refusal(self, error: SchemaError, what: str) -> SchemaError:
        return error


class _FrozenItems:
    """Stands for the item type of containers that take nothing in."""

    def admit(self, value: Any, budget: Any) -> NoReturn:
        """Refuse; raises SchemaError."""
        raise SchemaError(_REFUSAL)

    def encode(self, value: Any) -> Any:
        """Never asked: what holds the container writes it."""
        return value

    def decode(self, data: Any) -> Any:
        """Never asked: what holds the container reads it."""
        return data

    def native(self, data: Any, entities: Mapping[str, Any]) -> Any:
        """Never asked: what holds the container reads it."""
        return data


_ITEMS = _FrozenItems()
_HOME = _FrozenHome(None, "")


def frozen(value: Any) -> Any:
    """Return plain data, or an immutable value, with every container inside as a frozen copy."""
    if isinstance(value, pydantic.BaseModel):
        return _frozen_model(value)
    if type(value) is tuple:
        return tuple(map(frozen, value))
    container: Tracked
    if isinstance(value, list):
        container = TrackedList(map(frozen, list.__iter__(value)), _ITEMS)
    elif isinstance(value, dict):
        container = TrackedDict({key: frozen(item) for key, item in dict.items(value)}, _ITEMS, None)
    elif isinstance(value, set):
        container = TrackedSet(set.__iter__(value), _ITEMS)
    else:
        return value
    settle((container,), _HOME)
    return container


def _frozen_model(model: pydantic.BaseModel) -> pydantic.BaseModel:
    fields = {name: frozen(value) for name, value in model}
    changed = {name: value for name, value in fields.items() if value is not getattr(model, name)}
    return model.model_copy(update=changed) if changed else model
