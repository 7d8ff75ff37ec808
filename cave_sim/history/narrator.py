"""A narrator: what cells did in plain sentences, made from their calls and the words that methods have for them.

Nothing is guessed and no model is asked: a cell that calls no method of an entity, or calls one with what only running
it could tell, is not told, or told with an ellipsis.
"""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Self

from cave_sim.entity.narration import OWNER

Segment = str | dict[str, str]
"""A piece of a sentence: text, or ``{"entity": name}``."""
Sentence = list[Segment]
UNTOLD = "…"
ADDS = ("append", "add", "extend", "update")
ADDED = "adds "
TAKES = ("pop", "remove", "discard")
WRITES, STRIKES = "writes into ", "strikes "
SPOKEN = {"announcements": "announces"}
"""Fields of texts that are for everybody: whoever adds one says it."""
NAME = re.compile(r"[a-z]+(_[a-z0-9]+)+")
"""The name of an entity, as cells write it: people read it as words."""
NAMED = re.compile(rf"(?<![\w.])({NAME.pattern.replace('(', '(?:')})(?![\w(]|\.\w)")
"""Such a name in the midst of a text."""
LONGEST = 200
MOST_SENTENCES = 6
MOST_REMEMBERED = 4_096


class Narrator:
    """Tells the cells of one run.

    Args:
        types: entity -> name of its class; it may grow while the run goes on.
        narrations: class -> method -> words, as the run's manifest has them.
        titles: what is called otherwise than its name and is no entity, such as a house that is a mere address.
    """

    def __init__(
        self,
        types: Mapping[str, str],
        narrations: Mapping[str, Mapping[str, Any]],
        titles: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self._types, self._narrations, self._titles = types, narrations, titles
        self._remembered: Callable[[str, str], list[Sentence]] = lru_cache(MOST_REMEMBERED)(self._tell)

    @classmethod
    def of(cls, types: Mapping[str, str], manifests: Iterable[Mapping[str, Any]]) -> Self:
        """Return who tells the cells of a run by what its manifest says, or those of a city's districts by theirs."""
        narrations: dict[str, Any] = {}
        titles: dict[str, str] = {}
        for manifest in manifests:
            narrations |= manifest.get("narrations") or {}
            titles |= manifest.get("titles") or {}
        return cls(types, narrations, titles)

    def tell(self, agent: str, code: str) -> list[Sentence]:
        """Return what a cell of an agent does, in the order of its lines; empty if no call of it can be told."""
        return self._remembered(agent, code)

    def _tell(self, agent: str, code: str) -> list[Sentence]:
        try:
            tree = ast.parse(code)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return []
        sentences: list[Sentence] = []
        known: dict[str, Any] = {}
        for node in _in_order(tree):
            sentence = None
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                sentence = self._call(node, node.func, agent, known)
            elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                known[node.targets[0].id] = self._value(node.value, agent, known)
            elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript):
                sentence = self._entry(node.targets[0], node.value, agent, known)
            elif isinstance(node, ast.Delete) and isinstance(node.targets[0], ast.Subscript):
                sentence = self._struck(node.targets[0].value, node.targets[0].slice, agent, known)
            elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute):
                sentence = self._field("sets ", node.targets[0], " to ", node.value, agent, known)
            if sentence and sentence not in sentences:
                sentences.append(sentence)
        return ([each for each in sentences if not is_bookkeeping(each)] or sentences)[:MOST_SENTENCES]

    def _call(self, node: ast.Call, target: ast.Attribute, agent: str, known: Mapping[str, Any]) -> Sentence | None:
        if isinstance(target.value, ast.Attribute) and target.attr in ADDS and len(node.args) == 1:
            return self._added(target.value, node.args[0], agent, known)
        if isinstance(target.value, ast.Attribute) and target.attr in TAKES and node.args:
            return self._struck(target.value, node.args[0], agent, known)
        owner = self._value(target.value, agent, known)
        kind = self._types.get(owner["entity"], "") if isinstance(owner, dict) else ""
        if not kind:
            return None
        words = self._narrations.get(kind, {}).get(target.attr)
        given = [self._value(argument, agent, known) for argument in node.args]
        named = {str(each.arg): self._value(each.value, agent, known) for each in node.keywords}
        if words is None:
            return self._plainly(owner, agent, target.attr, [*given, *named.values()])
        values = {**words.get("defaults", {}), **dict(zip(words["parameters"], given, strict=False)), **named}
        return self._filled(words["template"], {**values, OWNER: owner})

    def _field(
        self, verb: str, target: ast.Attribute, link: str, value: ast.expr, agent: str, known: Mapping[str, Any]
    ) -> Sentence | None:
        """Return the words for a write to a field."""
        owner = self._value(target.value, agent, known)
        if not isinstance(owner, dict):
            return None
        return [*_whose(verb, owner, target.attr, agent), link, *self._told(self._value(value, agent, known))]

    def _entry(self, target: ast.Subscript, value: ast.expr, agent: str, known: Mapping[str, Any]) -> Sentence | None:
        """Return the words for what is written under a key of a field, such as an hour of a plan."""
        if not isinstance(target.value, ast.Attribute):
            return None
        owner, key = self._value(target.value.value, agent, known), self._value(target.slice, agent, known)
        given = self._value(value, agent, known)
        if not isinstance(owner, dict) or UNTOLD in (key, given):
            return None
        return [*_whose(WRITES, owner, target.value.attr, agent), ", ", _segment(key), ": ", *self._quoted(given)]

    def _struck(self, field: ast.expr, key: ast.expr, agent: str, known: Mapping[str, Any]) -> Sentence | None:
        """Return the words for what is taken out of a field."""
        if not isinstance(field, ast.Attribute):
            return None
        owner, what = self._value(field.value, agent, known), self._value(key, agent, known)
        if not isinstance(owner, dict) or what == UNTOLD:
            return None
        return [STRIKES, *self._told(what), *_whose(" off ", owner, field.attr, agent)]

    def _added(self, target: ast.Attribute, value: ast.expr, agent: str, known: Mapping[str, Any]) -> Sentence | None:
        """Return the words for what is put to the others in a field."""
        owner, given = self._value(target.value, agent, known), self._value(value, agent, known)
        if not isinstance(owner, dict):
            return None
        if target.attr in SPOKEN and isinstance(given, str):
            verb = SPOKEN[target.attr]
            return [f"{verb} something"] if given == UNTOLD else [f"{verb}: ", *self._quoted(given)]
        what: Sentence = ["something"] if given == UNTOLD else self._quoted(given)
        return [ADDED, *what, *_whose(" to ", owner, target.attr, agent)]

    def _value(self, node: ast.expr, agent: str, known: Mapping[str, Any]) -> Any:
        """Return an entity as a segment, a constant as it is, and an ellipsis for all else."""
        if isinstance(node, ast.Constant):
            return self._entity(node.value) or self._title(node.value)
        if isinstance(node, ast.JoinedStr):  # what running it would fill in is left open
            parts = [str(part.value) if isinstance(part, ast.Constant) else UNTOLD for part in node.values]
            return "".join(parts)
        if isinstance(node, ast.Name):
            return {"entity": agent} if node.id == "me" else known.get(node.id) or self._entity(node.id) or UNTOLD
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id == "world":
            return self._value(node.slice, agent, known)
        return UNTOLD

    def _filled(self, template: str, values: Mapping[str, Any]) -> Sentence:
        sentence: Sentence = []
        for text, name, _, _ in string.Formatter().parse(template):
            sentence += [text] if text else []
            if name is not None:
                sentence += self._told(values.get(name, UNTOLD))
        return sentence

    def _plainly(self, owner: Segment, agent: str, method: str, values: list[Any]) -> Sentence:
        """Return the words for a method that has none: its name, and what it was given."""
        sentence: Sentence = [method.replace("_", " ")]
        if owner != {"entity": agent}:
            sentence = [owner, ": ", *sentence]
        for number, value in enumerate(values):
            sentence += [", " if number else " ", *self._told(value)]
        return sentence

    def _quoted(self, value: Any) -> Sentence:
        """Return a value, a text in quotes."""
        return ["“", *self._told(value), "”"] if isinstance(value, str) else [_segment(value)]

    def _told(self, value: Any) -> Sentence:
        """Return a value in words; what a text calls by its name in the code is called as people call it."""
        segment = _segment(value)
        if not isinstance(segment, str) or "_" not in segment:
            return [segment]
        pieces = NAMED.split(segment)  # names at odd places
        told = [self._entity(piece) or self._title(piece) if at % 2 else piece for at, piece in enumerate(pieces)]
        return [piece for piece in told if piece != ""]

    def _title(self, value: Any) -> Any:
        return self._titles.get(value, value) if isinstance(value, str) else value

    def _entity(self, name: Any) -> dict[str, str] | None:
        return {"entity": name} if isinstance(name, str) and name in self._types else None


def is_bookkeeping(sentence: Sentence) -> bool:
    """Say whether a sentence tells what was written under a key or taken out: told where nothing else is."""
    first = sentence[0]
    return isinstance(first, str) and first.startswith((WRITES, STRIKES))


def _in_order(node: ast.AST) -> Iterator[ast.AST]:
    """Yield statements and calls as they stand in the text, the inner calls of a call before it."""
    for child in ast.iter_child_nodes(node):
        yield from _in_order(child)
    if isinstance(node, ast.Assign | ast.Call | ast.Delete):
        yield node


def _whose(link: str, owner: dict[str, str], field: str, agent: str) -> Sentence:
    """Return the words for a field of somebody, who may be the one who acts."""
    words = field.replace("_", " ")
    return [f"{link}own {words}"] if owner["entity"] == agent else [link, owner, f"’s {words}"]


def _segment(value: Any) -> Segment:
    if isinstance(value, dict):
        return value
    text = "".join(letter for letter in " ".join(str(value).split()) if letter.isprintable())
    if NAME.fullmatch(text):
        return text.replace("_", " ")
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def text_of(sentence: Sentence, titles: Mapping[str, str] | None = None) -> str:
    """Return a sentence as text, entities by their titles if these are given."""
    names = titles or {}
    return "".join(
        segment if isinstance(segment, str) else names.get(segment["entity"], segment["entity"]) for segment in sentence
    )
