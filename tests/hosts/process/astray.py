"""A simulation that is another one in each process: its agent is told which process it is in."""

import os

from cave_sim import Simulation
from tests.policy import square

STEPS = 1


def create(*, out=None, observers=(), manifest=None):
    """Return it."""
    world = square.build()
    world.inject("which", os.getpid)
    return Simulation(
        world, {"ann": lambda _: "me.plan = str(which())"}, out=out, observers=list(observers), manifest=manifest or {}
    )
