"""A city in districts: each a world of its own, with residents who cross from one to the next, and a crowd."""

from cave_sim.worlds.city.atlas import Atlas, helsinki_in
from cave_sim.worlds.city.borders import CityBorders
from cave_sim.worlds.city.build import build_district
from cave_sim.worlds.city.citizen import Citizen
from cave_sim.worlds.city.crowd import Crowd, Roots
from cave_sim.worlds.city.partition import cut
from cave_sim.worlds.city.places import Borough, CityPlace, Ledger
from cave_sim.worlds.city.promotion import demote, promote

__all__ = [
    "Atlas",
    "Borough",
    "Citizen",
    "CityBorders",
    "CityPlace",
    "Crowd",
    "Ledger",
    "Roots",
    "build_district",
    "cut",
    "demote",
    "helsinki_in",
    "promote",
]
