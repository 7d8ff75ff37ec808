"""Building the world of a simulation in the world process: the same recipe, without a journal and without a model."""

from __future__ import annotations

from collections.abc import Mapping
from types import TracebackType
from typing import Any, Protocol, Self, runtime_checkable

from cave_sim.hosts.process.host import ProcessHost
from cave_sim.hosts.process.isolation_level import IsolationLevel
from cave_sim.replay.recipe import Recipe
from cave_sim.simulation.runnable import Runnable
from cave_sim.world.world import World


class CellsElsewhere(Protocol):
    """What runs a simulation's cells in other processes, until it is closed; a context manager."""

    @property
    def level(self) -> IsolationLevel:
        """How well cells are isolated; of several worlds the weakest."""

    def close(self) -> None:
        """Have the cells run in this process again."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


@runtime_checkable
class SelfIsolating(Protocol):
    """A simulation of more worlds than one, each of which needs a host of its own."""

    def isolate(self, require: str) -> CellsElsewhere:
        """Have the cells of all its worlds run in sandboxed processes from now on."""


def isolated(simulation: Runnable, recipe: Recipe, *, require: str = "contained") -> CellsElsewhere:
    """Have the cells of a simulation run in sandboxed processes from now on; close the host when that is to end.

    Raises:
        WorldError: the level of isolation is below what is required.
    """
    if isinstance(simulation, SelfIsolating):
        return simulation.isolate(require)
    host = host_for(recipe, require=require)
    host.note = simulation.note
    return host.attach(simulation.world)


def host_for(recipe: Recipe, *, require: str = "contained") -> ProcessHost:
    """Return a host for the world of a recipe, with no world attached so far.

    Raises:
        WorldError: the level of isolation is below what is required.
    """
    factory = f"{from_recipe.__module__}:{from_recipe.__name__}"
    create = dict(recipe.without_model().create)
    arguments = {"simulation": recipe.simulation, "create": create, "found_in": recipe.found_in}
    return ProcessHost(factory, arguments, require=require)


def from_recipe(simulation: str, create: Mapping[str, Any], found_in: str | None = None) -> World:
    """Return the world of a simulation, as `cave-sim run` makes it."""
    return Recipe(simulation, create, found_in=found_in).make().world
