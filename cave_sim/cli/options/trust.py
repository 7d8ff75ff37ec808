"""What a run's file may decide of a command: nothing outside of its folder, unless the command line says so."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from cave_sim.errors import WorldError
from cave_sim.journal.reader import open_run
from cave_sim.replay import own_code
from cave_sim.replay.own_code import OwnCode
from cave_sim.replay.own_runs import is_own, measuring_modules, named_outside, servers
from cave_sim.replay.recipe import Recipe
from cave_sim.replay.simulation_names import is_installed


def expect_server(folder: Path, recipe: Recipe, api_base: str | None) -> None:
    """Let prompts and keys go only where the command line says, or said; never where a stranger's file alone does.

    Raises:
        WorldError: a file of somebody else names the server.
    """
    elsewhere = sorted(servers(recipe) - {api_base})
    if not elsewhere:
        return
    with open_run(folder) as run:
        if not is_own(run.manifest, recipe):
            is_one = len(servers(recipe)) == 1
            way_out = (
                f"to ask it there again, say --api-base {elsewhere[0]}" if is_one else "such a run may name only one"
            )
            raise WorldError(f"{folder} asked a model at {elsewhere[0]!r}; {way_out}")


def trusted(options: argparse.Namespace, *, with_model: bool = False) -> Recipe:
    """Return a run's recipe, if nobody else's file decides what code is imported, whom we call, and what we read.

    Args:
        options: ``run``, ``module`` and ``outside`` of the command line.
        with_model: whether its model is to be asked.

    Raises:
        WorldError: the file names a module of one's own, an address or a file, and the command line does not allow it;
            or it is part of another run.
    """
    folder: Path = options.run
    with open_run(folder) as run:
        if "district" in run.manifest:
            raise WorldError(f"{folder} is a district of a city, and goes with it: name the city's, {folder.parent}")
        recipe = Recipe.of(run.manifest)
        own = is_own(run.manifest, recipe)
    recipe = _with_code(recipe, folder, options.module, own=own)
    measured_by = measuring_modules(recipe)
    _expect_use(folder, recipe, options.module, measured_by)
    for module in () if own else sorted(measured_by - {options.module}):
        raise WorldError(f"{folder} is measured by the module {module!r}; to run its code, say --module {module}")
    named = list(named_outside(recipe if with_model else recipe.without_model()))
    if named and not options.outside and not own:
        raise WorldError(f"{folder} names {'; '.join(named)}; if that is meant to be used here, say --outside")
    return recipe


def _with_code(recipe: Recipe, folder: Path, named: str | None, *, own: bool) -> Recipe:
    """Return a recipe whose code may be run.

    A run of this account has it where it was; of one by somebody else no module is imported, from nowhere, but the one
    that the command line names.

    Raises:
        WorldError: the command line names none, or another one.
    """
    if recipe.found_in is None and is_installed(recipe.simulation):
        return recipe
    if named is None and own:
        return recipe
    code = None if named is None else code_named(named, recipe.simulation)
    if named is None or (code is None and named != recipe.simulation):
        raise WorldError(
            f"{folder} was made by the module {recipe.simulation!r}; to run its code, say --module {recipe.simulation}"
        )
    return replace(recipe, found_in=None if code is None else str(code.folder))


def _expect_use(folder: Path, recipe: Recipe, named: str | None, measured_by: set[str]) -> None:
    """Return if the module that the command line names is one of the run's; raises WorldError."""
    if named is None or named in measured_by | {recipe.simulation} or code_named(named, recipe.simulation) is not None:
        return
    raise WorldError(f"{folder} has no code of {named!r}: it was made by {recipe.simulation!r}; leave --module away")


def code_named(text: str, module: str) -> OwnCode | None:
    """Return the code of one's own that a text on the command line means, if it is that of a module."""
    code = own_code.of_path(text, module) if own_code.is_path(text) else own_code.of_name(text)
    return code if code is not None and code.module == module else None
