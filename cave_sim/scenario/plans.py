"""Plans of trials: what is run under one condition at one point with one seed, as a recipe."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from cave_sim.errors import WorldError, did_you_mean
from cave_sim.models.from_cli import ModelChoice
from cave_sim.replay.recipe import Recipe
from cave_sim.replay.settings import kept, settings
from cave_sim.replay.simulation_names import find
from cave_sim.scenario.parts import PlannedAct, ScenarioCondition
from cave_sim.scenario.placeholders import filled
from cave_sim.scenario.points import Point, points_of
from cave_sim.scenario.schema import Scenario
from cave_sim.simulation.schedulers import SCHEDULERS
from cave_sim.simulation.treatment import Intervention

VARIED = ("residents", "scheduler")
"""Keys of a scenario that a parameter may stand for, too."""


@dataclass(frozen=True)
class ScenarioTrial:
    """What tells a trial of a scenario from the others.

    Attributes:
        condition: its name.
        number: of the point, from 0.
        point: the values of the parameters.
        seed: of the world.
    """

    condition: str
    number: int
    point: Point
    seed: int

    def __str__(self) -> str:
        return f"{self.condition}-{f'point{self.number}-' if self.point else ''}{self.seed}"


@dataclass(frozen=True)
class TrialPlan:
    """What a trial runs.

    Attributes:
        recipe: how its simulation is made, with what is planned and measured.
        steps: up to which step.
        stop: the condition that ends it earlier; None for none.
    """

    recipe: Recipe
    steps: int
    stop: str | None

    def at_seed(self, seed: int) -> TrialPlan:
        """Return what the trial runs that differs from this one by its seed alone."""
        return replace(self, recipe=replace(self.recipe, create={**self.recipe.create, "seed": seed}))

    def differs_from(self, other: TrialPlan) -> set[str] | None:
        """Return the keys of the interventions that one of two plans has alone; None if more than these differ."""
        alike = replace(self.recipe, interventions=()) == replace(other.recipe, interventions=())
        if not alike or (self.steps, self.stop) != (other.steps, other.stop):
            return None
        mine, theirs = ([each.key for each in plan.recipe.interventions] for plan in (self, other))
        return {key for key in (*mine, *theirs) if mine.count(key) != theirs.count(key)} or _moved(mine, theirs)


def _moved(mine: list[str], theirs: list[str]) -> set[str]:
    """Return those that stand in another order: two at one moment are done in it."""
    return {key for one, other in zip(mine, theirs, strict=True) if one != other for key in (one, other)}


def plan_of(scenario: Scenario, trial: ScenarioTrial) -> TrialPlan:
    """Return what a trial runs.

    Raises:
        WorldError: there is no such simulation, or an option does not fit it.
    """
    condition, module, point = scenario.conditions[trial.condition], find(scenario.simulation), dict(trial.point)
    known = settings(module)
    create = {**scenario.options, **{name: value for name, value in trial.point if name in known}, **condition.options}
    for name in VARIED:  # what a condition says goes first, then a parameter, then the scenario
        candidates = (getattr(condition, name), point.get(name), getattr(scenario, name))
        value = next((each for each in candidates if each is not None), None)
        create |= {} if value is None else {name: value}
    if "residents" in point and not (isinstance(point["residents"], int) and point["residents"] > 0):
        raise WorldError(f"parameters.residents: {point['residents']!r} is no number of people, 1 or more")
    if "scheduler" in point and point["scheduler"] not in SCHEDULERS:
        near = did_you_mean(str(point["scheduler"]), SCHEDULERS)
        raise WorldError(f"parameters.scheduler: there is no scheduler {point['scheduler']!r}.{near}")
    create = kept(module, filled(create, point))
    recipe = Recipe.named(
        scenario.simulation,
        create={"seed": trial.seed, **create},
        model=model_of(scenario, condition),
        interventions=tuple(planned((*scenario.interventions, *condition.interventions), point)),
        measures={name: str(filled(each.value, point)) for name, each in scenario.measures.items()},
    )
    stop = condition.stop or scenario.stop
    return TrialPlan(recipe, scenario.steps or module.STEPS, None if stop is None else str(filled(stop, point)))


def unused_parameters(scenario: Scenario) -> list[str]:
    """Return parameters that are no option of the simulation, and that no text has a place for."""
    known = {*settings(find(scenario.simulation)), *VARIED}
    texts = [text for _, text in scenario.texts()]
    return [
        name for name in scenario.parameters if name not in known and not any(f"${{{name}}}" in text for text in texts)
    ]


def trials_of(scenario: Scenario, seeds: Iterable[int]) -> list[list[ScenarioTrial]]:
    """Return the trials, in blocks: all conditions at one point with one seed."""
    return [
        [ScenarioTrial(condition, number, point, seed) for condition in scenario.conditions]
        for number, point in enumerate(points_of(scenario))
        for seed in seeds
    ]


def model_of(scenario: Scenario, condition: ScenarioCondition) -> ModelChoice | None:
    """Return the language model that is asked; None if none is."""
    given = condition.model or scenario.model
    if given is None:
        if scenario.models:
            raise WorldError("models: some agents ask another model than the rest: say by model whom all others ask")
        return None
    choice = ModelChoice(given) if isinstance(given, str) else ModelChoice(**given)
    return choice.for_agents(scenario.models) if scenario.models else choice


def planned(acts: Iterable[PlannedAct], point: Mapping[str, Any]) -> list[Intervention]:
    """Return the interventions that parts of a scenario describe, at a point."""
    return [
        Intervention(
            code_of(each, point),
            each.agent,
            at=filled(each.at, point),
            when=None if each.when is None else str(filled(each.when, point)),
            repeat=each.repeat,
        )
        for each in acts
    ]


def code_of(act: PlannedAct, point: Mapping[str, Any]) -> str:
    """Return the cell that does what an intervention says, at a point."""
    if act.act is not None:
        arguments = filled(act.act.arguments, point)
        given = ", ".join(f"{name}={_literal(value)}" for name, value in arguments.items())
        return f"world[{act.act.entity!r}].{act.act.method}({given})"
    if act.set is not None:
        return "\n".join(f"{_place(path)} = {_literal(value)}" for path, value in filled(act.set, point).items())
    return str(filled(act.cell or "", point))


def _place(path: str) -> str:
    entity, _, field = path.partition(".")
    return f"world[{entity!r}].{field}"


def _literal(value: Any) -> str:
    """Return plain data as a cell writes it; a table of one key, ``entity``, is that entity."""
    if isinstance(value, dict) and value.keys() == {"entity"}:
        return f"world[{value['entity']!r}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key!r}: {_literal(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_literal, value)) + "]"
    return repr(value)
