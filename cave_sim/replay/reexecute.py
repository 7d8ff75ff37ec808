"""Running the recorded cells of a run again, on a world that is made again, and comparing turn by turn.

No agent chooses anything and no model is asked: what is run is what was run.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any

from cave_sim.changes.change import Change
from cave_sim.changes.turn import Turn
from cave_sim.errors import JournalError
from cave_sim.journal.opening import expect_our_format
from cave_sim.journal.queries import (
    code_of,
    first_step,
    gifts,
    given_answers,
    last_turn_of,
    last_turns,
    reads_of_step,
    recorded_changes,
    recorded_turns,
    simultaneous_turns,
    state_hashes,
    step_before_new_fields,
    variables_hashes,
)
from cave_sim.journal.reader import Run
from cave_sim.journal.rebuild import state_at
from cave_sim.journal.rows import Row, change_of_columns
from cave_sim.journal.suspicion import suspecting
from cave_sim.replay.mismatch import (
    Mismatch,
    founding_mismatch,
    reads_mismatch,
    turn_mismatch,
    variables_mismatch,
)
from cave_sim.replay.resume import restore
from cave_sim.simulation.runnable import HasRunsInside, Runnable
from cave_sim.world.apply_changes import apply_change
from cave_sim.world.gifts import give
from cave_sim.world.new_fields import fields_of_changes, with_new_fields
from cave_sim.world.world import World

Place = Callable[[Runnable], AbstractContextManager[Any]]
"""Has the cells of a simulation run elsewhere for as long as the context lasts."""
Told = Callable[[int], None]
"""Is called with each step that came out the same."""


def reexecute(
    run: Run, simulation: Runnable, until: int | None = None, place: Place | None = None, on_step: Told | None = None
) -> Mismatch | None:
    """Run a run's cells again; return the first difference, or None if everything came out the same.

    Where its classes got fields on the way, it begins there.

    Args:
        run: the run.
        simulation: one made just as the run's was, with no ``out``; it is left at the last step that was compared.
        until: the last step to compare; the run's last unless given.
        place: where the cells run; here unless given.
        on_step: is called with each step that came out the same.

    Raises:
        JournalError: the run has no steps or another format, or its file is damaged.
    """
    expect_our_format(run.folder, run.manifest.get("format"))
    grown = step_before_new_fields(run)
    first = _first_step(run) if grown is None else grown
    added: list[Change] = []
    mismatch: Mismatch | None = None
    if grown is not None or run.manifest.get("parents"):
        _, added = restore(simulation, run, first)
    else:
        mismatch = founding_mismatch(run, simulation.world, first)
    if mismatch or added:
        _expect_no_newer_fields(run, simulation.world)
    if mismatch:
        return mismatch
    with nullcontext() if place is None else place(simulation):
        if isinstance(simulation, HasRunsInside):
            simulation.replay_from(run.folder)
        return reexecute_steps(run, simulation.world, first, run.last_step if until is None else until, added, on_step)


def reexecute_steps(
    run: Run, world: World, first: int, until: int, added: Sequence[Change] = (), on_step: Told | None = None
) -> Mismatch | None:
    """Run a run's cells again behind the step that a world is at; return the first difference, or None.

    Args:
        run: the run.
        world: as it was after the step, or with fields that its classes got then.
        first: the step.
        until: the last one to compare.
        added: these fields, as changes that the first turn behind the step is to tell of.
        on_step: is called with each step that came out the same.
    """
    with suspecting(run):
        return _Reexecution(run, world, added).steps(first, until, on_step or _tell_nobody)


def _tell_nobody(_step: int) -> None:
    """Nobody watches."""


def _expect_no_newer_fields(run: Run, world: World) -> None:
    """Refuse a run that was not gone on with since its classes got fields: none of its cells ran on such entities."""
    with suspecting(run):
        _, added = with_new_fields(world, state_at(run, run.last_step))
    if added:
        raise JournalError(
            f"{', '.join(fields_of_changes(world, added))}: new since the run was written, so none of its cells can be"
            " run again as it was; its file can be checked, with --file-only, and what follows `cave-sim resume`"
        )


@dataclass
class _Step:
    """What was recorded of one step.

    Attributes:
        number: the step.
        turns: rows of its turns.
        changes: turn -> rows of its changes.
        together: the first and the last of the turns that saw one state.
        gifts: what the program did to agents' variables and is not done again yet, in order.
        reads: turn -> what it read of others; None where a run does not say.
    """

    number: int
    turns: list[Row]
    changes: dict[int, list[Row]]
    together: list[dict[str, int]]
    gifts: deque[dict[str, Any]] = field(default_factory=deque)
    reads: dict[int, dict[str, list[str]]] | None = None

    def outermost(self) -> Iterator[Row]:
        """Yield the turns that no other turn ran."""
        return (row for row in self.turns if row[3] is None)

    def batch(self, row: Row) -> list[Row] | None:
        """Return the cells that saw the same state as this one; None if it ran alone."""
        for span in self.together:
            if span["first"] <= row[0] <= span["last"]:
                return [
                    other
                    for other in self.outermost()
                    if span["first"] <= other[0] <= span["last"] and other[4] == "cell"
                ]
        return None


class _Reexecution:
    """A world in which the turns of a run happen again."""

    def __init__(self, run: Run, world: World, added: Sequence[Change]) -> None:
        self.run, self.world, self.added = run, world, list(added)
        self.turns: list[Turn] = []
        world.sink = self.turns.append
        self.codes: dict[str, str] = {}
        self.answers = given_answers(run)

    def steps(self, first: int, until: int, on_step: Told) -> Mismatch | None:
        """Run the steps behind one again."""
        last = self.world.turns.last_id = last_turn_of(self.run, first)
        states, variables = state_hashes(self.run), variables_hashes(self.run)
        known = next((digest for step, digest in reversed(variables.items()) if step <= first), "")
        for number, last_turn in last_turns(self.run).items():
            if not first < number <= until:
                continue
            if mismatch := self._step_mismatch(self._step(number, last, last_turn)):
                return mismatch
            if (now := self.world.state_hash()) != states[number]:
                return Mismatch(last_turn, number, "state", states[number][:12], now[:12])
            known = variables.get(number, known)
            if mismatch := variables_mismatch(self.run, self.world, number, known):
                return mismatch
            last = last_turn
            on_step(number)
        return None

    def _step(self, number: int, after: int, last_turn: int) -> _Step:
        turns, changes = recorded_turns(self.run, after, last_turn), recorded_changes(self.run, after, last_turn)
        together = simultaneous_turns(self.run, number)
        reads = reads_of_step(self.run, number) if "reads" in self.run.manifest else None
        return _Step(number, turns, changes, together, deque(gifts(self.run, number)), reads)

    def _step_mismatch(self, step: _Step) -> Mismatch | None:
        done: set[int] = set()
        expected = {row[0]: row for row in step.turns}
        for row in step.outermost():
            if row[0] in done:
                continue
            self.turns.clear()
            self._give(step, before=row[0])
            done |= self._run_again(step, row)
            for turn in sorted(self.turns, key=lambda turn: turn.id):
                if turn.id not in expected:
                    return Mismatch(turn.id, step.number, "turn", "no such turn", f"a turn of {turn.agent}")
                changes = step.changes.get(turn.id, [])
                if mismatch := turn_mismatch(step.number, expected.pop(turn.id), changes, turn):
                    return mismatch
                if step.reads is not None and (
                    mismatch := reads_mismatch(step.number, step.reads.get(turn.id, {}), turn)
                ):
                    return mismatch
        self._give(step)
        for turn_id, row in expected.items():
            return Mismatch(turn_id, step.number, "turn", f"a turn of {row[2]}", "no such turn")
        return None

    def _run_again(self, step: _Step, row: Row) -> set[int]:
        """Run a turn again, with those that saw the same state; returns their numbers."""
        turn_id, _, agent, _, kind, cell = row[:6]
        world = self.world
        if kind == "world":
            world.advance()
        elif kind == "outside" and self.added:
            world.turns.record_outside(self.added)
            self.added = []
        elif kind == "outside":
            for change in step.changes.get(turn_id, ()):
                apply_change(world, change_of_columns(*change[2:]))
            world.turns.record_script_writes()
        elif (batch := step.batch(row)) is not None:
            self._answer([other[0] for other in batch])
            world.execute_batch({other[2]: self._code(other[5]) for other in batch}, "simultaneous")
            return {other[0] for other in batch}
        else:
            self._answer([turn_id])
            world.execute(self._code(cell), agent)
        return {turn_id}

    def _answer(self, turns: list[int]) -> None:
        """Have the cells of turns answered what they were answered."""
        given = [self.answers[turn] for turn in turns if turn in self.answers]
        self.world.answers.begin({each["agent"]: each["given"] for each in given}, is_open=False)

    def _code(self, cell: str | None) -> str:
        if cell is None:
            return ""
        if cell not in self.codes:
            self.codes[cell] = code_of(self.run, cell)
        return self.codes[cell]

    def _give(self, step: _Step, before: float = math.inf) -> None:
        """Do again what the program did to agents' variables before a turn."""
        while step.gifts and step.gifts[0]["after"] < before:
            gift = step.gifts.popleft()
            give(self.world, gift["agent"], gift["bound"], gift["gone"])


def _first_step(run: Run) -> int:
    first = first_step(run)
    if first is None:
        raise JournalError(f"{run.folder} was stopped before its first step: there is nothing to run again")
    return first
