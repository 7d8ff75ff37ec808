"""``cave-sim run``: play a simulation from its start."""

from __future__ import annotations

import argparse
import importlib
import os
import pkgutil
import sys
from contextlib import suppress
from difflib import get_close_matches
from pathlib import Path
from types import ModuleType
from typing import Any

from cave_sim.commands import models
from cave_sim.errors import JournalError, WorldError
from cave_sim.journal.reader import Run, open_run
from cave_sim.observers import Observer, Printer, ProgressBar
from cave_sim.schedule import SCHEDULERS
from cave_sim.simulation import Simulation

HELP = "run a simulation and keep its journal"
RUNS = Path("runs")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "simulation", help=f"one of: {', '.join(available()) or 'none installed'}; or a module of yours"
    )
    parser.add_argument(
        "--steps", type=_at_least(1), metavar="N", help="how many steps (default: the simulation's own)"
    )
    parser.add_argument(
        "--seed", type=int, default=7, metavar="S", help="every random draw follows from it (default: 7)"
    )
    parser.add_argument(
        "--residents", type=_at_least(1), metavar="N", help="how many people (default: the simulation's own)"
    )
    parser.add_argument("--scheduler", choices=sorted(SCHEDULERS), help="who acts when (default: the simulation's own)")
    parser.add_argument("--out", type=Path, metavar="DIR", help="folder of the run (default: a free one under runs/)")
    parser.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", dest="settings", help="an option of the simulation"
    )
    parser.add_argument(
        "--print", action="store_true", dest="printing", help="print a line for each turn instead of a progress bar"
    )
    parser.add_argument("--quiet", action="store_true", help="print the state hash alone")
    models.add_arguments(parser)


def call(options: argparse.Namespace) -> int:
    """Run, summarise, report; the last line printed is the state hash."""
    module = find(options.simulation)
    name = module.__name__.rpartition(".")[2]
    out = options.out or free_folder(name, options.seed)
    steps = options.steps or module.STEPS
    simulation = _create(module, options, out)
    try:
        simulation.run(until=steps)
    except JournalError:
        with suppress(JournalError):  # what cannot be written cannot be finished either
            simulation.close()
        raise
    except KeyboardInterrupt:
        step = simulation.world.clock.step
        simulation.close()
        print(f"cave-sim: stopped at step {step} of {steps}; everything up to it is in {out}", file=sys.stderr)
        return 130
    speed = simulation.turns_per_s
    simulation.close()
    if not options.quiet:
        with open_run(out) as run:
            _print_summary(module, run, speed)
    print(f"state hash: {simulation.state_hash}")
    return 0


def available() -> list[str]:
    """Return the names of the simulations that are installed."""
    try:
        package = importlib.import_module("simulations")
    except ModuleNotFoundError:
        return []
    return sorted(found.name for found in pkgutil.iter_modules(package.__path__) if found.ispkg)


def find(name: str) -> ModuleType:
    """Return a simulation's module: one of ours by name, or any module with ``create`` and ``STEPS``."""
    names = available()
    if name not in names and "." not in name:
        near = get_close_matches(name, names, 1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise WorldError(f"there is no simulation {name!r}.{hint} There are: {', '.join(names)}")
    target = f"simulations.{name}" if name in names else name
    try:
        module = importlib.import_module(target)
    except ModuleNotFoundError as error:
        raise WorldError(f"simulation {name!r} cannot be imported: {error}") from None
    if not hasattr(module, "create") or not hasattr(module, "STEPS"):
        raise WorldError(
            f"module {target} is no simulation: it needs create(*, seed, residents, out, observers, ...) and STEPS"
        )
    return module


def free_folder(name: str, seed: int) -> Path:
    """Return a folder under runs/ that no run has yet."""
    first = RUNS / f"{name}-{seed}"
    count = 1
    folder = first
    while folder.exists():
        count += 1
        folder = first.with_name(f"{first.name}-{count}")
    return folder


def _create(module: ModuleType, options: argparse.Namespace, out: Path) -> Simulation:
    settings: dict[str, Any] = _settings(module, options.settings)
    if options.residents is not None:
        settings["residents"] = options.residents
    if options.scheduler is not None:
        settings["scheduler"] = SCHEDULERS[options.scheduler]()
    choice = models.chosen(options)
    settings |= models.arguments(options, module, choice)
    observers: list[Observer] = [] if options.quiet else [Printer()] if options.printing else [ProgressBar()]
    _check_writable(out)
    simulation: Simulation = module.create(seed=options.seed, out=out, observers=observers, **settings)
    if simulation.journal is not None:
        told = {"simulation": module.__name__.rpartition(".")[2], "model": choice and choice.to_data()}
        simulation.journal.describe(told)
    return simulation


def _settings(module: ModuleType, given: list[str]) -> dict[str, Any]:
    known: dict[str, str] = getattr(module, "OPTIONS", {})
    settings = {}
    for each in given:
        key, equals, value = each.partition("=")
        if not equals or key not in known:
            told = "; ".join(f"{name}: {about}" for name, about in known.items()) or "it takes none"
            raise WorldError(f"--set {each}: {module.__name__} has no such option, or it lacks a value ({told})")
        settings[key] = value
    return settings


def _check_writable(out: Path) -> None:
    """Find out before a long build that the run could not be kept."""
    folder = next((each for each in (out, *out.parents) if each.exists()), Path())
    if not folder.is_dir():
        raise WorldError(f"--out {out}: {folder} is a file, not a folder")
    if not os.access(folder, os.W_OK):
        raise WorldError(f"--out {out}: {folder} cannot be written; choose another folder")


def _print_summary(module: ModuleType, run: Run, speed: float) -> None:
    if hasattr(module, "summary"):
        print(module.summary(run))
    counts = run.query("SELECT status, count(*) FROM turns WHERE kind = 'cell' GROUP BY status ORDER BY count(*) DESC")
    total = sum(count for _, count in counts)
    told = ", ".join(f"{count:,} {status}" for status, count in counts)
    print(f"{total:,} turns ({told}), {speed:,.0f} turns/s")
    if hasattr(module, "report"):
        print(f"report: {module.report(run)}")
    print(f"run: {run.folder}")


def _at_least(least: int) -> Any:
    def integer(text: str) -> int:
        if not text.lstrip("-").isdigit() or int(text) < least:
            raise argparse.ArgumentTypeError(f"{text!r} is no whole number of at least {least}")
        return int(text)

    return integer
