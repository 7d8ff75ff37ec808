"""The branches of a cell: which of its calls are made whenever it runs, and which only if it comes there."""

from __future__ import annotations

import ast
from collections.abc import Iterator

Branch = tuple[tuple[int, int], ...]
"""Where something stands in a cell: at each fork above it, which one that is and which way was taken; () is always."""


def in_order(node: ast.AST) -> Iterator[tuple[ast.AST, Branch]]:
    """Yield what a cell is made of, each with its branch, as it stands in the text: the inner before what holds it.

    Marks that hold nothing, such as operators, are left out.
    """
    waiting: list[tuple[ast.AST, Branch, bool]] = [(node, (), False)]
    while waiting:
        node, branch, is_whole = waiting.pop()
        if is_whole:
            yield node, branch
            continue
        waiting.append((node, branch, True))
        forks = _forks(node) if type(node) in _FORKING else {}
        parts = [part for part in ast.iter_child_nodes(node) if part._fields]
        if forks:
            parts.sort(key=lambda part: id(part) in forks)
        for part in reversed(parts):
            taken = (*branch, forks[id(part)]) if id(part) in forks else branch
            waiting.append((part, taken, type(part) in _LEAVES))


def excludes(one: Branch, other: Branch) -> bool:
    """Say whether a cell that came to one branch cannot have come to another: they are ways of one fork."""
    ways = dict(one)
    return any(ways.get(fork, way) != way for fork, way in other)


def within(inner: Branch, outer: Branch) -> bool:
    """Say whether whoever is in one branch has come through another one."""
    return inner[: len(outer)] == outer


_DEFINING = (
    ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef, ast.ListComp, ast.SetComp, ast.DictComp,
    ast.GeneratorExp,
)  # fmt: skip
_FORKING = frozenset((
    ast.If, ast.IfExp, ast.Match, ast.BoolOp, ast.While, ast.For, ast.AsyncFor, ast.Try, ast.TryStar, *_DEFINING,
))  # fmt: skip
"""What has parts that may be left out."""
_LEAVES = frozenset((ast.Constant, ast.Name))


def _forks(node: ast.AST) -> dict[int, tuple[int, int]]:
    """Return, of a node's parts that may be left out, the fork and the way of each by its identity."""
    ways: list[list[ast.AST]] = []
    alone: list[list[ast.AST]] = []  # that may be left out without another one being done instead
    match node:
        case ast.If() | ast.IfExp():
            body, orelse = ([each] if isinstance(each, ast.AST) else each for each in (node.body, node.orelse))
            ways = [[*body], [*orelse]]
        case ast.Match():
            ways = [[case] for case in node.cases]
        case ast.BoolOp():
            alone = [list(node.values[1:])]
        case ast.While():
            alone = [[*node.body], [*node.orelse]]
        case ast.For() | ast.AsyncFor():
            alone = [[*node.orelse]] if _goes_through(node) else [[*node.body], [*node.orelse]]
        case ast.Try() | ast.TryStar():
            alone = [[*node.body], [*node.orelse]]
            alone += [[handler] for handler in node.handlers]
        case _ if isinstance(node, _DEFINING):
            alone = [list(ast.iter_child_nodes(node))]
    forks = {id(part): (id(node), way) for way, parts in enumerate(ways) for part in parts}
    return forks | {id(part): (id(parts[0]), 0) for parts in alone for part in parts}


def _goes_through(loop: ast.For | ast.AsyncFor) -> bool:
    """Say whether all of a loop's body is done: it goes over things that are written out, and leaves nothing out."""
    given = isinstance(loop.iter, ast.Tuple | ast.List | ast.Set) and bool(loop.iter.elts)
    return given and not any(isinstance(each, ast.Break | ast.Continue) for each in ast.walk(loop))
