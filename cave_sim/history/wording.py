"""Values, paths and changes of a run in words, for people."""

from __future__ import annotations

import json
from typing import Any

from cave_sim.entity.json_form import referenced

WIDTH = 60
"""Characters of a value that are shown."""


def value_text(value: Any, width: int = WIDTH) -> str:
    """Return plain data as people read it: references as names, and cut where it is long."""
    text = json.dumps(_with_names(value), ensure_ascii=False) if not isinstance(value, str) else f'"{value}"'
    text = " ".join(text.split())
    return text if len(text) <= width else f"{text[: width - 1]}…"


def change_text(path: tuple[Any, ...], op: str, old: Any, new: Any, width: int = WIDTH) -> str:
    """Return a change in words: ``hunger 0.7 → 0.1``, ``guests + ann``, ``plan["18:00"] "meet bob" → gone``."""
    name = path_text(path)
    if op == "splice":
        gone = [f"- {value_text(item, width)}" for item in _items(old)]
        come = [f"+ {value_text(item, width)}" for item in _items(new)]
        return f"{name} {', '.join(gone + come)}"
    if op in ("add", "discard"):
        return f"{path_text(path[:1])} {'+' if op == 'add' else '-'} {value_text(path[-1], width).strip(chr(34))}"
    if op == "patch":
        return f"{name} changed in part: {value_text(new, width)}"
    if op in ("create", "remove"):
        return f"{op}d" if not path else f"{name} = {value_text(new if op == 'create' else old, width)} ({op}d)"
    return f"{name} {value_text(old, width)} → {'gone' if op == 'delete' else value_text(new, width)}".lstrip()


def path_text(path: tuple[Any, ...]) -> str:
    """Return a path as cells write it: ``belongings["bread"]``, ``relations["edges"]["ann", "bob"]``."""
    field, *rest = path or ("",)
    return str(field) + "".join(f"[{_step_text(part)}]" for part in rest)


def _step_text(step: Any) -> str:
    if isinstance(step, tuple):
        return ", ".join(map(_step_text, step))
    return json.dumps(_with_names(step), ensure_ascii=False)


def part_text(item: Any) -> str:
    """Return a part of a path as people write it: of a reference, the name."""
    name = referenced(item)
    return str(item) if name is None else name


def _items(side: Any) -> list[Any]:
    items = side.get("items") if isinstance(side, dict) else None
    return items if isinstance(items, list) else []


def _with_names(value: Any) -> Any:
    if isinstance(value, dict):
        name = referenced(value)
        return {str(key): _with_names(item) for key, item in value.items()} if name is None else name
    return [_with_names(item) for item in value] if isinstance(value, list) else value
