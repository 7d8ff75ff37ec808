"""Finished trials, read from their journals alone: what was tried can be told without building a task again."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from cave_sim.experiment.results import Outcome, Result
from cave_sim.experiment.trial import AGENT
from cave_sim.journal.reader import open_run

CELLS = """
SELECT turns.step, turns.status, cells.code FROM turns JOIN cells ON cells.hash = turns.cell
WHERE turns.agent = ? AND turns.kind = 'cell' ORDER BY turns.turn
"""
"""The cells of the agent under test; a step is a query."""
COST = """
SELECT total(usd), total(usd IS NULL), total(seconds), count(*) FROM (
    SELECT json_extract(plain(reply), '$.cost_usd') AS usd, json_extract(plain(reply), '$.latency_s') AS seconds
    FROM calls WHERE reply IS NOT NULL
)
"""


@dataclass(frozen=True)
class KeptCell:
    """A cell of the agent under test.

    Attributes:
        query: the number of the query that it was for, from 0.
        status: of its turn.
        code: what it ran.
    """

    query: int
    status: str
    code: str

    @cached_property
    def constructs(self) -> frozenset[str]:
        """Which of ``loop``, ``comprehension`` and ``conditional`` its code has."""
        try:
            nodes = list(ast.walk(ast.parse(self.code)))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return frozenset()
        constructs = {name for name, kinds in CONSTRUCTS.items() if any(isinstance(node, kinds) for node in nodes)}
        if any(isinstance(node, ast.comprehension) and node.ifs for node in nodes):
            constructs.add("conditional")
        return frozenset(constructs)


CONSTRUCTS: dict[str, tuple[type[ast.AST], ...]] = {
    "loop": (ast.For, ast.While),
    "comprehension": (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
    "conditional": (ast.If, ast.IfExp, ast.Match),
}


@dataclass(frozen=True)
class KeptTrial:
    """A finished trial.

    Attributes:
        result: of its queries.
        cells: that its agent ran, in their order.
        cost_usd: of all its calls to models, a partner's included; None if no one knows.
        model_s: seconds that models took for their replies.
        calls: how many of them there were.
    """

    result: Result
    cells: tuple[KeptCell, ...]
    cost_usd: float | None
    model_s: float
    calls: int

    def cells_of(self, query: int) -> list[KeptCell]:
        """Return the cells that were run for a query."""
        return [cell for cell in self.cells if cell.query == query]


def kept_trial(folder: Path) -> KeptTrial | None:
    """Return what a trial's journal says of it; None if it was not finished. Raises JournalError."""
    with open_run(folder) as run:
        about, outcomes = run.manifest.get("config", {}), run.manifest.get("outcomes")
        if outcomes is None:
            return None
        result = Result(
            str(about["task"]),
            str(about["group"]),
            str(about["paradigm"]),
            int(run.manifest["seed"]),
            tuple(Outcome(**outcome) for outcome in outcomes),
        )
        cells = tuple(KeptCell(*row) for row in run.query(CELLS, AGENT))
        cost_usd, unknown, model_s, calls = run.query(COST)[0]
        return KeptTrial(result, cells, None if unknown else float(cost_usd), float(model_s), int(calls))
