"""A run that was stopped goes on as if it had not been: who was woken, what was paid for, what agents know."""

import json

import pytest

from cave_sim import Agent, Entity, JournalError, Simulation, World, field, open_run
from cave_sim.journal.integrity import problems
from cave_sim.models import Message, Request, ScriptedModel
from cave_sim.models.base import Key
from cave_sim.models.budget import Budget, Budgets
from cave_sim.replay.fork import fork
from cave_sim.replay.resume import resume
from cave_sim.simulation.deliberation import Question
from cave_sim.simulation.schedulers import EventDriven
from tests.long_cases import cases


class Neighbour(Entity):
    """Somebody who can be greeted."""

    greetings: int = field(0, ge=0)

    def greet(self) -> None:
        """Say hello."""
        self.greetings += 1


class Greeter(Agent):
    """Counts its own turns, and greets the next one in every third."""

    def __init__(self, simulation, name):
        super().__init__(simulation, name)
        self.turns = 0

    def act(self, observation):
        self.turns += 1
        following = {"ann": "bob", "bob": "cem", "cem": "ann"}[self.name]
        return f"turns = {self.turns}\n{following}.greet()" if self.turns % 3 == 1 else f"turns = {self.turns}"

    def keep(self):
        return self.turns

    def restore(self, kept):
        self.turns = kept or 0


def neighbours(out=None):
    """Return three neighbours who act when something happened to them."""
    world = World(seed=3)
    for name in ("ann", "bob", "cem"):
        world.add(name, Neighbour())
    agents = [(Greeter, name) for name in ("ann", "bob", "cem")]
    return Simulation(world, agents, scheduler=EventDriven(every=50), out=out)


def hashes(folder):
    """Return the hash of each step of a run."""
    with open_run(folder) as run:
        assert list(problems(run)) == []
        return [step.hash for step in run.steps()]


def misled(simulation, step):
    """Let a world tell, from a step on, digests that its changes do not lead to."""
    true_hash = simulation.world.state_hash
    vars(simulation.world)["state_hash"] = lambda: true_hash()[:: 1 if simulation.world.clock.step < step else -1]
    return simulation


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole") / "run"
    neighbours(folder).run(until=80).close()
    return folder


@pytest.mark.parametrize("step", cases(range(0, 80, 7), lambda step: step % 4))
def test_whoever_was_woken_before_the_stop_acts_after_it(step, tmp_path, whole):
    neighbours(tmp_path / "run").run(until=step).close()
    resumed = resume(tmp_path / "run", simulation=neighbours())
    resumed.run(until=80).close()
    assert hashes(tmp_path / "run") == hashes(whole)
    with open_run(whole) as run:
        assert resumed.turns_taken == run.query("SELECT count(*) FROM turns WHERE kind = 'cell'")[0][0]


def test_a_run_does_not_go_on_from_a_state_that_its_changes_do_not_lead_to(tmp_path):
    misled(neighbours(tmp_path / "run"), step=6).run(until=8).close()
    with pytest.raises(JournalError, match="the changes up to step 8 do not add up; see cave-sim verify"):
        resume(tmp_path / "run", simulation=neighbours())
    assert fork(tmp_path / "run", 5, tmp_path / "branch", simulation=neighbours()).world.clock.step == 5


def test_what_was_measured_last_is_known(tmp_path):
    def clock(out=None):
        return Simulation(World(seed=3), {}, measures={"step": lambda world: world.clock.step}, out=out)

    clock(tmp_path / "run").run(until=4).close()
    resumed = resume(tmp_path / "run", simulation=clock())
    assert resumed.latest_measures == {"step": 4}
    resumed.close()


def test_most_turns_of_such_a_run_come_of_being_woken(whole):
    with open_run(whole) as run:
        assert run.query("SELECT count(*) FROM turns WHERE kind = 'cell'")[0][0] > 12


def test_how_often_cells_of_an_agent_were_stopped_is_not_forgotten(tmp_path):
    simulation = neighbours(tmp_path / "run")
    simulation.world.violations["ann"] = 2
    simulation.run(until=2).close()
    assert resume(tmp_path / "run", simulation=neighbours()).world.violations == {"ann": 2}


class Thinker(Agent):
    """Asks a model what to do."""

    def deliberate(self, observation):
        step = self.model.world.clock.step
        request = Request((Message("user", f"step {step}"),), key=Key("", self.name, step))
        reply = yield Question(self.model.llm, request)
        self.heard = reply


class PowerCut(Exception):
    """Everything ends in the middle of a step."""


def thinkers(model, out=None, budgets=None):
    world = World(seed=3)
    return Simulation(world, [(Thinker, "ann"), (Thinker, "bob")], llm=model, out=out, budgets=budgets)


def cut_off(model, folder, budgets=None):
    """Run two steps, and lose the third after its calls were paid for."""
    simulation = thinkers(model, folder, budgets).run(until=2)

    def cut(world):
        raise PowerCut

    simulation.world.dynamics(cut)
    with pytest.raises(PowerCut):
        simulation.step()
    simulation.journal.abandon()


def test_what_was_paid_for_in_the_step_that_was_lost_is_not_asked_again(tmp_path):
    model, same = ScriptedModel(lambda request: "nothing"), ScriptedModel(lambda request: "nothing")
    cut_off(model, tmp_path / "run")
    assert model.calls == 6
    resumed = resume(tmp_path / "run", simulation=thinkers(same))
    resumed.step()
    assert same.calls == 0
    resumed.step()
    assert same.calls == 2
    resumed.close()
    with open_run(tmp_path / "run") as run:
        assert run.query("SELECT count(*), count(DISTINCT agent || step) FROM calls") == [(8, 8)]
        assert list(problems(run)) == []


def test_what_was_spent_before_the_stop_counts_against_the_budget(tmp_path):
    limit = Budgets(run=Budget(calls=5))
    thinkers(ScriptedModel(lambda request: "nothing"), tmp_path / "run", limit).run(until=2).close()
    model = ScriptedModel(lambda request: "nothing")
    resumed = resume(tmp_path / "run", simulation=thinkers(model, budgets=Budgets(run=Budget(calls=5))))
    resumed.run(until=6).close()
    assert model.calls == 1


def test_what_does_not_change_is_kept_once(tmp_path):
    neighbours(tmp_path / "run").run(until=3).close()
    resume(tmp_path / "run", simulation=neighbours()).run(until=6).close()
    with open_run(tmp_path / "run") as run:
        kept = run.query("SELECT agent, kind, data FROM kept ORDER BY step")
    assert len(kept) == len(set(kept))
    assert all(json.loads(data) is not None for _, _, data in kept)


@pytest.mark.parametrize("step", cases([3, 10, 24, 38], lambda step: step > 10))
def test_whoever_was_woken_before_a_branch_begins_acts_on_it(step, tmp_path, whole):
    fork(whole, step, tmp_path / "branch", simulation=neighbours()).run(until=80).close()
    with open_run(whole) as parent, open_run(tmp_path / "branch") as branch:
        later = [each.state_hash for each in parent.steps() if each.step >= step]
        assert [each.state_hash for each in branch.steps()] == later


class Friendly(Neighbour):
    """Knows when it was greeted."""

    at: list[int] = field([])

    def greet(self) -> None:
        super().greet()
        self.at.append(self.world.clock.step)


class Reported(Simulation):
    agent_reporters = ("greetings", "at", "nothing")


def greeted(out=None):
    world = World(seed=2)
    for name in ("ann", "bob", "cem"):
        world.add(name, Friendly())
    measures = {"greetings": lambda world: sum(world[name].greetings for name in world)}
    return Reported(world, [(Greeter, name) for name in world], measures=measures, out=out)


def test_the_data_collector_of_a_resumed_run_and_of_a_branch_has_the_rows_of_one_that_nobody_stopped(tmp_path):
    with greeted(tmp_path / "whole") as whole:
        whole.run(until=6)
    with greeted(tmp_path / "cut") as cut:
        cut.run(until=4)
    with resume(tmp_path / "cut", simulation=greeted()) as resumed:
        resumed.run(until=6)
    assert resumed.state_hash == whole.state_hash
    assert resumed.datacollector.model_vars == whole.datacollector.model_vars
    assert resumed.datacollector.tables == whole.datacollector.tables
    of_agents = whole.datacollector.get_agent_vars_dataframe()
    assert resumed.datacollector.get_agent_vars_dataframe().equals(of_agents)
    with fork(tmp_path / "cut", 3, tmp_path / "branch", simulation=greeted()) as branch:
        branch.run(until=6)
    assert branch.datacollector.model_vars["greetings"] == whole.datacollector.model_vars["greetings"][3:]
    assert branch.datacollector.get_agent_vars_dataframe().equals(of_agents.loc[3:])
    with resume(tmp_path / "branch", simulation=greeted()) as resumed:
        assert resumed.datacollector.get_agent_vars_dataframe().equals(of_agents.loc[3:])
