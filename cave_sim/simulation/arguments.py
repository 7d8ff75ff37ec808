"""What a simulation was handed, looked at before anything is made of it: each message says what to give instead."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from cave_sim.diagnostics.attribute_hints import Fitting, never
from cave_sim.diagnostics.option_hints import naming_options
from cave_sim.errors import WorldError, did_you_mean
from cave_sim.models.base import Model
from cave_sim.models.budget import Budgets
from cave_sim.models.for_agents import ForAgents
from cave_sim.simulation.control import Control
from cave_sim.simulation.prompts import Prompts
from cave_sim.simulation.schedulers import SCHEDULERS
from cave_sim.simulation.treatment import Treatment
from cave_sim.world.world import World

names_options = naming_options(
    "Simulation",
    {
        "seed": "World(seed=...): a simulation has the seed of its world",
        **dict.fromkeys(("step_s", "start", "limits"), "World(...): clock and limits are its world's"),
        **dict.fromkeys(("steps", "until", "n_steps"), "run(steps=...), on the simulation"),
        **dict.fromkeys(("model", "client"), "llm=..., a model of cave_sim.models"),
        **dict.fromkeys(("path", "folder", "run_dir", "journal"), "out=..., the path of the run's folder"),
        "agent_reporters": "agent_reporters = ('field',) in a subclass of Simulation: fields of all entities",
        **dict.fromkeys(("dynamics", "rules"), "world.dynamics(...), with a function of the world"),
    },
)
"""Decorates what takes the arguments of a simulation."""


FITTING: dict[str, Fitting] = {
    "world": (never, "a simulation keeps the world that it was made with: Simulation(world, agents)"),
    "scheduler": (
        never,
        "who acts when is said once, so that a resumed run has it too: Simulation(..., scheduler=...)",
    ),
    "measures": (
        never,
        "what is measured is said by Simulation(..., measures={...}), or simulation.measure_also({...})",
    ),
    "agents": (never, "agents are given once: Simulation(world, {'ann': Walker})"),
    "llm": (lambda value: value is None or isinstance(value, Model), "takes a model, such as ModelChoice(...).open()"),
    "control": (lambda value: value is None or isinstance(value, Control), "takes a Control, or None"),
    "embeddings": (lambda value: value is None or isinstance(value, Model), "takes a model of embeddings, or None"),
    "treatment": (lambda value: isinstance(value, Treatment), "takes Treatment([Intervention(...)])"),
    "contexts": (lambda value: isinstance(value, ForAgents), 'takes ForAgents((("*", "summary"),))'),
    "output_limits": (lambda value: isinstance(value, ForAgents), 'takes ForAgents((("*", OutputLimits(...)),))'),
    "prompts": (lambda value: isinstance(value, Prompts), "takes Prompts(name, {part: text})"),
    "observers": (lambda value: isinstance(value, list), "takes a list of observers"),
    "running": (lambda value: isinstance(value, bool), "takes False to stop it after this step, or True"),
    **dict.fromkeys(
        ("roster", "run_journal", "calls", "reactions", "effects", "jail", "asked_agents", "about"),
        (never, "that is a part of the simulation, which it makes for itself"),
    ),
}
"""What of a simulation that stands may be set, and to what."""


def expect_fitting(
    world: Any, *, llm: Any, scheduler: Any, measures: Any, observers: Any, out: Any, **of_one_kind: Any
) -> None:
    """Raise WorldError for the first argument of a simulation that is of another kind than it takes."""
    if not isinstance(world, World):
        way_out = ""
        if isinstance(world, str):
            way_out = f"; a simulation that is installed, or of yours, is run by its name: cave_sim.run({world!r})"
        raise WorldError(f"Simulation({world!r}): takes a World first{way_out}")
    if isinstance(llm, type):
        raise WorldError(f"llm={llm.__name__}: that is the class; make one, {llm.__name__}(...)")
    if llm is not None and not isinstance(llm, Model):
        known = f"ModelChoice({llm!r}).open(), from cave_sim.models.from_cli, or cave_sim.run(..., model={llm!r})"
        raise WorldError(f"llm={llm!r}: takes a model: {known if isinstance(llm, str) else _way_to_a_model(llm)}")
    _expect_scheduler(scheduler)
    _expect_measures(measures)
    if not isinstance(observers, Iterable):
        raise WorldError(f"observers={observers!r}: takes a list of them, as observers=[{observers!r}]")
    for observer in observers:
        if not callable(getattr(observer, "on_step", None)):
            raise WorldError(f"observers: {observer!r} hears nothing; takes objects of subclasses of Observer")
    if not isinstance(out, str | None) and not hasattr(out, "__fspath__"):
        raise WorldError(f"out={out!r}: takes the path of the run's folder, as out='runs/mine'")
    for name, value in of_one_kind.items():
        kind, meant = KINDS[name]
        if value is not None and not isinstance(value, kind):
            raise WorldError(f"{name}={value!r}: takes {meant}")
    _expect_free(world)


def _way_to_a_model(llm: Any) -> str:
    parts = ("name", "window_tokens", "price", "reply")
    missing = [part for part in parts if not hasattr(llm, part)]
    if callable(llm) and len(missing) == len(parts):
        return "a function of the request that returns a text is one as ScriptedModel(function), from cave_sim.models"
    lacking = f"; this {type(llm).__name__} lacks {', '.join(missing)}" if len(missing) < len(parts) else ""
    return f"one of cave_sim.models, or an object with {', '.join(parts[:-1])} and `async def reply(request)`{lacking}"


def _expect_measures(measures: Any) -> None:
    if not isinstance(measures, Mapping | None):
        raise WorldError(f"measures={measures!r}: takes names and functions, as {{'people': lambda world: len(world)}}")
    for name, measure in (measures or {}).items():
        if not callable(measure):
            raise WorldError(f"measures: {name!r} is {measure!r}; takes a function of the world that returns a number")
        if not accepts(measure, 1):
            raise WorldError(f"measures: {name!r} takes one argument, the world, as lambda world: len(world)")


def accepts(function: Callable[..., Any], count: int) -> bool:
    """Say whether a function can be called with so many arguments; one that does not say can."""
    try:
        inspect.signature(function).bind(*range(count))
    except TypeError:
        return False
    except ValueError:
        return True
    return True


def _expect_free(world: World) -> None:
    """Raise WorldError if the turns of a world go into a run that another simulation is still writing."""
    journal = getattr(getattr(world.sink, "__self__", None), "journal", None)
    if journal is not None:
        raise WorldError(
            f"Simulation(world): its turns go into {journal.folder}, which another simulation writes; "
            "close that first, simulation.close(), or take a copy: Simulation(world.fork())"
        )


KINDS: dict[str, tuple[type, str]] = {
    "control": (Control, "a Control() of cave_sim.simulation.control"),
    "budgets": (Budgets, "Budgets(run=Budget(calls=100)) of cave_sim.models.budget"),
    "agent_factories": (Mapping, "agents by class of entity, as {Rabbit: Forager}"),
    "config": (Mapping, "what the run was made with, as {'residents': 12}"),
    "manifest": (Mapping, "what else the run says of itself, as {'portrayal': {...}}"),
}
"""What may be left away, or is of one kind: which, and how errors call it."""


def _expect_scheduler(scheduler: Any) -> None:
    if isinstance(scheduler, type):
        raise WorldError(f"scheduler={scheduler.__name__}: that is the class; make one, {scheduler.__name__}()")
    if scheduler is None or callable(getattr(scheduler, "batches", None)):
        return
    meant = SCHEDULERS.get(str(scheduler))
    hint = did_you_mean(str(scheduler), SCHEDULERS)
    named = f"{meant.__name__}()" if meant is not None else f"RandomOrder().{hint}"
    raise WorldError(f"scheduler={scheduler!r}: takes a scheduler of cave_sim.simulation.schedulers, as {named}")
