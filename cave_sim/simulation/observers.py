"""Observers: what watches a simulation. Each method does nothing unless overridden.

An observer that raises is removed and the journal says so: watching never changes a run.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import inf
from time import monotonic
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TextIO

from cave_sim.changes.turn import Turn
from cave_sim.diagnostics.short_texts import shortened

if TYPE_CHECKING:
    from rich.progress import Progress


class Watched(Protocol):
    """A simulation, as far as observers care."""

    world: Any

    @property
    def journal(self) -> Any:
        """The journal that it writes, or None."""

    @property
    def turns_per_s(self) -> float:
        """Cells run in a second of real time so far."""

    def note(self, kind: str, data: Mapping[str, Any]) -> None:
        """Put an event of the run into the journal, if there is one."""


class Observer:
    """Watches one simulation.

    Attributes:
        looks_on: whether it is to be told of each step before the next one is taken; False for one that takes of the
            simulation itself no more than where its clock is.
    """

    looks_on: ClassVar[bool] = True

    def on_start(self, simulation: Watched, until: int) -> None:
        """Called before the first step of a stretch; ``until`` is the step to be reached."""

    def on_turn(self, simulation: Watched, turn: Turn) -> None:
        """Called when a turn has ended, whatever became of it."""

    def on_step(self, simulation: Watched) -> None:
        """Called when a step has been committed."""

    def on_end(self, simulation: Watched) -> None:
        """Called when the stretch is over."""


def are_ours(observers: Iterable[Observer]) -> bool:
    """Say whether all of them are of this package, of which none reads a run before its stretch is over."""
    return all(type(observer).__module__.startswith("cave_sim.") for observer in observers)


class HasObservers(Watched, Protocol):
    """A simulation that can be watched."""

    observers: list[Observer]


def tell(simulation: HasObservers, method: str, *details: Any) -> None:
    """Call a method of every observer of a simulation; one that raises is removed, and the journal says so.

    Args:
        simulation: what the observers watch.
        method: of :class:`Observer`.
        details: what the method takes beside the simulation.
    """
    for observer in list(simulation.observers):
        try:
            getattr(observer, method)(simulation, *details)
        except Exception as error:  # watching must never change a run
            simulation.observers.remove(observer)
            report = {"observer": type(observer).__name__, "error": f"{type(error).__name__}: {error}"}
            simulation.note("observer_failed", report)


class ProgressBar(Observer):
    """World time, steps and turns a second: a bar at a terminal, and a line now and then where there is none.

    Args:
        stream: where it is shown; by default the error stream.
        line_every_s: seconds from one line to the next in a stream that is no terminal, as the log of a CI job.
    """

    looks_on = False

    def __init__(self, stream: TextIO | None = None, *, line_every_s: float = 5.0) -> None:
        from rich.console import Console

        self._console = Console(file=stream, stderr=stream is None)
        self._line_every_s = line_every_s
        self._progress: Progress | None = None
        self._until = 0
        self._told_at_s = inf  # nothing is told before the first stretch

    def on_start(self, simulation: Watched, until: int) -> None:
        """Show the bar."""
        self._until, self._told_at_s = until, monotonic()
        if not (self._console.is_terminal or self._console.is_jupyter):
            return
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        self._progress = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]} turns/s", markup=False),
            TimeRemainingColumn(),
            console=self._console,
            transient=not self._console.is_terminal,
        )
        self._task = self._progress.add_task(
            simulation.world.clock.text, total=until, completed=simulation.world.clock.step, rate="-"
        )
        self._progress.start()

    def on_step(self, simulation: Watched) -> None:
        """Move the bar, or print a line."""
        clock = simulation.world.clock
        if self._progress is not None:
            rate = f"{simulation.turns_per_s:,.0f}"
            self._progress.update(self._task, completed=clock.step, description=clock.text, rate=rate)
        self._print_line(simulation)

    def on_turn(self, simulation: Watched, turn: Turn) -> None:
        """Print a line: a step in which models think may take minutes."""
        self._print_line(simulation)

    def _print_line(self, simulation: Watched) -> None:
        if self._progress is not None or monotonic() - self._told_at_s < self._line_every_s:
            return
        self._told_at_s = monotonic()
        clock, rate = simulation.world.clock, f"{simulation.turns_per_s:,.0f}"
        line = f"{clock.text}  step {clock.step:,} of {self._until:,}, {rate} turns/s"
        self._console.print(line, soft_wrap=True, markup=False, highlight=False)

    def on_end(self, simulation: Watched) -> None:
        """Leave the bar standing."""
        if self._progress is not None:
            self._progress.stop()


class Printer(Observer):
    """Prints a line for each cell that changed something or went wrong."""

    looks_on = False

    def __init__(self, stream: TextIO | None = None) -> None:
        from rich.console import Console

        self._console = Console(file=stream, markup=False, highlight=False)

    def on_turn(self, simulation: Watched, turn: Turn) -> None:
        """Print the turn."""
        if turn.kind == "cell":
            line = turn_line(simulation.world.clock.text, turn.agent, turn.status, turn.code, turn.error)
            self._console.print(line, soft_wrap=True)  # one line for one turn: grep and a pipe count on it


class Recorder(Observer):
    """Keeps every turn in a list; for tests and notebooks.

    Attributes:
        turns: every turn so far.
    """

    looks_on = False

    def __init__(self) -> None:
        self.turns: list[Turn] = []

    def on_turn(self, simulation: Watched, turn: Turn) -> None:
        """Keep the turn."""
        self.turns.append(turn)


def turn_line(time: str, agent: str, status: str, code: str, error: str | None) -> str:
    """Return a turn in one line: when, who, what became of it, what it tried."""
    reason = (error or "").strip().splitlines()[-1:] or [""]
    text = shortened("; ".join(line.strip() for line in code.strip().splitlines()), 100)
    return f"{time}  {agent:<22} {status:<9} {text}" + (f"  -> {reason[0]}" if reason[0] else "")
