"""A café whose author was careless: a method counts in its module, and another never comes back."""

import os
import signal
import time
from pathlib import Path

from cave_sim import Entity, Limits, World, field

served: list[int] = []
built: list[World] = []


class Cafe(Entity):
    """Serves, and keeps a count that is no state of the world."""

    cups: int = field(0)
    last: int = field(0)
    notes: list[str] = field([])
    memory: object = field(None)

    def serve(self) -> int:
        """Serve the next number."""
        served.append(1)
        self.last = len(served)
        return self.last

    def toss(self) -> int:
        """Throw dice, from the stream of the turn."""
        self.last = built[-1].rng("dice").randint(1, 10**6)
        return self.last

    def pour(self, cups: int = 1) -> int:
        """Pour some cups."""
        self.cups += cups
        return self.cups

    def wait_for_ever(self) -> None:
        """Hang where no interpreter looks."""
        time.sleep(0)
        sum(range(10**14))


class Guest(Entity):
    """Somebody."""

    mood: float = field(0.5, ge=0, le=1)
    secret: str = field("")


def build() -> World:
    """Return the café with two guests, and an operator's friend who may do all."""
    world = World(seed=1)
    built[:] = [world]
    world.limits = Limits(deadline_s=1.0)
    world.add("cafe", Cafe())
    for name in ("ann", "bob", "mayor"):
        world.add(name, Guest())
    world.grant("mayor", "*")
    return world


def build_unless_killed(kills: str) -> World:
    """Return the café; as long as there is a file in this folder, take it away and be killed."""
    for kill in Path(kills).iterdir():
        kill.unlink()
        os.kill(os.getpid(), signal.SIGKILL)
    return build()
