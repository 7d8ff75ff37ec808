"""Simulation: a mesa model whose agents act by cells on a shared world. One step is one method on one screen."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, Self

import mesa

from cave_sim.changes.self_check import SelfCheck
from cave_sim.changes.turn import Turn
from cave_sim.entity.entity import Entity
from cave_sim.journal.writer import Journal
from cave_sim.models.base import Model
from cave_sim.models.budget import BudgetReached, Budgets
from cave_sim.simulation.agents import Agent
from cave_sim.simulation.control import Control
from cave_sim.simulation.deliberation import Deliberation, one_after_another, together
from cave_sim.simulation.mesa_compat import MesaModel
from cave_sim.simulation.model_calls import ModelCalls
from cave_sim.simulation.observers import Observer, tell
from cave_sim.simulation.outages import ProviderOutage
from cave_sim.simulation.prompts import Prompts
from cave_sim.simulation.reactions import Reactions
from cave_sim.simulation.roster import AgentFactory, Roster
from cave_sim.simulation.run_journal import RunJournal, manifest_of
from cave_sim.simulation.run_state import AgentState, RunState
from cave_sim.simulation.runnable import Measure, measured, note_watch_points, steps_due
from cave_sim.simulation.schedulers import Batch, Order, RandomOrder, Scheduler
from cave_sim.world.gifts import Gift
from cave_sim.world.world import World

CHECKED_WHOLE_AT_FIRST, CHECKED_WHOLE_EVERY = 3, 50
"""In so many first steps, and in every so-manyth, the whole state is checked instead of what was written."""


class Simulation(MesaModel):
    """Steps a world: agents act in the scheduler's batches, then the world advances, then the step is committed.

    Args:
        world: what they act on.
        agents: (class, name) pairs, or a function that makes the agents of a simulation.
        agent_factories: entity class -> what makes the agents of its entities: an agent class, or a function of
            simulation and name. An entity that comes or goes during the run gets or loses its agent as the step ends.
        scheduler: who acts when; :class:`RandomOrder` by default.
        out: folder of the run; None to keep no journal.
        observers: what watches it.
        measures: name -> function of the world, taken after each step; mesa's ``datacollector`` has them too.
        config: what the run was made with, for the manifest.
        manifest: more entries for the manifest, such as the map that reports draw.
        control: how it is played; None for as fast as it goes.
        llm: the language model that agents ask. With one, the agents of a batch all observe and ask at once, whatever
            the order in which their turns land; without, each observes when its turn has come.
        budgets: what may be spent on models.

    Attributes:
        world: the world.
        roster: its agents.
        reactions: which of them are to react to others in the step under way.
        run_journal: what it writes.
        state_hash: of the state after the last step.
        turns_taken: how many cells have run.
        running: False once it was stopped.
        calls: its calls to language models.
        steps: how many were taken.
        latest_measures: what was measured after the last one.
    """

    state_hash: str
    steps: int
    latest_measures: dict[str, float]

    def __init__(
        self,
        world: World,
        agents: Sequence[tuple[type[Agent], str]] | Callable[[Simulation], Iterable[Agent]] = (),
        *,
        agent_factories: Mapping[type[Entity], AgentFactory] | None = None,
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
        super().__init__(world.seed)
        self.running: bool = True
        self.world = world
        self.scheduler: Scheduler = scheduler or RandomOrder()
        self.observers: list[Observer] = list(observers)
        self.measures: dict[str, Measure] = dict(measures or {})
        self.control = control
        self.llm = llm
        self._prompts = Prompts()
        self.turns_taken: int = 0
        self._turns_run = 0
        self._busy_s = 0.0
        self._made_with: dict[str, Any] = {"agents": agents, "agent_factories": agent_factories, "llm": llm}
        self.run_journal: RunJournal = RunJournal()
        self._self_check: SelfCheck | None = None
        self.calls: ModelCalls = ModelCalls(budgets, self.note, self._write_call)
        self.reactions: Reactions = Reactions()
        self.roster: Roster = Roster(agent_factories)
        for agent in agents(self) if callable(agents) else [kind(self, name) for kind, name in agents]:
            self.roster.add(agent)
        self.roster.match(self)
        self.run_journal = RunJournal.begin(out, {**self.manifest(config), **dict(manifest or {})})
        self.datacollector: mesa.DataCollector = mesa.DataCollector(
            model_reporters={name: _latest(name) for name in self.measures},
            tables={"turns": ["step", "turn", "agent", "status", "changes"]},
        )
        world.state_hash()  # what was built so far is told as one founding turn
        world.sink = self._take_turn
        world.turns.on_gift = self._take_gift
        world.found()
        self._commit()

    # ---- the loop

    def step(self) -> None:
        """Take one step: submitted cells, every batch, what agents do in reaction, the world's dynamics, the commit.

        Where the budget of the run ends within it, or its model's provider answers nobody, nothing of the step is
        committed and the simulation has stopped; its run can be resumed, and goes on at the very question that got no
        reply. Another step raises BudgetReached or ProviderOutage.
        """
        self.calls.begin_step()
        try:
            self._step()
            self.calls.end_step()
        except (BudgetReached, ProviderOutage) as reason:
            self.running = False
            self.run_journal.drop_step(reason.why())

    def _step(self) -> None:
        started = time.perf_counter()
        self.reactions.begin_step()
        for cell in self.control.take_cells() if self.control is not None else ():
            self.world.execute(cell.code, cell.agent)
        moment = self.roster.moment(self.world)
        self.roster.woken.clear()
        for batch in self.scheduler.batches(moment):
            self._act(batch)
        while due := self.reactions.next_round(self.by_name):
            together(self._deliberations(due, due), self.calls.ask, partial(self._run_cells, "sequential"))
        self.world.advance()
        self._commit()
        self._busy_s += time.perf_counter() - started

    def run(self, until: int) -> Self:
        """Step until the world's clock shows ``until`` steps, or the control stops it."""
        due = steps_due(self, until)
        tell(self, "on_start", until)
        for _ in due:
            self.step()
        tell(self, "on_end")
        return self

    def _act(self, batch: Batch) -> None:
        """Let one batch act. Agents who ask a model all do so at once, on what they observe as the batch begins."""
        at_once = batch.order == "simultaneous" or self.llm is not None
        run_generators = together if at_once else one_after_another
        run_generators(self._deliberations(batch.agents), self.calls.ask, partial(self._run_cells, batch.order))

    def _deliberations(
        self, names: Iterable[str], reacting_to: Mapping[str, Sequence[str]] | None = None
    ) -> Iterator[tuple[str, Deliberation]]:
        for name in names:
            if not self.calls.quarantine.holds(name, self.world.clock.step) and self.roster.may_act(name, self.world):
                self.run_journal.acts(name)
                if reacting_to is None:
                    yield name, self.roster.deliberation(name, self.world)
                else:
                    yield name, self.roster.reaction(name, reacting_to[name], self.world)

    def _run_cells(self, order: Order, cells: Mapping[str, str]) -> dict[str, Turn]:
        """Run a round of cells; which of them saw one state is noted, so that they can be run again."""
        before = self.world.turns.last_id
        turns = self.world.execute_batch(cells, order)
        if order == "simultaneous":
            self.note("together", {"first": before + 1, "last": self.world.turns.last_id})
        return turns

    def _take_turn(self, turn: Turn) -> None:
        """Receive a turn from the world: count it, journal it, tell observers."""
        if turn.kind == "cell":
            self.turns_taken += 1
            self._turns_run += 1
            row = {"step": turn.step, "turn": turn.id, "agent": turn.agent, "status": turn.status}
            self.datacollector.add_table_row("turns", {**row, "changes": len(turn.changes)})
        if self._self_check is not None:
            self._self_check.follow(turn)
        self.roster.hear(turn)
        self.reactions.hear(turn)
        self.run_journal.add(turn)
        if self.observers:
            tell(self, "on_turn", turn)

    def _take_gift(self, gift: Gift) -> None:
        self.note("gift", asdict(gift))

    def _commit(self) -> None:
        """Close a step: measures, state hash, and one transaction of the journal."""
        self.state_hash = self.world.state_hash()
        self._check_changes()
        self.latest_measures = measured(self)
        self.datacollector.collect(self)
        note_watch_points(self)
        self.run_journal.write_step(
            self.world, self.state_hash, self.latest_measures, self.by_name, self.calls.to_data()
        )
        if self.roster.outdated:
            self.roster.match(self)
        tell(self, "on_step")

    def _check_changes(self) -> None:
        """See that the changes which a journal keeps add up to the state: what does not could not be gone on with."""
        if self.run_journal.writer is None:
            self._self_check = None
        elif self._self_check is None:
            self._self_check = SelfCheck(self.world.undo_log.entities)
        elif self.world.clock.step <= CHECKED_WHOLE_AT_FIRST or self.world.clock.step % CHECKED_WHOLE_EVERY == 0:
            self._self_check.check_everything()
        else:
            self._self_check.check()

    # ---- what it shows

    @property
    def by_name(self) -> dict[str, Agent]:
        """The agents by name."""
        return self.roster.by_name

    @property
    def prompts(self) -> Prompts:
        """What its agents say to models in place of their own texts; set before the first step, the run keeps it."""
        return self._prompts

    @prompts.setter
    def prompts(self, prompts: Prompts) -> None:
        self._prompts = prompts
        if self.journal is not None:
            self.journal.describe({"prompts": prompts.to_data()})

    @property
    def journal(self) -> Journal | None:
        """The open journal; None if none is kept, or no longer."""
        return self.run_journal.writer

    @property
    def turns_per_s(self) -> float:
        """Cells run in a second of real time so far."""
        return self._turns_run / self._busy_s if self._busy_s else 0.0

    def order(self) -> list[Batch]:
        """Return the batches of the coming step; looking at them changes nothing."""
        return list(self.scheduler.batches(self.roster.moment(self.world)))

    def manifest(self, config: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Return what a run of this simulation says of itself, made with ``config``."""
        name, scheduler = type(self).__name__, repr(self.scheduler)
        return manifest_of(self.world, simulation=name, scheduler=scheduler, agents=len(self.by_name), config=config)

    # ---- from outside of the loop

    def note(self, kind: str, data: Mapping[str, Any]) -> None:
        """Put an event of the run into the journal, if it keeps one."""
        self.run_journal.note(kind, data)

    def run_generator(self, name: str, deliberation: Deliberation) -> None:
        """Let an agent deliberate now, between two steps; its turns are committed with the next one."""
        self.run_journal.acts(name)
        together([(name, deliberation)], self.calls.ask, partial(self._run_cells, "sequential"))

    def state(self) -> RunState:
        """Return all that it needs to go on, beside its world."""
        world, agents = self.world, self.by_name
        names = {**world.violations, **agents}
        states = {name: AgentState.beside_snapshot(world, name, agents.get(name)) for name in names}
        return RunState(None, states, frozenset(self.roster.woken), self.calls.to_data(), self.turns_taken)

    def restore(self, state: RunState) -> None:
        """Come to the state of a run that was made as this one was.

        Raises:
            WorldError: the run's world has other entity classes or another clock.
        """
        self._self_check = None
        state.put_into_world(self.world)
        self.roster.match(self)
        state.put_into_agents(self.world, self.by_name)
        self.roster.woken = set(state.woken)
        if state.spending is not None:
            self.calls.restore(state.spending)
        self.turns_taken = state.turns_taken
        self.state_hash = self.world.state_hash()
        self.steps = self.world.clock.step

    def fork(self) -> Simulation:
        """Return an independent simulation with the same future, which keeps no journal and has no observers."""
        world = self.world.fork()
        world.turns.last_id -= 1  # its founding turn takes the number of our last one
        twin = Simulation(world, scheduler=self.scheduler, measures=self.measures, **self._made_with)
        twin.prompts = self.prompts
        twin.restore(self.state().with_forked_sessions())
        return twin

    def continue_journal(self, journal: Journal, state: RunState, changes_since_snapshot: int) -> None:
        """Write on in the journal of the run whose last state it was restored to.

        Args:
            journal: of that run, with nothing to write yet.
            state: the one that was restored.
            changes_since_snapshot: how many changes the journal has behind its last snapshot.
        """
        self.run_journal.continue_in(journal, state.sessions, changes_since_snapshot)

    def begin_branch(self, journal: Journal) -> None:
        """Write its state into a new journal, as the first step of a run; turns are numbered on."""
        woken = set(self.roster.woken)
        self.turns_taken = 0
        self.run_journal.begin_branch(journal, self.by_name)
        self.world.turns.last_id -= 1
        self.world.found()
        self._commit()
        self.roster.woken = woken

    def close(self) -> None:
        """Finish the journal."""
        self.run_journal.close({"state_hash": self.state_hash, "steps": self.world.clock.step})
        self.world.sink = self.world.turns.on_gift = None
        self.calls.close()

    def _write_call(self, call: Mapping[str, Any], reused: bool = False) -> None:
        self.run_journal.add_call(call, reused=reused)


def _latest(name: str) -> Callable[[Simulation], float | None]:
    """Return a mesa reporter that reads what the last commit measured, so that nothing is measured twice."""
    return lambda simulation: simulation.latest_measures.get(name)
