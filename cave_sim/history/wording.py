"""Values, paths and changes of a run in words, for people."""

from __future__ import annotations

import json
import math
import re
from itertools import islice
from typing import Any

from cave_sim.diagnostics.short_texts import shortened
from cave_sim.entity.json_form import referenced
from cave_sim.history.part import ARRAY, TABLE, array_parts
from cave_sim.rendering.escaping import clean

WIDTH = LONGEST_TITLE = 60
"""Characters of a value that are shown, and of what somebody is called."""
WHOLE = 100_000
"""Characters of two long values that are gone through for where they part."""
UNITS = {"degC": "°C"}
_JSON = json.JSONEncoder(ensure_ascii=False).encode


def value_text(value: Any, width: int = WIDTH, *, exact: bool = False) -> str:
    """Return plain data as people read it: references as names, numbers rounded, and cut where it is long.

    Args:
        value: the data.
        width: characters that are shown.
        exact: show numbers to their last digit, ``0.6759999999999999`` and not ``0.676``.
    """
    kind = type(value)
    if kind is int or (kind is float and math.isfinite(value)):
        return shortened(repr(_for_people(value, exact, width)), width)
    text = f'"{value}"' if isinstance(value, str) else _JSON(_for_people(value, exact, width))
    text = " ".join(text.split())
    return shortened(text, width)


def told_apart(one: Any, other: Any, width: int = WIDTH) -> tuple[str, str]:
    """Return two values as people read them: to the last digit where they look alike, of long ones where they part."""
    texts = value_text(one, width), value_text(other, width)
    if texts[0] != texts[1]:
        return texts
    whole = value_text(one, WHOLE, exact=True), value_text(other, WHOLE, exact=True)
    shorter = min(map(len, whole))
    alike = next((at for at in range(shorter) if whole[0][at] != whole[1][at]), shorter)
    start = alike - width // 3 if alike >= width - 1 else 0
    return _stretch(whole[0], start, width), _stretch(whole[1], start, width)


def _stretch(text: str, start: int, width: int) -> str:
    """Return a text from a letter on, with a mark at each end that is cut."""
    text = f"…{text[start + 1 :]}" if start else text
    return shortened(text, width)


def word_text(value: str, width: int = WIDTH) -> str:
    """Return a text that stands in a sentence: words as they are, anything else in quotes; an empty one is nothing."""
    if not value:
        return "nothing"
    is_words = len(value) <= width and value.replace("_", "").replace(" ", "").isalnum()
    return value if is_words else value_text(value, width)


def numbers_apart(one: float, other: float, least: int = 4) -> tuple[str, str]:
    """Return two numbers with so many digits, or with as many more as tell them apart; no powers of ten."""
    for digits in range(least, 17):
        texts = _plain(one, digits), _plain(other, digits)
        if texts[0] != texts[1]:
            break
    return texts


def title_text(called: str) -> str:
    """Return what an entity is called as one line that fits into a sentence: a world may call it anything."""
    return shortened(clean(" ".join(called.split())), LONGEST_TITLE)


def word(name: str) -> str:
    """Return a name as it stands in a sentence."""
    return name.replace("_", " ")


def third_person(verb: str) -> str:
    """Return a verb as somebody does it, ``sell`` as ``sells``; what is no plain English word stays as it is."""
    if not re.fullmatch(r"(?![a-z]*(?:ed|ing|[^s]s)$)[a-z]{2,}", verb):
        return verb
    if re.search(r"[^aeiou]y$", verb):
        return f"{verb[:-1]}ies"
    return f"{verb}es" if re.search(r"(?:s|x|z|ch|sh|o)$", verb) else f"{verb}s"


def jump_text(measure: str, before: float, after: float, *, adds_up: bool = False) -> str:
    """Return how a measure changed, in words; its unit stands in brackets behind its name, shares are in %.

    It may be called by one thing or many, `mood` or `flies`, which a verb would have to know.
    Of what adds up over a run, such as all that was paid, by how much it grew: where it stood says when that was.
    """
    name, unit = _unit_of(measure)
    rises, share = after > before, unit == "share"
    small = not unit and max(abs(before), abs(after)) <= 1
    was, now = numbers_apart(100 * before, 100 * after, 2) if share else numbers_apart(before, after, 2 if small else 4)
    if share:
        return f"{_subject(name, unit)} {'rises' if rises else 'falls'} from {was} % to {now} %"
    beginning = f"{_subject(name, unit)}: {'up' if rises else 'down'}"
    counted_in = f" {UNITS.get(unit, unit)}" if unit else ""
    if adds_up:
        return f"{beginning} by {numbers_apart(after - before, 0.0, 4)[0]}{counted_in} (to {now})"
    return f"{beginning} from {was} to {now}{counted_in}"


def measure_text(measure: str, *values: float) -> tuple[str, tuple[str, ...]]:
    """Return what a sentence calls a measure, and values with their unit: ``("The share at work", ("12 %",))``."""
    name, unit = _unit_of(measure)
    of = " %" if unit == "share" else f" {UNITS.get(unit, unit)}" if unit else ""
    numbers = (_plain(100 * each, 2) if unit == "share" else _plain(each, 4) for each in values)
    return _subject(name, unit), tuple(f"{each}{of}" for each in numbers)


def _unit_of(measure: str) -> tuple[str, str]:
    named = re.fullmatch(r"(.+) \(([^()]+)\)", measure)
    return (named[1], named[2]) if named else (measure, "")


def _subject(name: str, unit: str) -> str:
    return f"The share {word(name)}" if unit == "share" else f"{name[:1].upper()}{word(name[1:])}"


def _plain(value: float, digits: int) -> str:
    if not value or not math.isfinite(value):
        return f"{value:g}"
    decimals = min(12, max(0, digits - 1 - math.floor(math.log10(abs(value)))))
    text = f"{value:,.{decimals}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def change_text(path: tuple[Any, ...], op: str, old: Any, new: Any, width: int = WIDTH) -> str:
    """Return a change in words: ``hunger 0.7 → 0.1``, ``guests + ann``, ``plan["18:00"] "meet bob" → gone``."""
    name = path_text(path)
    if op == "splice":
        gone = [f"- {value_text(item, width)}" for item in _items(old)]
        come = [f"+ {value_text(item, width)}" for item in _items(new)]
        return f"{name} {', '.join(gone + come)}"
    if op in ("add", "discard"):
        return f"{path_text(path[:1])} {'+' if op == 'add' else '-'} {value_text(path[-1], width).strip(chr(34))}"
    if op == "patch" and isinstance(new, dict) and new.keys() == {"data"}:
        return f"{name} changed to {value_text(new['data'], width)}"
    if op == "patch":
        return f"{name} changed in part: {value_text(new, width)}"
    if op in ("create", "remove"):
        return f"{op}d" if not path else f"{name} = {value_text(new if op == 'create' else old, width)} ({op}d)"
    was, now = told_apart(old, new, width)
    return f"{name} {was} → {'gone' if op == 'delete' else now}".lstrip()


def path_text(path: tuple[Any, ...]) -> str:
    """Return a path as cells write it: ``belongings["bread"]``, ``relations["edges"]["ann", "bob"]``."""
    field, *rest = path or ("",)
    return str(field) + "".join(f"[{_step_text(part)}]" for part in rest)


def _step_text(step: Any) -> str:
    if isinstance(step, tuple):
        return ", ".join(map(_step_text, step))
    return _JSON(_for_people(step, True, WHOLE))


def part_text(item: Any) -> str:
    """Return a part of a path as people write it: of a reference, the name."""
    name = referenced(item)
    return str(item) if name is None else name


def _items(side: Any) -> list[Any]:
    items = side.get("items") if isinstance(side, dict) else None
    return items if isinstance(items, list) else []


def _for_people(value: Any, exact: bool, most: int) -> Any:
    """Return plain data with references as names, and numbers rounded to ten digits unless they are to be exact;
    of an array its first items, of a table its columns with theirs, of what is long as many items as are ever shown.
    """
    if isinstance(value, float):
        return value if exact or not math.isfinite(value) else float(f"{value:.{DIGITS}g}")
    if isinstance(value, dict):
        if value.keys() == ARRAY:
            return _for_people(array_parts().first_items(value), exact, most)
        if value.keys() == TABLE:
            return _for_people(array_parts().first_rows(value), exact, most)
        name = referenced(value)
        if name is not None:
            return name
        return {str(key): _for_people(item, exact, most) for key, item in islice(value.items(), most)}
    return [_for_people(item, exact, most) for item in value[:most]] if isinstance(value, list) else value


DIGITS = 10
"""Of a number that is shown: what computing with binary fractions leaves behind is beyond them."""
