"""What a study will take, from a few steps that are run and timed here, without asking any model."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict, astuple, dataclass, replace
from typing import Any

from cave_sim.diagnostics.plurals import counted
from cave_sim.models.from_cli import ModelChoice
from cave_sim.models.prices import Price
from cave_sim.scenario.plans import ScenarioTrial, TrialPlan
from cave_sim.scenario.schema import Scenario
from cave_sim.scenario.study import ScenarioStudy
from cave_sim.simulation.simulation import Simulation
from cave_sim.survey.asking import respondents

SAMPLES, SAMPLE_STEPS, SAMPLE_S = 3, 24, 0.1
"""How many trials are begun as a sample, how many steps of each are run, and for how many seconds at most."""
Arm = tuple[ScenarioTrial, TrialPlan]


@dataclass(frozen=True)
class Outlay:
    """What a study will take at most: steps that conditions share are counted for each.

    Attributes:
        trials, steps: how many of them.
        seconds: of one processor, for the simulation itself; waiting for a model is not in it.
        calls, prompt_tokens, completion_tokens: asked of the model; None if none is asked.
        money_usd: what these cost; None if that is not known.
        rests_on: what the estimate rests on, in words.
    """

    trials: int
    steps: int
    seconds: float
    calls: int | None
    prompt_tokens: int | None
    completion_tokens: int | None
    money_usd: float | None
    rests_on: str

    def to_data(self) -> dict[str, Any]:
        """Return it as plain data."""
        return asdict(self)


@dataclass(frozen=True)
class _Sample:
    steps: int
    seconds: float
    begun_s: float
    calls: int
    prompt_tokens: int
    completion_tokens: int
    minds: int

    @classmethod
    def sum(cls, samples: Sequence[_Sample]) -> _Sample:
        """Return what several took together; of minds, how many there are on average."""
        together = _Sample(*(sum(column) for column in zip(*map(astuple, samples), strict=True)))
        return replace(together, minds=round(together.minds / len(samples)))


def estimate(scenario: Scenario, seeds: Sequence[int] | None = None) -> Outlay:
    """Return what a study of a scenario will take.

    Args:
        scenario: one that was checked.
        seeds: of the study; the scenario's unless given.

    Raises:
        WorldError: it cannot be run.
    """
    seeds = seeds or scenario.all_seeds()
    study, count = ScenarioStudy(scenario, seeds[:1]), len(seeds)
    arms = [trial for block in study.blocks() for trial in block]  # of which each has all seeds
    plans = [study.plan(arm) for arm in arms]
    asked = [plan for plan in plans if _asks(plan.recipe.model)]
    both = zip(arms, plans, strict=True)
    chosen = _spread([(arm, plan) for arm, plan in both if not asked or _asks(plan.recipe.model)])
    samples = [_sampled(plan) for _, plan in chosen]
    sample = _Sample.sum(samples)
    step_s = sum(each.seconds / each.steps for each in samples) / len(samples)
    begun_s = sum(each.begun_s for each in samples) / len(samples)
    trials, steps = count * len(arms), count * sum(plan.steps for plan in plans)
    seconds = steps * step_s + trials * begun_s
    rests_on = (
        f"{sample.steps} first steps of {', '.join(str(arm) for arm, _ in chosen)}, run here in {sample.seconds:.1f} s;"
        f" a world takes {begun_s:.1f} s to make; steps at other times of the day may take more or less"
    )
    if not asked:
        return Outlay(trials, steps, seconds, None, None, None, None, rests_on)
    share = count * sum(plan.steps for plan in asked) / sample.steps
    asks = count * sum(_questions(scenario, plan, sample.minds) for plan in asked)
    if sample.calls:  # a question is taken to be as long as the other requests
        share += asks / sample.calls
    calls, read, written = (
        round(each * share) for each in (sample.calls, sample.prompt_tokens, sample.completion_tokens)
    )
    calls = calls if sample.calls else asks
    price = _price(asked[0].recipe.model)
    money = None if price is None else (read * price.prompt_usd + written * price.completion_usd) / 1e6
    if asks:
        rests_on += f"; {asks:,} of the calls are questions of surveys, each taken to be understood at once"
    rests_on += f"; {counted(sample.calls, 'request')} of the script that stands in for the model in these steps"
    return Outlay(trials, steps, seconds, calls, read, written, money, rests_on)


def _questions(scenario: Scenario, plan: TrialPlan, minds: int) -> int:
    """Return how many questions the surveys of one trial put: an item to each who is asked, at each time."""
    return sum(
        len(survey.asked.items) * (len(survey.whom) or minds) * sum(step <= plan.steps for step in survey.at)
        for survey in scenario.surveys
    )


def _spread(arms: Sequence[Arm]) -> list[Arm]:
    """Return a few, from the first to the last: points differ by what they take."""
    return [arms[at] for at in sorted({at * (len(arms) - 1) // (SAMPLES - 1) for at in range(SAMPLES)})]


def _asks(model: ModelChoice | None) -> bool:
    return model is not None and not model.is_scripted


def _sampled(plan: TrialPlan) -> _Sample:
    """Run the first steps of a plan, with a script in place of its model."""
    recipe = plan.recipe
    if _asks(recipe.model):
        recipe = replace(recipe, model=ModelChoice())
    begun = time.process_time()
    simulation = recipe.make()
    built = time.process_time()
    steps = 0
    while steps < min(SAMPLE_STEPS, plan.steps) and time.process_time() - built < SAMPLE_S:
        simulation.step()
        steps += 1
    ended = time.process_time()
    spent = simulation.calls.budgets.spent if isinstance(simulation, Simulation) else None
    read = written = minds = 0
    if isinstance(simulation, Simulation):
        sessions = [agent.session for agent in simulation.by_name.values() if agent.session is not None]
        read = sum(session.usage.prompt_tokens for session in sessions)
        minds = len(respondents(simulation))
        written = sum(session.usage.completion_tokens for session in sessions)
    simulation.close()
    return _Sample(steps, ended - built, built - begun, spent.calls if spent else 0, read, written, minds)


def _price(model: ModelChoice | None) -> Price | None:
    """Return what a model costs: as the scenario says, or as it is listed; None if that is not known."""
    if model is None:
        return None
    opened = model.open()
    return None if opened is None else opened.price
