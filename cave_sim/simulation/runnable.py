"""What can be run: a simulation, or many of them side by side that are played as one."""

from __future__ import annotations

import reprlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol, Self, runtime_checkable

from cave_sim.errors import WorldError
from cave_sim.journal.writer import Journal
from cave_sim.simulation.control import Control
from cave_sim.simulation.measure_by_text import value_of
from cave_sim.simulation.observers import HasObservers
from cave_sim.simulation.run_state import RunState
from cave_sim.world.world import World

Measure = Callable[[World], float | None]
"""What is measured of a world; None where there is nothing to measure in a step."""


class Runnable(HasObservers, Protocol):
    """What commands, hosts, replays and dashboards need of what they run.

    Attributes:
        world: its world, or the one that stands for all of them.
        observers: what watches it.
        control: how it is played; None for as fast as it goes.
        measures: name -> function of the world.
        latest_measures: what they came to after the last step.
        running: False once it was stopped.
        over: True once it has come to an end of its own.
        turns_taken: how many cells have run.
        state_hash: of the state after the last step.
    """

    world: World
    control: Control | None
    measures: dict[str, Measure]
    latest_measures: dict[str, float]
    running: bool
    over: bool
    turns_taken: int
    state_hash: str

    @property
    def journal(self) -> Journal | None:
        """The open journal; None if none is kept, or no longer."""

    def step(self) -> None:
        """Take one step, and commit it."""

    def run(self, until: int | None = None, *, steps: int | None = None, progress: bool = False) -> Self:
        """Step until the world's clock shows ``until`` steps, or so many ``steps`` more, or the control stops it."""

    def restore(self, state: RunState) -> None:
        """Come to the state of a run that was made as this one was; raises WorldError if it does not fit."""

    def continue_journal(self, journal: Journal, state: RunState, changes_since_snapshot: int) -> None:
        """Write on in the journal of the run whose last state this is.

        Args:
            journal: of that run, with nothing to write yet.
            state: the one that was restored.
            changes_since_snapshot: how many changes the journal has behind its last snapshot.
        """

    def stay_local(self) -> None:
        """Have its cells run in this process, whoever writes them."""

    def close(self) -> None:
        """Finish the journal."""


@runtime_checkable
class HasRunsInside(Protocol):
    """A runnable whose run has those of its parts inside; they are run again from journals of their own."""

    def replay_from(self, folder: Path) -> None:
        """Have the parts do again, step by step, what their journals in the folder of a run recorded."""


def note_watch_points(simulation: Runnable) -> None:
    """Look at the watch points of a simulation's control after a step; those that were reached become events."""
    if simulation.control is None:
        return
    for kind, event in simulation.control.look(simulation.world, simulation.latest_measures, simulation.measures):
        simulation.note(kind, event)


def measured(simulation: Runnable) -> dict[str, float]:
    """Return what a simulation's measures come to now, in their order; there is nothing to take of one that is None.

    Raises:
        WorldError: a measure is no number, or asks the world for what it does not have.
    """
    taken: dict[str, float] = {}
    world = simulation.world
    for name, measure in simulation.measures.items():
        if not callable(measure):
            raise WorldError(f"measure {name!r} is {measure!r}; takes a function of the world that returns a number")
        try:
            value = value_of(measure, world, taken)
        except WorldError as error:
            raise WorldError(f"measure {name!r}: {error}") from error
        if value is not None:
            taken[name] = value if type(value) is float else number_of(name, value)
    return taken


def number_of(name: object, value: Any, what: str = "measure") -> float:
    """Return what a measure, or an outcome, came to as a number; raises WorldError if it is none."""
    way_out = ", or None for none"
    if isinstance(value, str):
        way_out = ", such as len(world)" if what == "measure" else ""
    else:
        with suppress(TypeError, ValueError, OverflowError):
            return float(value)
    raise WorldError(f"{what} {name!r} came to {reprlib.repr(value)}: it returns a number{way_out}")
