"""What fields are declared as, as plain data: for whoever reads a run without the code of its world."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from cave_sim.entity.entity import Entity
from cave_sim.entity.field import Field
from cave_sim.entity.preparation import types_of


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
    said = {"about": field.about, "unit": field.unit, "low": field.ge, "high": field.le}
    kept = {key: value for key, value in said.items() if value not in (None, "")}
    bounded = kept.keys() & {"low", "high"}
    return kept | {"whole": True} if bounded and annotation is int else kept
