"""Schedulers: who acts when, as data that can be printed."""

import math

import pytest

from cave_sim import Agent, Simulation, WorldError
from cave_sim.simulation.schedulers import (
    SCHEDULERS,
    Batch,
    EventDriven,
    Moment,
    RandomOrder,
    Sequential,
    Simultaneous,
    Staged,
)
from cave_sim.testing import SchedulerContract
from tests.simulation.shoppers import NAMES, shoppers
from tests.world.market import make_market


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


def test_the_order_is_data_that_can_be_printed():
    batches = shoppers(scheduler=Staged(("",), order="simultaneous")).order()
    assert [(sorted(batch.agents), batch.order) for batch in batches] == [(list(NAMES), "simultaneous")]
    assert shoppers(scheduler=Sequential()).order()[0].agents == NAMES


def test_random_order_changes_from_step_to_step():
    simulation = shoppers()
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


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (lambda: Batch("tom", "sequential"), r"as \('tom',\)"),
        (lambda: Batch(("tom",), "both"), "'sequential' or 'simultaneous'"),
        (lambda: Staged("mayor"), r"as \('mayor',\)"),
        (lambda: EventDriven(every=math.nan), "every=nan"),
    ],
)
def test_what_would_be_taken_for_other_agents_is_refused(made, words):
    with pytest.raises(WorldError, match=words):
        made()


@pytest.mark.parametrize(
    ("batches", "words"),
    [
        (None, "returned None: it yields batches"),
        ([("tom", "sequential")], "yielded .*: it yields batches"),
        ([Batch(("zoe",), "sequential")], "'zoe' act, who is no agent"),
    ],
)
def test_a_scheduler_of_ones_own_that_yields_something_else_is_told_what_to_yield(batches, words):
    class Mine:
        def batches(self, moment):
            return batches

    with pytest.raises(WorldError, match=words):
        shoppers(scheduler=Mine()).step()


@pytest.mark.parametrize("name", sorted(SCHEDULERS))
def test_every_scheduler_gives_one_hash_for_one_seed(name):
    hashes = {shoppers(scheduler=SCHEDULERS[name]()).run(until=8).world.state_hash() for _ in range(2)}
    assert len(hashes) == 1


def test_stages_act_in_the_order_in_which_they_are_named_and_the_rest_last():
    moment = Moment(0, 7, ("ann", "bob", "cem"), {"ann": "late", "bob": "early", "cem": "none"}.get)
    assert [batch.agents for batch in Staged(("early", "late")).batches(moment)] == [("bob",), ("ann",), ("cem",)]


class Absorbed(Agent):
    """Is busy with itself alone."""

    def act(self, observation):
        return "me.diary.append('me, again')"


def test_what_agents_do_to_themselves_wakes_nobody():
    simulation = Simulation(make_market(), [(Absorbed, name) for name in NAMES], scheduler=EventDriven(every=50))
    simulation.run(until=50)
    assert simulation.turns_taken == 2 * len(NAMES)  # as newcomers, and when their time had come
