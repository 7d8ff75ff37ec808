"""What one turn costs: against bare Python, in a large world, and when it fails."""

import ast
from collections.abc import Callable, Iterator
from itertools import count, cycle, pairwise
from typing import Any

from cave_sim import World
from cave_sim.changes.net_changes import net_changes
from cave_sim.policy.ast_check import AstChecker
from cave_sim.policy.attributes import direct_names
from tests.bench.cells import (
    THREE_NEW_WRITES,
    THREE_WRITES,
    THREE_WRITES_OF_A_FORM,
    THREE_WRITES_THEN_A_VALUE,
    THREE_WRITES_THEN_AN_ERROR,
    new_cells,
)
from tests.bench.measure import Sample, medians_us, way
from tests.bench.plain import PlainResident
from tests.bench.subjects import Resident, town
from tests.bench.table import Row, ratio, shown_us

NUMBERS = count(1)
TWO_WRITES = "{one}.energy = {one}.energy * 0.5 + 0.25\n{other}.money_cents = {other}.money_cents + 1\n"
CELLS_HERE_AND_THERE = 500
RESIDENT_NAMES = direct_names(frozenset({Resident}))


def fresh_cells(calls: int) -> dict[str, Any]:
    """Make cells that nobody has run before, nor any that is like them."""
    return {"cells": new_cells(calls, next(NUMBERS) * 1_000_000, THREE_NEW_WRITES)}


def fresh_cells_of_a_form(calls: int) -> dict[str, Any]:
    """Make cells that nobody has run before, but with other numbers and texts."""
    return {"cells": new_cells(calls, next(NUMBERS) * 1_000_000, THREE_WRITES_OF_A_FORM)}


def turn(world: World, cell: str) -> Sample:
    """Time a turn of ann with a cell that she has run before."""
    world.execute(cell, agent="ann")
    return way("execute(cell, agent='ann')", execute=world.execute, cell=cell)


def new_turn(world: World, fresh: Callable[[int], dict[str, Any]] = fresh_cells) -> Sample:
    """Time a turn of ann with a cell that nobody has run before."""
    return way("execute(next(cells), agent='ann')", fresh, execute=world.execute)


def cached_cell(repeats: int) -> Iterator[Row]:
    """Yield rows for a cell that comes again: its code is at hand, the turn is all there is to pay."""
    costs = medians_us(
        {
            "exec": way("exec(code, names)", code=compile(THREE_WRITES, "cell", "exec"), names={"me": PlainResident()}),
            "guarded": turn(town(), THREE_WRITES),
            "trusted": turn(town(policy="trusted"), THREE_WRITES),
        },
        calls=1_000,
        repeats=repeats,
    )
    yield ratio("turn, cached cell, all guards", costs, "guarded", "exec", 12)
    yield ratio("turn, cached cell, trusted", costs, "trusted", "exec", 12)
    yield Row("turn, cached cell, all guards", shown_us(costs["guarded"]), "", costs["guarded"], 8, "µs")


def new_cell(repeats: int) -> Iterator[Row]:
    """Yield rows for a cell that nobody has run before, as models write them."""
    names = {"me": PlainResident()}
    costs = medians_us(
        {
            "compile + exec": way("exec(compile(next(cells), 'cell', 'exec'), names)", fresh_cells, names=names),
            "parse + policy + compile": way(
                "compile(gated(parse(next(cells))), 'cell', 'exec')", fresh_cells, gated=gated, parse=ast.parse
            ),
            "guarded": new_turn(town()),
            "trusted": new_turn(town(policy="trusted")),
            "of a form": new_turn(town(), fresh_cells_of_a_form),
        },
        calls=200,
        repeats=repeats,
    )
    yield ratio("turn, new cell, all guards", costs, "guarded", "compile + exec", 4)
    yield ratio("turn, new cell, trusted", costs, "trusted", "compile + exec", 3)
    yield ratio("turn, new cell, all guards", costs, "guarded", "parse + policy + compile", 1.25)
    yield ratio("turn, new cell with other numbers and texts, all guards", costs, "of a form", "compile + exec", 2.2)


def gated(tree: ast.Module) -> ast.Module:
    """Let the gate walk a tree, as a world of residents does."""
    AstChecker(RESIDENT_NAMES, frozenset()).walk(tree)
    return tree


def world_size(repeats: int) -> Iterator[Row]:
    """Yield the row that shows a turn to cost what it touches, not what the world holds."""
    ways = {"among 100": turns_here_and_there(100), "among 100,000": turns_here_and_there(100_000)}
    costs = medians_us(ways, calls=CELLS_HERE_AND_THERE * 2, repeats=repeats)
    yield ratio("turn among 100,000 entities", costs, "among 100,000", "among 100", 3)


def turns_here_and_there(residents: int) -> Sample:
    """Time turns that each write two residents out of so many: far apart in memory where they are many."""
    world = town(residents)
    names = [f"resident_{1 + number * 7_919 % (residents - 1)}" for number in range(CELLS_HERE_AND_THERE + 1)]
    cells = [TWO_WRITES.format(one=one, other=other) for one, other in pairwise(names)]
    for cell in cells:
        world.execute(cell)
    return way("execute(next(cells))", lambda _calls: {"cells": cycle(cells)}, execute=world.execute)


def failure(repeats: int) -> Iterator[Row]:
    """Yield rows for a turn that ends in an error, and for taking writes back against keeping them."""
    costs = medians_us(
        {
            "the same, no error": turn(town(), THREE_WRITES_THEN_A_VALUE),
            "failing": turn(town(), THREE_WRITES_THEN_AN_ERROR),
        },
        calls=500,
        repeats=repeats,
    )
    yield ratio("failing turn", costs, "failing", "the same, no error", 2.5)
    yield rollback(repeats)


def rollback(repeats: int) -> Row:
    """Return the row of three writes taken back, against three writes kept and told as changes."""
    world = town()
    names = {"me": world["ann"], "ledger": world.undo_log, "net_changes": net_changes}
    world.state_hash()  # what made the town is a turn of its own, and over
    begin = "mark = ledger.mark(); " + THREE_WRITES.replace("\n", "; ")
    costs = medians_us(
        {
            "kept": way(f"{begin} net_changes(ledger, mark); ledger.close()", **names),
            "taken back": way(f"{begin} ledger.rollback(mark); ledger.close()", **names),
        },
        calls=1_000,
        repeats=repeats,
    )
    return ratio("three writes and a rollback", costs, "taken back", "kept", 1.5)
