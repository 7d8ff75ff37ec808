"""A town on real streets: places, residents with needs and purses, weather from records, and a mayor."""

from cave_sim.worlds.town.build import build_town
from cave_sim.worlds.town.economy import pay, total_cents
from cave_sim.worlds.town.maps import Route, TownMap, install, installed
from cave_sim.worlds.town.mayor import Mayor
from cave_sim.worlds.town.person import Person
from cave_sim.worlds.town.place import Place
from cave_sim.worlds.town.resident import Resident
from cave_sim.worlds.town.rules import govern
from cave_sim.worlds.town.streets import StreetMap, helsinki
from cave_sim.worlds.town.town import Town
from cave_sim.worlds.town.weather import Weather

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
