"""``cave-sim scenario``: a run, with all that was done to it, as the file of a scenario."""

from __future__ import annotations

import argparse
from pathlib import Path

EPILOG = "Example: cave-sim scenario runs/town_day-7 > storm.yaml"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("run", type=Path, help="folder of the run")


def call(options: argparse.Namespace) -> int:
    """Print the scenario that comes to the state that the run is in."""
    from cave_sim.scenario.saving import scenario_of_run, to_yaml

    print(to_yaml(scenario_of_run(options.run)), end="")
    return 0
