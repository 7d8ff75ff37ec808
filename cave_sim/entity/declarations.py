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
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for cls in classes:
        told = {name: said for name, each in types_of(cls).items() if (said := _said(each.field, each.annotation))}
        if told:
            found[cls.__name__] = told
    return found


def _said(field: Field, annotation: Any) -> dict[str, Any]:
    said = {"about": field.about, "unit": field.unit, "low": _bound(field.ge), "high": _bound(field.le)}
    kept = {key: value for key, value in said.items() if value not in (None, "")}
    bounded = kept.keys() & {"low", "high"}
    return kept | {"whole": True} if bounded and annotation is int else kept


def _bound(bound: float | None) -> float | None:
    """Return a bound that a scale can show; none is infinite, or too large for any."""
    return None if bound is None or not -LARGEST <= bound <= LARGEST else bound
