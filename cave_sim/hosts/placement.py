"""Building the world of a simulation in the world process: the same recipe, without a journal and without a model."""

from __future__ import annotations

from types import TracebackType
from typing import Protocol, Self, runtime_checkable

from cave_sim.hosts.process.host import ProcessHost
from cave_sim.hosts.process.isolation_level import IsolationLevel
from cave_sim.hosts.process.script_fork import ScriptForkHost
from cave_sim.replay.recipe import Recipe
from cave_sim.simulation.runnable import Runnable
from cave_sim.simulation.simulation import Simulation


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


def jailed(simulation: Simulation) -> ProcessHost:
    """Have the cells of a simulation run in sandboxed processes: built by its recipe, or else forked from this one.

    Raises:
        WorldError: no process can be started, or cells would be less than contained in it.
    """
    if simulation.made_by is None:
        host: ProcessHost = ScriptForkHost(simulation.world, note=simulation.note)
    else:
        host = ProcessHost(*simulation.made_by.world_factory(), note=simulation.note)
    return host.attach(simulation.world)


def host_for(recipe: Recipe, *, require: str = "contained") -> ProcessHost:
    """Return a host for the world of a recipe, with no world attached so far.

    Raises:
        WorldError: the level of isolation is below what is required.
    """
    return ProcessHost(*recipe.world_factory(), require=require)
