"""What can be run: a simulation, or many of them side by side that are played as one."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol, Self, runtime_checkable

from cave_sim.errors import WorldError
from cave_sim.journal.writer import Journal
from cave_sim.simulation.control import Control
from cave_sim.simulation.observers import HasObservers
from cave_sim.simulation.run_state import RunState
from cave_sim.world.world import World

Measure = Callable[[World], float]


class Runnable(HasObservers, Protocol):
    """What commands, hosts, replays and dashboards need of what they run.

    Attributes:
        world: its world, or the one that stands for all of them.
        observers: what watches it.
        control: how it is played; None for as fast as it goes.
        measures: name -> function of the world.
        running: False once it was stopped.
        turns_taken: how many cells have run.
        state_hash: of the state after the last step.
    """

    world: World
    control: Control | None
    measures: dict[str, Measure]
    running: bool
    turns_taken: int
    state_hash: str

    def step(self) -> None:
        """Take one step, and commit it."""

    def run(self, until: int) -> Self:
        """Step until the world's clock shows ``until`` steps, or the control stops it."""

    def restore(self, state: RunState) -> None:
        """Come to the state of a run that was made as this one was; raises WorldError if it does not fit."""

    def continue_journal(self, journal: Journal, state: RunState, changes_since_snapshot: int) -> None:
        """Write on in the journal of the run whose last state this is.

        Args:
            journal: of that run, with nothing to write yet.
            state: the one that was restored.
            changes_since_snapshot: how many changes the journal has behind its last snapshot.
        """

    def close(self) -> None:
        """Finish the journal."""


@runtime_checkable
class HasRunsInside(Protocol):
    """A runnable whose run has those of its parts inside; they are run again from journals of their own."""

    def replay_from(self, folder: Path) -> None:
        """Have the parts do again, step by step, what their journals in the folder of a run recorded."""


def steps_due(simulation: Runnable, until: int) -> Iterator[None]:
    """Return an iterator that yields whenever the next step may be taken, until a step is reached.

    It ends early where the control stops the simulation, or the simulation itself has stopped ``running``.

    Raises:
        WorldError: the world is past that step already.
    """
    if until < simulation.world.clock.step:
        now = simulation.world.clock.step
        raise WorldError(f"run(until={until}), --steps {until}: the world is at step {now} already; name a later one")
    return _steps_due(simulation, until)


def _steps_due(simulation: Runnable, until: int) -> Iterator[None]:
    took_s = 0.0
    while simulation.world.clock.step < until and simulation.running:
        if simulation.control is not None and not simulation.control.wait(took_s):
            simulation.running = False
            return
        started_s = time.perf_counter()
        yield
        took_s = time.perf_counter() - started_s


def note_watch_points(simulation: Runnable) -> None:
    """Look at the watch points of a simulation's control after a step; those that were reached become events."""
    for kind, event in simulation.control.look(simulation.world) if simulation.control is not None else ():
        simulation.note(kind, event)


def measured(simulation: Runnable) -> dict[str, float]:
    """Return what a simulation's measures come to now."""
    return {name: float(measure(simulation.world)) for name, measure in simulation.measures.items()}
