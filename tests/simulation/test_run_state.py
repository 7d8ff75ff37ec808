"""What a run needs to go on: no part is forgotten where a simulation is resumed, forked, or left by an agent."""

import ast
import inspect
from dataclasses import fields
from itertools import pairwise

import msgspec
import pytest

from cave_sim import Agent, Entity, Simulation, World, field
from cave_sim.determinism.canonical_json import to_json
from cave_sim.models import Message, Request, ScriptedModel
from cave_sim.models.base import Key
from cave_sim.replay.fork import fork
from cave_sim.replay.resume import resume
from cave_sim.session.session import Session
from cave_sim.sharding.migration import Migration, pack
from cave_sim.simulation.deliberation import Cell, Question
from cave_sim.simulation.run_state import AgentState, RunState


class Person(Entity):
    """Somebody with a purse."""

    cents: int = field(10, ge=0)


class Writer(Agent):
    """Asks a model, keeps a variable, counts, and writes a session."""

    def __init__(self, simulation, name):
        super().__init__(simulation, name)
        self.count = 0
        self.session = Session(name)

    def deliberate(self, observation):
        self.count += 1
        step = self.model.world.clock.step
        reply = yield Question(self.model.llm, Request((Message("user", "?"),), key=Key("", self.name, step)))
        self.session.append("assistant", reply.text)
        other = {"ann": "bob", "bob": "ann"}[self.name]
        yield Cell(f"seen = {self.count}\n{other}.cents += 1")

    def keep(self):
        return self.count

    def restore(self, kept):
        self.count = kept or 0


def people(out=None):
    """Return a simulation in which every part of a state is something."""
    world = World(seed=5)
    for name in ("ann", "bob"):
        world.add(name, Person())
    world.grant("ann", "bob")
    world.grant("bob", "ann")
    world.violations["ann"] = 2
    return Simulation(world, agent_factories={Person: Writer}, llm=ScriptedModel(lambda request: "hm"), out=out)


@pytest.fixture
def run(tmp_path):
    people(tmp_path / "run").run(until=4).close()
    return tmp_path / "run"


def told(simulation):
    """Return the whole state of a simulation as plain data, the world's with its variables."""
    state = simulation.state()
    agents = {
        name: (each.memory, each.violations, [row.text for row in each.session.rows])
        for name, each in state.agents.items()
    }
    world = simulation.world
    variables = {name: world.interpreter.namespace(name).data for name in agents}
    grants = {name: list(world.system.grants.get(name, ())) for name in agents}
    return world.state_hash(), agents, variables, grants, state.woken, state.turns_taken


def test_a_resumed_run_has_all_of_it(run):
    resumed = resume(run, simulation=people())
    assert told(resumed) == told(people().run(until=4))
    assert resumed.calls.budgets.spent.calls == 8


def test_a_fork_of_a_live_simulation_has_all_of_it():
    simulation = people().run(until=4)
    twin = simulation.fork()
    assert told(twin) == told(simulation)
    assert twin.run(until=7).state_hash == simulation.run(until=7).state_hash


def test_a_fork_shares_nothing_that_changes():
    simulation = people().run(until=4)
    before = told(simulation)
    simulation.fork().run(until=7)
    assert told(simulation) == before


def test_a_branch_has_all_of_it_but_counts_its_own_turns(run, tmp_path):
    branch = fork(run, 4, tmp_path / "branch", simulation=people())
    *parts, turns = told(branch)
    *expected, _ = told(people().run(until=4))
    assert (parts, turns) == (expected, 0)


def test_an_agent_on_the_move_has_all_of_it_in_bytes():
    simulation = people().run(until=4)
    state = AgentState.of(simulation.world, "ann", simulation.by_name["ann"])
    assert all(getattr(state, part.name) for part in fields(AgentState))
    sent = msgspec.json.decode(to_json(msgspec.to_builtins(pack(simulation, "ann"))), type=Migration).agent_state()
    for part in ("memory", "violations", "variables", "grants"):
        assert getattr(sent, part) == getattr(state, part)
    assert [row.text for row in sent.session.rows] == [row.text for row in state.session.rows]


@pytest.mark.parametrize("kind", [RunState, AgentState])
def test_every_part_says_what_it_is(kind):
    body = ast.parse(inspect.getsource(kind)).body[0].body
    described = {
        part.target.id
        for part, text in pairwise(body)
        if isinstance(part, ast.AnnAssign) and isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant)
    }
    assert described == {part.name for part in fields(kind)}
