"""A village drawn in tiles: Hollinweir, or the town of the Generative Agents study, behind the town's own classes."""

from cave_sim.worlds.village.blueprint import Blueprint, Bond, ErrandPlan, PersonPlan, PlacePlan
from cave_sim.worlds.village.build import build_village
from cave_sim.worlds.village.tiles import TileMap
from cave_sim.worlds.village.village_file import hollinweir, load

__all__ = [
    "Blueprint",
    "Bond",
    "ErrandPlan",
    "PersonPlan",
    "PlacePlan",
    "TileMap",
    "build_village",
    "hollinweir",
    "load",
]
