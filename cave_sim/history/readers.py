"""Readers: who read a field of somebody else that not everybody may read, and when. So a run says who knew."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from cave_sim.errors import JournalError
from cave_sim.history.field_target import FieldTarget, find_target
from cave_sim.journal.queries import last_turn_of, readings
from cave_sim.journal.reader import Run


@dataclass(frozen=True, slots=True)
class FieldReading:
    """One turn that read a field of somebody else.

    Attributes:
        turn, step: when; the step is what the clock showed.
        time: world time as ISO text.
        agent: who.
        status: how the turn ended; what a turn read that failed is known all the same.
        entity, field: what.
    """

    turn: int
    step: int
    time: str
    agent: str
    status: str
    entity: str
    field: str

    def to_data(self) -> dict[str, Any]:
        """Return it as plain data."""
        return asdict(self)


def readers(run: Run, target: str = "", *, at: int | None = None) -> Iterator[FieldReading]:
    """Yield who read a field, oldest first: of an entity as a whole, any of its fields; of no target, anything at all.

    What everybody may read is not journaled, nor is what an agent reads of its own, or perceives: that follows from
    the state.

    Args:
        run: what :func:`cave_sim.open_run` returns.
        target: ``bob.diary``, ``world["Old Bob"].purse_cents``, ``bob``; empty for everything.
        at: only what was read up to the end of this step.

    Raises:
        JournalError: the run has no such entity, field or step, or is from before reads were journaled.
    """
    if "reads" not in run.manifest:
        raise JournalError(f"{run.folder} was recorded by a version that did not journal who read what")
    place = find_target(run, target) if target else FieldTarget("", "")
    until_turn = 2**62 if at is None else last_turn_of(run, at)
    for turn, step, agent, status, entity, field in readings(run, place.entity, until_turn):
        if place.field in ("", field):
            yield FieldReading(turn, step, run.time_at(step), agent, status, entity, field)
