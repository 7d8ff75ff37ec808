"""Wet days and dry ones, one after another: a chain of two states, to be calibrated against recorded weather.

After Gabriel and Neumann (1962): whether a day is wet depends on whether the day before was.
"""

from typing import Annotated, Unpack

from pydantic import Field

from cave_sim import Simulation, World
from cave_sim.dashboards import write_report as report
from cave_sim.simulation.run_options import RunOptions
from cave_sim.simulations.rain.sky import Sky, distance, pass_day, wet_share

STEPS = 365
OPTIONS = {
    "wet_after_wet": "how often a wet day follows a wet one",
    "wet_after_dry": "how often a wet day follows a dry one",
}
Probability = Annotated[float, Field(ge=0, le=1)]
__all__ = ["OPTIONS", "STEPS", "Sky", "create", "report"]


def create(
    *, seed: int, wet_after_wet: Probability = 0.5, wet_after_dry: Probability = 0.5, **run: Unpack[RunOptions]
) -> Simulation:
    """Return a sky in which a step is a day.

    Args:
        seed: which days are wet follows from it.
        wet_after_wet: how often a wet day follows a wet one.
        wet_after_dry: how often a wet day follows a dry one.
        run: what every simulation takes, see :class:`~cave_sim.simulation.run_options.RunOptions`.
    """
    world = World(seed=seed, start="2012-01-01T00:00", step_s=86_400)
    world.add("sky", Sky(wet_after_wet=wet_after_wet, wet_after_dry=wet_after_dry))
    world.dynamics(pass_day)
    return Simulation(
        world,
        measures={"wet days (share)": wet_share, "distance": distance},
        config={"wet_after_wet": wet_after_wet, "wet_after_dry": wet_after_dry},
        **run,
    )
