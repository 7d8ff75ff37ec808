"""What a run's file may decide of a command: nothing outside of its folder, unless the command line says so."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from cave_sim.cli.options.own_runs import is_own, mark_of
from cave_sim.errors import WorldError
from cave_sim.journal.reader import open_run
from cave_sim.replay.recipe import Recipe, is_installed

DIALS = ("address",)
READS = ("map", "marginals", "personas", "replay", "sample")
"""Options of simulations that name an address, and those that name files."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--module", metavar="NAME", help="run the code of this module, if the run names it")
    parser.add_argument(
        "--outside", action="store_true", help="use the addresses and files outside of its folder that the run names"
    )


def expect_server(folder: Path, recipe: Recipe, api_base: str | None) -> None:
    """Let prompts and keys go only where the command line says, or said; never where a stranger's file alone does.

    Raises:
        WorldError: a file of somebody else names the server.
    """
    told = sorted(_servers(recipe) - {api_base})
    if not told:
        return
    with open_run(folder) as run:
        if not is_own(run.manifest, recipe):
            is_one = len(_servers(recipe)) == 1
            way_out = f"to ask it there again, say --api-base {told[0]}" if is_one else "such a run may name only one"
            raise WorldError(f"{folder} asked a model at {told[0]!r}; {way_out}")


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
    if recipe.simulation != options.module and not is_installed(recipe.simulation):
        raise WorldError(
            f"{folder} was made by the module {recipe.simulation!r}; to run its code, say --module {recipe.simulation}"
        )
    named = list(_named_outside(recipe if with_model else recipe.without_model()))
    if named and not options.outside and not own:
        raise WorldError(f"{folder} names {'; '.join(named)}; if that is meant to be used here, say --outside")
    return recipe


def mark_if_named(recipe: Recipe) -> dict[str, str]:
    """Return the manifest entry by which a run that names what lies elsewhere is known as this account's own."""
    return mark_of(recipe) if _servers(recipe) or any(_named_outside(recipe)) else {}


def _servers(recipe: Recipe) -> set[str]:
    """Return the servers that a recipe names, for all agents or for some."""
    choices = () if recipe.model is None else recipe.model.choices
    return {choice.api_base for choice in choices if choice.api_base is not None}


def _named_outside(recipe: Recipe) -> Iterator[str]:
    """Yield what a recipe names that lies elsewhere."""
    for key, value in recipe.create.items():
        if isinstance(value, str) and (key in DIALS or key in READS or _is_path(value)):
            yield f"{key} {value!r}"
    for choice in () if recipe.model is None else recipe.model.choices:
        named = {"a file of weights": choice.gguf, "a run with replies": choice.replay}
        yield from (f"{what} {value!r}" for what, value in named.items() if value is not None)


def _is_path(value: str) -> bool:
    return any(mark in value for mark in "/\\\0") or value.startswith(("~", ".."))
