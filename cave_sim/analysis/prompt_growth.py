"""Whether prompts grow: how long they were on each day of a run, and the slope of that, over agents.

A log that is only appended to must not make its reader's prompts longer for ever. A day is taken whole, because hours
differ: the prompts of a night are not those of a market. So do weekends: who is free is told of more, and a week that
begins with a weekend would seem to shrink. Each agent is one observation, because its days are not independent of each
other; the interval is that of the mean slope over agents.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from statistics import fmean, linear_regression, median
from typing import Any

from cave_sim.analysis.statistics import Estimate, mean_interval
from cave_sim.diagnostics.plurals import counted
from cave_sim.files.whole_files import in_place_of
from cave_sim.history.highlights import is_timed
from cave_sim.history.prompts import unanswered
from cave_sim.journal.reader import Run
from cave_sim.loading.extras import extra

DAY_S = 86_400.0
SATURDAY = 5
DRAWN = (".svg", ".png")
"""What a plot may be kept as."""


@dataclass(frozen=True, slots=True)
class PromptGrowth:
    """How long the prompts of a run were, day by day.

    Attributes:
        days: agent -> day, counted from 0 -> median tokens of the agent-steps in which it was asked.
        tokens: median over all agent-steps in which somebody was asked.
        whole: how many days the run has from beginning to end; a day that it has a part of is in no slope, for its
            hours are not those of the others.
        slope: tokens a day by which the prompts of an agent grow, the mean over agents; no interval for a single one,
            and NaN if nobody was asked on two whole days.
        alike: the same beside days of the same kind alone, weekends or working days; without agents if all days are of
            one kind, or the world keeps no dates.
        settled: that of all days without the first, on which logs and memories begin empty; NaN if there are no two
            others.
    """

    days: Mapping[str, Mapping[int, float]]
    tokens: float
    whole: int
    slope: Estimate
    alike: Estimate
    settled: Estimate

    def to_data(self) -> dict[str, Any]:
        """Return it as plain data."""
        days = {agent: {str(day): tokens for day, tokens in own.items()} for agent, own in self.days.items()}
        slopes = {"slope": self.slope, "alike_slope": self.alike, "settled_slope": self.settled}
        estimates = {f"{name}_a_day": estimate.to_data() for name, estimate in slopes.items()}
        return {"tokens": self.tokens, "whole_days": self.whole, **estimates, "days": days}


def prompt_growth(run: Run, agent: str | None = None) -> PromptGrowth:
    """Return how long the prompts of a run were, day by day.

    Args:
        run: the run.
        agent: only the prompts of this one.

    Raises:
        JournalError: nobody was asked.
    """
    asked: dict[str, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    for call in run.calls(agent):
        if call["reply"] is not None:
            asked[call["agent"]][call["step"]] += call["reply"]["usage"]["prompt_tokens"]
    steps_a_day = DAY_S / float(run.manifest["step_s"])
    days = {name: _by_day(steps, steps_a_day) for name, steps in sorted(asked.items())}
    if not days:
        raise unanswered(run, agent)
    tokens = median(tokens for steps in asked.values() for tokens in steps.values())
    whole = int(run.last_step / steps_a_day)
    slopes, settled = (_slopes(days, range(first, whole)) for first in (0, 1))
    alike = _slopes_alike(days, _weekends(run, whole))
    return PromptGrowth(days, tokens, whole, mean_interval(slopes), mean_interval(alike), mean_interval(settled))


def _slopes(days: Mapping[str, Mapping[int, float]], among: range) -> list[float]:
    """Return the slope of each agent over some days; of those who were asked on two of them."""
    among_days = [{day: tokens for day, tokens in own.items() if day in among} for own in days.values()]
    return [linear_regression(list(own), list(own.values())).slope for own in among_days if len(own) > 1]


def _weekends(run: Run, whole: int) -> list[bool]:
    """Return of each whole day whether it is of a weekend; nothing if the world keeps no dates, or all are alike."""
    if not is_timed(run):
        return []
    begun = datetime.fromisoformat(run.manifest["start"])
    are_weekends = [(begun + timedelta(days=day)).weekday() >= SATURDAY for day in range(whole)]
    return are_weekends if len(set(are_weekends)) > 1 else []


def _slopes_alike(days: Mapping[str, Mapping[int, float]], weekends: Sequence[bool]) -> list[float]:
    """Return the slope of each agent with a level of its own for weekends; of those who have two days of one kind.

    That is the least-squares slope of what days and tokens differ by from the means of their kind.
    """
    slopes: list[float] = []
    for own in days.values():
        away: list[tuple[float, float]] = []
        for kind in (False, True):
            among = {day for day, is_weekend in enumerate(weekends) if is_weekend == kind}
            points = [(float(day), tokens) for day, tokens in own.items() if day in among]
            means = [fmean(values) for values in zip(*points, strict=True)]
            away += [(day - means[0], tokens - means[1]) for day, tokens in points]
        if squares := sum(day * day for day, _ in away):
            slopes.append(sum(day * tokens for day, tokens in away) / squares)
    return slopes


def _by_day(steps: Mapping[int, int], steps_a_day: float) -> dict[int, float]:
    by_day: dict[int, list[int]] = defaultdict(list)
    for step, tokens in steps.items():
        by_day[int(step / steps_a_day)].append(tokens)
    return {day: median(values) for day, values in sorted(by_day.items())}


def lines(growth: PromptGrowth) -> Iterator[str]:
    """Yield the growth in words: a line for each day, then the slope."""
    for day in sorted({day for own in growth.days.values() for day in own}):
        there = [own[day] for own in growth.days.values() if day in own]
        part = "" if day < growth.whole else " (a part of it)"
        yield f"day {day + 1}{part}: {median(there):,.0f} tokens an agent-step, median of {len(there)}"
    yield f"all days: {growth.tokens:,.0f} tokens an agent-step, median"
    if not growth.slope.n:
        yield "no slope: nobody was asked on two whole days"
        return
    agents = counted(growth.slope.n, "agent")
    yield f"slope: {growth.slope} tokens a day, mean over {agents}"
    if growth.alike.n:
        yield f"weekends told apart from working days: {growth.alike}"
    if growth.settled.n:
        yield f"without the first day: {growth.settled}"


def plot(growth: PromptGrowth, path: Path) -> None:
    """Draw a line for each agent, and their median in bold, as an .svg or .png file.

    Raises:
        MissingExtra: matplotlib is not installed.
    """
    with extra("documents", "a plot of prompts"):
        from matplotlib.figure import Figure
    figure = Figure(figsize=(6, 3.5), layout="constrained")
    axes = figure.subplots()
    for own in growth.days.values():
        axes.plot([day + 1 for day in own], list(own.values()), color="#56b4e9", alpha=0.5, linewidth=0.8)
    days = sorted({day for own in growth.days.values() for day in own})
    middle = [median(own[day] for own in growth.days.values() if day in own) for day in days]
    axes.plot([day + 1 for day in days], middle, color="#0072b2", linewidth=2)
    axes.set(xlabel="day", ylabel="tokens of an agent-step", ylim=(0, None), xticks=[day + 1 for day in days])
    with in_place_of(path) as fresh:
        form = path.suffix[1:] or "png"
        figure.savefig(fresh, format=form, metadata={"Date": None} if form == "svg" else None)
