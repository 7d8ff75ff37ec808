"""What an agent has: a random stream of its own, and the entity that bears its name."""

from cave_sim import Entity, Simulation, World
from cave_sim.simulation.agents import Agent


class Guest(Entity):
    """A guest."""

    mood: float = 0.0


class Gambler(Agent):
    """Draws three times a step, by asking for its stream anew each time."""

    def act(self, observation):
        assert self.entity is self.model.world[self.name]
        self.drawn = [*getattr(self, "drawn", []), [self.rng.random() for _ in range(3)]]
        return "me.mood = 1.0"


def drawn(seed, steps, agents=("ann",)):
    world = World(seed=seed)
    for name in agents:
        world.add(name, Guest())
    simulation = Simulation(world, [(Gambler, name) for name in agents]).run(until=steps)
    return simulation.by_name["ann"].drawn


def test_draws_within_a_step_go_on_where_the_last_one_ended():
    numbers = [number for step in drawn(7, 5) for number in step]
    assert len(set(numbers)) == 15


def test_draws_follow_from_seed_name_and_step_alone():
    assert drawn(7, 5) == drawn(7, 5, ("ann", "bob"))
    assert drawn(7, 2) == drawn(7, 5)[:2]
    assert drawn(7, 1) != drawn(8, 1)
