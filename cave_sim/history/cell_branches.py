"""The branches of a cell: which of its calls are made whenever it runs, and which only if it comes there."""

from __future__ import annotations

import ast
from collections.abc import Iterator

Branch = tuple[tuple[int, int], ...]
"""Where something stands in a cell: at each fork above it, which one that is and which way was taken; () is always."""
ALWAYS = None


def in_order(node: ast.AST, branch: Branch = ()) -> Iterator[tuple[ast.AST, Branch]]:
    """Yield every node with its branch as they stand in the text, the inner ones before those that hold them."""
    for part, fork in _parts(node):
        yield from in_order(part, branch if fork is ALWAYS else (*branch, fork))
    yield node, branch


def excludes(one: Branch, other: Branch) -> bool:
    """Say whether a cell that came to one branch cannot have come to another: they are ways of one fork."""
    ways = dict(one)
    return any(ways.get(fork, way) != way for fork, way in other)


def within(inner: Branch, outer: Branch) -> bool:
    """Say whether whoever is in one branch has come through another one."""
    return inner[: len(outer)] == outer


def _parts(node: ast.AST) -> Iterator[tuple[ast.AST, tuple[int, int] | None]]:
    """Yield the parts of a node, each with its fork and way if it may be left out."""
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
        case (
            ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda() | ast.ClassDef()
            | ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp()
        ):  # fmt: skip
            alone = [list(ast.iter_child_nodes(node))]
    forks = {id(part): (id(node), way) for way, parts in enumerate(ways) for part in parts}
    forks |= {id(part): (id(parts[0]), 0) for parts in alone for part in parts}
    parts = list(ast.iter_child_nodes(node))
    yield from ((part, forks.get(id(part))) for part in sorted(parts, key=lambda part: id(part) in forks))


def _goes_through(loop: ast.For | ast.AsyncFor) -> bool:
    """Say whether all of a loop's body is done: it goes over things that are written out, and leaves nothing out."""
    given = isinstance(loop.iter, ast.Tuple | ast.List | ast.Set) and bool(loop.iter.elts)
    return given and not any(isinstance(each, ast.Break | ast.Continue) for each in ast.walk(loop))
