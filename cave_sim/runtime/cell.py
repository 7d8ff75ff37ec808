"""Cells: agent code, checked and compiled once, kept for as long as it may come again."""

from __future__ import annotations

import ast
import dis
import hashlib
import io
from collections.abc import Iterator
from dataclasses import dataclass
from types import CodeType

from cave_sim.entity.asking import CELL_FILE
from cave_sim.errors import Blocked
from cave_sim.policy.ast_check import AstChecker, Direct
from cave_sim.policy.scope import MODULES
from cave_sim.policy.suspensions import tick_where_it_goes_on
from cave_sim.policy.syntax import parse, show_last
from cave_sim.runtime.process_guards import PROCESS_GUARDS

MAX_CACHED_CELLS = 2_048
MAX_KNOWN_FUNCTIONS = 20_000

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
        is_brief: whether nothing in it can run for long.
    """

    source: str
    code: CodeType
    names: frozenset[str]
    awaits: bool
    is_brief: bool


class Statement:
    """A top-level statement of a cell, by its text; the functions that it made refer to the same one."""

    __slots__ = ("source",)

    def __init__(self, source: str) -> None:
        self.source: str = source


Origin = tuple[Statement, int]
"""The statement that made a function, and the function's number among those of the statement."""


def cell_hash(source: str) -> str:
    """Return the name under which a cell's source is kept in a journal."""
    return hashlib.sha256(source.encode("utf-8", "replace")).hexdigest()[:24]


class CellCache:
    """Compiles cells, and remembers the latest ones; nothing else in the process keeps a trace of them."""

    def __init__(self, *, guarded: bool) -> None:
        self._guarded = guarded
        self._cells: dict[str, CompiledCell] = {}
        self._direct = Direct()
        self._sources: dict[int, tuple[CodeType, str, int]] = {}  # id of a function's code -> where it stands
        self._origins: dict[str, list[Origin]] = {}

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
        show_last(tree)
        if self._guarded:
            AstChecker(self._direct, MODULES).walk(tree)
            if "yield" in source or "await" in source:
                tick_where_it_goes_on(tree)
        try:
            code = compile(tree, CELL_FILE, "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
        except (RecursionError, MemoryError):
            raise Blocked("the cell is nested too deeply to be compiled") from None
        awaits = bool(code.co_flags & 0x80)  # CO_COROUTINE
        is_brief = self._guarded and _LASTING.isdisjoint(code.co_code[::2])
        self._note_functions(code, source)
        return CompiledCell(source, code, frozenset(_names(code)), awaits, is_brief)

    # ---- where functions come from

    def functions(self, statement: str) -> list[CodeType]:
        """Return the code of every function that a statement makes, in order; raises what :meth:`get` raises."""
        return list(_functions(self.get(statement).code))

    def origin(self, code: CodeType) -> Origin | None:
        """Return which statement of which cell made a function; None if it is from no cell that ran lately."""
        known = self._sources.get(id(code))
        if known is None:
            return None
        _, source, number = known
        if source not in self._origins:
            self._origins[source] = self._origins_in(source)
        return self._origins[source][number]

    def _origins_in(self, source: str) -> list[Origin]:
        origins: list[Origin] = []
        for text in statements(source):
            statement = Statement(text)
            origins += [(statement, number) for number in range(len(self.functions(text)))]
        return origins

    def _note_functions(self, code: CodeType, source: str) -> None:
        for number, function in enumerate(_functions(code)):
            self._sources[id(function)] = (function, source, number)
        while len(self._sources) > MAX_KNOWN_FUNCTIONS:
            _, source, _ = self._sources.pop(next(iter(self._sources)))
            self._origins.pop(source, None)


def statements(source: str) -> list[str]:
    """Return the text of each top-level statement of a cell that makes a function or a class, decorators included."""
    lines = list(io.StringIO(source, newline=""))
    texts = []
    for node in ast.parse(source).body:
        if any(isinstance(part, _MAKERS) for part in ast.walk(node)):
            first = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", ()))])
            text = ast.get_source_segment(source, node) or ""
            texts.append("".join(lines[first - 1 : node.lineno - 1]) + text)
    return texts


_MAKERS = (ast.Lambda, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_COMPREHENSIONS = frozenset({"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"})


def _functions(code: CodeType) -> Iterator[CodeType]:
    """Yield the code of each function and class body within, in order; comprehensions are no functions everywhere."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            if constant.co_name not in _COMPREHENSIONS:
                yield constant
            yield from _functions(constant)


def _names(code: CodeType) -> set[str]:
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names |= _names(constant)
    return names
