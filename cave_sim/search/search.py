"""One search: what was tried, the best of it as a scenario, and the front of size and reach; usable at any moment."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from cave_sim.errors import WorldError, did_you_mean
from cave_sim.experiment.runner import run_experiment
from cave_sim.experiment.work_queue import WorkQueue
from cave_sim.files.whole_files import write_whole
from cave_sim.models.budget import Budget, Spent
from cave_sim.rendering.chart_svg import chart_svg
from cave_sim.replay.fork import one_simulation
from cave_sim.replay.recipe import Recipe
from cave_sim.scenario.plans import plan_of, unused_parameters
from cave_sim.scenario.points import Point
from cave_sim.scenario.saving import to_yaml
from cave_sim.scenario.schema import Scenario
from cave_sim.scenario.tables import series_table
from cave_sim.scenario.trial import TrialResult
from cave_sim.search.change import Change, SearchSpace
from cave_sim.search.goal import HOLDS, MARGIN, Goal
from cave_sim.search.optimiser import Flip, OutOfTrials, front, optimise
from cave_sim.search.trials import SearchTrials

FOUND, FRONT = "found.yaml", "front.svg"


@dataclass(frozen=True)
class Tried:
    """A change that was tried.

    Attributes:
        change: the values of the parameters.
        size: of it, as :meth:`SearchSpace.size` has it.
        outcome: what came of it.
    """

    change: Change
    size: float
    outcome: Flip


class Search:
    """The search for the least change of a scenario that flips a condition.

    Args:
        scenario: whose parameters with ``usual`` are changed.
        goal: the condition.
        out: folder of its trials; what is there is not run again.
        condition: which one of the scenario's; its first unless given.
        seeds: under all of which it has to flip.
        max_forks: how many trials there may be, those that are there already included.
        queue: the workers; one trial after another here unless given.
        limits: of spending on models, for all trials together.
        on_trial: called with each change that was tried.

    Attributes:
        space: of changes.
        goal, out, condition, seeds: as given.
        scenario: with the goal among its measures.
        tried: what was tried, in its order; the usual is the first.
        holds: whether the condition holds as usual.
        trials, steps, shared: how many there were, and how many of these steps they have in common with the usual one.
        failed: how many changes could not be brought about, or failed otherwise; and why the first one did.

    Raises:
        WorldError: the scenario declares nothing that may be changed, or the condition is none.
    """

    def __init__(
        self,
        scenario: Scenario,
        goal: Goal,
        out: Path,
        *,
        condition: str | None = None,
        seeds: Sequence[int] = (),
        max_forks: int = 100,
        queue: WorkQueue | None = None,
        limits: Budget | None = None,
        on_trial: Callable[[Tried], None] = lambda tried: None,
    ) -> None:
        self.space: SearchSpace = SearchSpace.of(scenario)
        self.goal: Goal = goal
        self.out: Path = out
        self.scenario: Scenario = goal.scenario(scenario)
        self._given = scenario
        self.condition: str = condition or next(iter(scenario.conditions))
        if self.condition not in scenario.conditions:
            hint = did_you_mean(self.condition, scenario.conditions)
            raise WorldError(f"there is no condition {condition!r}.{hint} There are {', '.join(scenario.conditions)}")
        if unused := unused_parameters(scenario):
            raise WorldError(f"parameters.{unused[0]}: nothing has a place for ${{{unused[0]}}}, and it is no option")
        self.seeds: tuple[int, ...] = tuple(seeds) or scenario.all_seeds()
        self._most, self._queue, self._limits, self._on_trial = max_forks, queue, limits or Budget(), on_trial
        self.tried: dict[Change, Tried] = {}
        self.holds: bool = False
        self.failed: int = 0
        self.why: str = ""
        self.trials: int = 0
        self.steps: int = 0
        self.shared: int = 0

    def run(self) -> None:
        """Look for the least change, until the budget is used up or none smaller is to be expected.

        Raises:
            WorldError: the scenario cannot be run as usual, or comes out otherwise under some of the seeds.
        """
        usual = self.space.usual
        self._expect_goal_known()
        results = self._results([usual])[usual]
        if len(results) < len(self.seeds):
            raise WorldError(f"as usual, {self.why or 'not every trial was finished: allow more'}")
        truths = {bool(self._value(usual, result, HOLDS)) for result in results}
        if len(truths) > 1:
            raise WorldError(f"as usual, {self.goal.text!r} holds under some seeds and not under others: take one")
        (self.holds,) = truths
        self._keep(usual, results)
        with suppress(OutOfTrials):
            optimise(self.space, self._evaluate, self.scenario.seed)

    @property
    def best(self) -> Tried | None:
        """The smallest change that flips; None if none was found."""
        flipping = [each for each in self.tried.values() if each.outcome.flips]
        return min(flipping, key=lambda each: (each.size, each.change), default=None)

    @property
    def nearest(self) -> Tried:
        """What came nearest to flipping, or flips by most."""
        return max(self.tried.values(), key=lambda each: (_reach(each), -each.size))

    @property
    def front(self) -> list[Tried]:
        """What nothing else beats both in size and in how far it goes."""
        every = list(self.tried.values())
        return [every[place] for place in front([(each.size, _reach(each)) for each in every])]

    def to_scenario(self, change: Change) -> Scenario:
        """Return the scenario with a change made: run, it measures that the condition is flipped."""
        point = dict(self.space.point(change, self.scenario))
        data = self.scenario.to_data()
        data["parameters"] = {name: [value] for name, value in point.items()}
        data["conditions"] = {self.condition: data.get("conditions", {}).get(self.condition, {})}
        data["seeds"] = list(self.seeds)
        return Scenario.model_validate({key: value for key, value in data.items() if key != "sampling"})

    def svg(self) -> str:
        """Return what was tried and the front as a picture."""
        every = [each for each in self.tried.values() if each.outcome.margin is not None]
        series = [
            {"name": name, "kind": kind, "x": [each.size for each in part], "y": [_reach(each) for each in part]}
            for name, kind, part in (("tried", "points", every), ("front", "line", self.front))
        ]
        title = f"{self.goal.text}: flipped above 0"
        labels = {"x_label": "size of the change, in ranges", "y_label": "how far it goes"}
        return chart_svg({"title": title, **labels, "series": series})

    def _evaluate(self, changes: Sequence[Change]) -> list[Flip]:
        fresh = [each for each in dict.fromkeys(changes) if each not in self.tried]
        left = (self._most - self.trials) // len(self.seeds)
        for change, results in self._results(fresh[: max(0, left)]).items():
            self._keep(change, results)
        if len(fresh) > left:
            raise OutOfTrials
        return [self.tried[change].outcome for change in changes]

    def usual_recipe(self) -> Recipe:
        """Return how a run without any change is made, under the first seed."""
        first = self._trials(()).trial(self.space.point(self.space.usual, self.scenario), self.seeds[0])
        return plan_of(self.scenario, first).recipe

    def _expect_goal_known(self) -> None:
        """Refuse a goal that is misspelt before there is a folder with failed trials."""
        simulation = one_simulation(self.usual_recipe().without_model().make())
        try:
            self.goal.expect_known(self._given, simulation)
        finally:
            simulation.close()

    def _results(self, changes: Sequence[Change]) -> dict[Change, list[TrialResult]]:
        """Run the trials of some changes, or read them."""
        if not changes:
            return {}
        points = [self.space.point(change, self.scenario) for change in changes]
        trials = self._trials(points)
        report = run_experiment(trials, self.out, queue=self._queue, limits=self._limits)
        self.trials += len(changes) * len(self.seeds)
        self._limits = _left(self._limits, report.spent)
        if report.failures:
            self.failed += len(report.failures)
            self.why = self.why or report.failures[0].why
        if report.left:
            raise OutOfTrials
        self.steps += sum(result.steps for result in report.results)
        self.shared += sum(result.shared for result in report.results)
        done = {result.trial: result for result in report.results}
        return {
            change: [done[name] for seed in self.seeds if (name := str(trials.trial(point, seed))) in done]
            for change, point in zip(changes, points, strict=True)
        }

    def _trials(self, points: Sequence[Point]) -> SearchTrials:
        goal = str(self.goal)
        usual = self.space.point(self.space.usual, self.scenario)
        return SearchTrials(self.scenario, goal, self.condition, usual, tuple(points), self.seeds)

    def _keep(self, change: Change, results: Sequence[TrialResult]) -> None:
        """Keep what came of a change; if it is the best so far, as a scenario and in the picture, too."""
        before = self.best
        flips, margin = False, None
        if len(results) == len(self.seeds):
            flips = all(bool(self._value(change, each, HOLDS)) is not self.holds for each in results)
            sign = -1 if self.holds else 1
            margin = min(sign * self._value(change, each, MARGIN) for each in results)
        self.tried[change] = Tried(change, self.space.size(change), Flip(flips, margin))
        if (best := self.best) is not None and best != before:
            write_whole(self.out / FOUND, to_yaml(self.to_scenario(change)))
            write_whole(self.out / FRONT, self.svg())
        self._on_trial(self.tried[change])

    def _value(self, change: Change, result: TrialResult, measure: str) -> float:
        """Return what a trial measured at its end; of a condition that is asked for ever, the most there was."""
        if not self.goal.ever:
            return result.measures[measure]
        seed = next(seed for seed in self.seeds if result.trial.endswith(f"-{seed}"))
        point = self.space.point(change, self.scenario)
        trial = self._trials([point]).trial(point, seed)
        return float(series_table([trial], self.out, [measure])[measure].max())

    def to_data(self) -> dict[str, Any]:
        """Return what was found as plain data."""
        return {
            "goal": self.goal.text, "ever": self.goal.ever, "holds_as_usual": self.holds,
            "usual": dict(zip(self.space.names, self.space.usual, strict=True)),
            "best": None if self.best is None else self._data_of(self.best),
            "nearest": self._data_of(self.nearest),
            "front": [self._data_of(each) for each in self.front],
            "trials": self.trials, "steps": self.steps, "shared_steps": self.shared, "failed": self.failed,
            "scenario": None if self.best is None else str(self.out / FOUND),
            "picture": None if self.best is None else str(self.out / FRONT),
        }  # fmt: skip

    def _data_of(self, tried: Tried) -> dict[str, Any]:
        outcome = tried.outcome
        return {
            "change": self.space.changed(tried.change),
            "size": tried.size,
            "flips": outcome.flips,
            "margin": outcome.margin,
        }


def _reach(tried: Tried) -> float:
    return -math.inf if tried.outcome.margin is None else tried.outcome.margin


def _left(limits: Budget, spent: Spent) -> Budget:
    """Return what may still be spent."""
    known = {each.name: getattr(limits, each.name) for each in fields(Budget)}
    left = {name: max(0, most - getattr(spent, name)) for name, most in known.items() if most is not None}
    return Budget(**{**known, **left})
