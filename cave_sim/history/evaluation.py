"""Working out an expression of the small language of conditions over one state, a recorded or a live one."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from cave_sim.changes.plain_world import PlainEntity, PlainWorld, plain_name
from cave_sim.entity.builtin_entities import SYSTEM
from cave_sim.entity.entity import Entity
from cave_sim.errors import WorldError
from cave_sim.history.looking_back import EARLIER, WAS, Remembered, StepsBefore, steps_back
from cave_sim.history.other_notations import (
    fields_of,
    no_entity,
    no_field,
    no_function,
    no_items,
    operator_told,
)

BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod,
}  # fmt: skip
COMPARED: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt,
    ast.GtE: operator.ge, ast.Is: operator.is_, ast.IsNot: operator.is_not,
    ast.In: lambda one, other: one in other, ast.NotIn: lambda one, other: one not in other,
}  # fmt: skip
UNARY: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.Not: operator.not_, ast.USub: operator.neg, ast.UAdd: operator.pos,
}  # fmt: skip
FUNCTIONS: dict[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (abs, all, any, bool, float, int, len, max, min, round, set, sorted, str, sum)
}
EXTREMES = ("max", "min")
METHODS = frozenset("values items keys get count startswith endswith lower".split())
Names = Mapping[str, Any]


class NotThere(LookupError):
    """Something that a condition names is not there; it says so itself."""


class EntityNotThere(NotThere):
    """An entity that a condition names is not there."""

    def __init__(self, message: str, name: str) -> None:
        super().__init__(message)
        self.name = name


MOST_PARTS = 5_000_000
"""How many parts of an expression are worked out for one state; a condition may loop in loops."""


class Evaluation:
    """One look at one state."""

    def __init__(
        self, world: Any, past: StepsBefore | None = None, memories: Mapping[ast.Call, Remembered] | None = None
    ) -> None:
        self.world = world
        self._past, self._memories = past, memories or {}
        self._left = MOST_PARTS

    def value(self, node: ast.expr, names: Names) -> Any:
        self._left -= 1
        if self._left < 0:
            raise ValueError(f"it takes more than {MOST_PARTS:,} parts to work out")
        evaluate = getattr(self, f"_{type(node).__name__.lower()}", None)
        if evaluate is None:
            raise ValueError(f"{ast.unparse(node)!r} is more than a condition can say")
        return evaluate(node, names)

    def _constant(self, node: ast.Constant, names: Names) -> Any:
        return node.value

    def _name(self, node: ast.Name, names: Names) -> Any:
        if node.id in names:
            return names[node.id]
        if node.id == "world":
            return self.world
        if node.id in self.world:
            return self.world[node.id]
        raise EntityNotThere(no_entity(node.id, self.world), node.id)

    def _attribute(self, node: ast.Attribute, names: Names) -> Any:
        owner = self.value(node.value, names)
        if owner is self.world and node.attr == "step":
            return step_of(owner)
        fields = fields_of(owner)
        if node.attr in fields:
            return getattr(owner, node.attr)
        raise NotThere(no_field(ast.unparse(node.value), node.attr, fields, self.world))

    def _subscript(self, node: ast.Subscript, names: Names) -> Any:
        owner, key = self.value(node.value, names), self.value(node.slice, names)
        if isinstance(owner, (PlainEntity, Entity)):
            raise NotThere(no_items(ast.unparse(node.value), key))
        return owner[key]

    def _binop(self, node: ast.BinOp, names: Names) -> Any:
        left, right = self.value(node.left, names), self.value(node.right, names)
        if isinstance(node.op, (ast.Mult, ast.Mod)) and any(isinstance(side, (str, list)) for side in (left, right)):
            raise TypeError(f"{ast.unparse(node)!r}: * and % are of numbers")  # a text could be made to fill the memory
        return _known(BINARY, node.op)(left, right)

    def _unaryop(self, node: ast.UnaryOp, names: Names) -> Any:
        return _known(UNARY, node.op)(self.value(node.operand, names))

    def _boolop(self, node: ast.BoolOp, names: Names) -> Any:
        decisive = isinstance(node.op, ast.Or)
        value: Any = not decisive
        for operand in node.values:
            value = self.value(operand, names)
            if bool(value) is decisive:
                break
        return value

    def _compare(self, node: ast.Compare, names: Names) -> bool:
        left = self.value(node.left, names)
        for sign, operand in zip(node.ops, node.comparators, strict=True):
            right = self.value(operand, names)
            if not _known(COMPARED, sign)(left, right):
                return False
            left = right
        return True

    def _ifexp(self, node: ast.IfExp, names: Names) -> Any:
        return self.value(node.body if self.value(node.test, names) else node.orelse, names)

    def _list(self, node: ast.List | ast.Tuple, names: Names) -> list[Any]:
        return [self.value(item, names) for item in node.elts]

    _tuple = _list

    def _listcomp(self, node: ast.ListComp | ast.GeneratorExp, names: Names) -> list[Any]:
        return [self.value(node.elt, inner) for inner in self.bound(node.generators, names)]

    _generatorexp = _listcomp

    def bound(self, generators: Sequence[ast.comprehension], names: Names) -> Iterator[Names]:
        """Yield what the names of comprehensions stand for, one after another."""
        if not generators:
            yield names
            return
        first, *rest = generators
        for item in self.value(first.iter, names):
            inner = {**names, **_matched(first.target, item)}
            if all(self.value(test, inner) for test in first.ifs):
                yield from self.bound(rest, inner)

    def _call(self, node: ast.Call, names: Names) -> Any:
        if node.keywords and not _is_extreme_with_default(node):
            raise ValueError(f"{ast.unparse(node)!r}: a condition has no keywords but default= of max and min")
        if isinstance(node.func, ast.Name):
            if self._past is not None and node.func.id == WAS:
                return self._was(node, names, self._past)
            if self._past is not None and node.func.id == EARLIER:
                self.value(node.args[0], names)  # what is wrong with it is told now, and not when it was once so
                return self._past.has_been(self._memories[node], names)
            if node.func.id not in FUNCTIONS:
                raise NotThere(no_function(node.func.id, FUNCTIONS))
            arguments = [self.value(argument, names) for argument in node.args]
            if node.func.id in EXTREMES and not node.keywords and arguments == [[]]:
                way_out = f"{node.func.id}([...], default=0)"
                raise ValueError(f"{ast.unparse(node)!r} is of nothing; say what it is then, as in {way_out}")
            return FUNCTIONS[node.func.id](
                *arguments, **{str(each.arg): self.value(each.value, names) for each in node.keywords}
            )
        if not isinstance(node.func, ast.Attribute):
            raise ValueError(f"{ast.unparse(node)!r} is more than a condition can say")
        owner = self.value(node.func.value, names)
        if owner is self.world and node.func.attr == "all":
            return self._all(node)
        if node.func.attr not in METHODS or not isinstance(owner, (str, list, dict)):
            raise AttributeError(f"{ast.unparse(node.func)}() cannot be called in a condition")
        return getattr(owner, node.func.attr)(*(self.value(argument, names) for argument in node.args))

    def _was(self, node: ast.Call, names: Names, past: StepsBefore) -> Any:
        """Return what something was so many steps ago; or as far back as all that it is about was there."""
        for world in past.before(steps_back(node)):
            try:
                then = {name: _as_it_was(value, world) for name, value in names.items()}
                return Evaluation(world, past).value(node.args[0], then)
            except (LookupError, WorldError):  # it came later; what is misspelt is not there now either
                continue
        return self.value(node.args[0], names)

    def _all(self, node: ast.Call) -> list[Any]:
        """The entities of a class, by its name as a word or a text; no class is looked up."""
        (kind,) = node.args
        name = kind.id if isinstance(kind, ast.Name) else self.value(kind, {})
        if isinstance(self.world, PlainWorld):
            return list(self.world.all(name))
        return [self.world[entity] for entity in sorted(self.world) if type(self.world[entity]).__name__ == name]


def _is_extreme_with_default(node: ast.Call) -> bool:
    is_extreme = isinstance(node.func, ast.Name) and node.func.id in EXTREMES and len(node.args) == 1
    return is_extreme and [each.arg for each in node.keywords] == ["default"]


def _known(table: Mapping[Any, Callable[..., Any]], sign: ast.AST) -> Callable[..., Any]:
    if type(sign) not in table:
        raise NotThere(f"a condition has no {operator_told(sign)}")
    return table[type(sign)]


def _matched(target: ast.expr, item: Any) -> dict[str, Any]:
    if isinstance(target, ast.Name):
        return {target.id: item}
    if isinstance(target, ast.Tuple):
        pairs = zip(target.elts, item, strict=True)
        return {name: value for part, one in pairs for name, value in _matched(part, one).items()}
    raise ValueError("a comprehension binds names")


def _as_it_was(value: Any, world: PlainWorld) -> Any:
    if not isinstance(value, PlainEntity):
        return value
    if plain_name(value) not in world:
        raise NotThere(plain_name(value))
    return world[plain_name(value)]


def step_of(world: Any) -> int:
    """Return how many steps a state, or a live world, has behind it."""
    step: int = world.entities[SYSTEM]["fields"]["step"] if isinstance(world, PlainWorld) else world.clock.step
    return step
