"""Small worlds with a planted cause: people who write what a script says into a hall that everybody sees."""

from functools import partial

from cave_sim import Agent, Entity, Simulation, World, field
from cave_sim.simulation.schedulers import Sequential


class Hall(Entity):
    """A place of all."""

    treasury: int = field(100, unit="EUR")
    notices: list[str] = field([])
    keys: int = 0
    closed: bool = False
    noise: int = 0


class Person(Entity):
    """Somebody."""

    heard: list[str] = field([])
    mood: int = 0
    trust: int = 0


class Actor(Agent):
    """Does at each step what is written for it: (name, step or None for all, cell)."""

    def __init__(self, simulation, name, acts=()):
        super().__init__(simulation, name)
        self._acts = [(step, cell) for who, step, cell in acts if who == name]

    def act(self, observation):
        now = self.model.world.clock.step
        return "\n".join(cell for step, cell in self._acts if step in (None, now))


def hall(*acts, names=("ann", "bob", "cid"), dynamics=None, seed=1, out=None, treatment=None, measures=None):
    """Return a simulation of people in a hall."""
    world = World(seed=seed)
    world.add("hall", Hall())
    for name in names:
        world.add(name, Person())
        world.grant(name, "*")
    if dynamics is not None:
        world.dynamics(dynamics)
    agents = {name: partial(Actor, acts=acts) for name in names}
    simulation = Simulation(
        world,
        lambda made: [agents[name](made, name) for name in names],
        scheduler=Sequential(),
        out=out,
        measures=measures,
    )
    if treatment is not None:
        simulation.treatment = treatment
    return simulation


def lived(folder, *acts, steps=8, **options):
    """Live such a run; return its folder, and what makes its simulation again."""
    simulation = hall(*acts, out=folder, **options)
    simulation.run(until=steps).close()
    return folder, partial(hall, *acts, **options)
