"""What is not the same in the states of several runs, in words: values of those whom all have, and who is in some."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import islice
from typing import Any

from cave_sim.dashboards.lookups.outline import graph_in
from cave_sim.dashboards.lookups.portrayal import title
from cave_sim.dashboards.lookups.states import Entities
from cave_sim.diagnostics.short_texts import shortened
from cave_sim.entity.json_form import referenced
from cave_sim.history.wording import told_apart, value_text

SYSTEM = "$system"
FIELDS_COUNTED, MISSING_NAMED = 40, 12
ABSENT = object()
ABSENT_TEXT, NOTHING, EMPTY = "not there", "nothing", "empty"


def differences(states: Sequence[Entities], most: int, width: int = 60) -> dict[str, Any]:
    """Return what is not the same in all states.

    Args:
        states: every entity, as plain data; of each run one.
        most: rows that are returned; all are counted.
        width: letters of a value that are shown.

    Returns:
        `rows` of an entity, its title, its class, a field and a value in words for each state, and `numbers` where all
        are; how many there are in `total`, and the commonest `fields` as class, field and number; for each state, in
        `missing`, who is in another and not in it: how many, and what the first of them are called.
    """
    names = sorted({name for state in states for name in state} - {SYSTEM})
    rows: list[dict[str, Any]] = []
    counted: Counter[tuple[str, str]] = Counter()
    for name in (each for each in names if all(each in state for state in states)):
        versions = [state[name] for state in states]
        for field in dict.fromkeys(key for version in versions for key in version["fields"]):
            values = [version["fields"].get(field, ABSENT) for version in versions]
            if all(value == values[0] for value in values[1:]):
                continue
            counted[versions[0]["type"], field] += 1
            if len(rows) < most:
                whose = {"entity": name, "title": _called(name, states), "type": versions[0]["type"], "field": field}
                rows.append(whose | _in_words(values, states, width))
    return {
        "rows": rows,
        "total": counted.total(),
        "fields": [[*field, many] for field, many in counted.most_common(FIELDS_COUNTED)],
        "missing": [_missing(names, state, states) for state in states],
    }


def _missing(names: Sequence[str], state: Entities, states: Sequence[Entities]) -> dict[str, Any]:
    missing = [name for name in names if name not in state]
    return {"total": len(missing), "named": [_called(name, states) for name in missing[:MISSING_NAMED]]}


def _called(name: str, states: Sequence[Entities]) -> str:
    """Return what all states call an entity; its name in words where they do not agree, as on whom a mayor is."""
    titles = {title(name, state[name]["fields"]) for state in states if name in state}
    return titles.pop() if len(titles) == 1 else title(name, {})


def _in_words(values: Sequence[Any], states: Sequence[Entities], width: int) -> dict[str, Any]:
    texts = [value_words(value, state, width) for value, state in zip(values, states, strict=True)]
    for at, one in enumerate(values):  # long ones part farther on
        alike = [other for other, value in enumerate(values) if texts[other] == texts[at] and value != one]
        told = [_apart(one, values[other], width) for other in alike]
        for other, (_, text) in zip(alike, told, strict=True):
            texts[other] = text
        if told:
            texts = [told[0][0] if value == one else text for value, text in zip(values, texts, strict=True)]
    numbers = [value for value in values if isinstance(value, int | float) and not isinstance(value, bool)]
    return {"values": texts} | ({"numbers": numbers} if len(numbers) == len(values) else {})


def _apart(one: Any, other: Any, width: int) -> tuple[str, str]:
    if one is ABSENT or other is ABSENT:
        texts = [ABSENT_TEXT if each is ABSENT else value_text(each, width) for each in (one, other)]
        return texts[0], texts[1]
    return told_apart(one, other, width)


def value_words(value: Any, entities: Entities, width: int) -> str:
    """Return a value of a field as people say it: whoever it refers to by name, a list as one, yes and no."""
    if value is ABSENT:
        return ABSENT_TEXT
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return NOTHING
    if value in ("", [], {}):
        return EMPTY
    if isinstance(value, str):
        is_name = "_" in value and value in entities  # without one, it may be a word
        return title(value, entities[value]["fields"]) if is_name else shortened(" ".join(value.split()), width)
    if (graph := graph_in(value)) is not None:
        return f"a graph: {len(graph['nodes']):,} nodes, {len(graph['edges']):,} edges"
    name = referenced(value)
    if name is not None:
        return title(name, entities[name]["fields"]) if name in entities else name
    if isinstance(value, list):
        return shortened(", ".join(value_words(item, entities, width) for item in value[:width]), width)
    if isinstance(value, dict) and not any(key.startswith("$") for key in value):
        words = [[value_words(each, entities, width) for each in pair] for pair in islice(value.items(), width)]
        return shortened(", ".join(f"{key}: {item}" for key, item in words), width)
    return value_text(value, width)
