"""What a condition can come to at all, from the bounds that fields declare: some can never be true.

Each part of an expression is taken for a range of numbers, or for one of a few values; what neither can say is unknown,
and an unknown part decides nothing. So what is called impossible is impossible.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal, get_args, get_origin

from cave_sim.entity.entity import Entity
from cave_sim.entity.preparation import types_of
from cave_sim.errors import did_you_mean, nearest
from cave_sim.policy.syntax import parse
from cave_sim.world.world import World

NEARLY = 0.7
"""How alike two texts are of which one is taken for a slip."""


@dataclass(frozen=True)
class Range:
    """Numbers from low to high, both included."""

    low: float = -math.inf
    high: float = math.inf


@dataclass(frozen=True)
class OneOf:
    """One of a few values."""

    values: frozenset[Any]


Domain = Range | OneOf | type[Entity] | None
"""What a part can come to: a range, one of a few values, an entity of a class; None where that is not known."""
TRUE, FALSE, EITHER = OneOf(frozenset({True})), OneOf(frozenset({False})), OneOf(frozenset({True, False}))


@dataclass(frozen=True)
class Outlook:
    """What an expression can come to in any state.

    Attributes:
        truth: whether it is true in all of them, or false; None if neither, or not known.
        never: comparisons with a text that a field never holds, each said in words.
        odd: comparisons with a text that a field may hold, and none does so far, while one holds nearly the same.
    """

    truth: bool | None
    never: tuple[str, ...] = ()
    odd: tuple[str, ...] = ()


def outlook(text: str, world: World) -> Outlook:
    """Return what a condition or a figure can come to.

    Args:
        text: the expression.
        world: one whose entities are there, whatever their fields hold.
    """
    (statement,) = parse(text.strip()).body
    assert isinstance(statement, ast.Expr)
    domains = _Domains(world)
    truth = _truth(domains.of(statement.value, {}))
    return Outlook(truth, tuple(domains.never), tuple(domains.odd))


def _truth(domain: Domain) -> bool | None:
    """Return whether all that a part can come to is true, or false; None if neither."""
    if isinstance(domain, Range):
        if domain.low == domain.high == 0:
            return False
        return True if domain.low > 0 or domain.high < 0 else None
    if isinstance(domain, OneOf):
        truths = {bool(value) for value in domain.values}
        return truths.pop() if len(truths) == 1 else None
    return None


def _of_truth(truth: bool | None) -> OneOf:
    return EITHER if truth is None else TRUE if truth else FALSE


MIRRORED: dict[type[ast.cmpop], ast.cmpop] = {
    ast.Lt: ast.Gt(), ast.LtE: ast.GtE(), ast.Gt: ast.Lt(), ast.GtE: ast.LtE(),
}  # fmt: skip


class Allowed:
    """What several comparisons leave to one thing: numbers between two ends, and one of a few values."""

    def __init__(self) -> None:
        self._low, self._high = (-math.inf, False), (math.inf, False)  # an end, and whether it is left out
        self._values: frozenset[Any] | None = None
        self._excluded: frozenset[Any] = frozenset()

    def narrow(self, sign: ast.cmpop, other: Domain) -> None:
        """Take away what does not compare so to anything that the other side can be."""
        if isinstance(sign, ast.Eq) and isinstance(other, OneOf):
            self._values = other.values if self._values is None else self._values & other.values
        if isinstance(sign, ast.NotEq) and isinstance(other, OneOf) and len(other.values) == 1:
            self._excluded |= other.values
        numbers = _numbers(other)
        if numbers is None:
            return
        if isinstance(sign, (ast.Gt, ast.GtE, ast.Eq)):
            self._low = max(self._low, (numbers.low, isinstance(sign, ast.Gt)))
        if isinstance(sign, (ast.Lt, ast.LtE, ast.Eq)):
            high = (numbers.high, isinstance(sign, ast.Lt))
            self._high = min(self._high, high, key=lambda end: (end[0], not end[1]))

    @property
    def is_empty(self) -> bool:
        """Whether nothing is left."""
        (low, without_low), (high, without_high) = self._low, self._high
        if self._values is not None and self._values <= self._excluded:
            return True
        return low > high or (low == high and (without_low or without_high))


class _Domains:
    """One walk over one condition."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.never: dict[str, None] = {}
        self.odd: dict[str, None] = {}

    def of(self, node: ast.expr, names: Mapping[str, Domain]) -> Domain:
        method = getattr(self, f"_{type(node).__name__.lower()}", None)
        return None if method is None else method(node, names)

    def _constant(self, node: ast.Constant, names: Mapping[str, Domain]) -> Domain:
        return OneOf(frozenset({node.value}))

    def _name(self, node: ast.Name, names: Mapping[str, Domain]) -> Domain:
        if node.id in names:
            return names[node.id]
        return type(self._world[node.id]) if node.id in self._world else None

    def _subscript(self, node: ast.Subscript, names: Mapping[str, Domain]) -> Domain:
        is_world = isinstance(node.value, ast.Name) and node.value.id == "world"
        name = node.slice.value if isinstance(node.slice, ast.Constant) else None
        return type(self._world[name]) if is_world and isinstance(name, str) and name in self._world else None

    def _attribute(self, node: ast.Attribute, names: Mapping[str, Domain]) -> Domain:
        owner = self.of(node.value, names)
        if not isinstance(owner, type) or node.attr not in types_of(owner):
            return None
        declared = types_of(owner)[node.attr]
        if get_origin(declared.annotation) is Literal:
            return OneOf(frozenset(get_args(declared.annotation)))
        if declared.annotation is bool:
            return EITHER
        if declared.annotation not in (int, float):
            return None
        low, high = declared.field.ge, declared.field.le
        return Range(-math.inf if low is None else low, math.inf if high is None else high)

    def _unaryop(self, node: ast.UnaryOp, names: Mapping[str, Domain]) -> Domain:
        operand = self.of(node.operand, names)
        if isinstance(node.op, ast.Not):
            truth = _truth(operand)
            return _of_truth(None if truth is None else not truth)
        numbers = _numbers(operand)
        if numbers is None or not isinstance(node.op, ast.USub):
            return None
        return Range(-numbers.high, -numbers.low)

    def _boolop(self, node: ast.BoolOp, names: Mapping[str, Domain]) -> Domain:
        truths = [_truth(self.of(each, names)) for each in node.values]
        decisive = isinstance(node.op, ast.Or)
        if decisive in truths:
            return _of_truth(decisive)
        if not decisive and self._contradicts(node.values, names):
            return FALSE
        return _of_truth(None if None in truths else not decisive)

    def _binop(self, node: ast.BinOp, names: Mapping[str, Domain]) -> Domain:
        left, right = _numbers(self.of(node.left, names)), _numbers(self.of(node.right, names))
        if left is None or right is None:
            return None
        if isinstance(node.op, ast.Add):
            return Range(left.low + right.low, left.high + right.high)
        if isinstance(node.op, ast.Sub):
            return Range(left.low - right.high, left.high - right.low)
        if isinstance(node.op, ast.Mult):
            ends = [_times(one, other) for one in (left.low, left.high) for other in (right.low, right.high)]
            return Range(min(ends), max(ends))
        if isinstance(node.op, ast.Div) and right.low == right.high and 0 < right.low < math.inf:
            return Range(left.low / right.low, left.high / right.low)
        return None

    def _compare(self, node: ast.Compare, names: Mapping[str, Domain]) -> Domain:
        parts = [self.of(each, names) for each in (node.left, *node.comparators)]
        truths = [_compared(sign, one, other) for sign, one, other in zip(node.ops, parts, parts[1:], strict=False)]
        self._note_texts(node, parts, names)
        if False in truths or self._contradicts([node], names):
            return FALSE
        return _of_truth(None if None in truths else True)

    def _note_texts(self, node: ast.Compare, parts: Sequence[Domain], names: Mapping[str, Domain]) -> None:
        """Note texts that are compared with a field that never holds them, or that holds nearly the same."""
        sides = list(zip((node.left, *node.comparators), parts, strict=True))
        for first, second in pairwise(sides):
            for (part, domain), (other, _) in ((first, second), (second, first)):
                if domain is None and isinstance(part, ast.Attribute) and (texts := _texts_in(other)):
                    self._note_odd(part, texts, self.of(part.value, names))
                if not isinstance(domain, OneOf) or isinstance(part, ast.Constant):
                    continue
                known = sorted(map(str, domain.values))
                for text in _texts_in(other):
                    if text not in domain.values:
                        sentence = f"{ast.unparse(part)} is one of {', '.join(known)}, and never {text!r}."
                        self.never[sentence + did_you_mean(text, known)] = None

    def _note_odd(self, part: ast.Attribute, texts: Sequence[str], owner: Domain) -> None:
        """Note texts that a field of nobody holds, where somebody's holds nearly the same: ``Park`` for ``park``."""
        if not isinstance(owner, type):
            return
        members = self._world.registry.by_type.get(owner, {}).values()
        held = {value for each in members if isinstance(value := each.__dict__.get(part.attr), str)}
        for text in texts:
            if text not in held and (near := nearest(text, sorted(held), NEARLY)):
                self.odd[f"{ast.unparse(part)} is {text!r} nowhere at the start. Did you mean {near!r}?"] = None

    def _contradicts(self, parts: Sequence[ast.expr], names: Mapping[str, Domain]) -> bool:
        """Say whether comparisons of one and the same thing leave it nothing that it could be: x > 5 and x < 3."""
        left_to: dict[str, Allowed] = {}
        for node in parts:
            if not isinstance(node, ast.Compare):
                continue
            sides = [node.left, *node.comparators]
            for sign, one, other in zip(node.ops, sides, sides[1:], strict=False):
                for side, against, way in ((one, other, sign), (other, one, MIRRORED.get(type(sign), sign))):
                    allowed = left_to.setdefault(ast.unparse(side), Allowed())
                    allowed.narrow(way, self.of(against, names))
        return any(allowed.is_empty for allowed in left_to.values())

    def _call(self, node: ast.Call, names: Mapping[str, Domain]) -> Domain:
        if not isinstance(node.func, ast.Name) or len(node.args) != 1 or node.keywords:
            return None
        (part,) = node.args
        if not isinstance(part, (ast.GeneratorExp, ast.ListComp)):
            return Range(0, math.inf) if node.func.id == "len" else None
        inner = {**names, **self._bound(part)}
        element = self.of(part.elt, inner)
        for generator in part.generators:
            for test in generator.ifs:
                self.of(test, inner)
        if node.func.id == "len":
            return Range(0, math.inf)
        if node.func.id == "any":
            return FALSE if _truth(element) is False else EITHER
        numbers = _numbers(element)
        if node.func.id != "sum" or numbers is None:
            return None
        return Range(0 if numbers.low >= 0 else -math.inf, 0 if numbers.high <= 0 else math.inf)

    def _bound(self, node: ast.GeneratorExp | ast.ListComp) -> dict[str, Domain]:
        """Return what the names of a comprehension can be: entities of the class that it goes through, or unknown."""
        domains: dict[str, Domain] = {}
        for generator in node.generators:
            kind = self._class_of(generator.iter)
            for target in ast.walk(generator.target):
                if isinstance(target, ast.Name):
                    domains[target.id] = kind if target is generator.target else None
        return domains

    def _class_of(self, node: ast.expr) -> type[Entity] | None:
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "all"):
            return None
        kind = node.args[0] if node.args else None
        name = kind.id if isinstance(kind, ast.Name) else getattr(kind, "value", None)
        kinds = {type(self._world[entity]).__name__: type(self._world[entity]) for entity in self._world}
        return kinds.get(str(name))


def _numbers(domain: Domain) -> Range | None:
    """Return the numbers that a part can come to; None if it can be something else."""
    if isinstance(domain, Range):
        return domain
    if isinstance(domain, OneOf) and all(isinstance(value, int | float) for value in domain.values):
        return Range(min(domain.values), max(domain.values))
    return None


def _texts_in(node: ast.expr) -> list[str]:
    """Return the texts that a part of a comparison writes out, one or several in a list."""
    parts = node.elts if isinstance(node, ast.List | ast.Tuple | ast.Set) else [node]
    return [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]


def _times(one: float, other: float) -> float:
    return 0.0 if 0 in (one, other) else one * other


def _compared(sign: ast.cmpop, one: Domain, other: Domain) -> bool | None:
    """Return whether a comparison comes out the same for all that its sides can be."""
    left, right = _numbers(one), _numbers(other)
    if left is not None and right is not None:
        return _compared_numbers(sign, left, right)
    if isinstance(one, OneOf) and isinstance(other, OneOf) and isinstance(sign, (ast.Eq, ast.NotEq)):
        if not one.values & other.values:
            return isinstance(sign, ast.NotEq)
        if len(one.values) == len(other.values) == 1:
            return isinstance(sign, ast.Eq)
    return None


def _compared_numbers(sign: ast.cmpop, left: Range, right: Range) -> bool | None:
    apart = left.high < right.low or right.high < left.low
    if isinstance(sign, (ast.Eq, ast.NotEq)):
        if apart:
            return isinstance(sign, ast.NotEq)
        same = left.low == left.high == right.low == right.high
        return isinstance(sign, ast.Eq) if same else None
    if isinstance(sign, (ast.Gt, ast.GtE)):
        sign, left, right = (ast.Lt() if isinstance(sign, ast.Gt) else ast.LtE()), right, left
    if isinstance(sign, ast.Lt):
        return True if left.high < right.low else False if left.low >= right.high else None
    if isinstance(sign, ast.LtE):
        return True if left.high <= right.low else False if left.low > right.high else None
    return None
