"""``cave-sim list``: which simulations and studies there are, whoever brings them."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from typing import Any

from cave_sim.entry_points import SIMULATIONS, STUDIES, Plugin, installed

EPILOG = "Examples: cave-sim list; cave-sim list town_day, which says what that takes with --set"
COMMANDS = {SIMULATIONS: "run", STUDIES: "study"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("name", nargs="?", help="say of this one how many steps it has, and what it takes with --set")
    parser.add_argument("--json", action="store_true", help="print one JSON array")


def call(options: argparse.Namespace) -> int:
    """Print a line for each, with what it is about and the distribution that brings it."""
    if options.name is not None:
        told = about(options.name)
        print(json.dumps(told, ensure_ascii=False) if options.json else "\n".join(_about_lines(told)))
        return 0
    offers = [(command, plugin) for group, command in COMMANDS.items() for plugin in installed(group).values()]
    if options.json:
        rows = [{"command": command, **asdict(plugin), "purpose": plugin.purpose()} for command, plugin in offers]
        print(json.dumps(rows, ensure_ascii=False))
    else:
        print("\n".join(lines(offers)))
    return 0


def about(name: str) -> dict[str, Any]:
    """Return what a simulation or a study is about, how many steps it has, and its options, as plain data.

    Raises:
        WorldError: there is none by that name.
    """
    from cave_sim.experiment.study import find as find_study  # what is listed by name alone waits for no library
    from cave_sim.replay.recipe import find

    studies = installed(STUDIES)
    if name in studies and name not in installed(SIMULATIONS):
        study, _ = find_study(name)
        return {"command": f"cave-sim study {name}", "purpose": study.title, "steps": None, "options": study.options}
    module = find(name)
    purpose = (module.__doc__ or "").strip().partition("\n")[0].removeprefix(f"``{name}``: ")
    return {
        "command": f"cave-sim run {name}",
        "purpose": purpose,
        "steps": module.STEPS,
        "options": dict(getattr(module, "OPTIONS", {})),
    }


def _about_lines(told: dict[str, Any]) -> list[str]:
    steps = "" if told["steps"] is None else f"; {told['steps']:,} steps unless --steps says otherwise"
    width = max(map(len, told["options"]), default=0)
    options = [f"  --set {name + '=...':{width + 4}}  {about}" for name, about in told["options"].items()]
    return [f"{told['command']}: {told['purpose'].rstrip('.')}{steps}", *(options or ["  it takes nothing with --set"])]


def lines(offers: list[tuple[str, Plugin]]) -> list[str]:
    """Return commands, sources and purposes in columns."""
    calls = [f"cave-sim {command} {plugin.name}" for command, plugin in offers]
    widths = [max(map(len, column), default=0) for column in (calls, [plugin.source for _, plugin in offers])]
    return [
        f"{call:{widths[0]}}  {plugin.source:{widths[1]}}  {plugin.purpose()}"
        for call, (_, plugin) in zip(calls, offers, strict=True)
    ]
