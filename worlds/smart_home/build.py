"""The home that the studies use, and what happens outside of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cave_sim import World
from cave_sim.worlds.smart_home.devices import Blinds, Camera, Door, Heating, Lamp, Outdoors, Speaker

Hour = tuple[int, int, str, bool]
"""Hour of the day, temperature outside in degrees Celsius, light, and whether somebody moves at the door."""


def build_home(world: World, hours: Sequence[Hour]) -> None:
    """Put a home into a world.

    Args:
        world: the world.
        hours: what it is like outside, from step to step; the last goes on.
    """
    for room in ("hall", "kitchen", "living", "bedroom"):
        world.add(f"{room}_lamp", Lamp())
    world.add("living_blinds", Blinds())
    world.add("bedroom_blinds", Blinds())
    world.add("heating", Heating())
    world.add("speaker", Speaker())
    world.add("camera", Camera())
    world.add("front_door", Door())
    world.add("outdoors", Outdoors(**_outside(hours[0])))

    @world.dynamics
    def hours_pass(changing: Any) -> None:
        for name, value in _outside(hours[min(changing.clock.step, len(hours) - 1)]).items():
            setattr(changing["outdoors"], name, value)


def _outside(hour: Hour) -> dict[str, Any]:
    return dict(zip(("hour", "temperature_c", "light", "motion"), hour, strict=True))
