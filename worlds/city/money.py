"""Money in a district: counted, and seen to be neither made nor lost but at its borders."""

import numpy as np

from cave_sim import Change, World
from cave_sim.worlds.city.citizen import Citizen
from cave_sim.worlds.city.places import CityPlace

MONEY_FIELDS = ("money_cents", "till_cents", "treasury_cents", "cents")


def total_cents(world: World) -> int:
    """Count all the money of a district: of residents, tills, the purse and the crowd. Cost: all of them."""
    tills = sum(place.till_cents for place in world.all(CityPlace))
    purses = sum(citizen.money_cents for citizen in world.all(Citizen))
    return int(tills + purses + world["borough"].treasury_cents + int(np.sum(world["crowd"].cents, dtype=np.int64)))


def moved_money_adds_up(_: World, changes: list[Change]) -> bool:
    """Say whether changes leave all purses together with what they held.

    What comes over a border or leaves is outside of that, and so is a crowd of which so many earn or spend at once that
    the change holds all of its column.
    """
    moving = any(not change.path or (change.op == "patch" and "data" in change.new) for change in changes)
    return moving or sum(map(_gain_cents, changes)) == 0


def _gain_cents(change: Change) -> int:
    if not change.path or change.path[0] not in MONEY_FIELDS:
        return 0
    if change.op == "patch":
        return int(sum(change.new["new"]) - sum(change.old))
    return int(change.new - change.old) if change.op == "set" else 0
