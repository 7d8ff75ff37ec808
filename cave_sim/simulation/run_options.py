"""What every simulation's ``create`` takes beside its own options, and hands on to :class:`Simulation`.

    def create(*, seed: int, residents: int = 8, **run: Unpack[RunOptions]) -> Simulation:
        return Simulation(build(seed, residents), **run)

``cave-sim run``, recipes and studies read from the annotation which of them a simulation takes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypedDict, TypeVar, cast

from cave_sim.models.base import Model
from cave_sim.models.budget import Budgets
from cave_sim.simulation.control import Control
from cave_sim.simulation.observers import Observer
from cave_sim.simulation.schedulers import Scheduler


class RunOptions(TypedDict, total=False):
    """Options of a simulation that asks no language model.

    Attributes:
        out: folder of the run; None keeps no journal.
        manifest: what the run is to say of how it was made.
        observers: told of every step and turn.
        scheduler: who acts when; by default one after another, in a new random order each step.
        control: what it is played, paused and intervened in with.
    """

    out: str | Path | None
    manifest: Mapping[str, Any] | None
    observers: Sequence[Observer]
    scheduler: Scheduler | None
    control: Control | None


class ModelRunOptions(RunOptions, total=False):
    """Options of a simulation whose agents may ask a language model.

    Attributes:
        llm: the model that is asked; None for what the simulation does without one.
        budgets: what may be spent on it.
    """

    llm: Model | None
    budgets: Budgets | None


Options = TypeVar("Options", RunOptions, ModelRunOptions)


def extended(
    run: Options,
    *,
    manifest: Mapping[str, Any] | None = None,
    observers: Sequence[Observer] = (),
    scheduler: Scheduler | None = None,
    llm: Model | None = None,
) -> Options:
    """Return run options with what a simulation itself adds to them.

    Args:
        run: what its ``create`` was given; stays as it is.
        manifest: entries that the run has unless it was given others.
        observers: told after those that were given.
        scheduler: for where none was given.
        llm: for where no model was given.
    """
    more: dict[str, Any] = {"manifest": {**(manifest or {}), **_given(run, "manifest", {})}}
    more |= {"observers": [*_given(run, "observers", ()), *observers]}
    more |= {"scheduler": _given(run, "scheduler", scheduler)}
    more |= {} if llm is None else {"llm": _given(run, "llm", llm)}
    return cast("Options", {**run, **more})


def _given(run: Mapping[str, Any], name: str, otherwise: Any) -> Any:
    return otherwise if run.get(name) is None else run[name]
