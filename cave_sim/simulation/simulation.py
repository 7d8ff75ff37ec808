"""Simulation: a mesa model whose agents act by cells on a shared world. One step is one method on one screen."""

from __future__ import annotations

import math
import platform
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

import mesa

from cave_sim.changes.turn import Turn
from cave_sim.entity.entity import Entity
from cave_sim.errors import WorldError
from cave_sim.journal.writer import Journal
from cave_sim.models.base import Model
from cave_sim.models.budget import Budgets
from cave_sim.session.archive import Archive
from cave_sim.simulation.agents import Agent, Cast, Role, while_there
from cave_sim.simulation.control import Control
from cave_sim.simulation.deliberation import Deliberation, Drive, one_after_another, together
from cave_sim.simulation.mesa_compat import let_errors_out
from cave_sim.simulation.model_calls import Calls
from cave_sim.simulation.observers import Observer
from cave_sim.simulation.schedulers import Batch, Moment, Order, RandomOrder, Scheduler
from cave_sim.version import __version__, code_revision
from cave_sim.world.world import World

Measure = Callable[[World], float]
SNAPSHOT_EVERY_CHANGES = 100_000
"""So that folding the changes since the last one takes a fraction of a second."""
SNAPSHOT_EVERY_ENTITIES = 4
"""Changes for each entity of the world, so that snapshots never cost much beside turns."""
DEPENDENCIES = ("mesa", "networkx", "numpy", "pandas", "pydantic", "msgspec")


class Simulation(mesa.Model):  # type: ignore[misc]
    """Steps a world: agents act in the scheduler's batches, then the world advances, then the step is committed.

    Args:
        world: what they act on.
        agents: (class, name) pairs, or a function that makes the agents of a simulation.
        cast: entity class -> who acts for its entities, as an agent class or a function of simulation and name. Whoever
            comes into the world or leaves it during the run joins or leaves the simulation with the end of that step.
        scheduler: who acts when; :class:`RandomOrder` by default.
        out: folder of the run; None to keep no journal.
        observers: whoever watches.
        measures: name -> function of the world, taken after each step; mesa's ``datacollector`` has them too.
        config: what the run was made with, for the manifest.
        manifest: more entries for the manifest, such as the map that reports draw.
        control: how it is played; None for as fast as it goes.
        llm: the language model that minds ask. With one, the minds of a batch all look and think at once, whatever the
            order in which their turns land; without, each looks when its turn has come.
        budgets: what may be spent on models.

    Attributes:
        world: the world.
        journal: the journal, or None.
        state_hash: of the state after the last step.
        turns_taken: how many cells have run.
        running: False once it was stopped.
        calls: its line to language models.
    """

    def __init__(
        self,
        world: World,
        agents: Sequence[tuple[type[Agent], str]] | Callable[[Simulation], Iterable[Agent]] = (),
        *,
        cast: Mapping[type[Entity], Role] | None = None,
        scheduler: Scheduler | None = None,
        out: str | Path | None = None,
        observers: Iterable[Observer] = (),
        measures: Mapping[str, Measure] | None = None,
        config: Mapping[str, Any] | None = None,
        manifest: Mapping[str, Any] | None = None,
        control: Control | None = None,
        llm: Model | None = None,
        budgets: Budgets | None = None,
    ) -> None:
        super().__init__(**_seeded(world.seed))
        let_errors_out(self)
        self.running = True
        self.world = world
        self.scheduler = scheduler or RandomOrder()
        self.observers = list(observers)
        self.measures = dict(measures or {})
        self.control = control
        self.turns_taken = 0
        self._busy_s = 0.0
        self.llm = llm
        self.calls = Calls(budgets, self.note, self._record)
        self._archive = Archive()
        self._woken: set[str] = set()
        self._acted: set[str] = set()
        self._since_snapshot: float = math.inf  # the first step keeps one
        self._latest: dict[str, float] = {}
        self._made_with: dict[str, Any] = {"agents": agents, "cast": cast, "measures": self.measures, "llm": llm}
        made = agents(self) if callable(agents) else [kind(self, name) for kind, name in agents]
        self.by_name: dict[str, Agent] = {agent.name: agent for agent in made}
        self._cast = Cast(cast or {})
        self.recast()
        self.journal = Journal(out, self._manifest(config, manifest)) if out is not None else None
        self.datacollector = mesa.DataCollector(
            model_reporters={name: _latest(name) for name in self.measures},
            tables={"turns": ["step", "turn", "agent", "status", "changes"]},
        )
        world.state_hash()  # what was built so far is told as one founding turn
        world.sink = self._take
        world.found()
        self._commit(world.clock.step)

    def step(self) -> None:
        """Take one step: submitted cells, every batch, the world's own dynamics, the commit."""
        started = time.perf_counter()
        self.calls.begin_step()
        for cell in self.control.take_cells() if self.control is not None else ():
            self.world.execute(cell.code, cell.agent)
        for batch in self.scheduler.batches(self._moment()):
            self._act(batch)
        self.world.advance()
        self._commit(self.world.clock.step)
        self._busy_s += time.perf_counter() - started

    def run(self, until: int) -> Simulation:
        """Step until the world's clock shows ``until`` steps, or the control stops it."""
        if until < self.world.clock.step:
            raise WorldError(f"run(until={until}): the world is at step {self.world.clock.step} already")
        self._tell("on_start", until)
        took_s = 0.0
        while self.world.clock.step < until and self.running:
            if self.control is not None and not self.control.wait(took_s):
                self.running = False
                break
            before = time.perf_counter()
            self.step()
            took_s = time.perf_counter() - before
        self._tell("on_end")
        return self

    def run_model(self) -> None:
        """Run until stopped; mesa's name for it."""
        while self.running:
            self.step()

    def order(self) -> list[Batch]:
        """Return the batches of the coming step, for looking at."""
        return list(self.scheduler.batches(self._moment()))

    @property
    def turns_per_s(self) -> float:
        """Cells run in a second of real time so far."""
        return self.turns_taken / self._busy_s if self._busy_s else 0.0

    def close(self) -> None:
        """Finish the journal."""
        if self.journal is not None:
            journal, self.journal = self.journal, None
            try:
                journal.describe({"state_hash": self.state_hash, "steps": self.world.clock.step, "finished": True})
            finally:
                journal.close()
        self.world.sink = None
        self.calls.close()

    def write_on(self, journal: Journal, *, asleep: bool = False) -> None:
        """Go on with the journal of a run whose last step this simulation is at.

        Args:
            journal: open, with nothing to write yet.
            asleep: whether agents' variables are plain data so far, because a host is to run their cells.
        """
        self.journal = journal

    def follow(self, folder: Path) -> None:
        """Prepare to do again what a run recorded; there is nothing to prepare where all of it is in one journal."""

    def expect_branches(self) -> None:
        """Raise WorldError if no branch can be made of this simulation's runs; here one can."""

    def fork(self) -> Simulation:
        """Return an independent simulation with the same future, which keeps no journal and which nobody watches."""
        world = self.world.fork()
        world.turns.last_id -= 1  # its founding turn takes the number of our last one
        twin = Simulation(world, scheduler=self.scheduler, **self._made_with)
        for name, agent in self.by_name.items():
            if name in twin.by_name:
                twin.by_name[name].recall(agent.keep())
                twin.by_name[name].session = None if agent.session is None else agent.session.fork()
        if (spent := self.calls.keep()) is not None:
            twin.calls.recall(spent)
        twin._woken, twin.turns_taken = set(self._woken), self.turns_taken
        return twin

    def join(self, role: Role, name: str) -> Agent:
        """Let an agent act from the next batch on; who does so again when a run is resumed is for a ``cast`` to say."""
        agent = self.by_name[name] = role(self, name)
        return agent

    def leave(self, name: str) -> None:
        """Let an agent act no more."""
        self.by_name.pop(name).remove()

    def recast(self) -> None:
        """Let join and leave whoever must, by the cast and who is in the world. Steps do this as they end."""
        self._population_changed = False
        leaving, joining = self._cast.changes(self.world, self.by_name)
        for name in leaving:
            self.leave(name)
        for role, name in joining:
            self.join(role, name)

    def _moment(self) -> Moment:
        woken = frozenset(self._woken)
        self._woken.clear()
        return Moment(
            self.world.clock.step, self.world.seed, sorted(self.by_name), lambda name: self.by_name[name].stage, woken
        )

    def note(self, kind: str, data: Mapping[str, Any]) -> None:
        """Put an event of the run into the journal, if it keeps one."""
        if self.journal is not None:
            self.journal.note(kind, data)

    def drive(self, name: str, deliberation: Deliberation) -> None:
        """Let an agent deliberate now, outside of any step; its turns are committed with the next one."""
        self._acted.add(name)
        self._drive(together, [(name, deliberation)], "sequential")

    def _act(self, batch: Batch) -> None:
        """Let one batch act. Where minds think, they do so at once, on what they see as the batch begins."""
        at_once = batch.order == "simultaneous" or self.llm is not None
        self._drive(together if at_once else one_after_another, self._deliberations(batch.agents), batch.order)
        if self.calls.spent_out:
            self.running = False

    def _drive(self, drive: Drive, agents: Iterable[tuple[str, Deliberation]], order: Order) -> None:
        drive(agents, self.calls.ask, lambda cells: self._land(cells, order))

    def _land(self, cells: Mapping[str, str], order: Order) -> dict[str, Turn]:
        """Run a round of cells; which of them saw one state is noted, so that they can be run again."""
        before = self.world.turns.last_id
        turns = self.world.execute_batch(cells, order)
        if order == "simultaneous":
            self.note("together", {"first": before + 1, "last": self.world.turns.last_id})
        return turns

    def _deliberations(self, names: Iterable[str]) -> Iterator[tuple[str, Deliberation]]:
        for name in names:
            if name not in self.calls.quarantined and (name not in self._cast or name in self.world):
                self._acted.add(name)
                yield name, self._deliberation(name)

    def _deliberation(self, name: str) -> Deliberation:
        deliberation = self.by_name[name].deliberate(self.world.observe(name))
        return while_there(self.world, name, deliberation) if name in self._cast else deliberation

    def _take(self, turn: Turn) -> None:
        """Receive a turn from the world: count it, journal it, tell those who watch."""
        if turn.kind == "cell":
            self.turns_taken += 1
            self.datacollector.add_table_row(
                "turns",
                {
                    "step": turn.step,
                    "turn": turn.id,
                    "agent": turn.agent,
                    "status": turn.status,
                    "changes": len(turn.changes),
                },
            )
        self._since_snapshot += len(turn.changes)
        for change in turn.changes:
            if change.entity != turn.agent:
                self._woken.add(change.entity)
            if not change.path:
                self._population_changed = True
        if self.journal is not None:
            self.journal.add(turn)
        if self.observers:
            self._tell("on_turn", turn)

    def _commit(self, step: int) -> None:
        """Close a step: measures, state hash, and one transaction of the journal."""
        world = self.world
        self.state_hash = world.state_hash()
        self._latest = {name: float(measure(world)) for name, measure in self.measures.items()}
        self.datacollector.collect(self)
        for kind, told in self.control.look(world) if self.control is not None else ():
            self.note(kind, told)
        if self.journal is not None:
            due = self._since_snapshot >= max(SNAPSHOT_EVERY_CHANGES, SNAPSHOT_EVERY_ENTITIES * len(world))
            if due:
                self._since_snapshot = 0
            state = world.snapshot() if due else None
            self._archive_sessions()
            self._keep(self.journal)
            self.journal.commit(step, world.clock.time_s, self.state_hash, self._latest, state)
        if self._population_changed:
            self.recast()
        self._tell("on_step")

    def _archive_sessions(self) -> None:
        """Hand the journal what is new in the sessions of those who acted."""
        acted, self._acted = sorted(self._acted), set()
        for session in filter(None, (self.by_name[name].session for name in acted)):
            news = self._archive.news(session)
            if news is not None and self.journal is not None:
                self.journal.add_session(news)

    def _keep(self, journal: Journal) -> None:
        """Hand the journal what a resumed run needs beside the world: variables, what agents know, what was spent."""
        for name, namespace in self.world.interpreter.namespaces.items():
            kept, lost = namespace.snapshot()
            journal.keep(name, "variables", kept)
            journal.keep(name, "lost", sorted(lost))
        for name, agent in self.by_name.items():
            journal.keep(name, "agent", agent.keep())
        if (spent := self.calls.keep()) is not None:
            journal.keep("", "budget", spent)
        journal.keep("", "strikes", self.world.violations)

    def _record(self, call: Mapping[str, Any], reused: bool = False) -> None:
        if self.journal is not None:
            self.journal.add_call(call, reused=reused)

    def _tell(self, method: str, *details: Any) -> None:
        for observer in list(self.observers):
            try:
                getattr(observer, method)(self, *details)
            except Exception as error:  # watching must never change a run
                self.observers.remove(observer)
                told = {"observer": type(observer).__name__, "error": f"{type(error).__name__}: {error}"}
                if self.journal is not None:
                    self.journal.note("observer_failed", told)

    def _manifest(self, config: Mapping[str, Any] | None, more: Mapping[str, Any] | None) -> dict[str, Any]:
        world = self.world
        return {
            "cave_sim": __version__,
            "code": code_revision(),
            "simulation": type(self).__name__,
            "seed": world.seed,
            "step_s": world.step_s,
            "start": world.start.isoformat(),
            "scheduler": repr(self.scheduler),
            "agents": len(self.by_name),
            "python": platform.python_version(),
            "versions": {name: metadata.version(name) for name in DEPENDENCIES},
            "config": dict(config or {}),
            "parents": [],
            **dict(more or {}),
        }


def _latest(name: str) -> Callable[[Simulation], float | None]:
    """Return a mesa reporter that reads what the last commit measured, so that nothing is measured twice."""

    def report(simulation: Simulation) -> float | None:
        return simulation._latest.get(name)

    return report


def _seeded(seed: int) -> dict[str, int]:
    """mesa 3.5 takes ``rng`` and warns about ``seed``; mesa 3.3 knows both."""
    return {"rng": seed}
