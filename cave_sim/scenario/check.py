"""Checking a scenario before anything is spent: what cannot work, what looks odd, and what it will take."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import compress
from typing import Any

from cave_sim.diagnostics.plurals import counted
from cave_sim.errors import Blocked, CaveSimError, WorldError, did_you_mean
from cave_sim.history.asked_classes import unheard_classes
from cave_sim.history.condition import Condition, NoEntityNamed
from cave_sim.history.condition_over_steps import ConditionOverSteps
from cave_sim.history.measures_by_name import (
    holds,
    holds_now,
    meant,
    named,
    names_of,
    unquoted,
    with_meant,
)
from cave_sim.models.from_cli import ModelChoice
from cave_sim.replay.fork import expect_known
from cave_sim.replay.own_code import told_place
from cave_sim.replay.recipe import Recipe
from cave_sim.replay.settings import parameters
from cave_sim.replay.simulation_names import find
from cave_sim.scenario.alike import tell_alike
from cave_sim.scenario.bounds import outlook
from cave_sim.scenario.findings import Findings
from cave_sim.scenario.marks import MarkedText, Place
from cave_sim.scenario.outcomes import check_outcomes
from cave_sim.scenario.over_steps import OverSteps
from cave_sim.scenario.parts import Act, PlannedAct
from cave_sim.scenario.placeholders import filled
from cave_sim.scenario.plans import ScenarioTrial, TrialPlan, code_of, plan_of
from cave_sim.scenario.points import telling_points
from cave_sim.scenario.schema import Scenario
from cave_sim.scenario.study import ScenarioStudy
from cave_sim.simulation.measure_by_text import value_of
from cave_sim.simulation.measuring import is_function, measures_of
from cave_sim.simulation.runnable import number_of
from cave_sim.simulation.simulation import Simulation
from cave_sim.survey.asking import expect_minds, respondents
from cave_sim.world.api_menu import call_of

NAME_OF_ERROR = re.compile(r"^(?:SchemaError|WorldError|Refused): ")


def check_scenario(scenario: Scenario, text: MarkedText | None = None) -> Findings:
    """Return what is wrong with a scenario, as far as making its worlds shows; no step of it is taken.

    Args:
        scenario: the scenario.
        text: what it was read from, for lines.
    """
    findings = Findings(text or MarkedText(scenario.name, {}, {}))
    try:
        ScenarioStudy(scenario, scenario.all_seeds()[:1]).blocks()
    except CaveSimError as error:
        findings.failure(error)
        return findings
    tell_alike(scenario, findings)
    if not _asks_where_it_can(scenario, findings):
        return findings
    for recipe, trials in _by_world(scenario):
        try:
            simulation = recipe.make()
        except (CaveSimError, ValueError) as error:
            findings.failure(error, _of_what_differs(scenario, trials[0][0].condition))
            continue
        if not isinstance(simulation, Simulation):
            findings.problem(("simulation",), f"{scenario.simulation} lies in shards; scenarios are for one world")
            continue
        findings.measures[:] = simulation.measures
        for trial, plan in trials:
            _check_trial(scenario, trial, plan, simulation, findings)
        simulation.close()
    check_outcomes(scenario, findings)
    return findings


def _asks_where_it_can(scenario: Scenario, findings: Findings) -> bool:
    """Tell of models that are named for a simulation that asks none; say whether there are none such."""
    if "llm" in parameters(find(scenario.simulation)):
        return True
    conditions = [name for name, each in scenario.conditions.items() if each.model is not None]
    places: list[Place] = [("model",)] if scenario.model is not None else []
    places += [("conditions", name, "model") for name in conditions]
    for place in places:
        message = "asks no language model: leave this away. cave-sim list NAME says of a simulation whether it asks one"
        findings.problem(place, f"{scenario.simulation} {message}")
    return not places


def _of_what_differs(scenario: Scenario, condition: str) -> Place:
    """Return where a scenario says what is different in a world that cannot be made; nowhere, if nothing is."""
    if condition == next(iter(scenario.conditions)):
        return ()
    return ("conditions", condition, "options") if scenario.conditions[condition].options else ()


def _by_world(scenario: Scenario) -> Iterator[tuple[Recipe, list[tuple[ScenarioTrial, TrialPlan]]]]:
    """Yield the recipes of worlds with the trials that begin in each: making one is what takes longest here."""
    points, seed = list(telling_points(scenario)), scenario.all_seeds()[0]
    trials = [ScenarioTrial(name, *at, seed) for name in scenario.conditions for at in enumerate(points)]
    left = [(trial, plan_of(scenario, trial)) for trial in trials]
    while left:
        recipe = left[0][1].recipe.without_model()
        alike = [plan.recipe.without_model() == recipe for _, plan in left]
        yield recipe, list(compress(left, alike))
        left = [each for each, same in zip(left, alike, strict=True) if not same]


def _check_trial(
    scenario: Scenario, trial: ScenarioTrial, plan: TrialPlan, simulation: Simulation, findings: Findings
) -> None:
    """Look at everything that a scenario says of a trial, in its world."""
    point = dict(trial.point)
    earlier = dict(simulation.latest_measures)
    for name in scenario.measures:
        _check_measure(simulation, plan.recipe.measures[name], ("measures", name), findings, earlier)
    for place, act in _acts(scenario, trial.condition):
        _check_act(simulation, plan, act, point, place, findings, earlier)
    if plan.stop is not None:
        condition = scenario.conditions[trial.condition]
        below: Place = ("conditions", trial.condition) if condition.stop else ()
        stop = ConditionOverSteps(Condition(plan.stop))
        own = simulation.measures

        def now(world: Any) -> bool:
            return holds(stop, world, earlier, own)

        _check_condition(simulation, plan.stop, (*below, "stop"), findings, now, earlier)
        with suppress(WorldError):
            if now(simulation.world):
                findings.warning((*below, "stop"), "this holds at the start; the first step is taken nevertheless")
    for number, survey in enumerate(scenario.surveys):
        if late := [step for step in survey.at if step > plan.steps]:
            message = f"a run has {counted(plan.steps, 'step')}, so that step {late[0]} never comes"
            findings.problem(("surveys", number, "at"), message)
    if scenario.surveys and trial.number == 0:
        _check_respondents(scenario, plan, simulation, findings)


def _check_respondents(scenario: Scenario, plan: TrialPlan, simulation: Simulation, findings: Findings) -> None:
    """Tell where nobody can be asked; who can is seen with a script in the model's place, so that no model is."""
    minds = respondents(simulation)
    if plan.recipe.model is not None:
        with_minds = replace(plan.recipe.without_model(), model=ModelChoice()).make()
        minds = respondents(with_minds) if isinstance(with_minds, Simulation) else []
        with_minds.close()
    for number, survey in enumerate(scenario.surveys):
        try:
            expect_minds(minds, survey.whom)
        except WorldError as error:
            place: Place = ("surveys", number, "whom") if minds else ("surveys", number)
            message = str(error).replace("; run it with --model", ": name a model by the scenario's key model")
            findings.problem(place, message)


def _acts(scenario: Scenario, condition: str) -> Iterator[tuple[Place, PlannedAct]]:
    for number, act in enumerate(scenario.interventions):
        yield ("interventions", number), act
    for number, act in enumerate(scenario.conditions[condition].interventions):
        yield ("conditions", condition, "interventions", number), act


def _check_classes(simulation: Simulation, text: str, place: Place, findings: Findings) -> None:
    """Tell of classes that nobody is of: a likely slip is a mistake, one that may come later is worth a word."""
    for unheard in unheard_classes(text, simulation.world):
        if unheard.meant:
            findings.problem(place, str(unheard))
        else:
            findings.warning(place, f"{unheard} at the start")


def _check_measure(
    simulation: Simulation, text: str, place: Place, findings: Findings, earlier: dict[str, float]
) -> None:
    world = simulation.world
    _check_classes(simulation, text, place, findings)
    if not is_function(text):
        _check_texts(simulation, text, place, findings)
    try:
        measures = measures_of({str(place[-1]): text}, simulation.measures)
        for name, measure in measures.items():
            if (value := value_of(measure, world, earlier)) is not None:
                earlier[name] = number_of(name, value)
    except ArithmeticError as error:
        findings.warning(place, f"at the start this cannot be worked out: {error}{_where(error, text)}")
    except (Exception, SystemExit) as error:  # a function of one's own may raise anything at all
        if "ZeroDivisionError" in str(error):
            findings.warning(place, f"at the start this cannot be worked out: {error}")
        else:
            findings.problem(place, _with_meant(error, text, [*simulation.measures, *earlier]))


def _with_meant(error: BaseException, text: str, measures: Collection[str]) -> str:
    """Return an error with which measure was meant by a name of nothing else, or where a text belongs."""
    message = str(error) or type(error).__name__
    if (over := OverSteps.read(text)) is not None and over.measure in measures:
        return f"{message}; over the steps of a run it is an outcome, written below outcomes:"
    if isinstance(error, NoEntityNamed):
        return with_meant(error, measures)
    if isinstance(error, WorldError) and "KeyError" in str(error):
        return message + (did_you_mean(str(named(text)), measures) or meant(error, measures))
    return message + (unquoted(text, measures) if isinstance(error, WorldError) else _where(error, text))


def _where(error: BaseException, text: str) -> str:
    """Return, in brackets, where a function of one's own failed; what is written in a scenario has no such place."""
    return told_place(error) if is_function(text) else ""


def _check_condition(
    simulation: Simulation,
    text: str,
    place: Place,
    findings: Findings,
    holds: Callable[[Any], bool],
    earlier: dict[str, float],
) -> None:
    _check_classes(simulation, text, place, findings)
    try:
        holds(simulation.world)
    except WorldError as error:
        (findings.warning if "ZeroDivisionError" in str(error) else findings.problem)(place, str(error))
        return
    if _check_texts(simulation, text, place, findings):
        return
    truth = outlook(text, simulation.world).truth
    if truth is False:
        why = "its parts contradict each other, or the bounds that fields declare"
        findings.problem(place, f"{text!r} can never be true: {why}")
    elif truth and text.strip() != "True":
        findings.problem(place, f"{text!r} is true whatever happens: compare it with something; True stands for always")
    elif not (condition := Condition(text)).looks_back:
        try:
            value = condition.value(simulation.world, names=names_of(earlier, simulation.world))
        except WorldError:  # of a measure there is nothing at the start
            return
        if isinstance(value, str):
            findings.warning(place, f"{text!r} is a text, {value!r} at the start, and true unless it is empty")
        elif isinstance(value, int | float) and not isinstance(value, bool):
            findings.warning(place, f"{text!r} is a number, {value:g} at the start, and true unless it is 0")


def _check_texts(simulation: Simulation, text: str, place: Place, findings: Findings) -> bool:
    """Tell of texts that a field is compared with and never holds; say whether there are any."""
    found = outlook(text, simulation.world)
    for message in found.never:
        findings.problem(place, message)
    for message in found.odd:
        findings.warning(place, message)
    return bool(found.never)


def _check_act(
    simulation: Simulation,
    plan: TrialPlan,
    act: PlannedAct,
    point: dict[str, Any],
    place: Place,
    findings: Findings,
    earlier: dict[str, float],
) -> None:
    """Check one intervention: its moment, who does it, and what is done, on a copy of the world at its start."""
    _check_moment(simulation, plan, filled(act.at, point), (*place, "at"), findings)
    if act.when is not None:
        when, own = str(filled(act.when, point)), {**simulation.measures, **plan.recipe.measures}

        def now(world: Any) -> bool:
            return holds_now(Condition(when), world, own, lambda: earlier)

        _check_condition(simulation, when, (*place, "when"), findings, now, earlier)
    try:
        expect_known(simulation, act.agent)
    except WorldError as error:
        findings.problem((*place, "agent"), str(error))
        return
    key = next(name for name in ("cell", "act", "set") if getattr(act, name) is not None)
    code = code_of(act, point)
    try:
        simulation.world.interpreter.cells.get(code)
        if act.act is not None:
            _expect_method(simulation, act.act)
    except (Blocked, SyntaxError, WorldError, TypeError) as error:
        findings.problem((*place, key), str(error))
        return
    turn = simulation.world.fork().execute(code, act.agent)
    if not turn.committed:
        reason = turn.error or turn.status
        if act.set is not None:  # whose line of code nobody wrote
            findings.problem((*place, key), NAME_OF_ERROR.sub("", reason.splitlines()[-1]))
            return
        note = findings.problem if turn.status == "blocked" else findings.warning
        note((*place, key), f"at the start this would not land: {' '.join(reason.split())}")


def _check_moment(simulation: Simulation, plan: TrialPlan, at: Any, place: Place, findings: Findings) -> None:
    world = simulation.world
    if isinstance(at, int) and at >= plan.steps:
        findings.problem(place, f"a run has {counted(plan.steps, 'step')}, so that none begins behind step {at}")
    if not isinstance(at, str):
        return
    try:
        moment = datetime.fromisoformat(at)
        last = world.clock.now + timedelta(seconds=world.step_s * (plan.steps - 1))
        if not world.clock.now <= moment <= last:
            span = f"{world.clock.now:%Y-%m-%dT%H:%M} to {last:%Y-%m-%dT%H:%M}"
            findings.problem(place, f"a run's steps begin from {span}, so that {at} never comes")
    except (ValueError, TypeError):
        findings.problem(place, f"{at!r} is no world time, such as {world.clock.now:%Y-%m-%dT%H:%M}")


def _expect_method(simulation: Simulation, act: Act) -> None:
    """Refuse an act of an entity that is not there, or has no such method, or one with other arguments."""
    world = simulation.world
    if act.entity not in world:
        names = [name for name in world if type(world[name]).__name__ == act.entity]
        way = f" It is a class; one of it is {names[0]}" if names else did_you_mean(act.entity, world)
        raise WorldError(f"there is no entity {act.entity!r}.{way}")
    entity = world[act.entity]
    methods = [name for name, _ in inspect.getmembers(type(entity), callable) if not name.startswith("_")]
    if act.method not in methods:
        near = did_you_mean(act.method, methods) or f" It has: {', '.join(methods) or 'none; write a cell'}"
        raise WorldError(f"{act.entity} ({type(entity).__name__}) has no method {act.method!r}.{near}")
    taken = inspect.signature(getattr(entity, act.method))
    try:
        taken.bind(**act.arguments)
    except TypeError as error:
        call = f"{act.entity}.{call_of(type(entity), act.method)}"
        for name in (each for each in act.arguments if each not in taken.parameters):
            near = did_you_mean(name, taken.parameters)
            raise WorldError(f"{call}: there is no argument {name!r}.{near}") from None
        raise WorldError(f"{call}: {error}") from None
