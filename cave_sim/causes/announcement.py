"""Announcements: the statements of a cell by which a text came into the world, where somebody else may hear or read it.

A statement is one if a text that stands in it came into the world with its turn, and it is a call made for its effect
or writes to something that is not the agent's own. It can be taken out of the cell, whose other statements run on.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Any

from cave_sim.changes.change import Change

Span = tuple[int, int]
"""Where a statement begins and ends, in bytes of UTF-8."""
SHORTEST = 3
"""Letters that a text must have to be told apart from marks and keys."""


def announcements(code: str, changes: Iterable[Change]) -> list[tuple[Span, str]]:
    """Return the statements of a cell that say something, in their order, each with what it says.

    Args:
        code: a cell that landed.
        changes: what its turn left.
    """
    new = [text for change in changes for text in _texts(change.new) if text not in set(_texts(change.old))]
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError):
        return []
    starts = [0]
    for line in code.encode().splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    return [
        (_span(node, starts), words)
        for node in _statements(tree.body)
        if (words := next((text for text in _constants(node) if any(text in each for each in new)), ""))
    ]


def without(code: str, spans: Iterable[Span]) -> str:
    """Return a cell without some of its statements; ``pass`` stands in their place."""
    raw = code.encode()
    for begin, end in sorted(spans, reverse=True):
        raw = raw[:begin] + b"pass" + raw[end:]
    return raw.decode()


def _statements(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the simple statements that may say something, those inside of others included; in their order."""
    for node in body:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            yield node
        elif isinstance(node, ast.Assign | ast.AugAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(isinstance(each, ast.Attribute | ast.Subscript) and _root(each) != "me" for each in targets):
                yield node
        for name in ("body", "orelse", "finalbody"):
            yield from _statements(getattr(node, name, ()))


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _constants(node: ast.stmt) -> Iterator[str]:
    for each in ast.walk(node):
        if isinstance(each, ast.Constant) and isinstance(each.value, str) and len(each.value.strip()) >= SHORTEST:
            yield each.value.strip()


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _texts(each)


def _span(node: ast.stmt, starts: list[int]) -> Span:
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    return starts[node.lineno - 1] + node.col_offset, starts[node.end_lineno - 1] + node.end_col_offset
