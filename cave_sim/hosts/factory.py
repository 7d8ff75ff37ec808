"""Building the world of a simulation in the world process: the same recipe, without a journal and without a model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cave_sim.recipe import Recipe
from cave_sim.world import World


def from_recipe(simulation: str, create: Mapping[str, Any]) -> World:
    """Return the world of a simulation, as `cave-sim run` makes it."""
    return Recipe(simulation, create).make().world
