"""``cave-sim scenario``: a run, with all that was done to it, as the file of a scenario."""

from __future__ import annotations

import argparse

from cave_sim.scenario.saving import scenario_of_run, to_yaml


def call(options: argparse.Namespace) -> int:
    """Print the scenario that comes to the state that the run is in."""
    print(to_yaml(scenario_of_run(options.run)), end="")
    return 0
