"""The form of a cell: what it shares with others that differ from it in numbers and texts alone.

Agents write the same few lines again and again, with another amount and in other words. Such literals are constants of
the code that a cell is compiled to. Once a form was met twice, it is compiled with marks in the place of its literals,
which shows where each is kept; from then on a cell of that form is that code with constants of its own.

It is the very code that reading, checking and compiling the cell would give, because neither the gate nor the compiler
looks into a literal where one may be exchanged: as an argument, as what is assigned, compared, added, taken as a key.
Wherever else it stands (under a minus, in a condition, in an f-string, in a list), it is a part of the form. So is
every literal that is not written in the plainest way, and a form that makes functions or loops of its own is none.
"""

from __future__ import annotations

import ast
import re
import secrets
from collections.abc import Iterator, Sequence
from types import CodeType
from typing import Any

from cave_sim.policy.syntax import tree_of
from cave_sim.runtime.compiled_cell import CompiledCell

MAX_CHARS = 600
"""Longer cells come again in no other words, and looking for their literals takes a while."""

_LITERAL = re.compile(
    r"""([0-9"'#](?:"""  # what it begins with comes first, by which a search is four times as fast
    r"""(?<=\#)[^\n]*"""  # a comment, which may have quotes in it
    r"""|(?:(?<![\w.'"]0)(?<=0)|(?<![\w.'"].)(?<=[1-9])[0-9]{0,15})(?:\.[0-9]{1,15})?(?![\w.'"])"""
    r"""|(?<=")(?<![\w'"]")[^"\\\n]*"(?![\w'"])"""
    r"""|(?<=')(?<![\w'"]')[^'\\\n]*'(?![\w'"])))"""
)
"""Numbers and texts that are written in the plainest way, and comments."""


def taken_apart(text: str) -> tuple[str, list[str]] | None:
    """Return what a cell's text is without its literals, and them; None where there are none to be exchanged."""
    if len(text) > MAX_CHARS:
        return None
    parts = _LITERAL.split(text)
    literals = parts[1::2]
    if not literals:
        return None
    comments = [each for each in literals if each[0] == "#"] if "#" in text else ()
    return "\0".join((*parts[::2], *comments)), literals


def _value(literal: str) -> int | float | str:
    """Return what Python reads a literal as."""
    if literal[0] in "'\"":
        return literal[1:-1]
    return float(literal) if "." in literal else int(literal)


class CellForm:
    """One form, of cells that share what cannot be exchanged in it.

    Args:
        text: of a cell of this form.
        literals: of the cell, in order.

    """

    __slots__ = ("_cell", "_closed", "_marks", "_open", "_places", "_texts")

    def __init__(self, text: str, literals: Sequence[str]) -> None:
        self._open = _exchangeable(text)
        self._closed = [at for at in range(len(literals)) if at not in self._open]
        self._texts = [literals[at] for at in self._closed]
        self._marks = [_mark(literals[at], number) for number, at in enumerate(self._open)]
        self._cell: CompiledCell | None = None
        self._places: list[int] = []

    def marked(self, text: str) -> str:
        """Return a cell of this form with marks, each like no other, for literals; nothing if none may be exchanged."""
        if not self._open:
            return ""
        parts = _LITERAL.split(text)
        for at, mark in zip(self._open, self._marks, strict=True):
            parts[2 * at + 1] = mark
        return "".join(parts)

    def learn(self, cell: CompiledCell) -> None:
        """Learn from the :meth:`marked` cell where its literals are kept; nothing if that is unclear."""
        consts = [(type(constant), constant) for constant in cell.code.co_consts]
        marks = [(type(_value(mark)), _value(mark)) for mark in self._marks]
        if any(kind is CodeType for kind, _ in consts) or any(consts.count(mark) != 1 for mark in marks):
            return
        self._places = [consts.index(mark) for mark in marks]
        self._cell = cell

    def filled(self, source: str, literals: Sequence[str]) -> CompiledCell | None:
        """Return the cell of this form that has these literals; None if it is of another one after all.

        Args:
            source: the cell.
            literals: of it, in order.
        """
        known = self._cell
        if known is None or [literals[at] for at in self._closed] != self._texts:
            return None
        consts: list[Any] = list(known.code.co_consts)
        for place, at in zip(self._places, self._open, strict=True):
            value = _value(literals[at])
            if type(value) is not type(consts[place]):
                return None
            consts[place] = value
        code = known.code.replace(co_consts=tuple(consts))
        return CompiledCell(source, code, known.names, known.awaits, known.is_brief)


def _mark(literal: str, number: int) -> str:
    """Return a literal of the same kind that is like no other."""
    if literal[0] in "'\"":
        return f"'mark {number} {_DRAWN}'"
    return f"{number}.{_DRAWN}" if "." in literal else f"{_DRAWN + number}"


_DRAWN = secrets.randbelow(9 * 10**14) + 10**14
"""In every mark, so that no cell can hold one; drawn here, where no sandbox is around the process yet."""


# ---- which literals may be exchanged


def _exchangeable(text: str) -> list[int]:
    """Return the numbers of the literals of a cell into which nothing looks that reads or compiles it."""
    lines = text.split("\n")
    places: dict[tuple[int, int, int], int] = {}
    line, column = 1, 0
    for number, part in enumerate(_LITERAL.split(text)):
        if number % 2:
            start = len(lines[line - 1][:column].encode())
            places[line, start, start + len(part.encode())] = number // 2
        line += part.count("\n")
        column = len(part) - part.rindex("\n") - 1 if "\n" in part else column + len(part)
    open_ = {
        places.get((node.lineno, node.col_offset, node.end_col_offset or 0), -1)
        for node in _opaque(tree_of(text))
        if node.lineno == node.end_lineno and type(node.value) in (int, float, str)
    }
    return sorted(open_ - {-1})


def _opaque(tree: ast.AST) -> Iterator[ast.Constant]:
    """Yield the constants that stand where their value makes no difference to what a cell is compiled to."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.JoinedStr):
            continue  # where its parts stand is not to be relied on
        waiting += ast.iter_child_nodes(node)
        for value in _values(node):
            yield from _constants(value)


def _values(node: ast.AST) -> list[ast.expr]:
    """Return the parts of a node that are loaded as they are, if they are constants."""
    match node:
        case ast.Call(args=args, keywords=keywords):
            return [*args, *(keyword.value for keyword in keywords)]
        case ast.Assign(targets=targets, value=value) if all(isinstance(each, _HOLDERS) for each in targets):
            return [value]
        case ast.AugAssign(op=ast.Add() | ast.Sub(), value=value):
            return [value]
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Div() | ast.Mult(), right=right):
            return [side for side, other in ((left, right), (right, left)) if _is_found(other)]
        case ast.Compare(left=left, ops=ops, comparators=comparators) if not any(
            isinstance(op, _IDENTITY) for op in ops
        ):
            sides = [left, *comparators]
            return sides if any(map(_is_found, sides)) else []
        case ast.Subscript(value=holder, slice=key) if _is_found(holder):
            return [key]
        case ast.Dict(values=values):
            return values
    return []


def _constants(value: ast.expr) -> Iterator[ast.Constant]:
    if isinstance(value, ast.IfExp):
        yield from _constants(value.body)
        yield from _constants(value.orelse)
    elif isinstance(value, ast.Constant):
        yield value


def _is_found(node: ast.expr) -> bool:
    """Say whether only running can tell what something is, so that nothing is computed of it ahead."""
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return isinstance(node, (ast.Name, ast.Call))


_HOLDERS = (ast.Name, ast.Attribute, ast.Subscript)
_IDENTITY = (ast.Is, ast.IsNot)
