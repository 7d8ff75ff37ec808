"""The options that say where cells run, and taking a simulation there."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from cave_sim.hosts.placement import isolated
from cave_sim.hosts.process.isolation_level import LEVELS, LOCAL, IsolationLevel
from cave_sim.replay.recipe import Recipe
from cave_sim.simulation.runnable import Runnable
from cave_sim.world.restore_mode import RestoreMode


def add_arguments(parser: argparse.ArgumentParser, *, ray: bool = True) -> None:
    """Declare the options; without those of Ray where a command cannot hand its run to an actor."""
    parser.add_argument(
        "--host",
        choices=("local", "process", *(["ray"] if ray else [])),
        help=f"where cells run: in this process, in sandboxed ones{', or in a Ray actor' if ray else ''}"
        " (default: process for language models on Linux)",
    )
    if ray:
        parser.add_argument("--address", help="with --host ray: a cluster that runs (default: start one)")
    parser.add_argument(
        "--require", choices=LEVELS, metavar="LEVEL", help=f"refuse to run below a level: {', '.join(LEVELS)}"
    )


@contextmanager
def hosted(simulation: Runnable, recipe: Recipe, options: argparse.Namespace) -> Iterator[IsolationLevel]:
    """Have the cells of a simulation run where the options say, while the context lasts.

    Raises:
        WorldError: the level of isolation is below what is required.
    """
    if chosen(recipe, options) == "local":
        LOCAL.demand(options.require or LEVELS[0])
        _tell(simulation, "local", LOCAL)
        yield LOCAL
        return
    with isolated(simulation, recipe, require=options.require or LEVELS[1]) as host:
        _tell(simulation, "process", host.level)
        if not options.quiet:
            print(host.level, file=sys.stderr)
        yield host.level


def chosen(recipe: Recipe, options: argparse.Namespace) -> str:
    """Return the host that the options say, or the usual one of a recipe."""
    if options.host is not None:
        return str(options.host)
    return "process" if recipe.model is not None and sys.platform.startswith("linux") else "local"


def restore_mode(recipe: Recipe, options: argparse.Namespace) -> RestoreMode:
    """Return what variables are restored as: plain data where a host is to run the cells in another process."""
    return RestoreMode.SERIALIZED if chosen(recipe, options) == "process" else RestoreMode.LIVE


def _tell(simulation: Runnable, host: str, level: IsolationLevel) -> None:
    simulation.note("host", {"host": host, "level": level.to_data()})
    if simulation.journal is not None:
        simulation.journal.describe({"host": host, "isolation": level.to_data()})
