"""Simulations: mesa models that step a world."""

import threading

import mesa
import pytest

from cave_sim import Agent, Simulation, WorldError
from cave_sim.simulation.control import Control
from cave_sim.simulation.observers import Observer, Printer, ProgressBar, Recorder
from cave_sim.simulation.schedulers import SCHEDULERS, EventDriven, RandomOrder, Sequential, Simultaneous, Staged
from cave_sim.testing import AgentContract, SchedulerContract
from tests.journal.test_journal import Shopper
from tests.world.market import make_market

NAMES = ("ann", "bob", "cem")


def make(seed=7, **options):
    return Simulation(
        make_market(seed),
        [(Shopper, name) for name in NAMES],
        measures={"apples": lambda w: w["stall"].apples},
        **options,
    )


class TestSequential(SchedulerContract):
    def make(self):
        return Sequential()


class TestRandomOrder(SchedulerContract):
    def make(self):
        return RandomOrder()


class TestSimultaneous(SchedulerContract):
    def make(self):
        return Simultaneous()


class TestStaged(SchedulerContract):
    def make(self):
        return Staged(("3", "1"))


class TestEventDriven(SchedulerContract):
    everybody = False

    def make(self):
        return EventDriven(every=4)


class TestShopper(AgentContract):
    def make(self, seed):
        return make(seed)


def test_a_simulation_is_a_mesa_model_with_mesa_agents():
    simulation = make()
    assert isinstance(simulation, mesa.Model)
    assert sorted(agent.name for agent in simulation.agents) == list(NAMES)
    assert all(isinstance(agent, mesa.Agent) for agent in simulation.agents)
    simulation.step()
    assert (simulation.steps, simulation.world.clock.step) == (1, 1)


def test_mesas_batch_run_works_on_it():
    results = mesa.batch_run(Market, {"stall_apples": [3, 30]}, max_steps=6, display_progress=False, number_processes=1)
    last = {row["stall_apples"]: row["apples"] for row in results}
    assert last[3] < last[30]


class Market(Simulation):
    def __init__(self, stall_apples=10, seed=7, rng=None, **options):
        world = make_market(7)
        world["stall"].apples = stall_apples
        super().__init__(
            world, [(Shopper, name) for name in NAMES], measures={"apples": lambda w: w["stall"].apples}, **options
        )


def test_the_order_is_data_that_can_be_printed():
    batches = make(scheduler=Staged(("",), order="simultaneous")).order()
    assert [(sorted(batch.agents), batch.order) for batch in batches] == [(list(NAMES), "simultaneous")]
    assert make(scheduler=Sequential()).order()[0].agents == NAMES


def test_random_order_changes_from_step_to_step():
    simulation = make()
    orders = set()
    for _ in range(8):
        orders.add(simulation.order()[0].agents)
        simulation.step()
    assert len(orders) > 1


def test_event_driven_wakes_those_to_whom_something_happened():
    class Quiet(Agent):
        def act(self, observation):
            return ""

    simulation = Simulation(make_market(), [(Quiet, name) for name in NAMES], scheduler=EventDriven(every=10_000))
    simulation.step()
    simulation.world.execute("cem.diary.append('news')", agent="mayor")
    assert [name for batch in simulation.order() for name in batch.agents] == ["cem"]


def test_events_need_a_period():
    with pytest.raises(WorldError, match="every=0"):
        EventDriven(every=0)


@pytest.mark.parametrize("name", sorted(SCHEDULERS))
def test_every_scheduler_gives_one_hash_for_one_seed(name):
    hashes = {make(scheduler=SCHEDULERS[name]()).run(until=8).world.state_hash() for _ in range(2)}
    assert len(hashes) == 1


def test_agents_hear_what_became_of_their_cells():
    heard = []

    class Listener(Shopper):
        def feedback(self, turn):
            heard.append((turn.agent, turn.status))

    Simulation(make_market(), [(Listener, "ann")]).run(until=5)
    assert {agent for agent, _ in heard} == {"ann"}
    assert len(heard) == 5


def test_a_step_that_fails_says_so_every_time_and_later_steps_are_taken():
    class Stumbling(Shopper):
        def act(self, observation):
            if self.model.steps in (2, 3):
                raise RuntimeError(f"stumbled in {self.model.steps}")
            return super().act(observation)

    simulation = Simulation(make_market(), [(Stumbling, "ann")])
    simulation.step()
    for step in (2, 3):
        with pytest.raises(RuntimeError, match=f"stumbled in {step}"):
            simulation.step()
    simulation.step()
    assert (simulation.steps, simulation.world.clock.step) == (4, 2)


def test_run_refuses_to_go_back():
    with pytest.raises(WorldError, match="at step 3 already"):
        make().run(until=3).run(until=1)


def test_observers_see_turns_and_steps(capsys):
    recorder, seen = Recorder(), []

    class Steps(Observer):
        def on_start(self, simulation, until):
            seen.append(("start", until))

        def on_step(self, simulation):
            seen.append(simulation.world.clock.step)

        def on_end(self, simulation):
            seen.append("end")

    make(observers=[recorder, Steps(), Printer(), ProgressBar()]).run(until=2)
    assert seen == [0, ("start", 2), 1, 2, "end"]
    assert sum(turn.kind == "cell" for turn in recorder.turns) == 6
    assert "Fri 1 June 2012 06:10  " in capsys.readouterr().out


def test_control_pauses_steps_and_stops():
    control = Control(paused=True)
    reached = {1: threading.Event(), 2: threading.Event()}

    class Tell(Observer):
        def on_step(self, simulation):
            if simulation.world.clock.step in reached:
                reached[simulation.world.clock.step].set()

    simulation = make(control=control, observers=[Tell()])
    thread = threading.Thread(target=simulation.run, args=(1_000_000,))
    thread.start()
    control.submit("me.diary.append('hello')", agent="bob")
    control.step()
    assert reached[1].wait(20)
    assert control.paused
    assert simulation.world.clock.step == 1
    control.play()
    assert reached[2].wait(20)
    control.stop()
    thread.join(20)
    assert not thread.is_alive()
    assert (simulation.running, "hello" in simulation.world["bob"].diary) == (False, True)


def test_speed_must_be_positive():
    control = Control()
    with pytest.raises(WorldError, match="more than 0"):
        control.set_speed(0)
    control.set_speed(1000)
    assert make(control=control).run(until=3).world.clock.step == 3
