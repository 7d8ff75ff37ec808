"""What fields are declared as, as plain data: for whoever reads a run without the code of its world."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from cave_sim.entity.entity import Entity
from cave_sim.entity.field import Field
from cave_sim.entity.preparation import types_of

LARGEST = 2**53
"""What readers of JSON everywhere take for the number that it is."""


def declarations(classes: Iterable[type[Entity]]) -> dict[str, dict[str, dict[str, Any]]]:
    """Return class -> field -> what its declaration says: `about`, `unit`, bounds as `low` and `high`, `whole` numbers.

    What a declaration does not say is left out, and so are fields and classes that say nothing.
    """
    by_class: dict[str, dict[str, dict[str, Any]]] = {}
    for cls in classes:
        by_field = {name: says for name, each in types_of(cls).items() if (says := _said(each.field, each.annotation))}
        if by_field:
            by_class[cls.__name__] = by_field
    return by_class


def _said(field: Field, annotation: Any) -> dict[str, Any]:
    says = {"about": field.about, "unit": field.unit, "low": _bound(field.ge), "high": _bound(field.le)}
    not_empty = {key: value for key, value in says.items() if value not in (None, "")}
    bounded = not_empty.keys() & {"low", "high"}
    return not_empty | {"whole": True} if bounded and annotation is int else not_empty


def _bound(bound: float | None) -> float | None:
    """Return a bound that a scale can show; none is infinite, or too large for any."""
    return None if bound is None or not -LARGEST <= bound <= LARGEST else bound
