"""Simulations of Mesa models: a world with its entities, its measures, and how its map is drawn."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from cave_sim.entity.entity import Entity
from cave_sim.errors import WorldError, did_you_mean
from cave_sim.loading.quick_mesa import mesa
from cave_sim.mesa_models.construction import Construction
from cave_sim.mesa_models.counterpart_classes import MesaRun, class_of_data
from cave_sim.mesa_models.counterparts import MODEL, Counterparts
from cave_sim.mesa_models.looks import looks_of
from cave_sim.mesa_models.stepping import ModelSteps
from cave_sim.mesa_models.subject import reported
from cave_sim.mesa_models.write_rules import WriteRules
from cave_sim.simulation.agents import Agent
from cave_sim.simulation.observers import Observer
from cave_sim.simulation.runnable import Measure
from cave_sim.simulation.simulation import Simulation
from cave_sim.simulation.steps_alone import Alone
from cave_sim.world.world import World

COMMIT_WITHIN_S = 0.05
"""A step of a small model takes less than a transaction: so its rows wait for those of steps that end within this."""


def simulation_of(
    model: type[mesa.Model],
    *,
    seed: int = 0,
    arguments: Mapping[str, Any] | None = None,
    agent_entities: bool = True,
    agents: Sequence[tuple[type[Agent], str]] | Callable[[Simulation], Iterable[Agent]] = (),
    grants: Mapping[str, Sequence[str]] | None = None,
    units: Mapping[str, str] | None = None,
    out: str | Path | None = None,
    observers: Sequence[Observer] = (),
    manifest: Mapping[str, Any] | None = None,
    **options: Any,
) -> Simulation:
    """Return a simulation whose world has a Mesa model, step by step as plain Mesa steps it from the same seed.

    The entity ``model`` has the public scalar attributes of the model, and what its data collector reports; an entity
    ``agent_17`` has those of the agent with that ``unique_id``, and where it is. Whatever a cell writes to them, or
    takes out of the world, goes into the model before its next step.

    Args:
        model: the model's class, as it is.
        seed: what its generators follow from.
        arguments: of its ``__init__``, or of its scenario.
        agent_entities: whether its agents are entities; without, only the model is, which costs least.
        agents: who acts in this world beside the model's own agents.
        grants: what they may write, as :meth:`~cave_sim.World.grant` takes it.
        units: reporter of its data collector -> what it counts, told in the name of its measure: ``content (share)``.
        out: folder of the run; None keeps no journal.
        observers: told of every step and turn.
        manifest: what the run is to say of how it was made.
        options: more arguments of :class:`~cave_sim.Simulation`.

    Raises:
        WorldError: the model does not take these arguments, or reports no numbers of a name that ``units`` has.
    """
    construction = Construction.of(model)
    given = construction.arguments(arguments or {})
    world = World(seed=seed, step_s=1.0)
    world.registry.class_source = class_of_data
    steps = ModelSteps(construction)
    name = f"{model.__module__}:{model.__qualname__}"
    run = MesaRun(model=name, arguments=given, made_with_seed=seed, seed=seed, agent_entities=agent_entities)
    counterparts = steps.create(world, run)
    world.dynamics(steps)
    for agent, targets in (grants or {}).items():
        world.grant(agent, *targets)
    world.invariant("what a Mesa model takes", WriteRules(counterparts).hold)
    measures = _measures(counterparts, units or {})
    simulation = Simulation(
        world,
        agents,
        out=out,
        observers=[_RunOfModel(), *observers],
        measures=measures,
        config={"model": name, "arguments": given, "agent_entities": agent_entities},
        manifest={**looks_of(counterparts), **(manifest or {})},
        **options,
    )
    simulation.commit_within_s = COMMIT_WITHIN_S
    rules = [*world.rules.dynamics], [*world.rules.invariants]

    def holds() -> bool:
        return ([*world.rules.dynamics], [*world.rules.invariants]) == rules and simulation.measures == measures

    simulation.alone = Alone(holds, steps.in_place, steps.alone, partial(_has_ended, world))
    return simulation


def _measures(counterparts: Counterparts, units: Mapping[str, str]) -> dict[str, Measure]:
    """Return what the model's data collector reports, where that is a number, by its name with what it counts."""
    fields = {name: counterparts.reports.get(name, name) for name in reported(counterparts.model)}
    values = counterparts.world[MODEL].__dict__
    numbers = {name: field for name, field in fields.items() if field in values and type(values[field]) is not str}
    reporters = getattr(getattr(counterparts.model, "datacollector", None), "model_reporters", {})
    for name in units:
        if name not in numbers:
            told = f" It reports {', '.join(numbers)}" if numbers else " It reports none"
            raise WorldError(f"units: the model reports no number {name!r}.{did_you_mean(name, numbers)}{told}")
    named = {name: f"{name} ({units[name]})" if name in units else name for name in numbers}
    return {named[name]: _reader(field, reporters.get(name)) for name, field in numbers.items()}


def _reader(field: str, reporter: Any) -> Measure:
    """Return what reads a field, with what the reporter that fills it says of itself."""

    def read(world: World) -> Any:
        model: Entity = world.undo_log.entities[MODEL]
        return model.__dict__[field]

    read.__doc__ = inspect.getdoc(reporter) if inspect.isroutine(reporter) else None
    return read


def _has_ended(world: World) -> bool:
    return world.undo_log.entities[MODEL].__dict__.get("running") is False


class _RunOfModel(Observer):
    """Ends a simulation whose model has set ``running`` to False, as Mesa's own runners do."""

    looks_on = False

    def on_start(self, simulation: Any, until: int) -> None:
        self.on_step(simulation)

    def on_step(self, simulation: Any) -> None:
        simulation.over = _has_ended(simulation.world)
