"""Blame for variables: what an agent's variable was after each step, and which of its cells may have made it that."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import islice, takewhile
from typing import Any

from cave_sim.determinism.canonical_json import from_json
from cave_sim.errors import Blocked, JournalError
from cave_sim.history.blame import FieldWrite
from cave_sim.history.branches import parent_of
from cave_sim.history.code_lines import IN_PLACE, Line
from cave_sim.history.path_steps import steps_of
from cave_sim.journal.queries import gifts, last_turn_of, last_turns, variables_at
from cave_sim.journal.reader import Run, open_run
from cave_sim.journal.rows import TurnRow
from cave_sim.policy.syntax import parse
from cave_sim.runtime.graph.plain_view import MISSING, part, view

VARIABLE = re.compile(r"(?P<agent>[^:]+):(?P<path>[^\W\d]\w*.*)", re.DOTALL)
PROGRAM = "operator"


def names_variable(text: str) -> bool:
    """Say whether a text names a variable, ``ann:plan.stalls[0]``, and no field of an entity."""
    return VARIABLE.fullmatch(text) is not None and not text.startswith("world[")


def blame_variable(run: Run, target: str, *, at: int | None = None, last: int | None = None) -> list[FieldWrite]:
    """Return the values that a variable had after each step that changed it, oldest first, with the turn that did.

    Variables are written down once a step. Where an agent had several turns in it, the latest is named whose cell
    speaks of the variable. Of a branch, the chain goes on in its parent, if that lies beside it.

    Args:
        run: what :func:`cave_sim.open_run` returns.
        target: ``ann:total``; or a part: ``ann:plan.stalls[0].price``, ``ann:prices["bread"]``, ``ann:person.age``.
        at: only what was written up to the end of this step.
        last: only so many, the latest.

    Raises:
        JournalError: no agent of that name had such a variable.
    """
    match = VARIABLE.fullmatch(target)
    if match is None:
        raise JournalError(f"{target!r} is no variable; one is written agent:name")
    try:
        steps = steps_of("." + match["path"])
    except ValueError as error:
        raise JournalError(f"{target!r} is no variable: {error}") from None
    writes = _writes(run, match["agent"], tuple(map(str, steps)), run.last_step if at is None else at)
    latest = list(islice(writes, last))
    if not latest and at is None:
        names = sorted(variables_at(run, run.last_step).get(match["agent"], {}))
        raise JournalError(
            f"{run.folder}: {match['agent']} never had {match['path']}. It has: {', '.join(names) or 'none'}"
        )
    return latest[::-1]


def _writes(run: Run, agent: str, path: tuple[str, ...], until: int) -> Iterator[FieldWrite]:
    """Yield what was written, latest first: in a run, and before it in the run that it came from."""
    parent = parent_of(run)
    begun = next(iter(last_turns(run)), -1) if parent is not None else -1
    yield from takewhile(lambda write: write.step > begun, reversed(list(_in_run(run, agent, path, until))))
    if parent is not None:
        folder, step = parent
        with open_run(folder) as earlier:
            yield from _writes(earlier, agent, path, min(step, until))


def _in_run(run: Run, agent: str, path: tuple[str, ...], until: int) -> Iterator[FieldWrite]:
    name, before = path[0], MISSING
    rows = "SELECT step, data FROM kept WHERE agent = ? AND kind = 'variables' AND step <= ? ORDER BY step"
    for step, data in run.rows(rows, agent, until):
        with run.reading():
            variables = from_json(data)
            now = part(view(variables, name), path[1:]) if name in variables else MISSING
        if type(now) is not type(before) or now != before:
            yield _write(run, agent, step, path, before, now)
        before = now


def _write(run: Run, agent: str, step: int, path: tuple[str, ...], before: Any, now: Any) -> FieldWrite:
    op = "delete" if now is MISSING else "set"
    old, new = (None if each is MISSING else each for each in (before, now))
    turn, lines = _turn(run, agent, step, path[0])
    who, kind, code = (PROGRAM, "outside", "") if turn is None else (turn.agent, turn.kind, turn.code)
    number = last_turn_of(run, step) if turn is None else turn.turn
    folder, time = run.folder.resolve().name, run.time_at(step)
    return FieldWrite(folder, number, step, time, who, kind, path, op, old, new, code, lines)


def _turn(run: Run, agent: str, step: int, name: str) -> tuple[TurnRow | None, tuple[Line, ...]]:
    """Return the latest turn of a step that speaks of a variable, with the lines; None if the program gave it."""
    before = max((last for other, last in last_turns(run).items() if other < step), default=0)
    turns = list(run.turns(between=(before, last_turn_of(run, step))))
    own = [turn for turn in turns if turn.agent == agent and turn.kind == "cell"]
    for turn in reversed([turn for turn in turns if turn.kind == "cell"]):
        if (turn.agent == agent or "inject" in turn.code) and (lines := variable_lines(turn.code, name)):
            return turn, lines
    if any(gift["agent"] == agent and name in {*gift["bound"], *gift["gone"]} for gift in gifts(run, step)):
        return None, ()
    return (own[-1] if own else None), ()


def variable_lines(code: str, name: str) -> tuple[Line, ...]:
    """Return the lines of a cell that may have changed a variable: those that write it, or else use it."""
    try:
        nodes = list(ast.walk(parse(code)))
    except (Blocked, SyntaxError, RecursionError):
        return ()
    written = {node.lineno: how for node in nodes for how in [_how(node, name)] if how and hasattr(node, "lineno")}
    if not written:
        written = {node.lineno: "in use" for node in nodes if isinstance(node, ast.Name) and node.id == name}
    text = code.splitlines()
    return tuple(Line(number, text[number - 1].strip(), how) for number, how in sorted(written.items()))


def _how(node: ast.AST, name: str) -> str:
    match node:
        case ast.Name(id=other) if other == name and not isinstance(node.ctx, ast.Load):
            return "assignment"
        case ast.FunctionDef(name=found) | ast.AsyncFunctionDef(name=found) | ast.ClassDef(name=found) if found == name:
            return "definition"
        case ast.Subscript() | ast.Attribute() if not isinstance(node.ctx, ast.Load) and _root(node) == name:
            return "assignment"
        case ast.Call(func=ast.Attribute(attr=method, value=holder)) if method in IN_PLACE and _root(holder) == name:
            return "in place"
        case ast.Call(func=ast.Attribute(attr="inject"), args=[ast.Constant(value=found), *_]) if found == name:
            return "given"
        case ast.alias() if (node.asname or node.name.partition(".")[0]) == name:
            return "import"
    return ""


def _root(node: ast.expr) -> str:
    while isinstance(node, (ast.Subscript, ast.Attribute)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""
