"""How operators of a cell are rewritten, so that those which could explode ask first how large the result will be."""

from __future__ import annotations

import ast
from typing import Any

from cave_sim.policy.syntax import Fixed, GuardName, at, call, load

OPERATORS: dict[type[ast.operator], str] = {
    ast.Pow: "_power_",
    ast.LShift: "_shift_",
    ast.Mult: "_times_",
    ast.Mod: "_modulo_",
    ast.MatMult: "_matmul_",
}

IDENTITIES: dict[type[ast.cmpop], str] = {ast.Is: "_same_", ast.IsNot: "_other_"}


def is_harmless(operator: ast.operator, left: ast.expr, right: ast.expr) -> bool:
    """Say whether numbers written in the cell make an operation harmless whatever the other operand is."""
    if isinstance(operator, ast.Mod):
        return _number(left) is not None
    number = _number(right)
    if isinstance(operator, ast.Mult):
        return isinstance(number, float) or isinstance(_number(left), float)
    return isinstance(operator, ast.LShift) and number is not None and number <= 64


def asks_which(node: ast.Compare) -> bool:
    """Say whether a comparison asks if two objects are one, and neither is None, a boolean or ``...``."""
    sides = [node.left, *node.comparators]
    return any(
        type(operator) in IDENTITIES and not any(map(_is_singleton, sides[at : at + 2]))
        for at, operator in enumerate(node.ops)
    )


def _is_singleton(node: Any) -> bool:
    is_fixed = isinstance(node, ast.Constant)
    return is_fixed and (node.value is None or node.value is ... or type(node.value) is bool)


def _number(node: ast.expr) -> int | float | None:
    return node.value if isinstance(node, ast.Constant) and type(node.value) in (int, float) else None  # type: ignore[return-value]


def written_out(node: ast.AugAssign) -> dict[str, Any]:
    """Return the fields of the assignment that ``target op= value`` stands for, whose parts are computed once."""
    target: Any = node.target
    if isinstance(target, ast.Name):
        current: Any = ast.Name(target.id, ast.Load())
    else:
        owner = at(ast.NamedExpr(GuardName("_held_", ast.Store()), target.value), target)
        target.value = load("_held_")
        if isinstance(target, ast.Attribute):
            current = ast.Attribute(owner, target.attr, ast.Load())
        else:
            place = at(ast.NamedExpr(GuardName("_at_", ast.Store()), target.slice), target)
            target.slice = load("_at_")
            current = ast.Subscript(owner, place, ast.Load())
    augmented = call("_augment_", node, Fixed(type(node.op).__name__), at(current, target), node.value)
    return {"targets": [target], "value": augmented, "type_comment": None}


def may_tell_addresses(part: ast.expr) -> bool:
    """Say whether a part of an f-string is what ``str`` or ``repr`` makes of a value; ``{x:}`` is what ``{x}`` is."""
    if not isinstance(part, ast.FormattedValue) or part.conversion != -1:
        return isinstance(part, ast.FormattedValue)
    return not isinstance(part.format_spec, ast.JoinedStr) or not part.format_spec.values
