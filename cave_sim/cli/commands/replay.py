"""``cave-sim replay``: run the recorded cells of a run again and compare turn by turn."""

from __future__ import annotations

import argparse
from contextlib import closing
from pathlib import Path

from cave_sim.cli.options import hosts, trust
from cave_sim.cli.options.numbers import at_least
from cave_sim.journal.queries import step_before_new_fields
from cave_sim.journal.reader import open_run
from cave_sim.replay.reexecute import reexecute

EPILOG = "Example: cave-sim replay runs/town_day-7 --until 72"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("run", type=Path, help="folder of the run")
    parser.add_argument(
        "--until", type=at_least(0), metavar="STEP", help="the last step to compare (default: the run's last)"
    )
    trust.add_arguments(parser)
    hosts.add_arguments_of_reruns(parser)


def call(options: argparse.Namespace) -> int:
    """Print the first difference, or that there is none; exit code 1 if there is one."""
    recipe = trust.trusted(options).without_model()
    place = hosts.placed(recipe, options.host or hosts.recorded(options.run), options.require)
    simulation = recipe.make()
    with closing(simulation), open_run(options.run) as run:
        difference = reexecute(run, simulation, options.until, place)
        grown = step_before_new_fields(run)
    behind = "" if grown is None else f" behind step {grown}, after which entities got fields,"
    if difference is not None:
        print(difference)
        return 1
    print(f"every turn{behind} came out the same up to step {simulation.world.clock.step}")
    print(f"state hash: {simulation.world.state_hash()}")
    return 0
