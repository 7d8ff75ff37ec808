"""``cave-sim resume``: go on with a run that was stopped, killed or cut off."""

from __future__ import annotations

import argparse
from pathlib import Path

from cave_sim.cli.commands import dash
from cave_sim.cli.commands.run import ASKED_STEPS, play, watching
from cave_sim.cli.options import hosts, models, ray_run, stopping, trust
from cave_sim.errors import WorldError
from cave_sim.journal.reader import open_run
from cave_sim.replay.own_runs import mark_of
from cave_sim.replay.resume import resume
from cave_sim.simulation.simulation import Simulation


def call(options: argparse.Namespace) -> int:
    """Go on, summarise, report; the last line printed is the state hash."""
    recipe = models.limited_anew(trust.trusted(options, with_model=options.model is None), options)
    recipe, is_changed = models.changed(recipe, options)
    trust.expect_server(options.run, recipe, options.api_base)
    models.expect_to_be_asked(recipe)
    options.host = hosts.going_on(options.run, recipe, options)
    module = recipe.module()
    stopping.expect_possible(options)
    dash.expect_possible(options)
    if options.host == "ray":
        return ray_run.play(recipe, module, options.run, options.steps or module.STEPS, options, again=True)
    asked = _asked_steps(options.run)
    simulation = resume(options.run, recipe=recipe, observers=watching(options), retry=options.retry)
    if is_changed and isinstance(simulation, Simulation) and simulation.journal is not None:
        simulation.journal.describe(mark_of(recipe))
    stopping.watch(simulation, options)
    step = simulation.world.clock.step
    if options.steps is not None and options.steps < step:
        simulation.close()
        raise WorldError(f"--steps {options.steps}: {options.run} is at step {step:,} already; name a later one")
    steps = options.steps or (asked if asked > step else max(module.STEPS, step))
    if steps == step and not options.json and not options.quiet:
        print(f"{options.run} is at its last step, {step:,}, already; --steps N takes it further")
    with hosts.hosted(simulation, recipe, options), dash.watched(simulation, options.run, options):
        return play(simulation, module, options.run, steps, options)


def _asked_steps(folder: Path) -> int:
    """Return up to which step a run was to go when it was last played; 0 where its manifest does not say."""
    with open_run(folder) as run:
        asked = run.manifest.get(ASKED_STEPS)
    return asked if isinstance(asked, int) else 0
