"""Omission: what is left out of what agents do and are asked. A run that has it is what would have been without it.

A cell that says something runs without that statement; everything else of its turn is done. A part of the prompt is
absent from every request.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Unsaid:
    """A statement that a cell is run without.

    Attributes:
        agent: whose cell.
        step: what the clock shows as it runs.
        code: the cell as it is chosen; another one runs as it is.
        instead: the cell without the statement.
    """

    agent: str
    step: int
    code: str
    instead: str


@dataclass(frozen=True)
class Omission:
    """What is left out.

    Attributes:
        statements: of cells.
        parts: names of parts of prompts, such as ``clock``.
    """

    statements: frozenset[Unsaid] = frozenset()
    parts: frozenset[str] = frozenset()

    def applied(self, cells: Mapping[str, str], step: int) -> Mapping[str, str]:
        """Return the cells of a step, by agent, as they are to run."""
        if not self.statements:
            return cells
        instead = {(each.agent, each.code): each.instead for each in self.statements if each.step == step}
        return {agent: instead.get((agent, code), code) for agent, code in cells.items()}
