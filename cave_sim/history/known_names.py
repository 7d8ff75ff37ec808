"""Whether a run knows a name: who acted in it, and what was ever there."""

from __future__ import annotations

from cave_sim.changes.turn import OPERATOR
from cave_sim.errors import JournalError, did_you_mean
from cave_sim.journal.queries import acting_agents, created_entities, has_entity
from cave_sim.journal.reader import Run


def expect_agent(run: Run, name: str) -> None:
    """Raise JournalError, with what comes nearest, where a run has nobody who may have acted under a name."""
    if not has_entity(run, name):
        _expect("agent", name, {*acting_agents(run), *created_entities(run), "world", OPERATOR}, run)


def expect_entity(run: Run, name: str) -> None:
    """Raise JournalError, with what comes nearest, where a run never had an entity of a name."""
    if not has_entity(run, name):
        _expect("entity", name, {*created_entities(run)}, run)


def _expect(what: str, name: str, known: set[str], run: Run) -> None:
    if name not in known:
        raise JournalError(f"{run.folder}: there is no {what} {name!r} in this run.{did_you_mean(name, known)}")
