"""Simulations: mesa models that step a world."""

import asyncio
import gc
import weakref

import mesa
import pytest

from cave_sim import Agent, Simulation, WorldError
from cave_sim.simulation.deliberation import Cell
from cave_sim.testing import AgentContract
from tests.journal.test_writer import Shopper
from tests.simulation.shoppers import NAMES, shoppers
from tests.world.market import make_market


class TestShopper(AgentContract):
    def make(self, seed):
        return shoppers(seed)


class Hesitant(Agent):
    """Looks before it buys, by two cells."""

    def deliberate(self, observation):
        looked = yield Cell("stall.apples")
        yield Cell("stall.sell(me)" if int(looked.output) else "me.mood = 0.1")


class TestHesitant(AgentContract):
    steps = 4
    least_committed = 0.4

    def make(self, seed):
        return Simulation(make_market(seed), [(Hesitant, name) for name in NAMES])


def test_a_simulation_is_a_mesa_model_with_mesa_agents():
    simulation = shoppers()
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


def test_mesas_collector_has_the_fields_of_agents_entities_that_a_class_names():
    class Watched(Market):
        agent_reporters = ("purse_cents", "mood")

    simulation = Watched().run(until=4)
    frame = simulation.datacollector.get_agent_vars_dataframe()
    assert list(frame.columns) == ["name", "purse_cents", "mood"]
    assert len(frame) == 5 * len(NAMES)
    last = frame.loc[4].set_index("name")["purse_cents"]
    assert last.to_dict() == {name: simulation.world[name].purse_cents for name in NAMES}
    results = mesa.batch_run(Watched, {}, max_steps=2, data_collection_period=1, display_progress=False)
    assert {row["name"] for row in results} == set(NAMES)
    with pytest.raises(TypeError, match=r"Write agent_reporters = \('field',\) in a subclass of Simulation"):
        Simulation(make_market(), agent_reporters=["mood"])


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
    simulation = shoppers().run(until=3)
    with pytest.raises(WorldError, match=r"^run\(until=2\): the world is at step 3 already; name .*: run\(steps=2\)$"):
        simulation.run(2)
    assert simulation.run(steps=2).world.clock.step == 5


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("control", "Control"),
        ("budgets", "Budgets"),
        ("config", "'residents': 12"),
        ("manifest", "portrayal"),
        ("agent_factories", "by class of entity"),
    ],
)
def test_what_a_simulation_cannot_use_is_refused_with_what_it_takes(name, words):
    with pytest.raises(WorldError, match=f"{name}=5: takes .*{words}"):
        shoppers(**{name: 5})


def test_a_simulation_that_nobody_holds_is_let_go():
    held = weakref.ref(shoppers().run(until=1))
    gc.collect()
    assert held() is None


@pytest.mark.parametrize("stepping", [lambda each: each.step(), lambda each: asyncio.run(each.astep())])
def test_no_step_begins_within_another_one(stepping):
    simulation = shoppers()
    simulation.world.dynamics(lambda world: simulation.step())
    with pytest.raises(WorldError, match="a step is under way"):
        stepping(simulation)
    assert (simulation.world.clock.step, simulation.fork().world.clock.step) == (0, 0)


def test_a_deliberation_that_yields_no_cell_is_told_what_to_yield():
    class Hasty(Agent):
        def deliberate(self, observation):
            yield "me.wait()"

    with pytest.raises(WorldError, match=r"ann: deliberate yielded 'me.wait\(\)': it yields Cell"):
        Simulation(make_market(7), [(Hasty, "ann")]).step()
