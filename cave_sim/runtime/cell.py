"""Cells: agent code, checked and compiled once, kept for as long as it may come again."""

from __future__ import annotations

import ast
import hashlib
import io
from collections import OrderedDict
from types import CodeType

from cave_sim.entity.asking import CELL_FILE
from cave_sim.errors import Blocked
from cave_sim.policy.ast_check import AstChecker, Direct
from cave_sim.policy.scope import MODULES
from cave_sim.policy.suspensions import tick_where_it_goes_on
from cave_sim.policy.syntax import readable, show_last, tree_of
from cave_sim.runtime.cell_form import CellForm, taken_apart
from cave_sim.runtime.compiled_cell import CompiledCell, functions_in
from cave_sim.runtime.process_guards import PROCESS_GUARDS

MAX_CACHED_CELLS = 2_048
MAX_KNOWN_FUNCTIONS = 20_000
MAX_FORMS = 1_024
MAX_MET_ONCE = 8_192


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
        self._cells: OrderedDict[str, CompiledCell] = OrderedDict()  # which finds its oldest at once
        self._forms: dict[str, CellForm] = {}
        self._met_once: set[int] = set()  # hashes of forms: one that is taken for another is learnt early
        self._direct = Direct()
        self._sources: dict[int, tuple[CodeType, str, int]] = {}  # id of a function's code -> where it stands
        self._origins: dict[str, list[Origin]] = {}

    def allow(self, direct: Direct) -> None:
        """Set which attributes need no guard; cells compiled under other rules are forgotten."""
        if direct != self._direct:
            self._direct = direct
            self._cells.clear()
            self._forms.clear()
            self._met_once.clear()

    def get(self, source: str) -> CompiledCell:
        """Return the compiled cell; raises Blocked if the gate refuses it, SyntaxError if it is no Python."""
        cell = self._cells.get(source)
        if cell is None:
            cell = self._make(source)
            if len(self._cells) >= MAX_CACHED_CELLS:
                self._cells.popitem(last=False)
            self._cells[source] = cell
        return cell

    def _make(self, source: str) -> CompiledCell:
        """Compile a cell, or take what its form was compiled to where it differs in literals alone from others."""
        text = readable(source)
        apart = taken_apart(text)
        if apart is None:
            return self._compile(source, text)
        name, literals = apart
        form = self._forms.get(name)
        cell = None if form is None else form.filled(source, literals)
        if cell is None:
            cell = self._compile(source, text)
            if form is None:
                self._meet_form(name, text, literals)
        return cell

    def _meet_form(self, name: str, text: str, literals: list[str]) -> None:
        """Learn the form of a cell when it is met a second time."""
        met = hash(name)
        if met not in self._met_once:
            if len(self._met_once) >= MAX_MET_ONCE:
                self._met_once.clear()
            self._met_once.add(met)
            return
        if len(self._forms) >= MAX_FORMS:
            del self._forms[next(iter(self._forms))]
        with PROCESS_GUARDS:
            form = self._forms[name] = CellForm(text, literals)
            if marked := form.marked(text):
                form.learn(self._compile("", marked))

    def _compile(self, source: str, text: str) -> CompiledCell:
        with PROCESS_GUARDS:
            code = self._code_of(text)
        self._note_functions(code, source)
        return CompiledCell.of(source, code, guarded=self._guarded)

    def _code_of(self, text: str) -> CodeType:
        tree = tree_of(text)
        show_last(tree)
        if self._guarded:
            AstChecker(self._direct, MODULES).walk(tree)
            if "yield" in text or "await" in text:
                tick_where_it_goes_on(tree)
        try:
            code: CodeType = compile(tree, CELL_FILE, "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
            return code
        except (RecursionError, MemoryError):
            raise Blocked("the cell is nested too deeply to be compiled") from None

    # ---- where functions come from

    def functions(self, statement: str) -> list[CodeType]:
        """Return the code of every function that a statement makes, in order; raises what :meth:`get` raises."""
        return list(functions_in(self.get(statement).code))

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
        for number, function in enumerate(functions_in(code)):
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
