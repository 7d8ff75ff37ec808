"""Simulation: a mesa model whose agents act by cells on a shared world. One step is one method on one screen."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from cave_sim.capacity.output_capacity import OutputLimits
from cave_sim.changes.turn import Turn
from cave_sim.entity.entity import Entity
from cave_sim.errors import WorldError
from cave_sim.journal.whole_commits import interrupts_held
from cave_sim.journal.writer import Journal
from cave_sim.loading.quick_mesa import mesa
from cave_sim.models.base import Context, Model
from cave_sim.models.budget import BudgetReached, Budgets
from cave_sim.models.for_agents import ForAgents
from cave_sim.simulation.agents import Agent
from cave_sim.simulation.arguments import FITTING, expect_fitting, names_options
from cave_sim.simulation.asked_agents import AskedAgents
from cave_sim.simulation.control import Control
from cave_sim.simulation.deliberation import (
    Asking,
    AskingFor,
    Deliberation,
    one_after_another,
    settle,
    settle_on_loop,
    together,
)
from cave_sim.simulation.effect_runner import EffectRunner
from cave_sim.simulation.ended_step import EndedStep
from cave_sim.simulation.given_agents import GivenAgents, agents_of, for_twin
from cave_sim.simulation.jail import HostName, Jail, Jailable
from cave_sim.simulation.mesa_compat import MesaModel, collector_of
from cave_sim.simulation.model_calls import ModelCalls
from cave_sim.simulation.observers import Observer, tell
from cave_sim.simulation.outages import ProviderOutage
from cave_sim.simulation.prompts import Prompts
from cave_sim.simulation.reactions import Reactions
from cave_sim.simulation.roster import AgentFactory, Roster
from cave_sim.simulation.run_journal import RunJournal, manifest_of
from cave_sim.simulation.run_loop import RunsStretchesOnLoop
from cave_sim.simulation.run_state import AgentState, RunState, own_data
from cave_sim.simulation.runnable import Measure, measured
from cave_sim.simulation.schedulers import Batch, RandomOrder, Scheduler, batches_of
from cave_sim.simulation.treatment import Treatment
from cave_sim.world.world import World


class Simulation(MesaModel, Jailable, RunsStretchesOnLoop):
    """Steps a world: agents act in the scheduler's batches, then the world advances, then the step is committed.

    Args:
        world: what they act on.
        agents: name -> class or function, and what else :func:`~cave_sim.simulation.given_agents.agents_of` takes.
        agent_factories: entity class -> agent class, or function of simulation and name, for entities that come, too.
        scheduler: who acts when; :class:`RandomOrder` by default.
        out: folder of the run; None to keep no journal.
        observers: what watches it.
        measures: name -> function of the world, taken after each step; mesa's ``datacollector`` has them too.
        config: what the run was made with, for the manifest.
        manifest: more entries for the manifest, such as the map that reports draw.
        control: how it is played; None for as fast as it goes.
        llm: the language model that agents ask; with one, the agents of a batch all observe and ask at once.
        budgets: what may be spent on models.
        host: where cells run, ``process`` or ``local``; None jails those of language models.

    Attributes:
        world: the world.
        roster: its agents.
        reactions: which of them are to react to others in the step under way.
        effects: does what their cells ask of tools with effects.
        run_journal: what it writes.
        state_hash: of the state after the last step.
        turns_taken: how many cells have run.
        running: False once it was stopped.
        calls: its calls to language models.
        steps: how many were taken.
        latest_measures: what was measured after the last one.
        asked_agents: those who deliberate, alone or within another one's cell.
        treatment: the interventions that are planned for it.
        about: what its run says of itself.
        closed_run: folder of the run that it wrote; None until then.
        made_by: what built its world, and can do so in another process (``world_factory``); None for a script.
        jail: where its cells run, if nobody else saw to that.
        embeddings: the model that turns texts into vectors, so that memories are found by meaning; None for none.
    """

    state_hash: str
    steps: int
    latest_measures: dict[str, float]
    _fitting = FITTING
    _keeps_nothing_more = "what happens is kept in fields of entities, and settings in a subclass of Simulation"

    @names_options
    def __init__(
        self,
        world: World,
        agents: GivenAgents = (),
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
        host: HostName | None = None,
    ) -> None:
        observers = tuple(observers) if isinstance(observers, Iterable) else observers
        expect_fitting(
            world, llm=llm, scheduler=scheduler, measures=measures, observers=observers, out=out, control=control,
            budgets=budgets, agent_factories=agent_factories, config=config, manifest=manifest,
        )  # fmt: skip
        super().__init__(world.seed)
        self.running: bool = True
        self.world = world
        self.scheduler: Scheduler = scheduler or RandomOrder()
        self.observers: list[Observer] = list(observers)
        self.measures: dict[str, Measure] = dict(measures or {})
        self.control = control
        self.llm = llm
        self.treatment: Treatment = Treatment()
        self.embeddings: Model | None = None
        self.contexts: ForAgents[Context] = ForAgents()
        self.output_limits: ForAgents[OutputLimits] = ForAgents()
        self._prompts = Prompts()
        self.closed_run: Path | None = None
        self.turns_taken: int = 0
        self._turns_before, self._busy_s = 0, 0.0
        self._made_with: dict[str, Any] = {"agents": agents, "agent_factories": agent_factories, "llm": llm}
        self.run_journal: RunJournal = RunJournal()
        self.effects: EffectRunner = EffectRunner(world, lambda: self.journal)
        self.made_by: Any = None
        self.jail: Jail = Jail(self, host)
        self.calls: ModelCalls = ModelCalls(budgets, self.note, self.run_journal.add_call, self.jail.expect)
        self.reactions: Reactions = Reactions()
        self.asked_agents: AskedAgents = AskedAgents(self)
        self.roster: Roster = Roster(agents_of(self, agents), agent_factories, world)
        self.roster.match(self)
        self.about: dict[str, Any] = {**self.manifest(config), **dict(manifest or {})}
        self.datacollector: mesa.DataCollector = collector_of(self.measures, self.agent_reporters)
        self.run_journal.begin(out, self.about)
        self._found()
        self.jail.begin()
        self._is_made = True

    def _found(self) -> None:
        """Follow its world from now on; what was built so far is committed as one founding turn."""
        self.world.state_hash()
        self.world.sink = self._take_turn
        self.world.turns.on_gift = lambda gift: self.note("gift", asdict(gift))
        self.world.record_founding()
        self._commit()

    # ---- the loop

    def step(self) -> None:
        """Take one step: interventions, every batch, what agents do in reaction, the world's dynamics, the commit.

        Where the budget of the run ends within it, or its provider answers nobody, nothing of it is committed and the
        simulation has stopped; resumed, it goes on at that question. Another step raises BudgetReached, ProviderOutage.
        """
        with self._step_under_way(), self._uncommitted_if_stopped():
            settle(self._step(), self.calls.ask)

    async def astep(self) -> None:
        """Take one step as :meth:`step` does, with the same outcome; the event loop goes on while models are asked."""
        self.count_step()
        with self._step_under_way(), self._uncommitted_if_stopped():
            await settle_on_loop(self._step(), self.calls.ask_on_loop)

    @contextmanager
    def _uncommitted_if_stopped(self) -> Iterator[None]:
        self.calls.begin_step()
        try:
            yield
            self.calls.end_step()
        except (BudgetReached, ProviderOutage) as reason:
            self.running, self._why_stopped = False, str(reason)
            self.run_journal.drop_step(reason.why())

    def _step(self) -> Asking:
        if self.closed_run is not None:
            raise WorldError(
                f"{self.closed_run} is closed, and a step would be missing in it: go on with"
                f" cave_sim.replay.resume.resume({str(self.closed_run)!r}), or without a journal with simulation.fork()"
            )
        started = time.perf_counter()
        self.effects.begin_step(self.control)
        self.reactions.begin_step()
        yield from self._intervene()
        moment = self.roster.moment(self.world) if self.by_name else None
        self.roster.woken.clear()
        for batch in () if moment is None else batches_of(self.scheduler, moment):
            yield from self._act(batch)
        while due := self.reactions.next_round(self.by_name):
            yield from together(self._deliberations(due, due), partial(self.asked_agents.run, "sequential"))
        self._commit(advance=True)
        self._busy_s += time.perf_counter() - started

    def _intervene(self) -> Asking:
        """Run the cells that were submitted, then those that are planned for this moment."""
        for cell in self.control.take_cells() if self.control is not None else ():
            yield from self._intervention(cell.code, cell.agent)
        planned, probed = self.treatment.due(self.world, self.measures, partial(measured, self))
        for intervention in planned:
            yield from self._intervention(intervention.code, intervention.agent, intervention.key)
        for intervention in probed:
            self.note("probed", {"plan": intervention.key})

    def _act(self, batch: Batch) -> Asking:
        """Let one batch act. Agents who ask a model all do so at once, on what they observe as the batch begins."""
        at_once = batch.order == "simultaneous" or self.llm is not None
        run_generators = together if at_once else one_after_another
        return run_generators(self._deliberations(batch.agents), partial(self.asked_agents.run, batch.order))

    def _deliberations(
        self, names: Iterable[str], reacting_to: Mapping[str, Sequence[str]] | None = None
    ) -> Iterator[tuple[str, Deliberation]]:
        for name in names:
            if not self.calls.quarantine.holds(name, self.world.clock.step) and self.roster.may_act(name, self.world):
                reaction = None if reacting_to is None else self.roster.reaction(name, reacting_to[name], self.world)
                deliberation = reaction or self.roster.deliberation(name, self.world)
                yield name, self.asked_agents.deliberating(name, deliberation)

    def _take_turn(self, turn: Turn) -> None:
        """Receive a turn from the world: count it, journal it, tell observers."""
        if turn.kind == "cell":
            self.turns_taken += 1
            row = {"step": turn.step, "turn": turn.id, "agent": turn.agent, "status": turn.status}
            self.datacollector.add_table_row("turns", {**row, "changes": len(turn.changes)})
        self.roster.hear(turn)
        self.reactions.hear(turn)
        self.run_journal.add(turn)
        if self.observers:
            tell(self, "on_turn", turn)

    def _commit(self, *, advance: bool = False) -> None:
        """Close a step: dynamics, measures, state hash, and one transaction of the journal; Ctrl-C waits for it."""
        with interrupts_held():
            if advance:
                self.world.advance()
            self.state_hash = self.world.state_hash()
            self.run_journal.check(self.world)
            ended = EndedStep.of(self)
            self.run_journal.keep(self.world, self.by_name, own_data(self))
            ended.close(self, self.state_hash)
        self.effects.end_step()
        if self.roster.outdated:
            self.roster.match(self)
        tell(self, "on_step")

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
        return (self.turns_taken - self._turns_before) / self._busy_s if self._busy_s else 0.0

    def order(self) -> list[Batch]:
        """Return the batches of the coming step; looking at them changes nothing."""
        return list(batches_of(self.scheduler, self.roster.moment(self.world)))

    def manifest(self, config: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Return what a run of this simulation says of itself, made with ``config``."""
        name, order = type(self).__name__, repr(self.scheduler)
        about: dict[str, Any] = {"agents": self.by_name, "config": config, "measures": self.measures}
        return manifest_of(self.world, simulation=name, scheduler=order, **about)

    # ---- from outside of the loop

    def note(self, kind: str, data: Mapping[str, Any]) -> None:
        """Put an event of the run into the journal, if it keeps one."""
        self.run_journal.note(kind, data)

    def intervene(self, code: str, agent: str, *, plan: str = "") -> Turn:
        """Run a cell that no agent chose; it is committed with the next step, and the journal says that it was one.

        Args:
            code: the cell.
            agent: who runs it.
            plan: key of the planned intervention that it is; empty for what was done live.
        """
        return settle(self._intervention(code, agent, plan), self.calls.ask)

    def _intervention(self, code: str, agent: str, plan: str = "") -> AskingFor[Turn]:
        turn = (yield from self.asked_agents.run("sequential", {agent: code}))[agent]
        self.note("intervention", {"turn": turn.id, "status": turn.status, **({"plan": plan} if plan else {})})
        return turn

    def measure_also(self, measures: Mapping[str, Measure]) -> None:
        """Take more measures, from the next commit on; what mesa's data collector had is forgotten."""
        self.measures.update(measures)
        self.datacollector = collector_of(self.measures, self.agent_reporters)

    def run_generator(self, name: str, deliberation: Deliberation) -> None:
        """Let an agent deliberate now, between two steps; its turns are committed with the next one."""
        deliberation = self.asked_agents.deliberating(name, deliberation)
        settle(together([(name, deliberation)], partial(self.asked_agents.run, "sequential")), self.calls.ask)

    def state(self) -> RunState:
        """Return all that it needs to go on, beside its world."""
        world, agents = self.world, self.by_name
        names = {**world.violations, **agents}
        states = {name: AgentState.beside_snapshot(world, name, agents.get(name)) for name in names}
        woken, spent = frozenset(self.roster.woken), self.calls.to_data()
        return RunState(None, states, woken, spent, self.turns_taken, self.treatment.keep())

    def restore(self, state: RunState) -> None:
        """Come to the state of a run that was made as this one was.

        Raises:
            WorldError: the run's world has other entity classes or another clock.
        """
        self.run_journal.check_anew()
        state.put_into_world(self.world)
        self.roster.match(self)
        state.put_into_agents(self.world, self.by_name)
        self.roster.woken = set(state.woken)
        if state.spending is not None:
            self.calls.restore(state.spending)
        self.turns_taken = self._turns_before = state.turns_taken
        self.treatment.restore(state.treatment)
        self.state_hash = self.world.state_hash()
        self.come_to_step(self.world.clock.step)
        self.effects.restore()

    def fork(self) -> Simulation:
        """Return an independent simulation with the same future, which keeps no journal and has no observers."""
        (world := self.world.fork()).turns.last_id -= 1  # its founding turn takes the number of our last one
        made_with = {**self._made_with, "agents": for_twin(self._made_with["agents"])}
        twin = Simulation(world, scheduler=self.scheduler, measures=self.measures, **made_with)
        twin.prompts, twin.embeddings = self.prompts, self.embeddings
        twin.contexts, twin.output_limits = self.contexts, self.output_limits
        twin.treatment = Treatment(self.treatment.interventions)
        twin.made_by, twin.jail.host = self.made_by, self.jail.host
        twin.roster.embodied = set(self.roster.embodied)
        twin.restore(self.state().with_forked_sessions())
        return twin

    def continue_journal(self, journal: Journal, state: RunState, changes_since_snapshot: int) -> None:
        """Write on in the journal of the run to whose last state it was restored, with so many changes behind it."""
        self.run_journal.continue_in(journal, state.sessions, changes_since_snapshot)

    def begin_branch(self, journal: Journal | None) -> None:
        """Write its state into a new journal, None for none, as the first step of a run; turns are numbered on."""
        woken = set(self.roster.woken)
        self.turns_taken = self._turns_before = 0
        self.run_journal.begin_branch(journal, self.by_name)
        self.world.turns.last_id -= 1
        self.world.record_founding()
        self._commit()
        self.roster.woken = woken

    def close(self) -> None:
        """Finish the journal; what keeps one takes no further step."""
        if self.journal is not None:
            self.closed_run = self.journal.folder
        self.run_journal.close({"over": self.over})
        self.world.sink = self.world.turns.on_gift = None
        self.calls.close()
        self.jail.close()
