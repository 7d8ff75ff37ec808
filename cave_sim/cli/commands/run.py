"""``cave-sim run``: play a simulation from its start."""

from __future__ import annotations

import argparse
import gc
import math
import os
import shutil
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from cave_sim.cli.commands import dash
from cave_sim.cli.options import hosts, json_output, mirroring, models, stopping
from cave_sim.cli.options.exit_codes import INTERRUPTED, OUTAGE
from cave_sim.cli.options.given_options import given_options
from cave_sim.cli.options.json_output import show
from cave_sim.cli.options.numbers import at_least
from cave_sim.cli.options.settings_help import HelpOfSimulation
from cave_sim.errors import JournalError, WorldError
from cave_sim.loading.entry_points import SIMULATIONS, installed
from cave_sim.loading.unsearched import unsearched
from cave_sim.simulation.schedulers import SCHEDULERS

if TYPE_CHECKING:
    from cave_sim.replay.recipe import Recipe
    from cave_sim.simulation.observers import Observer
    from cave_sim.simulation.runnable import Runnable

RUNS = Path("runs")
DAY_S = 86_400
ASKED_STEPS = "asked_steps"
"""Where a manifest says up to which step a run was to go when it was last played, so that ``resume`` goes there too."""
EPILOG = """\
Examples:
  cave-sim run town_day --steps 48
  cave-sim run village_day --seed 8 --set start=2012-01-09T06:00
  cave-sim run NAME --help  # what NAME takes with --set, and how many steps it has"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("-h", "--help", action=HelpOfSimulation)
    ours = ", ".join(installed(SIMULATIONS)) or "none installed"
    parser.add_argument("simulation", help=f"one of: {ours}; or a file of yours, such as tea.py, or its module")
    length = parser.add_mutually_exclusive_group()
    length.add_argument("--steps", type=at_least(1), metavar="N", help="how many steps (default: the simulation's own)")
    length.add_argument("--days", type=at_least(1), metavar="N", help="how many days of the simulation's own time")
    parser.add_argument("--seed", type=at_least(0), default=7, metavar="S", help="every random draw follows from it")
    parser.add_argument(
        "--residents",
        type=at_least(1),
        metavar="N",
        help="how many people live there; a mayor comes on top (default: the simulation's own)",
    )
    parser.add_argument("--scheduler", choices=sorted(SCHEDULERS), help="who acts when (default: the simulation's own)")
    parser.add_argument("--out", type=Path, metavar="DIR", help="folder of the run (default: a free one under runs/)")
    parser.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", dest="settings", help="an option of the simulation"
    )
    parser.add_argument(
        "--tag", action="append", default=[], metavar="WORD", dest="tags", help="a word to find the run by later"
    )
    json_output.add_arguments_of_a_run(parser)
    stopping.add_arguments(parser)
    dash.add_watch_arguments(parser)
    models.add_arguments(parser)
    models.add_embeddings(parser)
    hosts.add_arguments(parser)
    mirroring.add_arguments(parser)


def call(options: argparse.Namespace) -> int:
    """Run, summarise, report; the last line printed is the state hash."""
    hosts.foresee(options, asks_model=models.are_asked(options))
    with unsearched():
        recipe = _recipe(options)
        module = recipe.module()
    name = module.__name__.rpartition(".")[2]
    out = options.out or free_folder(name, options.seed)
    if options.days and options.host == "ray":
        raise WorldError("--days: with --host ray, say how many --steps")
    steps = options.steps or module.STEPS
    stopping.expect_possible(options)
    dash.expect_possible(options)
    _check_writable(out)
    models.expect_to_be_asked(recipe)
    mirror = mirroring.mirror_of(options)
    if options.host == "ray":
        from cave_sim.cli.options import ray_run

        return ray_run.play(recipe, module, out, steps, options)
    is_new = not out.exists()
    entries = {"tags": options.tags} if options.tags else {}
    with nothing_left_if_refused(out if is_new else None) as begun:
        with building(options):
            simulation = recipe.make(out, watching(options), **entries)
        begun.append(simulation)
        with (
            hosts.hosted(simulation, recipe, options),
            dash.watched(simulation, out, options),
            mirroring.mirrored(simulation, out, mirror),
        ):
            stopping.watch(simulation, options)
            if options.days:
                steps = math.ceil(options.days * DAY_S / simulation.world.step_s)
            return play(simulation, module, out, steps, options)


@contextmanager
def building(options: argparse.Namespace) -> Iterator[None]:
    """Say that the world is being made, if that takes its time: with many residents it does."""
    if options.quiet:
        yield
        return
    crowd = f" for {options.residents:,} residents" if options.residents else ""
    notice = threading.Timer(PATIENCE_S, print, [f"making the world{crowd} ..."], {"file": sys.stderr, "flush": True})
    notice.daemon = True
    notice.start()
    try:
        yield
    finally:
        notice.cancel()


PATIENCE_S = 2.0
"""Seconds without a word that nobody takes for a hang."""


@contextmanager
def nothing_left_if_refused(folder: Path | None, begins: int = 0) -> Iterator[list[Runnable]]:
    """Take back a run that failed or was stopped before its first step: its folder is free for the next try.

    Gives what its simulation is to be appended to, once there is one. A branch ``begins`` at another step than 0.
    """
    begun: list[Runnable] = []
    try:
        yield begun
    except (Exception, KeyboardInterrupt) as error:
        if folder is not None and all(simulation.world.clock.step == begins for simulation in begun):
            for simulation in begun:
                with suppress(JournalError):  # it goes anyway
                    simulation.close()
            shutil.rmtree(folder, ignore_errors=True)
            if isinstance(error, KeyboardInterrupt):
                raise KeyboardInterrupt("no step was taken, so no run is left: the same command begins anew") from None
        raise


def play(simulation: Runnable, module: ModuleType, out: Path, steps: int, options: argparse.Namespace) -> int:
    """Run up to a step, summarise, report; the last line printed is the state hash, or all of it as JSON."""
    from cave_sim.cli.options.run_summary import going_on, nobody_answered, outage

    try:
        if simulation.journal is not None:
            simulation.journal.describe({ASKED_STEPS: steps})
        with _kept_for_good():
            simulation.run(until=steps)
    except JournalError:
        with suppress(JournalError):  # what cannot be written cannot be finished either
            simulation.close()
        raise
    except KeyboardInterrupt:
        step = simulation.world.clock.step if simulation.journal is None else simulation.journal.step
        simulation.close()
        on = going_on(out, steps, module)
        print(f"cave-sim: stopped at step {step} of {steps}; to go on: {on}", file=sys.stderr)
        return INTERRUPTED
    speed, step = simulation.turns_per_s, simulation.world.clock.step
    simulation.close()
    if down := outage(out):
        print(f"cave-sim: {down}", file=sys.stderr, flush=True)
        return OUTAGE
    if silence := nobody_answered(out):
        print(f"cave-sim: {silence}", file=sys.stderr, flush=True)
    summarise(module, out, steps, options, reached=step, turns_per_s=speed, state_hash=str(simulation.state_hash))
    return 1 if silence else 0


@contextmanager
def _kept_for_good() -> Iterator[None]:
    """Spare Python looking for garbage in what a world was built of, again and again: a twentieth of a large run."""
    if gc.get_freeze_count():  # whoever called this from Python did so, and keeps it
        yield
        return
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def summarise(
    module: ModuleType,
    out: Path,
    steps: int,
    options: argparse.Namespace,
    *,
    reached: int,
    turns_per_s: float,
    state_hash: str,
) -> None:
    """Print what came of a run, as the options want it: in words, as JSON, or its state hash alone."""
    from cave_sim.cli.options.run_summary import as_data, stopped, summary

    if options.json:
        show(as_data(module, out))
        return
    if not options.quiet:
        if reached < steps:
            print(stopped(out, steps, module))
        print(summary(module, out, turns_per_s))
    print(f"state hash: {state_hash}")


def watching(options: argparse.Namespace) -> list[Observer]:
    """Return who watches: nobody, a printer, or a progress bar."""
    if options.quiet or getattr(options, "watch", None) == "terminal":
        return []
    from cave_sim.simulation.observers import Printer, ProgressBar

    return [Printer(sys.stderr if options.json else None)] if options.printing else [ProgressBar()]


def free_folder(name: str, seed: int) -> Path:
    """Return a folder under runs/ that no run has yet."""
    first = RUNS / f"{name}-{seed}"
    count = 1
    folder = first
    while folder.exists():
        count += 1
        folder = first.with_name(f"{first.name}-{count}")
    return folder


def _recipe(options: argparse.Namespace) -> Recipe:
    """Return how the options say that the simulation is made; its settings in their types."""
    from cave_sim.replay.recipe import Recipe

    named = Recipe.named(options.simulation)
    create: dict[str, Any] = {"seed": options.seed, **given_options(named.module(), options.settings)}
    if options.residents is not None:
        create["residents"] = options.residents
    if options.scheduler is not None:
        create["scheduler"] = options.scheduler
    return replace(
        named,
        create=create,
        model=models.chosen(options),
        limits=models.limits(options),
        prompts=models.prompts(options),
    )


def _check_writable(out: Path) -> None:
    """Find out before a long build that the run could not be kept."""
    folder = next((each for each in (out, *out.parents) if each.exists()), Path())
    if not folder.is_dir():
        raise WorldError(f"--out {out}: {folder} is a file, not a folder")
    if not os.access(folder, os.W_OK):
        raise WorldError(f"--out {out}: {folder} cannot be written; choose another folder")
