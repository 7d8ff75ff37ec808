"""Running a stretch of steps, to a step of the world's clock or so many more: waiting for each, or on an event loop."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from typing import Any, Self

from cave_sim.diagnostics.attribute_hints import SettingHints
from cave_sim.diagnostics.plurals import counted
from cave_sim.errors import WorldError
from cave_sim.loading.views import Viewed, view
from cave_sim.simulation.effect_runner import EffectRunner
from cave_sim.simulation.observers import ProgressBar, are_ours, tell
from cave_sim.simulation.runnable import Runnable
from cave_sim.simulation.steps_alone import Alone, take_alone, take_moment_alone

POLL_S = 0.02
"""How often an event loop looks whether a paused simulation may go on."""

OF_ITS_RUN = ("frame", "turns", "changes", "steps", "calls", "answers", "manifest", "show", "sessions")
"""What newcomers look for here, and is had from the journal."""
MEANT = {
    **dict.fromkeys(("start", "go", "execute", "simulate"), "run(steps=10)"),
    **dict.fromkeys(("reset", "copy"), "simulation.fork(); one from the beginning is made as this one was"),
    **dict.fromkeys(("save", "to_json"), "Simulation(..., out='runs/mine'), which keeps all of it as it goes"),
    "load": "cave_sim.open_run(out), or cave_sim.replay.resume.resume(out) to go on",
    **dict.fromkeys(("results", "history", "data"), "simulation.datacollector.get_model_vars_dataframe()"),
    **dict.fromkeys(("now", "clock"), "simulation.world.clock"),
    "entities": "simulation.world.entities",
}
"""What others would call what is meant."""


class RunsStretches(SettingHints, Runnable, Viewed):
    """What takes steps, and so can run a stretch of them.

    Attributes:
        commit_within_s: how long a step of a stretch that nobody plays may wait to be written with others; 0 for each
            alone. Steps that take little are worth it, and that are taken again alike if they are lost.
        alone: what is known of a world that may be left alone for a stretch; None for one that may not.
    """

    commit_within_s: float = 0.0
    alone: Alone | None = None
    _why_stopped: str = ""

    def run(self, until: int | None = None, *, steps: int | None = None, progress: bool = False) -> Self:
        """Run a stretch, unless the control stops it earlier; works in a notebook's cell, too.

        Args:
            until: the step of the world's clock to come to; or else
            steps: how many more to take.
            progress: whether to show a bar meanwhile.

        Raises:
            WorldError: the world is past that step already.
        """
        end = _end(self, until, steps)
        with _observed(self, end, progress), self.written_together():
            self.begin_stretch()
            take_alone(self, end)
            for _ in _steps_due(self, end):
                self.step()
                take_alone(self, end)
        return self

    def written_together(self) -> AbstractContextManager[None]:
        """Return a context in which steps may be written several at once; who plays a run wants to see each.

        So does an observer that is not of this package, which may read the run whenever it is told of a step.
        """
        if self.journal is None or self.control is not None or not are_ours(self.observers):
            return nullcontext()
        return self.journal.several_at_once(self.commit_within_s)

    def begin_stretch(self) -> None:
        """Do what is owed from before, now that observers know where the run is; also where no step is left."""

    def plot(self, *measures: str) -> Any:
        """Return a plotly figure of the measures so far, or of those named; raises MissingExtra without plotly."""
        return view("plot")(self, *measures)

    def watch(self, height_px: int = 640) -> Any:
        """Return the live page of this simulation, which plays and steers it, in a frame for a notebook.

        It is served on this machine until its ``close()``; ``await simulation.arun(...)`` lets it go on meanwhile.

        Raises:
            MissingExtra: the extra ``dash`` is not installed.
            WorldError: the simulation keeps no journal.
        """
        return view("page")(self, height_px)

    def _attribute_hint(self, name: str) -> str:
        of_run = f"; its run has one: cave_sim.open_run(out).{name}" if name in OF_ITS_RUN else ""
        return of_run or (f"; write {MEANT[name]}" if name in MEANT else super()._attribute_hint(name))

    def __repr__(self) -> str:
        clock = self.world.clock
        end = "" if self.running else f"; stopped: {self._why_stopped.partition('. ')[0]}".removesuffix(": ")
        return f"<{type(self).__name__}: {clock.text}, step {clock.step}, {counted(self.turns_taken, 'cell')}{end}>"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()


class RunsStretchesOnLoop(RunsStretches):
    """What can take a step without holding up the event loop that it runs on."""

    effects: EffectRunner

    def begin_stretch(self) -> None:
        """Do what cells asked for and a process that ended left undone."""
        self.effects.perform()

    async def astep(self) -> None:
        """Take one step, and commit it; others of the loop go on while models are asked."""

    async def arun(self, until: int | None = None, *, steps: int | None = None, progress: bool = False) -> Self:
        """Run a stretch as :meth:`run` does; the event loop goes on between steps and while models are asked."""
        end = _end(self, until, steps)
        with _observed(self, end, progress):
            self.begin_stretch()
            async for _ in _steps_due_on_loop(self, end):
                if not take_moment_alone(self, end):
                    await self.astep()
        return self


def keep_notes(simulation: Runnable) -> None:
    """Write down what people noted of a run meanwhile; without a journal there is nothing to keep it with."""
    notes = simulation.control.take_notes() if simulation.control is not None else ()
    if notes and simulation.journal is not None:
        simulation.journal.annotate(notes)


def _end(simulation: Runnable, until: int | None, steps: int | None) -> int:
    """Return the step that a stretch leads to.

    Raises:
        WorldError: not one of both is given, it is no whole number, or the world is past that step.
    """
    now = simulation.world.clock.step
    if (until is None) == (steps is None):
        raise WorldError(f"run takes until=STEP, the one to come to, or steps=N, how many more; this is step {now}")
    name, number = ("until", until) if steps is None else ("steps", steps)
    if type(number) is not int:
        raise WorldError(f"run({name}={number!r}): takes a whole number, such as run({name}={now + 10})")
    if steps is not None and steps < 0:
        raise WorldError(f"run(steps={steps}): takes how many steps to go on; fork goes back: cave_sim.replay.fork")
    if until is not None and until < now:
        on = f"name a later one, or how many more: run(steps={max(until, 1)})"
        raise WorldError(f"run(until={until}): the world is at step {now} already; {on}")
    return now + steps if until is None and steps is not None else until or 0


@contextmanager
def _observed(simulation: Runnable, end: int, progress: bool) -> Iterator[None]:
    """Tell observers of the beginning and, whatever happens, the end of a stretch; with a progress bar among them."""
    bar = ProgressBar() if progress else None
    if bar is not None:
        simulation.observers.append(bar)
    try:
        tell(simulation, "on_start", end)
        yield
    finally:
        keep_notes(simulation)
        tell(simulation, "on_end")
        if bar in simulation.observers:
            simulation.observers.remove(bar)


def _steps_due(simulation: Runnable, end: int) -> Iterator[None]:
    """Yield whenever the next step may be taken, until the end or the control or the simulation itself stops it."""
    took_s = 0.0
    while simulation.world.clock.step < end and simulation.running and not simulation.over:
        control = simulation.control
        if control is not None and not control.wait(took_s, partial(keep_notes, simulation)):
            simulation.running = False
            return
        started_s = time.perf_counter()
        yield
        took_s = time.perf_counter() - started_s


async def _steps_due_on_loop(simulation: Runnable, end: int) -> AsyncIterator[None]:
    """Yield as :func:`_steps_due` does, and let others of the event loop have their turn before each step."""
    took_s = 0.0
    while simulation.world.clock.step < end and simulation.running and not simulation.over:
        await asyncio.sleep(0)
        control = simulation.control
        if control is not None:
            await asyncio.sleep(control.pause_before_next_s(took_s))
            keep_notes(simulation)
            while not control.may_go_on:
                await asyncio.sleep(POLL_S)
                keep_notes(simulation)
            if not control.wait(float("inf")):
                simulation.running = False
                return
        started_s = time.perf_counter()
        yield
        took_s = time.perf_counter() - started_s
