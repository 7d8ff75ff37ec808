"""A city in districts: each a world of its own, with residents who cross from one to the next, and a crowd."""

from worlds.city.atlas import Atlas, helsinki_in
from worlds.city.borders import CityBorders
from worlds.city.build import build_district
from worlds.city.citizen import Citizen
from worlds.city.crowd import Crowd, Roots
from worlds.city.partition import cut
from worlds.city.places import Borough, CityPlace, Ledger
from worlds.city.promotion import demote, promote

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
