"""Cells: agent code, checked and compiled once, kept for as long as it may come again."""

from __future__ import annotations

import ast
import dis
import hashlib
from dataclasses import dataclass
from types import CodeType

from cave_sim.errors import Blocked
from cave_sim.policy.ast_check import AstChecker, Direct
from cave_sim.policy.scope import MODULES
from cave_sim.policy.syntax import parse, show_last
from cave_sim.runtime.process_guards import PROCESS_GUARDS

MAX_CACHED_CELLS = 2_048

_WORK = ("CALL", "BACKWARD", "ITER", "IMPORT", "SEND", "YIELD", "CLASS", "FUNCTION", "WITH")
_LASTING = frozenset(number for name, number in dis.opmap.items() if any(word in name for word in _WORK))
"""Instructions by which a cell may come to run for long: what calls, repeats, imports or waits."""


@dataclass(frozen=True, slots=True)
class CompiledCell:
    """One compiled cell.

    Attributes:
        source: as the agent wrote it.
        code: what runs; a coroutine if the cell awaits.
        names: every global name and attribute that it mentions.
        awaits: whether it must be run as a coroutine.
        definitions: the source of each function and class that it defines at top level.
    """

    source: str
    code: CodeType
    names: frozenset[str]
    awaits: bool
    is_brief: bool
    definitions: dict[str, str]


def cell_hash(source: str) -> str:
    """Return the name under which a cell's source is kept in a journal."""
    return hashlib.sha256(source.encode("utf-8", "replace")).hexdigest()[:24]


class CellCache:
    """Compiles cells, and remembers the latest ones; nothing else in the process keeps a trace of them."""

    def __init__(self, *, guarded: bool) -> None:
        self._guarded = guarded
        self._cells: dict[str, CompiledCell] = {}
        self._direct = Direct()

    def allow(self, direct: Direct) -> None:
        """Set which attributes need no guard; cells compiled under other rules are forgotten."""
        if direct != self._direct:
            self._direct = direct
            self._cells.clear()

    def get(self, source: str) -> CompiledCell:
        """Return the compiled cell; raises Blocked if the gate refuses it, SyntaxError if it is no Python."""
        cell = self._cells.get(source)
        if cell is None:
            with PROCESS_GUARDS:
                cell = self._compile(source)
            if len(self._cells) >= MAX_CACHED_CELLS:
                del self._cells[next(iter(self._cells))]
            self._cells[source] = cell
        return cell

    def _compile(self, source: str) -> CompiledCell:
        tree = parse(source)
        definitions = {
            name: ast.get_source_segment(source, node) or ""
            for node in tree.body
            if (name := _defined(node)) is not None
        }
        show_last(tree)
        if self._guarded:
            AstChecker(self._direct, MODULES).walk(tree)
        try:
            code = compile(tree, "<cell>", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
        except (RecursionError, MemoryError):
            raise Blocked("the cell is nested too deeply to be compiled") from None
        awaits = bool(code.co_flags & 0x80)  # CO_COROUTINE
        is_brief = self._guarded and _LASTING.isdisjoint(code.co_code[::2])
        return CompiledCell(source, code, frozenset(_names(code)), awaits, is_brief, definitions)


def _defined(node: ast.stmt) -> str | None:
    """Return the name that a statement gives to a function or a class, if that is what it does."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return node.name
    match node:
        case ast.Assign([ast.Name(name)], ast.Lambda()):
            return name
        case ast.Assign([ast.Name(name)], ast.Call(ast.Name("namedtuple") | ast.Attribute(attr="namedtuple"))):
            return name
    return None


def _names(code: CodeType) -> set[str]:
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names |= _names(constant)
    return names
