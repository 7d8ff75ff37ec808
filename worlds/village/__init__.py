"""A village drawn in tiles: Hollinweir, or the town of the Generative Agents study, behind the town's own classes."""

from worlds.village.blueprint import Blueprint, Bond, Errand, PersonPlan, PlacePlan
from worlds.village.build import build_village
from worlds.village.tiles import TileMap
from worlds.village.village_file import hollinweir, load

__all__ = ["Blueprint", "Bond", "Errand", "PersonPlan", "PlacePlan", "TileMap", "build_village", "hollinweir", "load"]
