"""Plain cells: those that hold no code of an agent's, only literal data for what the world's author wrote.

A plain cell reads, compares, adds and writes single numbers and texts of entities, and calls methods of entities with
those, with literals and with entities. It binds no variable, makes no function and no class, goes round in no loop, and
reaches for no library; lines of comment may say why. Doing its proposal again, which the world process does in any
case, calls the same methods with the same data and writes the same fields: wherever such a cell runs, it asks of
trusted code what the commit asks of it.

The world process must not parse what an agent wrote, so this reads single words and looks at their order with one
regular expression. Whatever is not surely plain is not plain, and costs a process of its own.
"""

from __future__ import annotations

import re
from functools import lru_cache

MAX_CHARS = 1_000
"""Longer cells are never plain."""
MAX_LINES = 24

_WORD = re.compile(
    r"""[ ]*(?:
    (?P<literal>"[^"\\\n]*" | '[^'\\\n]*' | \d{1,15}(?:\.\d{1,15})?)
    | (?P<name>[A-Za-z][A-Za-z0-9_]*)
    | (?P<compare>==|!=|<=|>=|<|>)
    | (?P<sign>[-+=().,:])
    )[ ]*""",
    re.VERBOSE | re.ASCII,
)
_KEYWORDS = {"if": "i", "else": "e", "not": "t", "and": "o", "or": "o", "print": "p"}
_KEYWORDS |= dict.fromkeys(("True", "False", "None"), "l")

_PART = r"(?:-?l|n(?:\.n)?)"
_VALUE = rf"t?{_PART}(?:[-+co]t?{_PART})*"
_ARGUMENT = rf"(?:n=)?{_VALUE}"
_CALL = rf"n\.n\((?:{_ARGUMENT}(?:,{_ARGUMENT})*)?\)"
_RESULT = rf"(?:{_CALL}|{_VALUE}(?:i{_VALUE}e{_VALUE})?)"
_STATEMENT = rf"(?:n\.n={_RESULT}|p\({_RESULT}\)|{_RESULT})"
_BRANCH = rf"it?(?:{_CALL}|{_VALUE}):\n(?:>{_STATEMENT}\n)+(?:e:\n(?:>{_STATEMENT}\n)+)?"
_CELL = re.compile(rf"(?:{_STATEMENT}\n|{_BRANCH})+")
_INDENT = "    "


@lru_cache(maxsize=4_096)
def places_of_plain(code: str) -> frozenset[tuple[str, str]] | None:
    """Return where a plain cell looks: each name with a field of it, or with "" where it stands alone or is called.

    None for any cell that is not plain by its words. It still is plain only where these names are ``me``, ``print`` and
    entities, no variable of its agent, and where the fields hold single values.
    """
    if len(code) > MAX_CHARS or not code.replace("\n", "").isprintable():
        return None
    # What is plain closes each text and bracket on its line, so a line that begins with # is a comment and no more.
    lines = [line for line in code.split("\n") if line and not line.lstrip(" ").startswith("#")]
    if len(lines) > MAX_LINES:
        return None
    shapes, places = list[str](), set[tuple[str, str]]()
    for line in lines:
        is_inside = line.startswith(_INDENT)
        words = _words(line, len(_INDENT) if is_inside else 0)
        if words is None:
            return None
        shapes.append(f"{'>' if is_inside else ''}{''.join(letter for letter, _ in words)}\n")
        places |= _places(words)
    return frozenset(places) if _CELL.fullmatch("".join(shapes)) else None


def _words(line: str, place: int) -> list[tuple[str, str]] | None:
    """Return the words of a line, a letter for its kind with each; None if one is of no kind, or there are none."""
    words = list[tuple[str, str]]()
    if line[place : place + 1] == " ":
        return None
    while place < len(line):
        word = _WORD.match(line, place)
        if word is None:
            return None
        place = word.end()
        kind = str(word.lastgroup)
        text = word[kind]
        words.append(({"literal": "l", "compare": "c", "name": _KEYWORDS.get(text, "n")}.get(kind, text), text))
    return words or None


def _places(words: list[tuple[str, str]]) -> set[tuple[str, str]]:
    """Return where a line looks, if it is plain."""
    letters = ["", *(letter for letter, _ in words), "", "", ""]
    places = set[tuple[str, str]]()
    for at, (letter, text) in enumerate(words, 1):
        before, behind = letters[at - 1], letters[at + 1]
        if letter == "p":
            places.add((text, ""))
        elif letter == "n" and before != "." and not (before in ("(", ",") and behind == "="):
            is_field = behind == "." and letters[at + 3] != "("
            places.add((text, words[at + 1][1] if is_field and at + 1 < len(words) else ""))
    return places
