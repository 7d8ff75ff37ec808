"""A turn: what became of one agent's cell."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from cave_sim.changes.change import Change
from cave_sim.diagnostics.number_checks import is_count, is_number
from cave_sim.diagnostics.plurals import counted
from cave_sim.errors import WorldError
from cave_sim.loading.converted_types import converted_to
from cave_sim.loading.views import Viewed

Status = Literal["committed", "failed", "blocked", "timeout", "conflict"]
OPERATOR = "operator"
"""The agent that acts when no other is named: the researcher, who may write everything."""


@converted_to
@dataclass(slots=True, repr=False)
class Turn(Viewed):
    """What became of one cell.

    Attributes:
        id: counts the turns of a world from 1.
        step: the step in which it ran.
        agent: who acted.
        code: the cell.
        status: ``committed``; or ``failed`` (an error, a broken rule), ``blocked`` (the policy or a permission),
            ``timeout``, ``conflict`` (lost to another writer of its batch): these four left the world as it was.
        changes: the net changes; empty unless committed.
        output: what it printed, and the value of its last expression.
        error: what went wrong, in words for the agent; None if nothing did.
        duration_s: wall-clock seconds it took; no part of any hash.
        usage: tokens, money and the like, filled in by whoever chose the cell.
        parent: the turn whose cell ran this one, or None.
        reads: entity and field of everything of others that its cell read and that not everybody may read, sorted; kept
            however the turn ended, because what was read is known.
        kind: ``cell``; or ``world`` (dynamics and events of a step), ``outside`` (writes of the researcher's script).
    """

    id: int
    step: int
    agent: str
    code: str
    status: Status
    changes: list[Change]
    output: str = ""
    error: str | None = None
    duration_s: float = 0.0
    usage: dict[str, Any] = field(default_factory=dict)
    parent: int | None = None
    kind: str = "cell"
    reads: list[tuple[str, str]] = field(default_factory=list)

    def __repr__(self) -> str:
        text = self.error.splitlines()[-1] if self.error else self.output
        shown = f", {text[:80]!r}" if text else ""
        changes = counted(len(self.changes), "change")
        return f"<Turn {self.id} of {self.agent} in step {self.step}: {self.status}, {changes}{shown}>"

    @property
    def committed(self) -> bool:
        """Whether the turn landed."""
        return self.status == "committed"


_BECAME = {"failed": "failed", "blocked": "was blocked", "timeout": "ran out of time", "conflict": "met a conflict"}


def undone(child: Turn, parent: Turn) -> Turn:
    """Mark a child turn that was put back with the turn around it."""
    if child.committed:
        child.status, child.changes = "failed", []
        child.error = f"undone with the turn of {parent.agent} that ran it, which {_BECAME[parent.status]}"
    return child


@dataclass(frozen=True)
class Limits:
    """Limits of one turn.

    Attributes:
        deadline_s: seconds of processor time, or ten times as many of waiting; 0 for none. How far a cell comes in
            them depends on the machine, so it is set far beyond honest cells.
        ticks: loop steps and calls, the same on every machine.
        output_chars: how much of what a cell prints is shown to its agent (the paper's L_max).
        changes: how many writes a turn may leave behind.
        memory_bytes: how much memory a cell may take beyond what its process has; kept on Linux; 0 for any.
        stored_bytes: how much an agent's variables may come to as JSON; on the ``process`` host with its writes.

    Raises:
        WorldError: one of them is no number of at least 0, or, but for the deadline, no whole one.
    """

    deadline_s: float = 5.0
    ticks: int = 2_000_000
    output_chars: int = 20_000
    changes: int = 10_000
    memory_bytes: int = 512 * 2**20
    stored_bytes: int = 16 * 2**20

    def __post_init__(self) -> None:
        if not is_number(self.deadline_s) or self.deadline_s < 0:
            raise WorldError(f"Limits(deadline_s={self.deadline_s!r}): takes seconds, 0 or more; 0 is for none")
        for name in ("ticks", "output_chars", "changes", "memory_bytes", "stored_bytes"):
            if not is_count(limit := getattr(self, name)):
                raise WorldError(f"Limits({name}={limit!r}): takes a whole number, 0 or more")
