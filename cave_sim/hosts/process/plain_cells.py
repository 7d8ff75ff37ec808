"""Plain cells: those that hold no code of an agent's, only literal data for what the world's author wrote.

A plain cell reads, compares, adds and writes single numbers and texts, of entities and of its agent's variables, and
calls methods of entities with those, with literals and with entities. It may bind variables to what comes of that. It
makes no function and no class, goes round in no loop, and reaches for no library; lines of comment may say why. Doing
its proposal again, which the world process does in any case, calls the same methods with the same data and writes the
same fields: wherever such a cell runs, it asks of trusted code what the commit asks of it.

The world process must not parse what an agent wrote, so this reads single words and looks at their order with one
regular expression. Whatever is not surely plain is not plain, and costs a process of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

MAX_CHARS = 1_000
"""Longer cells are never plain."""
MAX_LINES = 24

_WORD = re.compile(
    r"""[ ]*(?:
    (?P<literal>"[^"\\\n]*" | '[^'\\\n]*' | \d{1,15}(?:\.\d{1,15})?)
    | (?P<name>[A-Za-z][A-Za-z0-9_]*)
    | (?P<compare>==|!=|<=|>=|<|>)
    | (?P<augment>\+=|-=)
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
_STATEMENT = rf"(?:n(?:\.n)?[=a]{_RESULT}|p\({_RESULT}\)|{_RESULT})"
_BRANCH = rf"it?(?:{_CALL}|{_VALUE}):\n(?:>{_STATEMENT}\n)+(?:e:\n(?:>{_STATEMENT}\n)+)?"
_CELL = re.compile(rf"(?:{_STATEMENT}\n|{_BRANCH})+")
_INDENT = "    "


CALLED = "()"
"""Stands for the field where a name is looked at for a method, which is called."""


class PlainCell(NamedTuple):
    """What is to be asked of the world before a cell that is plain by its words is taken for plain.

    Attributes:
        places: where it looks: each name with a field of it, with :data:`CALLED`, or with "" where it stands alone.
            Names are ``me``, ``print`` and entities, or alone, a variable of its agent's; fields hold single values.
        bound: the variables that it binds.
    """

    places: frozenset[tuple[str, str]]
    bound: frozenset[str]


@lru_cache(maxsize=4_096)
def read_plain(code: str) -> PlainCell | None:
    """Return what a cell that is plain by its words looks at and binds; None for any other."""
    if len(code) > MAX_CHARS or not code.replace("\n", "").isprintable():
        return None
    # What is plain closes each text and bracket on its line, so a line that begins with # is a comment and no more.
    lines = [line for line in code.split("\n") if line and not line.lstrip(" ").startswith("#")]
    if len(lines) > MAX_LINES:
        return None
    read = list[tuple[bool, list[tuple[str, str]]]]()
    for line in lines:
        is_inside = line.startswith(_INDENT)
        words = _words(line, len(_INDENT) if is_inside else 0)
        if words is None:
            return None
        read.append((is_inside, words))
    shape = "".join(f"{'>' * is_inside}{''.join(letter for letter, _ in words)}\n" for is_inside, words in read)
    return _looked_at(read) if _CELL.fullmatch(shape) else None


def _looked_at(lines: Iterable[tuple[bool, Sequence[tuple[str, str]]]]) -> PlainCell | None:
    """Return what the lines of a cell look at and bind; None if one uses a variable that may be no single value.

    What a call returns may be anything, so where it was bound it may stand alone, as the call might have stood, and not
    be computed with. What is bound inside a branch may not be there behind it.
    """
    places, bound = set[tuple[str, str]](), dict[str, str]()
    for is_inside, words in lines:
        letters = "".join(letter for letter, _ in words)
        for name, field in _places(words):
            if name not in bound:
                places.add((name, field))
            elif field or bound[name] == _MAYBE or (bound[name] == _ANYTHING and not _ALONE.fullmatch(letters)):
                return None
        if letters.startswith(("n=", "na")):
            is_single = "(" not in letters and not (letters == "n=n" and bound.get(words[2][1]) == _ANYTHING)
            bound[words[0][1]] = _MAYBE if is_inside else _SINGLE if is_single else _ANYTHING
    return PlainCell(frozenset(places), frozenset(bound))


_SINGLE, _ANYTHING, _MAYBE = "single", "anything", "maybe"
_ALONE = re.compile(r"(?:n(?:\.n)?=)?n|p\(n\)")
"""A line in which a variable stands where a call might stand."""


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
        words.append(
            ({"literal": "l", "compare": "c", "augment": "a", "name": _KEYWORDS.get(text, "n")}.get(kind, text), text)
        )
    return words or None


def _places(words: Sequence[tuple[str, str]]) -> set[tuple[str, str]]:
    """Return where a line looks, if it is plain."""
    letters = ["", *(letter for letter, _ in words), "", "", ""]
    places = set[tuple[str, str]]()
    for at, (letter, text) in enumerate(words, 1):
        before, behind = letters[at - 1], letters[at + 1]
        if letter == "p":
            places.add((text, ""))
        elif letter == "n" and before != "." and not (before in ("", "(", ",") and behind == "="):
            is_call = letters[at + 3] == "("
            places.add((text, "" if behind != "." else CALLED if is_call else words[at + 1][1]))
    return places
