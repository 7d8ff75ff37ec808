"""``cave-sim replay``: run the recorded cells of a run again and compare turn by turn."""

from __future__ import annotations

import argparse
from contextlib import closing

from cave_sim.cli.options import hosts, json_output, trust
from cave_sim.cli.options.progress import through
from cave_sim.journal.queries import step_before_new_fields
from cave_sim.journal.reader import open_run
from cave_sim.replay.reexecute import reexecute


def call(options: argparse.Namespace) -> int:
    """Print the first difference, or that there is none; exit code 1 if there is one."""
    recipe = trust.trusted(options).without_model()
    place = hosts.placed(recipe, options.host or hosts.recorded(options.run), options.require)
    simulation = recipe.make()
    with closing(simulation), open_run(options.run) as run, through(run, "running it again") as progress:
        difference = reexecute(run, simulation, options.steps, place, progress)
        grown = step_before_new_fields(run)
    behind = "" if grown is None else f" behind step {grown}, after which entities got fields,"
    if options.json:
        reached, state = simulation.world.clock.step, simulation.world.state_hash()
        holds, words = difference is None, None if difference is None else str(difference)
        json_output.show(
            {"holds": holds, "difference": words, "steps": reached, "new_fields": grown, "state_hash": state}
        )
        return 0 if holds else 1
    if difference is not None:
        print(difference)
        return 1
    print(f"every turn{behind} came out the same up to step {simulation.world.clock.step}")
    print(f"state hash: {simulation.world.state_hash()}")
    return 0
