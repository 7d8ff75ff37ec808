"""The roster: agents come and go with the entities that they were made for."""

import pytest

from cave_sim import Agent, Entity, Simulation, World
from cave_sim.simulation.schedulers import EventDriven, Sequential


class Person(Entity):
    """Somebody."""


class Mayor(Person):
    """Somebody with an office."""


class Quiet(Agent):
    def act(self, observation):
        return ""


class Busy(Quiet):
    pass


@pytest.fixture
def town():
    """Return a maker of simulations of a world with Ann and Zoe, who is the mayor."""

    def make(**options):
        world = World()
        world.add("ann", Person())
        world.add("zoe", Mayor())
        return Simulation(world, **options)

    return make


def kinds(simulation):
    return {name: type(agent).__name__ for name, agent in simulation.by_name.items()}


def test_an_entity_gets_an_agent_by_its_class_or_the_nearest_class_above(town):
    assert kinds(town(agent_factories={Person: Quiet})) == {"ann": "Quiet", "zoe": "Quiet"}
    assert kinds(town(agent_factories={Person: Quiet, Mayor: Busy})) == {"ann": "Quiet", "zoe": "Busy"}


def test_an_agent_that_no_factory_made_stays_and_none_is_made_beside_it(town):
    simulation = town(agents=[(Busy, "ann"), (Busy, "ghost")], agent_factories={Person: Quiet})
    assert kinds(simulation) == {"ann": "Busy", "ghost": "Busy", "zoe": "Quiet"}
    simulation.world.remove("ann")
    simulation.step()
    assert kinds(simulation) == {"ann": "Busy", "ghost": "Busy"} | {"zoe": "Quiet"}


def test_agents_come_and_go_with_their_entities_as_the_step_ends(town):
    simulation = town(agent_factories={Person: Quiet})
    simulation.world.add("bob", Person())
    simulation.world.remove("ann")
    assert sorted(simulation.by_name) == ["ann", "zoe"]
    simulation.step()
    assert sorted(simulation.by_name) == ["bob", "zoe"]
    assert sorted(agent.name for agent in simulation.agents) == ["bob", "zoe"]


def test_an_entity_that_comes_back_as_another_class_gets_another_agent(town):
    simulation = town(agent_factories={Person: Quiet, Mayor: Busy})
    simulation.world.remove("ann")
    simulation.world.add("ann", Mayor())
    simulation.step()
    assert kinds(simulation)["ann"] == "Busy"


def test_an_agent_that_was_removed_by_hand_does_not_come_back(town):
    simulation = town(agent_factories={Person: Quiet})
    simulation.roster.remove("ann")
    simulation.world.add("bob", Person())
    simulation.step()
    assert sorted(simulation.by_name) == ["bob", "zoe"]
    simulation.world.remove("ann")
    simulation.step()
    assert sorted(simulation.by_name) == ["bob", "zoe"]


def test_an_agent_whose_entity_another_removes_in_the_same_step_no_longer_acts(town):
    acted = []

    class Remover(Agent):
        def act(self, observation):
            acted.append(self.name)
            return "world.remove('zoe')" if self.name == "ann" else ""

    simulation = town(agent_factories={Person: Remover}, scheduler=Sequential())
    simulation.world.grant("ann", "*")
    simulation.step()
    assert acted == ["ann"]


def test_looking_at_the_coming_order_changes_nothing(town):
    simulation = town(agent_factories={Person: Quiet}, scheduler=EventDriven(every=10_000))
    simulation.step()
    simulation.world.remove("ann")
    simulation.world.add("ann", Person())
    simulation.world.execute("pass")  # so that what this script did is a turn
    assert simulation.order() == simulation.order()
    assert simulation.order()[0].agents == ("ann",)


def test_an_agent_given_by_name_acts_for_as_long_as_the_entity_it_began_with_is_there(town):
    acted = []

    class Counts(Quiet):
        def act(self, observation):
            acted.append((self.name, self.model.world.clock.step))
            return ""

    simulation = town(agents=[(Counts, "ann"), (Counts, "ghost")])
    simulation.world.dynamics(lambda world: world.remove("ann") if world.clock.step == 1 else None)
    simulation.run(until=2)
    assert sorted(acted) == [("ann", 0), ("ghost", 0), ("ghost", 1)]
    acted.clear()
    simulation.fork().step()
    simulation.world.add("ann", Person())
    simulation.step()
    assert sorted(acted) == [("ann", 2), ("ghost", 2), ("ghost", 2)]


def test_an_error_of_an_agent_says_whose_it_was(town):
    def act(observation):
        return observation["grass"]

    with pytest.raises(KeyError, match="grass") as caught:
        town(agents={"ann": act}).step()
    assert caught.value.__notes__ == ["(its observation has nothing)", "as ann chose what to do"]
