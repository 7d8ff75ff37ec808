"""Building the world of a simulation in the world process: the same recipe, without a journal and without a model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cave_sim.hosts.process.host import ProcessHost
from cave_sim.replay.recipe import Recipe
from cave_sim.sharding.sharded_simulation import ShardedSimulation, ShardHosts
from cave_sim.simulation.runnable import Runnable
from cave_sim.world.world import World


def isolated(simulation: Runnable, recipe: Recipe, *, require: str = "contained") -> ProcessHost | ShardHosts:
    """Have the cells of a simulation run in sandboxed processes from now on; close the host when that is to end.

    Raises:
        WorldError: the level of isolation is below what is required.
    """
    if isinstance(simulation, ShardedSimulation):
        return simulation.isolate(require)
    factory = f"{from_recipe.__module__}:{from_recipe.__name__}"
    arguments = {"simulation": recipe.simulation, "create": dict(recipe.create)}
    return ProcessHost(factory, arguments, require=require, note=simulation.note).attach(simulation.world)


def from_recipe(simulation: str, create: Mapping[str, Any]) -> World:
    """Return the world of a simulation, as `cave-sim run` makes it."""
    return Recipe(simulation, create).make().world
