"""A simulation in which a cell of the second step goes down further in C than the process has stack for."""

from cave_sim import Simulation
from tests.policy import square

STEPS = 3
DEEP = "it = [1]\nfor n in range(300_000):\n    it = map(abs, it)\nnext(it)"


def create(*, seed=11, out=None, observers=(), manifest=None):
    """Return it; the square has a seed of its own."""
    world = square.build(ticks=10**6, deadline_s=20)

    def act(observation):
        return DEEP if world.clock.step == 1 else "me.mood = 0.75"

    return Simulation(world, {"ann": act}, out=out, observers=list(observers), manifest=manifest or {})
