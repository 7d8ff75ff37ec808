"""``cave-sim mcp``: serving a simulation or a run until the client hangs up."""

from __future__ import annotations

import argparse
import sys
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from cave_sim.cli.commands.run import free_folder, nothing_left_if_refused
from cave_sim.cli.options import hosts, models
from cave_sim.errors import WorldError
from cave_sim.journal.no_run import no_run
from cave_sim.journal.reader import open_run
from cave_sim.journal.tables import DATABASE
from cave_sim.loading.extras import extra
from cave_sim.mcp.resident_client import ResidentClient
from cave_sim.mcp.run_view import RunView
from cave_sim.mcp.toolbox import PURPOSE, Toolbox, serve_http, serve_stdio
from cave_sim.replay.fork import one_simulation
from cave_sim.replay.own_code import SUFFIX, is_path
from cave_sim.replay.recipe import Recipe
from cave_sim.replay.resume import resume
from cave_sim.simulation.simulation import Simulation


def call(options: argparse.Namespace) -> int:
    """Serve; stdout is the client's, so whatever is told goes to stderr."""
    with extra("mcp", PURPOSE):
        import mcp_types  # noqa: F401 -- before anything is written
    folder = Path(options.what)
    if folder.is_dir() and (folder / DATABASE).is_file():
        if models.are_asked(options):
            raise WorldError(f"{folder} is a run, which can only be looked at: leave --model and --replay-model away")
        if options.name is not None:
            raise WorldError(f"--as {options.name}: {folder} is a run, which can only be looked at; name a simulation")
        _serve(RunView(folder).toolbox(), options)
        return 0
    if options.name is None:
        if is_path(options.what) and folder.suffix != SUFFIX:
            raise no_run(folder)
        raise WorldError(f"mcp {options.what}: say who the client is in it with --as NAME, such as --as mayor")
    create: dict[str, Any] = {"seed": options.seed}
    if options.residents is not None:
        create["residents"] = options.residents
    asked, limits = models.chosen(options), models.limits(options)
    prompts = models.prompts(options)
    recipe = replace(Recipe.named(options.what), create=create, model=asked, limits=limits, prompts=prompts)
    models.expect_to_be_asked(recipe)
    out = options.out or free_folder(recipe.module().__name__.rpartition(".")[2], options.seed)
    options.host = options.host or ("process" if sys.platform.startswith("linux") else "local")
    options.quiet = False
    goes_on = (out / DATABASE).is_file()
    with ExitStack() as open_:
        with nothing_left_if_refused(None if out.exists() else out) as begun:
            simulation = _gone_on(recipe, out) if goes_on else one_simulation(recipe.make(out))
            begun.append(simulation)
            open_.callback(simulation.close)
            open_.enter_context(hosts.hosted(simulation, recipe, options))
            resident = ResidentClient(simulation, options.name)
        since = f", from step {simulation.world.clock.step} on" if goes_on else ""
        print(f"{options.name} lives in {out}{since}", file=sys.stderr, flush=True)
        _serve(resident.toolbox(), options)
        resident.leave()
    return 0


def _gone_on(recipe: Recipe, out: Path) -> Simulation:
    """Return the simulation of a run that the same command began, as it was when the client hung up.

    Raises:
        WorldError: another command began it.
    """
    with open_run(out) as run:
        began = Recipe.of(run.manifest)
    if replace(began, limits=recipe.limits) != recipe:
        raise WorldError(
            f"{out} holds a run of {began.simulation} that was made otherwise, with {dict(began.create)}: the command "
            "that began it goes on with it; choose another folder with --out, or remove it"
        )
    return one_simulation(resume(out, recipe=recipe))


def _serve(toolbox: Toolbox, options: argparse.Namespace) -> None:
    with suppress(KeyboardInterrupt):
        if options.http is not None:
            serve_http(toolbox, options.http)
        else:
            serve_stdio(toolbox)
