"""Changes and values in words, short enough for a line of a terminal."""

from __future__ import annotations

import json
from typing import Any

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
    return str(item["$ref"]) if isinstance(item, dict) and "$ref" in item else str(item)


def _items(side: Any) -> list[Any]:
    items = side.get("items") if isinstance(side, dict) else None
    return items if isinstance(items, list) else []


def _named(value: Any) -> Any:
    if isinstance(value, dict):
        return value["$ref"] if value.keys() == {"$ref"} else {str(key): _named(item) for key, item in value.items()}
    return [_named(item) for item in value] if isinstance(value, list) else value
