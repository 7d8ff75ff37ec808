"""A narrator: what cells did in plain sentences, made from their calls and the words that methods have for them.

Nothing is guessed and no model is asked: a cell that calls no method of an entity, or calls one with what only running
it could tell, is not told, or told with an ellipsis. What stands in a branch is told if the turn's writes show it.
"""

from __future__ import annotations

import ast
import re
import string
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Self

from cave_sim.diagnostics.short_texts import shortened
from cave_sim.entity.narration import OWNER
from cave_sim.history.cell_branches import Branch, in_order, within
from cave_sim.history.sentences import LONGEST, UNTOLD, Segment, Sentence, Sign
from cave_sim.history.wording import third_person, word
from cave_sim.history.written_texts import Written

ADDS = ("append", "add", "extend", "update")
ADDED = "adds "
SETS = "sets "
TAKES = ("pop", "remove", "discard")
WRITES, STRIKES = "writes into ", "strikes "
SPOKEN = {"announcements": "announces"}
"""Fields of texts that are for everybody: whoever adds one says it."""
NAME = re.compile(r"[a-z]+(_[a-z0-9]+)+")
"""The name of an entity, as cells write it: people read it as words."""
NAMED = re.compile(rf"(?<![\w.])({NAME.pattern.replace('(', '(?:')})(?![\w(]|\.\w)")
"""Such a name in the midst of a text."""
BRACKETED = re.compile(rf" \(({NAME.pattern.replace('(', '(?:')})\)")
QUOTES = re.compile("(?<=“)|(?=”)")
"""Where what is said begins and ends: who shows it as speech finds it there."""
MOST_SENTENCES = 6
MOST_REMEMBERED = 4_096


@dataclass(frozen=True, slots=True)
class _Known:
    """What a cell has given names to, as far as it is known where a node stands: name -> value and branch."""

    values: dict[str, tuple[Any, Branch]]
    branch: Branch

    def get(self, name: str) -> Any:
        value, branch = self.values.get(name, (None, ()))
        return value if within(self.branch, branch) else UNTOLD


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
        self._remembered: Callable[[str, str], tuple[list[Sentence], bool]] = lru_cache(MOST_REMEMBERED)(self._tell)

    @classmethod
    def of(cls, types: Mapping[str, str], manifests: Iterable[Mapping[str, Any]]) -> Self:
        """Return who tells the cells of a run by what its manifest says, or those of a city's districts by theirs."""
        narrations: dict[str, Any] = {}
        titles: dict[str, str] = {}
        for manifest in manifests:
            narrations |= manifest.get("narrations") or {}
            titles |= manifest.get("titles") or {}
        return cls(types, narrations, titles)

    def tell(self, agent: str, code: str, written: Written | None = None) -> list[Sentence]:
        """Return what a cell of an agent does, in the order of its lines; empty if no call of it can be told.

        Args:
            agent: whose cell it is.
            code: the cell.
            written: what a turn wrote that ran it; None to tell what it may do, whichever way it goes.
        """
        sentences, hidden = self._remembered(agent, code)
        if written is not None:
            sentences = written.chosen(sentences, agent, hidden=hidden)
        return ([each for each in sentences if not is_bookkeeping(each)] or sentences)[:MOST_SENTENCES]

    def _tell(self, agent: str, code: str) -> tuple[list[Sentence], bool]:
        """Return a sentence for each thing that can be told, and whether there is something that cannot."""
        try:
            tree = ast.parse(code)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return [], True
        sentences: list[Sentence] = []
        names: dict[str, tuple[Any, Branch]] = {}
        hidden = False
        for node, branch in in_order(tree):
            match node:
                case ast.Assign(targets=[ast.Name(id=name), *_], value=value):
                    names[name] = self._value(value, agent, _Known(names, branch)), branch
                case ast.Name(id=name, ctx=ast.Store()):
                    names[name] = UNTOLD, branch
                case ast.Assign() | ast.Delete() | ast.AugAssign() | ast.Call(func=ast.Attribute()):
                    known = _Known(names, branch)
                    words = self._statement(node, agent, known)
                    signs = tuple(self._signs(node, agent, known)) if branch else ()
                    others = words.if_written if isinstance(words, Sentence) else {}
                    sentence = Sentence(words or (), branch, signs, others)
                    hidden = hidden or not words
                    if words and sentence not in sentences:
                        sentences.append(sentence)
        return sentences, hidden

    def _statement(self, node: ast.AST, agent: str, known: _Known) -> list[Segment] | None:
        """Return the words for a statement or a call; None if there are none."""
        match node:
            case ast.Call(func=ast.Attribute() as target):
                return self._call(node, target, agent, known)
            case ast.Assign(targets=[ast.Subscript() as target, *_], value=value):
                return self._entry(target, value, agent, known)
            case ast.Delete(targets=[ast.Subscript(value=field, slice=key), *_]):
                return self._struck(field, key, agent, known)
            case ast.Assign(targets=[ast.Attribute() as target, *_], value=value):
                return self._field(SETS, target, " to ", value, agent, known)
        return None

    def _signs(self, node: ast.AST, agent: str, known: _Known) -> Iterator[Sign]:
        """Yield what a turn wrote if it did this: whom and what the code names, and the field that it sets."""
        given: list[ast.expr] = []
        match node:
            case ast.Call(func=ast.Attribute(value=owner), args=args, keywords=named):
                given = [owner, *args, *(each.value for each in named)]
            case ast.Assign(targets=[ast.Subscript(slice=key), *_], value=value):
                given = [key, value]
            case ast.Delete(targets=[ast.Subscript(slice=key), *_]):
                given = [key]
            case ast.Assign(targets=[ast.Attribute(value=owner, attr=name), *_], value=value):
                whose, what = self._value(owner, agent, known), self._value(value, agent, known)
                given = [value]
                if isinstance(whose, dict):
                    yield whose["entity"], name, UNTOLD if isinstance(what, dict) else what
        for each in given:
            known_value = each.value if isinstance(each, ast.Constant) else self._value(each, agent, known)
            if isinstance(known_value, dict):
                yield from [known_value["entity"]] if known_value["entity"] != agent else ()
            elif isinstance(known_value, str) and (longest := max(known_value.split(UNTOLD), key=len).strip()):
                yield longest

    def _call(self, node: ast.Call, target: ast.Attribute, agent: str, known: _Known) -> list[Segment] | None:
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
            return self._plainly(owner, agent, target.attr, [*[("", value) for value in given], *named.items()])
        values = {**words.get("defaults", {}), **dict(zip(words["parameters"], given, strict=False)), **named}
        values[OWNER] = owner
        others = {text: self._filled(each, values) for text, each in words.get("if_written", {}).items()}
        return Sentence(self._filled(words["template"], values), if_written=others)

    def _field(
        self, verb: str, target: ast.Attribute, link: str, value: ast.expr, agent: str, known: _Known
    ) -> list[Segment] | None:
        """Return the words for a write to a field."""
        owner = self._value(target.value, agent, known)
        if not isinstance(owner, dict):
            return None
        return [*_whose(verb, owner, target.attr, agent), link, *self._told(self._value(value, agent, known))]

    def _entry(self, target: ast.Subscript, value: ast.expr, agent: str, known: _Known) -> list[Segment] | None:
        """Return the words for what is written under a key of a field, such as an hour of a plan."""
        if not isinstance(target.value, ast.Attribute):
            return None
        owner, key = self._value(target.value.value, agent, known), self._value(target.slice, agent, known)
        given = self._value(value, agent, known)
        if not isinstance(owner, dict) or UNTOLD in (key, given):
            return None
        return [*_whose(WRITES, owner, target.value.attr, agent), ", ", _segment(key), ": ", *self._quoted(given)]

    def _struck(self, field: ast.expr, key: ast.expr, agent: str, known: _Known) -> list[Segment] | None:
        """Return the words for what is taken out of a field."""
        if not isinstance(field, ast.Attribute):
            return None
        owner, what = self._value(field.value, agent, known), self._value(key, agent, known)
        if not isinstance(owner, dict) or what == UNTOLD:
            return None
        return [STRIKES, *self._told(what), *_whose(" off ", owner, field.attr, agent)]

    def _added(self, target: ast.Attribute, value: ast.expr, agent: str, known: _Known) -> list[Segment] | None:
        """Return the words for what is put to the others in a field."""
        owner, given = self._value(target.value, agent, known), self._value(value, agent, known)
        if not isinstance(owner, dict):
            return None
        if target.attr in SPOKEN and isinstance(given, str):
            verb = SPOKEN[target.attr]
            return [f"{verb} something"] if given == UNTOLD else [f"{verb}: ", *self._quoted(given)]
        what: list[Segment] = ["something"] if given == UNTOLD else self._quoted(given)
        return [ADDED, *what, *_whose(" to ", owner, target.attr, agent)]

    def _value(self, node: ast.expr, agent: str, known: _Known) -> Any:
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

    def _filled(self, template: str, values: Mapping[str, Any]) -> list[Segment]:
        sentence: list[Segment] = []
        for text, name, _, _ in string.Formatter().parse(template):
            sentence += filter(None, QUOTES.split(text))
            if name is not None:
                sentence += self._told(values.get(name, UNTOLD))
        return sentence

    def _plainly(self, owner: Segment, agent: str, method: str, given: list[tuple[str, Any]]) -> list[Segment]:
        """Return the words for a method that has none: its name, and what it was given."""
        verb, _, rest = word(method).partition(" ")
        sentence: list[Segment] = [f"{third_person(verb)} {rest}".rstrip()]
        if owner != {"entity": agent}:
            sentence = [owner, ": ", word(method)]
        for number, (name, value) in enumerate(given):
            if not number:
                sentence += [" ", *self._told(value)]
            elif name:
                sentence += [f", {word(name)} ", *self._told(value)]
            elif isinstance(value, str) and " " in value:
                sentence += [": ", *self._quoted(value)]
            else:
                sentence += [", ", *self._told(value)] if isinstance(value, (str, dict)) else [f" ({value})"]
        return sentence

    def _quoted(self, value: Any) -> list[Segment]:
        """Return a value, a text in quotes."""
        return ["“", *self._told(value), "”"] if isinstance(value, str) else [_segment(value)]

    def _told(self, value: Any) -> list[Segment]:
        """Return a value in words; what a text calls by its name in the code is called as people call it."""
        segment = _segment(value)
        if not isinstance(segment, str) or "_" not in segment:
            return [segment]
        named = BRACKETED.sub(lambda at: "" if self._is_said(segment[: at.start()], at[1]) else at[0], segment)
        pieces = NAMED.split(named)  # names at odd places
        segments = [self._entity(piece) or self._title(piece) if at % 2 else piece for at, piece in enumerate(pieces)]
        return [piece for piece in segments if piece != ""]

    def _is_said(self, before: str, name: str) -> bool:
        """Say whether a text that ends so has just called an entity in people's words: ``Café Nord (cafe_nord)``."""
        plain = unicodedata.normalize("NFKD", before).encode("ascii", "ignore").decode()
        return name in self._types and re.sub(r"\W+", "_", plain.lower()).endswith(name)

    def _title(self, value: Any) -> Any:
        return self._titles.get(value, value) if isinstance(value, str) else value

    def _entity(self, name: Any) -> dict[str, str] | None:
        return {"entity": name} if isinstance(name, str) and name in self._types else None


def is_bookkeeping(sentence: Sentence) -> bool:
    """Say whether a sentence tells what was written under a key or taken out: told where nothing else is."""
    first = sentence[0]
    return isinstance(first, str) and first.startswith((WRITES, STRIKES))


def _whose(link: str, owner: dict[str, str], field: str, agent: str) -> list[Segment]:
    """Return the words for a field of somebody, who may be the one who acts."""
    words = field.replace("_", " ")
    return [f"{link}own {words}"] if owner["entity"] == agent else [link, owner, f"’s {words}"]


def _segment(value: Any) -> Segment:
    if isinstance(value, dict):
        return value
    text = "".join(letter for letter in " ".join(str(value).split()) if letter.isprintable())
    if NAME.fullmatch(text):
        return text.replace("_", " ")
    return shortened(text, LONGEST)
