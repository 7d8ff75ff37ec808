"""``cave-sim list``: which simulations and studies there are, whoever brings them; or which runs a folder holds."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from cave_sim.cli.options import json_output
from cave_sim.cli.options.settings_help import about as about_simulation
from cave_sim.cli.options.settings_help import about_lines
from cave_sim.cli.options.vocabulary_help import class_lines, described, lines_of
from cave_sim.errors import WorldError, nearest
from cave_sim.loading.entry_points import PAPERS, SIMULATIONS, STUDIES, Plugin, installed
from cave_sim.mesa_models.catalog import examples

OF_TASKS = {"steps": None, "scenarios": False}
COMMANDS = {SIMULATIONS: "run", STUDIES: "study", PAPERS: "study"}


def call(options: argparse.Namespace) -> int:
    """Print a line for each, with what it is about and the distribution that brings it; or a table of runs."""
    if options.name is not None and _is_folder(options.name):
        _expect_no_class(options)
        return _list_runs(options)
    if options.sort is not None or options.tag is not None:
        raise WorldError("--sort and --tag are for runs: name the folder that holds them, such as cave-sim list runs")
    if options.name is not None:
        _expect_no_folder(options.name)
        _describe(options)
        return 0
    offers = [(command, plugin) for group, command in COMMANDS.items() for plugin in installed(group).values()]
    offers += [("run", example) for example in examples().values()]
    if options.json:
        rows = [{"command": command, **asdict(plugin), "purpose": plugin.purpose()} for command, plugin in offers]
        print(json.dumps(rows, ensure_ascii=False))
    else:
        print("\n".join(lines(offers)))
    return 0


def _describe(options: argparse.Namespace) -> None:
    """Print what a simulation or a study takes, and what a scenario of it can name; or one class of its entities."""
    description = about(options.name)
    if not description["scenarios"]:
        _expect_no_class(options)
    words = described(options.name) if description["scenarios"] else {}
    if options.json:
        print(json.dumps({**description, **words}, ensure_ascii=False))
    elif options.kind is not None:
        print("\n".join(class_lines(words, options.kind)))
    else:
        print("\n".join([*about_lines(description), *(lines_of(words, options.name) if words else [])]))


def _expect_no_class(options: argparse.Namespace) -> None:
    if options.kind is not None:
        raise WorldError(
            f"{options.kind}: a class is looked up in a simulation, such as cave-sim list town_day Resident"
        )


def _is_folder(name: str) -> bool:
    """Say whether a folder is meant: a name that is installed stands for itself, whatever lies here."""
    is_installed = any(name in installed(group) for group in COMMANDS)
    return not is_installed and (Path(name).is_dir() or name.endswith("/"))


def _expect_no_folder(name: str) -> None:
    """Refuse a name that is nearly that of a folder here which holds runs, and that of no simulation."""
    names = [name for group in COMMANDS for name in installed(group)]
    if name in names or nearest(name, names, 0.7) or not name.isidentifier() or Path(f"{name}.py").exists():
        return
    folders = [each.name for each in Path().iterdir() if each.is_dir() and not each.name.startswith(".")]
    near = nearest(name, [*folders, "runs"])
    if near:
        there = "" if near in folders else ", once there are any"
        raise WorldError(
            f"there is no simulation {name!r}; the runs in a folder are listed by: cave-sim list {near}{there}"
        )


def _list_runs(options: argparse.Namespace) -> int:
    from cave_sim.cli.actions import run_table  # what is listed by name alone waits for no library

    runs = run_table.rows(Path(options.name), sort=options.sort or "run", tag=options.tag)
    if options.json:
        json_output.show(runs)
    else:
        run_table.show(runs)
    return 0


def about(name: str) -> dict[str, Any]:
    """Return what a simulation or a study is about, how many steps it has, and its options, as plain data.

    Raises:
        WorldError: there is none by that name.
    """
    from cave_sim.experiment.paper import find_paper
    from cave_sim.experiment.study import find as find_study  # what is listed by name alone waits for no library
    from cave_sim.replay.simulation_names import find

    if name in installed(PAPERS) and name not in installed(SIMULATIONS):
        purpose = find_paper(name).title
        return {"command": f"cave-sim study {name}", "purpose": purpose, **OF_TASKS, "options": {}}
    studies = installed(STUDIES)
    if name in studies and name not in installed(SIMULATIONS):
        study, _ = find_study(name)
        return {"command": f"cave-sim study {name}", "purpose": study.title, **OF_TASKS, "options": study.options}
    return {**about_simulation(name, find(name)), "scenarios": True}


def lines(offers: list[tuple[str, Plugin]]) -> list[str]:
    """Return commands, sources and purposes in columns."""
    calls = [f"cave-sim {command} {plugin.name}" for command, plugin in offers]
    widths = [max(map(len, column), default=0) for column in (calls, [plugin.source for _, plugin in offers])]
    return [
        f"{call:{widths[0]}}  {plugin.source:{widths[1]}}  {plugin.purpose()}"
        for call, (_, plugin) in zip(calls, offers, strict=True)
    ]
