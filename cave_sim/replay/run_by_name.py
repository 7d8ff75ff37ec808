"""A simulation by its name, run to its end: what ``cave-sim run`` does, from Python."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from cave_sim.errors import WorldError
from cave_sim.models.from_cli import ModelChoice
from cave_sim.replay.recipe import Recipe
from cave_sim.simulation.jail import HostName, Jailable, expect_host
from cave_sim.simulation.observers import Observer
from cave_sim.simulation.runnable import Runnable

SEED = 7
"""Where none is given, here and on the command line."""


def run(
    simulation: str,
    *,
    steps: int | None = None,
    seed: int = SEED,
    out: str | Path | None = None,
    model: str | ModelChoice | None = None,
    host: HostName | None = None,
    observers: Iterable[Observer] = (),
    progress: bool = False,
    **options: Any,
) -> Runnable:
    """Run a simulation and return it as it is then: ``cave_sim.run("town_day", steps=48, residents=12)``.

    Args:
        simulation: one that is installed, by its name; or a module or a file of yours, as ``cave-sim run`` takes it.
        steps: how many; as many as the simulation says if not given.
        seed: every random draw follows from it.
        out: folder of the run, which is closed at the end: ``open_run(out)``. Without one no journal is kept, and the
            simulation can be run on.
        model: the language model that is asked, by name or as a choice of more than that.
        host: where cells run, ``process`` or ``local``; None puts those of language models into processes.
        observers: told of every step and turn.
        progress: whether to show a bar meanwhile.
        options: what the simulation takes besides; :command:`cave-sim run NAME --help` lists it.

    Raises:
        WorldError: there is no such simulation, or an option does not fit.
    """
    if not isinstance(simulation, str):
        raise WorldError(f"run({simulation!r}): takes a simulation's name; one that you made has run(steps=) itself")
    if not isinstance(model, str | ModelChoice | None):
        raise WorldError(f"model={model!r}: takes a model's name, such as 'openai/gpt-4o', or a ModelChoice")
    if not isinstance(out, str | Path | None):
        raise WorldError(f"out={out!r}: takes the path of the run's folder, as out='runs/mine'")
    expect_host(host)  # before there is a folder
    choice = ModelChoice(model) if isinstance(model, str) else model
    recipe = Recipe.named(simulation, create={"seed": seed, **options}, model=choice)
    module = recipe.module()
    is_new = out is not None and not Path(out).exists()
    runnable = recipe.make(out, list(observers))
    try:
        _put(runnable, host)
    except WorldError:
        runnable.close()
        if out is not None and is_new:
            shutil.rmtree(out)
        raise
    try:
        runnable.run(steps=module.STEPS if steps is None else steps, progress=progress)
    finally:
        if out is not None:
            runnable.close()
    return runnable


def _put(simulation: Runnable, host: HostName | None) -> None:
    if isinstance(simulation, Jailable):
        simulation.jail.choose(host)
        simulation.jail.begin()
    elif host == "local":
        simulation.stay_local()
    elif host is not None:
        raise WorldError(f"host={host!r}: a run of many worlds takes it on the command line, cave-sim run NAME --host")
