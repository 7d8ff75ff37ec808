"""``cave-sim list``: which simulations and studies there are, whoever brings them."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict

from cave_sim.entry_points import SIMULATIONS, STUDIES, Plugin, installed

EPILOG = "Example: cave-sim list; then cave-sim run NAME, or cave-sim study NAME"
COMMANDS = {SIMULATIONS: "run", STUDIES: "study"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--json", action="store_true", help="print one JSON array")


def call(options: argparse.Namespace) -> int:
    """Print a line for each, with what it is about and the distribution that brings it."""
    offers = [(command, plugin) for group, command in COMMANDS.items() for plugin in installed(group).values()]
    if options.json:
        rows = [{"command": command, **asdict(plugin), "purpose": plugin.purpose()} for command, plugin in offers]
        print(json.dumps(rows, ensure_ascii=False))
    else:
        print("\n".join(lines(offers)))
    return 0


def lines(offers: list[tuple[str, Plugin]]) -> list[str]:
    """Return commands, sources and purposes in columns."""
    calls = [f"cave-sim {command} {plugin.name}" for command, plugin in offers]
    widths = [max(map(len, column), default=0) for column in (calls, [plugin.source for _, plugin in offers])]
    return [
        f"{call:{widths[0]}}  {plugin.source:{widths[1]}}  {plugin.purpose()}"
        for call, (_, plugin) in zip(calls, offers, strict=True)
    ]
