"""One trial of a scenario: a run of a recipe, which goes on wherever it was stopped, or where a run like it was."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from cave_sim.errors import JournalError, WorldError
from cave_sim.files.whole_files import clear_away
from cave_sim.history.condition import Condition
from cave_sim.history.condition_over_steps import ConditionOverSteps
from cave_sim.history.measures_by_name import holds
from cave_sim.journal.lock import lock
from cave_sim.journal.reader import Run, open_run
from cave_sim.models.budget import Budget, Budgets, Spent
from cave_sim.replay.fork import fork
from cave_sim.replay.resume import resume
from cave_sim.scenario.outcomes import outcomes_of
from cave_sim.scenario.parts import Survey, TrialOutcome
from cave_sim.scenario.plans import TrialPlan
from cave_sim.simulation.runnable import Runnable
from cave_sim.simulation.simulation import Simulation
from cave_sim.simulation.steps_alone import take_moment_alone
from cave_sim.simulation.treatment import Intervention
from cave_sim.survey.asking import ask

TRIAL = "trial"
"""The entry of a manifest that says that a trial is finished, and how."""


@dataclass(frozen=True)
class TrialResult:
    """What came of a trial.

    Attributes:
        trial: its name.
        steps: how many steps it has.
        shared: how many of them were run by the trial that it branched from.
        measures: what was measured after the last one, and what came of it.
        state_hash: of the state then.
    """

    trial: str
    steps: int
    shared: int
    measures: Mapping[str, float]
    state_hash: str


def finished(folder: Path) -> TrialResult | None:
    """Return the result that a trial's folder holds; None if it was not finished."""
    if not folder.is_dir():
        return None
    try:
        with open_run(folder) as run:
            about = run.manifest.get(TRIAL)
    except JournalError:
        return None
    return None if about is None else TrialResult(folder.name, **about)


def run_trial(
    plan: TrialPlan,
    folder: Path,
    budgets: Budgets,
    *,
    branch: tuple[Path, int] | None = None,
    probes: Sequence[Intervention] = (),
    surveys: Sequence[Survey] = (),
    outcomes: Mapping[str, TrialOutcome] | None = None,
) -> TrialResult | None:
    """Run a trial to its end; returns None if a budget ended it before.

    Args:
        plan: what is run.
        folder: of its run; one that was begun goes on.
        budgets: what may be spent, and what was.
        branch: the run whose first steps are its own, and how many these are.
        probes: interventions of others, to find out how far a run of theirs would be the same.
        surveys: what minds are asked.
        outcomes: what is read from its journal at its end.

    Raises:
        WorldError: an intervention did not land, an outcome is no number, or the simulation has no branches.
    """
    simulation = _begun(plan, folder, branch)
    simulation.treatment.probes = probes
    before = simulation.calls.budgets.spent
    simulation.calls.budgets.run = _allowance(budgets, before)
    stop = None if plan.stop is None else ConditionOverSteps(Condition(plan.stop))
    try:
        if stop is not None:
            read_so_far(stop, simulation)
        _ask(simulation, surveys)
        with simulation.written_together():
            while simulation.running and not simulation.over and simulation.world.clock.step < plan.steps:
                step = simulation.world.clock.step
                if stop is not None and (step or stop.condition.looks_back) and _holds(stop, simulation) and step:
                    break
                looked_at = plan.steps if stop is None else step  # where nobody looks, a world that is alone goes on
                next_look = min([looked_at, *(at for survey in surveys for at in survey.at if at > step)])
                if not take_moment_alone(simulation, next_look):
                    simulation.step()
                _ask(simulation, surveys)
        if simulation.running:
            _expect_landed(folder)
            return _end(simulation, folder, outcomes or {})
    finally:
        budgets.spent += simulation.calls.budgets.spent + -before
        simulation.close()
    return None


def _holds(stop: ConditionOverSteps, simulation: Simulation) -> bool:
    return holds(stop, simulation.world, simulation.latest_measures, simulation.measures)


def _begun(plan: TrialPlan, folder: Path, branch: tuple[Path, int] | None) -> Simulation:
    """Return the simulation of a trial, at the last step that its folder has, or at its first."""
    if _has_steps(folder):
        simulation = resume(folder, recipe=plan.recipe)
    else:
        if folder.is_dir():
            lock(folder).close()  # a worker of a study that was killed may be at it still
        clear_away(folder)
        if branch is None:
            simulation = plan.recipe.make(folder)
        else:
            simulation = fork(branch[0], branch[1], folder, recipe=plan.recipe)
    if not isinstance(simulation, Simulation):
        simulation.close()
        raise WorldError(f"{plan.recipe.simulation} lies in shards; scenarios are for one world")
    return simulation


def _has_steps(folder: Path) -> bool:
    if not folder.is_dir():  # opening it would look what else is there, to say which run was meant
        return False
    try:
        with open_run(folder) as run:
            return run.last_step >= 0
    except JournalError:
        return False


def _allowance(budgets: Budgets, spent: Spent) -> Budget:
    """Return the limits of a run that had spent before, so that it spends no more than is left."""
    return Budget(
        **{
            each.name: getattr(spent, each.name) + max(0, limit - getattr(budgets.spent, each.name))
            for each in fields(Budget)
            if (limit := getattr(budgets.run, each.name)) is not None
        }
    )


def _ask(simulation: Simulation, surveys: Sequence[Survey]) -> None:
    """Put the questions that are due to minds, unless they have answered: before the run was stopped, or branched."""
    step = simulation.world.clock.step
    due = [survey for survey in surveys if step in survey.at]
    if not due or simulation.journal is None:
        return
    asked_at = "SELECT DISTINCT survey FROM answers WHERE step = ?"
    parts = ((run.query(asked_at, step), until) for run, until in lineage(simulation.journal.path.parent))
    answered = {name for rows, until in parts if step <= until for (name,) in rows}
    for survey in due:
        if survey.asked.name not in answered:
            simulation.journal.add_answers(map(asdict, ask(simulation, survey.asked, survey.whom)))


def _expect_landed(folder: Path) -> None:
    """Refuse a run in which something that was planned did not land: its condition was never brought about."""
    with open_run(folder) as run:
        for step, about in interventions(run):
            if "plan" in about and about["status"] != "committed":
                (error,) = run.query("SELECT agent, error FROM turns WHERE turn = ?", about["turn"])
                why = f"({about['status']}): {' '.join(str(error[1] or '').split())}"
                raise WorldError(f"step {step}: the planned cell of {error[0]} did not land {why}")


def _end(simulation: Simulation, folder: Path, outcomes: Mapping[str, TrialOutcome]) -> TrialResult:
    with open_run(folder) as run:
        shared = int(next((parent["step"] for parent in run.manifest.get("parents") or ()), 0))
        measures = {**simulation.latest_measures, **outcomes_of(run, outcomes, simulation.measures)}
    about: dict[str, Any] = {"steps": simulation.world.clock.step, "shared": shared, "measures": measures}
    about["state_hash"] = simulation.state_hash
    assert simulation.journal is not None
    simulation.journal.describe({TRIAL: about})
    return TrialResult(folder.name, **about)


def interventions(run: Run, kinds: Sequence[str] = ("intervention",)) -> list[tuple[int, dict[str, Any]]]:
    """Return what a run's journal says of interventions: step, and turn, status and plan of each."""
    marks = ", ".join("?" * len(kinds))
    rows = run.query(f"SELECT step, data FROM events WHERE kind IN ({marks}) ORDER BY entry", *kinds)
    return [(step, run.data(data)) for step, data in rows]


def same_until(folder: Path, differing: set[str]) -> int:
    """Return the last step that a run has in common with one from which some interventions tell it apart.

    Args:
        folder: of a run that was finished, with the interventions of the other one as probes.
        differing: keys of the interventions that only one of both has.
    """
    last = None
    for run, until in lineage(folder):
        last = run.last_step if last is None else last
        acts = interventions(run, ("intervention", "probed"))
        steps = [step for step, about in acts if about.get("plan") in differing and step <= until]
        last = min([last, *(step - 1 for step in steps)])
    return last or 0


def read_so_far(condition: ConditionOverSteps, simulation: Runnable) -> None:
    """Have a condition look at all steps that a simulation has behind it, in the runs that it branched from, too."""
    step, journal = simulation.world.clock.step, simulation.journal
    if journal is None or not step or not condition.condition.looks_back:
        return
    parts = [(run.folder, min(until, step - 1)) for run, until in lineage(journal.folder)]
    for part, until in reversed(parts):
        with open_run(part) as run:
            condition.read(run, until)


def lineage(folder: Path) -> Iterator[tuple[Run, int]]:
    """Yield a run and those that it branched from, open to be read, each with the last step that is its part of it.

    Raises:
        JournalError: one of them is not there, or is said to have branched from itself.
    """
    until: int | None = None
    seen: set[Path] = set()
    while True:
        if folder.resolve() in seen:
            raise JournalError(f"{folder} says that it branched from itself")
        seen.add(folder.resolve())
        with open_run(folder) as run:
            yield run, run.last_step if until is None else until
            parents = run.manifest.get("parents") or ()
        if not parents:
            return
        folder, until = folder.parent / str(parents[0]["run"]), int(parents[0]["step"])
