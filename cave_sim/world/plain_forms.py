"""How cells write values of classes that they have no name for: members of an Enum, frozen models and dataclasses."""

from __future__ import annotations

import dataclasses
import enum
import inspect
import typing
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from cave_sim.entity.entity import Entity
from cave_sim.entity.preparation import resolve, types_of
from cave_sim.entity.strict_adapter import is_model
from cave_sim.world.type_text import type_text


def plain_forms(kinds: Iterable[type[Entity]]) -> str:
    """Return a line that says how the values of such classes are written; empty if no field or argument has one.

    >>> class Mood(enum.Enum):
    ...     WELL = "well"
    ...     ILL = "ill"
    >>> class Cat(Entity):
    ...     mood: Mood = Mood.WELL
    >>> plain_forms([Cat])
    "# As plain data: Mood: 'well' or 'ill' (read: .value)"
    """
    forms: dict[str, str] = {}
    for kind in kinds:
        forms.update(_forms_of(kind))
    return f"# As plain data: {'; '.join(f'{name}: {form}' for name, form in forms.items())}" if forms else ""


def form_of(kinds: Iterable[type[Entity]], name: str) -> str:
    """Return how values of the class of a name are written; empty if no field or argument takes such."""
    return next((form for kind in kinds if (form := _forms_of(kind).get(name))), "")


@cache
def _forms_of(kind: type[Entity]) -> dict[str, str]:
    annotations = [field_type.annotation for field_type in types_of(kind).values()]
    for name, method in inspect.getmembers(kind, inspect.isfunction):
        if not name.startswith("_"):
            try:
                annotations += resolve(inspect.get_annotations(method), kind).values()
            except TypeError:  # it names what nobody knows; whoever calls it is told
                continue
    forms: dict[type, str] = {}
    for annotation in annotations:
        _collect(annotation, forms)
    return {each.__name__: form for each, form in forms.items()}


def _collect(annotation: Any, forms: dict[type, str]) -> None:
    for part in typing.get_args(annotation):
        _collect(part, forms)
    if not isinstance(annotation, type) or annotation in forms:
        return
    if issubclass(annotation, enum.Enum):
        read = "" if issubclass(annotation, str | int) else " (read: .value)"
        forms[annotation] = " or ".join(repr(member.value) for member in annotation) + read
    elif hints := dict(_parts(annotation)):
        forms[annotation] = f"{{{', '.join(f'{name!r}: {type_text(part)}' for name, part in hints.items())}}}"
        for part in hints.values():
            _collect(part, forms)


def _parts(kind: type) -> Iterator[tuple[str, Any]]:
    """Yield the fields of a model, a dataclass or a named tuple with their types."""
    if is_model(kind):
        yield from ((name, field.annotation) for name, field in kind.model_fields.items())  # type: ignore[attr-defined]
    elif dataclasses.is_dataclass(kind) or (issubclass(kind, tuple) and hasattr(kind, "_fields")):
        names = [each.name for each in dataclasses.fields(kind)] if dataclasses.is_dataclass(kind) else kind._fields
        try:
            hints = typing.get_type_hints(kind)
        except NameError:
            return
        yield from ((name, hints[name]) for name in names if name in hints)
