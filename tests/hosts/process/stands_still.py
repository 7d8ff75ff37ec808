"""A simulation in which a cell of the second step compares lists that share their parts: one call that never ends."""

from cave_sim import Simulation
from tests.policy import square

STEPS = 3
NEST = "a, b = [], []\nfor n in range(60):\n    a, b = [a, a], [b, b]\nme.mood = 0.25\na == b"


def create(*, out=None, observers=(), manifest=None):
    """Return it; ann says each step before she acts."""
    world = square.build(deadline_s=0.2)

    def act(observation):
        print("step", world.clock.step, flush=True)
        return NEST if world.clock.step == 1 else "me.mood = 0.75"

    return Simulation(world, {"ann": act}, out=out, observers=list(observers), manifest=manifest or {})
