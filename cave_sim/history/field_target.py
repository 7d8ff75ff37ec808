"""What people name on the command line, ``weather.kind`` or ``world["Café Engel"].stock["bread"]``, found in a run."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from cave_sim.errors import JournalError, did_you_mean
from cave_sim.history.path_steps import Step, steps_of
from cave_sim.history.wording import path_text
from cave_sim.journal.queries import created_entities, first_description, has_entity, written_paths
from cave_sim.journal.reader import Run

QUOTED = re.compile(r"""^world\[(["'])(?P<entity>.+?)\1\](?P<rest>.*)$""", re.DOTALL)


@dataclass(frozen=True, slots=True)
class FieldTarget:
    """An entity's field, or a part of it.

    Attributes:
        entity: whose.
        field: which; empty for the entity as a whole.
        steps: down to a part: keys, positions in a list, nodes and edges of a graph; empty for the whole field.
    """

    entity: str
    field: str
    steps: tuple[Step, ...] = ()

    def __str__(self) -> str:
        return f"{self.entity}.{path_text((self.field, *self.steps))}" if self.field else self.entity


def find_target(run: Run, text: str) -> FieldTarget:
    """Return what a text names in a run.

    Raises:
        JournalError: the run has no such entity, or the entity no such field; with what comes nearest.
    """
    entity, rest = _entity(run, text)
    try:
        field, *steps = steps_of(rest) or ("",)
    except ValueError as error:
        raise JournalError(f"{text!r} is no field: {error}") from None
    if field and field not in (fields := _first_fields(run, entity)):
        fields += [name for name in _written_fields(run, entity) if name not in fields]
        if field not in fields:
            raise JournalError(f"{run.folder}: {entity} has no field {field!r}.{_hint(str(field), fields)}")
    return FieldTarget(entity, field, tuple(steps))


def fields_of(description: Any) -> dict[str, Any]:
    """Return the fields in ``{"type": ..., "fields": {...}}``; none where a file from elsewhere says something else."""
    fields = description.get("fields") if isinstance(description, dict) else None
    return fields if isinstance(fields, dict) else {}


def _entity(run: Run, text: str) -> tuple[str, str]:
    """Return the entity and what follows it; names may hold dots, so the shortest that the run knows is taken."""
    if quoted := QUOTED.match(text):
        names = [(quoted["entity"], quoted["rest"])]
    else:
        parts = text.split(".")
        names = [(".".join(parts[:count]), ".".join(parts[count:])) for count in range(1, len(parts) + 1)]
    for name, rest in names:
        if has_entity(run, name):
            return name, rest
    hint = _hint(names[0][0], created_entities(run))
    raise JournalError(f"{run.folder}: there is no entity {names[0][0]!r} in this run.{hint}")


def _first_fields(run: Run, entity: str) -> list[str]:
    """Return the fields that an entity was made with."""
    description = first_description(run, entity)
    return [] if description is None else list(fields_of(run.data(description)))


def _written_fields(run: Run, entity: str) -> list[str]:
    """Return the fields that were ever written; a running run has no index yet, and is read from end to end for it."""
    return sorted({str(run.data(path)[0]) for path in written_paths(run, entity)})


def ours_last(name: str) -> tuple[bool, str]:
    """Return what sorts names of entities, those that the world keeps for itself behind all others."""
    return name.startswith("$"), name


def _hint(word: str, known: list[str]) -> str:
    return did_you_mean(word, known) or f" There are: {', '.join(sorted(known, key=ours_last)[:12])}"
