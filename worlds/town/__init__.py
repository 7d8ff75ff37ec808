"""A town on real streets: places, residents with needs and purses, weather from records, and a mayor."""

from worlds.town.build import build_town
from worlds.town.economy import pay, total_cents
from worlds.town.maps import Route, TownMap, install, installed
from worlds.town.mayor import Mayor
from worlds.town.person import Person
from worlds.town.place import Place
from worlds.town.resident import Resident
from worlds.town.rules import govern
from worlds.town.streets import StreetMap, helsinki
from worlds.town.town import Town
from worlds.town.weather import Weather

__all__ = [
    "Mayor",
    "Person",
    "Place",
    "Resident",
    "Route",
    "StreetMap",
    "Town",
    "TownMap",
    "Weather",
    "build_town",
    "govern",
    "helsinki",
    "install",
    "installed",
    "pay",
    "total_cents",
]
