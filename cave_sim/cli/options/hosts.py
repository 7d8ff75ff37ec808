"""The options that say where cells run, and taking a simulation there."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from cave_sim.cli.options.together import needs
from cave_sim.hosts.process import warm_interpreter
from cave_sim.hosts.process.isolation_level import LEVELS, LOCAL, IsolationLevel

if TYPE_CHECKING:
    from cave_sim.hosts.process.host import ProcessHost
    from cave_sim.replay.recipe import Recipe
    from cave_sim.replay.reexecute import Place
    from cave_sim.simulation.runnable import Runnable


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
        needs(parser, ["--address"], "--host", values=("ray",))
    parser.add_argument(
        "--require", choices=LEVELS, metavar="LEVEL", help=f"refuse to run below a level: {', '.join(LEVELS)}"
    )


def add_arguments_of_reruns(parser: argparse.ArgumentParser) -> None:
    """Declare the options of commands that run recorded cells again."""
    parser.add_argument(
        "--host",
        choices=("local", "process"),
        help="where cells run: in this process, or in sandboxed ones (default: as in the run)",
    )
    parser.add_argument(
        "--require", choices=LEVELS, metavar="LEVEL", help=f"refuse to run below a level: {', '.join(LEVELS)}"
    )


def foresee(options: argparse.Namespace, *, asks_model: bool) -> None:
    """Have what a sandboxed host needs loaded in its process from now on, beside what this one loads meanwhile."""
    if (options.host or _usual(asks_model=asks_model)) == "process":
        warm_interpreter.begin()


def recorded(folder: Path) -> str:
    """Return the host on which a run's cells were held as they were in the run: sandboxed, or in the process itself."""
    from cave_sim.journal.reader import open_run

    with open_run(folder) as run:
        isolation = run.manifest.get("isolation")
    level = isolation.get("name") if isinstance(isolation, dict) else None
    return "process" if level in LEVELS[1:] else "local"


def going_on(folder: Path, recipe: Recipe, options: argparse.Namespace) -> str:
    """Return the host that the options say for what comes after a run, or the usual one: never a weaker than it had."""
    is_jailed = options.host is None and recorded(folder) == "process"
    host = "process" if is_jailed else chosen(recipe, options)
    if host == "process":
        warm_interpreter.begin()
    return host


def placed(recipe: Recipe, host: str, require: str | None) -> Place | None:
    """Return what puts the cells of a simulation where they are to run; None for this process.

    Raises:
        WorldError: the level of isolation is below what is required.
    """
    if host == "local":
        LOCAL.demand(require or LEVELS[0])
        return None
    warm_interpreter.begin()
    from cave_sim.hosts.placement import isolated

    return lambda simulation: isolated(simulation, recipe, require=require or LEVELS[1])


@contextmanager
def hosted(simulation: Runnable, recipe: Recipe, options: argparse.Namespace) -> Iterator[IsolationLevel]:
    """Have the cells of a simulation run where the options say, while the context lasts.

    Raises:
        WorldError: the level of isolation is below what is required.
    """
    if chosen(recipe, options) == "local":
        LOCAL.demand(options.require or LEVELS[0])
        tell(simulation, "local", LOCAL)
        yield LOCAL
        return
    from cave_sim.hosts.placement import isolated

    with isolated(simulation, recipe, require=options.require or LEVELS[1]) as host:
        tell(simulation, "process", host.level)
        if not options.quiet:
            print(host.level, file=sys.stderr)
        yield host.level


@contextmanager
def opened(recipe: Recipe, options: argparse.Namespace) -> Iterator[ProcessHost | None]:
    """Give the host that the options say, with no world so far, while the context lasts; None for this process.

    Raises:
        WorldError: the level of isolation is below what is required.
    """
    if chosen(recipe, options) == "local":
        LOCAL.demand(options.require or LEVELS[0])
        yield None
        return
    from cave_sim.hosts.placement import host_for

    with host_for(recipe, require=options.require or LEVELS[1]) as host:
        yield host


def announce(simulation: Runnable, host: ProcessHost | None, options: argparse.Namespace) -> None:
    """Say where the cells of a simulation run that was attached to a host: in its journal, and on the screen."""
    if host is None:
        tell(simulation, "local", LOCAL)
        return
    host.note = simulation.note
    tell(simulation, "process", host.level)
    if not options.quiet:
        print(host.level, file=sys.stderr)


def chosen(recipe: Recipe, options: argparse.Namespace) -> str:
    """Return the host that the options say, or the usual one of a recipe."""
    return str(options.host or _usual(asks_model=recipe.model is not None))


def _usual(*, asks_model: bool) -> str:
    return "process" if asks_model and sys.platform.startswith("linux") else "local"


def tell(simulation: Runnable, host: str, level: IsolationLevel) -> None:
    """Put into the journal where cells run from here on, and have them stay here if that is where."""
    if host == "local":
        simulation.stay_local()
    simulation.note("host", {"host": host, "level": level.to_data()})
    if simulation.journal is not None:
        simulation.journal.describe({"host": host, "isolation": level.to_data()})
