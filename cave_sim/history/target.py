"""What people name on the command line, ``weather.kind`` or ``world["Café Engel"].stock["bread"]``, found in a run."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from cave_sim.entity.json_form import referenced
from cave_sim.errors import JournalError
from cave_sim.journal.reader import Run

QUOTED = re.compile(r"""^world\[(["'])(?P<entity>.+?)\1\](?P<rest>.*)$""", re.DOTALL)
KEY = re.compile(r"""\[(["']?)(.*?)\1\]""")


@dataclass(frozen=True, slots=True)
class FieldTarget:
    """An entity's field, or one key below it.

    Attributes:
        entity: whose.
        field: which; empty for the entity as a whole.
        key: of a dict, a set or a graph, dots between the parts; empty for the whole field.
    """

    entity: str
    field: str
    key: str = ""

    def __str__(self) -> str:
        return ".".join(part for part in (self.entity, self.field, self.key) if part)


def find_target(run: Run, text: str) -> FieldTarget:
    """Return what a text names in a run.

    Raises:
        JournalError: the run has no such entity, or the entity no such field; with what comes nearest.
    """
    entity, rest = _entity(run, text)
    field, _, key = KEY.sub(r".\2", rest).removeprefix(".").partition(".")
    fields = _fields(run, entity)
    if field and field not in fields:
        raise JournalError(f"{run.folder}: {entity} has no field {field!r}.{_hint(field, fields)}")
    return FieldTarget(entity, field, key)


def loaded(run: Run, text: str | None) -> Any:
    """Return the JSON of a column; raises JournalError where a file from elsewhere holds something else."""
    try:
        return None if text is None else json.loads(text)
    except (TypeError, ValueError, RecursionError) as error:
        raise JournalError(f"{run.folder}: a column that should be JSON is not: {error}") from None


def fields_of(described: Any) -> dict[str, Any]:
    """Return the fields in ``{"type": ..., "fields": {...}}``; none where a file from elsewhere says something else."""
    fields = described.get("fields") if isinstance(described, dict) else None
    return fields if isinstance(fields, dict) else {}


def _entity(run: Run, text: str) -> tuple[str, str]:
    """Return the entity and what follows it; names may hold dots, so the shortest that the run knows is taken."""
    if quoted := QUOTED.match(text):
        names = [(quoted["entity"], quoted["rest"])]
    else:
        parts = text.split(".")
        names = [(".".join(parts[:count]), ".".join(parts[count:])) for count in range(1, len(parts) + 1)]
    marks = ", ".join("?" * len(names))
    found = run.query(f"SELECT DISTINCT entity FROM changes WHERE entity IN ({marks})", *(name for name, _ in names))
    known = {name for (name,) in found}
    for name, rest in names:
        if name in known:
            return name, rest
    everyone = [name for (name,) in run.query("SELECT DISTINCT entity FROM changes WHERE op = 'create'")]
    raise JournalError(f"{run.folder}: there is no entity {names[0][0]!r} in this run.{_hint(names[0][0], everyone)}")


def _fields(run: Run, entity: str) -> list[str]:
    """Return the fields that an entity was made with, or that were ever written."""
    made = run.query("SELECT new FROM changes WHERE entity = ? AND op = 'create' LIMIT 1", entity)
    if made:
        return list(fields_of(loaded(run, made[0][0])))
    written = run.query("SELECT DISTINCT path FROM changes WHERE entity = ? AND path <> '[]'", entity)
    return sorted({str(loaded(run, path)[0]) for (path,) in written})


def _hint(word: str, known: list[str]) -> str:
    near = get_close_matches(word, known, 3, 0.5)
    return f" Did you mean {' or '.join(map(repr, near))}?" if near else f" There are: {', '.join(sorted(known)[:12])}"


WIDTH = 60


def shown(value: Any, width: int = WIDTH) -> str:
    """Return plain data as people read it: references as names, and cut where it is long."""
    text = json.dumps(_named(value), ensure_ascii=False) if not isinstance(value, str) else f'"{value}"'
    text = " ".join(text.split())
    return text if len(text) <= width else f"{text[: width - 1]}…"


def told(path: tuple[Any, ...], op: str, old: Any, new: Any, width: int = WIDTH) -> str:
    """Return a change in words: ``hunger 0.7 → 0.1``, ``guests + ann``, ``plan["18:00"] "meet bob" → gone``."""
    name = placed(path)
    if op == "splice":
        parts = [f"{sign} {shown(item, width)}" for sign, side in (("-", old), ("+", new)) for item in _items(side)]
        return f"{name} {', '.join(parts)}"
    if op in ("add", "discard"):
        return f"{placed(path[:1])} {'+' if op == 'add' else '-'} {shown(path[-1], width).strip(chr(34))}"
    if op == "patch":
        return f"{name} changed in part: {shown(new, width)}"
    if op in ("create", "remove"):
        return f"{op}d" if not path else f"{name} = {shown(new if op == 'create' else old, width)} ({op}d)"
    return f"{name} {shown(old, width)} → {'gone' if op == 'delete' else shown(new, width)}".lstrip()


def placed(path: tuple[Any, ...]) -> str:
    """Return a path as cells write it: ``belongings["bread"]``."""
    field, *rest = path or ("",)
    return str(field) + "".join(f"[{json.dumps(_named(part), ensure_ascii=False)}]" for part in rest)


def part(item: Any) -> str:
    """Return a part of a path as people write it: of a reference, the name."""
    name = referenced(item)
    return str(item) if name is None else name


def _items(side: Any) -> list[Any]:
    items = side.get("items") if isinstance(side, dict) else None
    return items if isinstance(items, list) else []


def _named(value: Any) -> Any:
    if isinstance(value, dict):
        name = referenced(value)
        return {str(key): _named(item) for key, item in value.items()} if name is None else name
    return [_named(item) for item in value] if isinstance(value, list) else value
