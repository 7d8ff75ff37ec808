"""Steps that a Mesa model takes alone: closed many at once, and to the run and the state of single steps."""

import os
import signal

import mesa
import pytest

from cave_sim import Agent, Entity, effect, field, open_run
from cave_sim.errors import JournalError, WorldError
from cave_sim.mesa_models.simulation import simulation_of
from cave_sim.replay.verify import verify
from cave_sim.simulation import steps_alone
from cave_sim.simulation.observers import Recorder
from cave_sim.testing.mesa_models import take
from tests.mesa_models.lonely_runs import STEPS, both, count_closed, flock, left, stretch, wealth, written


@pytest.fixture
def closed(monkeypatch):
    return count_closed(monkeypatch)


@pytest.mark.parametrize("within_s", [1000.0, 0.0])
@pytest.mark.parametrize("agent_entities", [True, False])
@pytest.mark.parametrize("make", [wealth, flock])
def test_they_end_and_are_written_as_single_steps_are(make, agent_entities, within_s, tmp_path, closed, monkeypatch):
    monkeypatch.setattr("cave_sim.simulation.run_journal.SNAPSHOT_EVERY_CHANGES", 40)
    monkeypatch.setattr("cave_sim.simulation.run_journal.SNAPSHOT_EVERY_ENTITIES", 1)
    single = make(tmp_path / "single", agent_entities=agent_entities)
    take(single, STEPS)
    alone = stretch(make(tmp_path / "alone", agent_entities=agent_entities), within_s=within_s)
    assert sum(closed) == STEPS
    assert (max(closed) > 1) is bool(within_s)
    assert left(alone) == left(single)
    for each in (single, alone):
        each.step()
        each.close()
    assert written(tmp_path / "alone") == written(tmp_path / "single")
    assert len(written(tmp_path / "alone")["snapshots"]) > 1 or not agent_entities
    with open_run(tmp_path / "alone") as run:
        assert verify(run, lambda: make(agent_entities=agent_entities)).holds


def test_without_a_journal_they_end_alike(closed):
    single = wealth()
    take(single, STEPS)
    assert left(stretch(wealth())) == left(single)
    assert closed == [STEPS]


def test_what_a_cell_writes_between_two_stretches_goes_into_the_model():
    def write(simulation):
        stretch(simulation, 3)
        assert simulation.world.execute("agent_4.wealth = 50; agent_5.x, agent_5.y = 0, 9").committed

    single, alone = both(write)
    assert left(single) == left(alone)
    assert sum(alone.world[f"agent_{number}"].wealth for number in range(1, 9)) > 50


def test_a_collector_of_ones_own_collects_after_each_step():
    def collect(simulation):
        simulation.datacollector = mesa.DataCollector({"at": lambda simulation: simulation.world.clock.step})

    single, alone = both(collect)
    assert left(single) == left(alone)
    assert alone.datacollector.model_vars["at"] == list(range(1, STEPS + 1))


class Bell(Entity):
    """Rings."""

    rung: int = field(0)

    def ring(self):
        self.rung = self.world.clock.step
        self.world["agent_4"].wealth = 50


def test_an_event_that_is_due_finds_and_changes_the_model():
    def schedule(simulation):
        simulation.world.add("bell", Bell())
        simulation.world.schedule_event("bell", "ring", after_s=4)

    single, alone = both(schedule)
    assert alone.world["bell"].rung == 4
    assert left(single) == left(alone)


def test_what_a_cell_asked_of_a_tool_is_done_with_the_first_step_and_told_with_the_next(tmp_path):
    asked = []

    @effect
    def send(text: str) -> str:
        asked.append(text)
        return text

    simulation = wealth(tmp_path / "run")
    simulation.world.inject("send", send)
    assert simulation.world.execute("send('hello')").committed
    stretch(simulation)
    assert asked == ["hello"]
    assert [outcome["status"] for outcome in simulation.world["$effects"].outcomes.values()] == ["done"]


class Late(mesa.Model):
    """An agent comes to it late."""

    def __init__(self, rng=None):
        super().__init__(rng=rng)
        self.worth = 0.0

    def step(self):
        if self.steps == 3:
            mesa.Agent(self).worth = 0
        self.worth += self.random.random()


class Eager(Agent):
    def act(self, observation):
        return "me.worth = me.worth + 1"


def late(**options):
    return simulation_of(Late, seed=7, **options)


def test_an_agent_that_is_made_for_a_newcomer_acts():
    kind = type(stretch(late()).world["agent_1"])
    single, alone = both(lambda simulation: None, late, agent_factories={kind: Eager})
    assert alone.world["agent_1"].worth > 1
    assert left(single) == left(alone)


class Meddler(Recorder):
    """Notes turns as its parent does, and does something itself."""

    def on_step(self, simulation):
        if simulation.world.clock.step == 5:
            simulation.world["agent_4"].wealth = 50


def test_an_observer_of_ones_own_finds_each_step_done_and_none_further():
    def look(simulation):
        simulation.observers.append(Meddler())

    single, alone = both(look)
    assert left(single) == left(alone)
    assert sum(alone.world[f"agent_{number}"].wealth for number in range(1, 9)) > 50


def test_who_does_not_look_on_is_told_of_every_turn(closed):
    recorder = Recorder()
    stretch(wealth(observers=[recorder]))
    assert closed == [STEPS]
    assert [turn.step for turn in recorder.turns] == list(range(STEPS + 1))


class Ending(Late):
    """Stops running, or does something else at its fifth step."""

    at_fifth = staticmethod(lambda model: setattr(model, "running", False))

    def step(self):
        super().step()
        if self.steps == 5:
            self.at_fifth(self)


def ending(at_fifth, out=None):
    class Doing(Ending):
        pass

    Doing.at_fifth = staticmethod(at_fifth)
    return simulation_of(Doing, seed=7, out=out)


def last_written(folder):
    with open_run(folder) as run:
        return run.last_step


def test_a_model_that_stops_running_takes_no_further_step(tmp_path):
    simulation = stretch(simulation_of(Ending, seed=7, out=tmp_path / "run"))
    assert simulation.over
    assert simulation.world.clock.step == 5
    assert last_written(tmp_path / "run") == 5


def test_ctrl_c_is_heard_as_the_step_ends_and_what_was_taken_is_written(tmp_path):
    simulation = ending(lambda model: os.kill(os.getpid(), signal.SIGINT), tmp_path / "run")
    with pytest.raises(KeyboardInterrupt):
        stretch(simulation)
    assert simulation.world.clock.step == last_written(tmp_path / "run") == 5
    assert stretch(simulation, 2).world.clock.step == last_written(tmp_path / "run") == 7


def test_an_error_in_a_step_leaves_those_before_it(tmp_path):
    simulation = ending(lambda model: 1 / 0, tmp_path / "run")
    with pytest.raises(ZeroDivisionError):
        stretch(simulation)
    assert simulation.world.clock.step == last_written(tmp_path / "run") == 4
    single = ending(lambda model: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        take(single, STEPS)
    assert simulation.steps == single.steps == 5, "the step that failed is counted, as Mesa does"


def test_nothing_is_written_of_steps_in_which_something_wrote_past_the_world(tmp_path):
    def write_past(model):
        simulation.world["$mesa"].__dict__["made_with_seed"] = 99

    simulation = ending(write_past, tmp_path / "run")
    with pytest.raises(WorldError, match="made_with_seed does not hold what the changes of all turns add up to"):
        stretch(simulation)
    assert last_written(tmp_path / "run") == 0
    with pytest.raises(JournalError, match="lacks a step that could not be written"):
        simulation.step()
    simulation.close()
    assert last_written(tmp_path / "run") == 0


def test_a_step_that_cannot_be_measured_ends_a_stretch_as_it_ends_a_step(tmp_path):
    class Wordy(Late):
        def __init__(self, rng=None):
            super().__init__(rng=rng)
            self.datacollector = mesa.DataCollector({"told": lambda model: 1.0 if model.steps < 5 else "much"})
            self.datacollector.collect(self)

        def step(self):
            super().step()
            self.datacollector.collect(self)

    simulation = simulation_of(Wordy, seed=7, out=tmp_path / "run")
    with pytest.raises(WorldError, match="told"):
        stretch(simulation)
    assert last_written(tmp_path / "run") == 4


def enrich(world):
    world["agent_4"].wealth = 50


def part_with(world):
    world.remove("agent_4")


def allow(world):
    world.grant("ann", "MoneyAgent.wealth")


@pytest.mark.long
@pytest.mark.parametrize("write", [enrich, part_with, allow])
@pytest.mark.parametrize("before", [0, 4])
def test_what_a_script_writes_before_steps_alone_is_a_turn_of_its_own(tmp_path, write, before):
    for name, is_alone in (("alone", True), ("one by one", False)):
        simulation = wealth(tmp_path / name)
        simulation.alone = simulation.alone if is_alone else None
        if before:
            stretch(simulation, before)
        write(simulation.world)
        stretch(simulation)
        stretch(simulation, 2)
        simulation.close()
    assert written(tmp_path / "alone") == written(tmp_path / "one by one")
    with open_run(tmp_path / "alone") as run:
        assert verify(run, wealth).holds


def test_what_is_written_once_the_world_is_no_longer_alone_reaches_the_model(monkeypatch):
    simulation, take, came = wealth(grants={"ann": ["*"]}), steps_alone.take_alone, []

    def until_somebody_comes(each, end):
        take(each, end - 1)
        if not came:
            came.append(each.world.execute("agent_4.wealth += 1000", agent="ann").status)

    monkeypatch.setattr("cave_sim.simulation.run_loop.take_alone", until_somebody_comes)
    stretch(simulation)
    people = [entity for name, entity in simulation.world.undo_log.entities.items() if name.startswith("agent_")]
    assert (came, sum(person.wealth for person in people)) == (["committed"], 1008)
    assert [done["before"] for done in simulation.world.undo_log.entities["$mesa"].interventions] == [STEPS]
