"""What is measured of a lake and of those who live by it, as in GovSim."""

from __future__ import annotations

from cave_sim import World
from cave_sim.simulation.runnable import Measure
from cave_sim.simulations.commons.lake import Lake, equality

MONTHS = 12


def _lake(world: World) -> Lake:
    lake: Lake = world["lake"]
    return lake


def fish(world: World) -> int:
    """Return how much fish is in the lake now."""
    return _lake(world).stock_t


def survived(world: World) -> int:
    """Return in how many months there were fish to take."""
    return _lake(world).months


def landed(world: World) -> int:
    """Return what was taken from the lake in all."""
    return _lake(world).landed_t


def efficiency(world: World) -> float:
    """Return what was taken, as a share of the most that a year could have given."""
    return _lake(world).landed_t / (MONTHS * _lake(world).possible_t)


def over_usage(world: World) -> float:
    """Return how often somebody wanted more than everybody may take, as a share of all catches."""
    return _lake(world).excessive / max(1, _lake(world).hauls)


MEASURES: dict[str, Measure] = {
    "fish (t)": fish,
    "survived (months)": survived,
    "landed (t)": landed,
    "efficiency (share)": efficiency,
    "equality": equality,
    "over-usage (share)": over_usage,
}
