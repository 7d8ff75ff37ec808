"""Which line of a cell wrote a field, and what the cell read: from its text alone, which is parsed and never run."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter

from cave_sim.errors import Blocked
from cave_sim.policy.scope import MODULES
from cave_sim.policy.syntax import parse

Candidate = tuple[int, ast.expr, str]
"""How far-fetched it is, where, and how."""
IN_PLACE = frozenset(
    "append extend insert remove pop popitem clear update setdefault add discard sort reverse add_edge add_node "
    "add_edges_from add_nodes_from remove_edge remove_node".split()
)
VIEWS = frozenset({"nodes", "edges", "adj", "graph"})
"""What of a graph is written by key."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a cell that may have written a field.

    Attributes:
        number: from 1.
        text: of the line.
        how: ``assignment``, ``in place`` (a container was changed), ``added``, ``removed`` (an entity), or the method
            that wrote it, as the cell calls it: ``method me.go``.
    """

    number: int
    text: str
    how: str


def writers(code: str, agent: str, entity: str, field: str, key: str = "") -> tuple[Line, ...]:
    """Return the lines of a cell that may have written a field: one where the text alone decides, else all that fit.

    What a cell names wins over what it may mean: ``ann.mood = 1`` over ``friend.mood = 1``, that over a method of
    ann, that over a method that was handed ann, that over any other method.

    Args:
        code: the cell.
        agent: who ran it, for whom ``me`` stands.
        entity: whose field.
        field: the field; empty for the entity as a whole.
        key: of a dict, where one key alone is meant.
    """
    cell = _cell(code, agent)
    candidates = sorted(cell.candidates(entity, field, key), key=itemgetter(0))
    best = [(node, how) for rank, node, how in candidates if rank == candidates[0][0]]
    lines = {node.lineno: how for node, how in best}
    return tuple(Line(number, cell.line(number), how) for number, how in sorted(lines.items()))


def reads(code: str, agent: str) -> tuple[str, ...]:
    """Return what a cell read by name: fields and asked methods of entities, ``weather.kind``, ``town.strength()``."""
    return tuple(dict.fromkeys(_cell(code, agent).read()))


class _Cell:
    """A parsed cell; one that cannot be parsed says nothing."""

    def __init__(self, code: str, agent: str) -> None:
        self._lines, self._agent = code.splitlines(), agent
        try:
            self._nodes = list(ast.walk(parse(code)))
        except (Blocked, SyntaxError, RecursionError):
            self._nodes = []
        names = [node for node in self._nodes if isinstance(node, ast.Name)]
        self._bound = {node.id for node in names if isinstance(node.ctx, ast.Store)}
        self._aliases = dict(self._named())

    def line(self, number: int) -> str:
        """Return a line's text without what surrounds it."""
        return self._lines[number - 1].strip() if number <= len(self._lines) else ""

    def candidates(self, entity: str, field: str, key: str) -> Iterator[Candidate]:
        """Yield (how far-fetched it is, node, how) for whatever may have written a field."""
        for node in self._nodes:
            if isinstance(node, (ast.Attribute, ast.Subscript)) and isinstance(node.ctx, (ast.Store, ast.Del)):
                yield from self._written(node, entity, field, key, "assignment")
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                if node.func.attr in IN_PLACE and isinstance(node.func.value, (ast.Attribute, ast.Subscript)):
                    yield from self._written(node.func.value, entity, field, key, "in place")
                else:
                    yield from self._called(node, node.func, entity, field)

    def read(self) -> Iterator[str]:
        """Yield what is read, in the order of the text; a method whose answer is thrown away is no question."""
        called = {id(node.func) for node in self._nodes if isinstance(node, ast.Call)}
        effects = {id(part) for node in self._nodes if isinstance(node, ast.Expr) for part in _effects(node.value)}
        loads = [node for node in self._nodes if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load)]
        for node in sorted(loads, key=lambda node: (node.lineno, node.col_offset)):
            if id(node) in effects:
                continue
            owner = self._entity(node.value)
            if owner and owner not in MODULES and owner != "world" and not self._is_private(node.value):
                yield f"{owner}.{node.attr}()" if id(node) in called else f"{owner}.{node.attr}"

    def _named(self) -> Iterator[tuple[str, str]]:
        for node in self._nodes:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                entity = self._direct(node.value)
                if entity and not isinstance(node.value, ast.Name):
                    yield node.targets[0].id, entity

    def _direct(self, node: ast.expr) -> str:
        if isinstance(node, ast.Name):
            return self._agent if node.id == "me" else node.id
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id == "world":
            return str(node.slice.value) if isinstance(node.slice, ast.Constant) else ""
        return ""

    def _entity(self, node: ast.expr) -> str:
        """Return the entity that an expression names; empty if it cannot be told."""
        alias = self._aliases.get(node.id, "") if isinstance(node, ast.Name) else ""
        return alias or self._direct(node)

    def _is_private(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Name) and node.id in self._bound and node.id not in self._aliases

    def _written(self, node: ast.expr, entity: str, field: str, key: str, how: str) -> Iterator[Candidate]:
        written_key = None
        while isinstance(node, ast.Subscript):
            written_key = str(node.slice.value) if isinstance(node.slice, ast.Constant) else None
            node = node.value
            if isinstance(node, ast.Attribute) and node.attr in VIEWS and isinstance(node.value, ast.Attribute):
                node, written_key = node.value, None  # graph.nodes["ann"]["mood"]
        if not isinstance(node, ast.Attribute) or node.attr != field or (key and written_key not in (None, key)):
            return
        owner = self._entity(node.value)
        yield 0 if owner == entity else 1 if not owner or self._is_private(node.value) else 2, node, how

    def _called(self, call: ast.Call, method: ast.Attribute, entity: str, field: str) -> Iterator[Candidate]:
        arguments = [*call.args, *(keyword.value for keyword in call.keywords)]
        if isinstance(method.value, ast.Name) and method.value.id == "world" and method.attr in ("add", "remove"):
            if arguments and isinstance(arguments[0], ast.Constant) and arguments[0].value == entity and not field:
                yield 0, call, "added" if method.attr == "add" else "removed"
            return
        owner = self._entity(method.value)
        if owner in MODULES or isinstance(method.value, ast.Constant):
            return
        is_argument = entity in map(self._entity, arguments)
        yield 3 if owner == entity else 4 if is_argument else 5, call, f"method {ast.unparse(method)}"


@lru_cache(maxsize=256)
def _cell(code: str, agent: str) -> _Cell:
    return _Cell(code, agent)


def _effects(node: ast.expr) -> Iterator[ast.expr]:
    """Yield the parts of a bare call that are no questions: the method, and a container that it changes in place."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        yield node.func
        if node.func.attr in IN_PLACE:
            yield node.func.value
