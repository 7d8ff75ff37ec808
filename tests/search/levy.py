"""A town whose till takes in what its people earn and pays what they cost; small enough to know the answers."""

from cave_sim import Entity, Simulation, World

STEPS = 8


class Town(Entity):
    """Has 20 coins; six people earn as much as the town pays."""

    till: float = 20.0
    people: int = 6


def heads(world):
    """Count the people; a function, as scenarios may measure by."""
    return world["town"].people


def create(*, seed, out=None, manifest=None, observers=()):
    """Return the town. Its seed changes nothing."""
    world = World(seed=seed)
    world.add("town", Town())

    def live(world):
        world["town"].till += world["town"].people - 6

    world.dynamics(live)
    measures = {"coins": lambda world: world["town"].till, "people (town)": lambda world: world["town"].people}
    return Simulation(world, out=out, manifest=manifest, observers=observers, measures=measures)
