"""Frozen containers: they read like any list, dict or set of a field, and refuse every write.

For containers that stand where no write could be followed, as in the attribute of a graph's node. Whoever wants
another value sets the whole anew.
"""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Mapping
from typing import Any, NoReturn

import pydantic

from cave_sim.entity.containers import Tracked, TrackedDict, TrackedList, TrackedSet, settle
from cave_sim.entity.home import Home
from cave_sim.errors import SchemaError

_REFUSAL = (
    "a list, dict or set within a graph's attribute, a tuple, a frozen value or a union cannot be written in place: "
    "set the whole anew, as in me.tags = [*me.tags, 'new'] or graph.nodes[n]['tags'] = [*graph.nodes[n]['tags'], 'new']"
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
    if isinstance(value, tuple):
        items = map(frozen, value)
        return tuple(items) if type(value) is tuple else type(value)._make(items)  # type: ignore[attr-defined]
    if dataclasses.is_dataclass(value):
        return _frozen_dataclass(value)
    container: Tracked
    if isinstance(value, list):
        container = TrackedList(map(frozen, list.__iter__(value)), _ITEMS)
    elif isinstance(value, dict):
        container = TrackedDict({key: frozen(item) for key, item in dict.items(value)}, _ITEMS, None)
    elif isinstance(value, set):
        container = TrackedSet(set.__iter__(value), _ITEMS)
    elif type(value).__hash__ is None:
        raise SchemaError(f"{type(value).__name__} objects cannot be kept in the world: they can change unnoticed")
    else:
        return value
    settle((container,), _HOME)
    return container


def _frozen_model(model: pydantic.BaseModel) -> pydantic.BaseModel:
    fields = {name: frozen(value) for name, value in model}
    changed = {name: value for name, value in fields.items() if value is not getattr(model, name)}
    return model.model_copy(update=changed) if changed else model


def _frozen_dataclass(value: Any) -> Any:
    fields = {each.name: getattr(value, each.name) for each in dataclasses.fields(value)}
    changed = {name: copied for name, item in fields.items() if (copied := frozen(item)) is not item}
    if not changed:
        return value
    twin = copy.copy(value)  # as it is: neither its __init__ nor what that calls runs again
    for name, item in changed.items():
        object.__setattr__(twin, name, item)
    return twin
