"""What a run's measures tell: where one jumped furthest, what those that add up came to, and days unlike the others."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from typing import NamedTuple

import pandas as pd

from cave_sim.history.wording import jump_text, measure_text

FEW, NEARLY = 2, 0.99
"""So many jumps may be so nearly the largest for that to be told."""
LEAST_PART = 0.01
"""A jump by a smaller part of what there was is none that anybody would see."""
LEAST_DAYS, UNLIKE = 4, 3
"""Days there must be, and how often the usual distance from the usual day is far."""
ALIKE = 0.6
"""Days that are so far from the usual one as a part of the farthest are told with it."""
SUMS_TOLD = 3


class Told(NamedTuple):
    """One sentence on measures: its step, of which sort of highlight it is, and how much it stands out."""

    step: int
    sort: str
    text: str
    weight: float


def told_of(table: pd.DataFrame, time_at: Callable[[int], str] | None) -> Iterator[Told]:
    """Yield what measures tell; `time_at` says what the clock shows at a step, None for a world of mere steps."""
    if len(table) <= 2:
        return
    names = sorted(str(name) for name in table.columns.difference(["step"]))
    values = table if "step" not in table else table.set_index("step")
    for name in names:
        yield from _jump(name, values[name])
    yield from _sums({name: values[name].dropna() for name in names})
    if time_at is not None:
        yield from _days({name: values[name].dropna() for name in names}, time_at)


def _jump(name: str, values: pd.Series) -> Iterator[Told]:
    jumps = values.diff().dropna()
    spread = float(jumps.std())
    if not spread > 0:
        return
    if (jumps.abs() >= NEARLY * jumps.abs().max()).sum() > FEW:  # it goes by such steps, and none stands out
        return
    step = jumps.abs().idxmax()
    before, after = float(values.shift().loc[step]), float(values.loc[step])
    if abs(after - before) < LEAST_PART * max(abs(before), abs(after)):
        return
    adds_up = bool(not (jumps < 0).any() and before and after > 1)  # below 1 it is a part of something
    most = "more than in any other step" if adds_up else "its largest jump"
    text = f"{jump_text(name, before, after, adds_up=adds_up)}, {most}"
    yield Told(int(step), "measure", text, 8 * abs(after - before) / spread)


def _sums(measures: dict[str, pd.Series]) -> Iterator[Told]:
    """Yield what those that only grow, beginning with nothing, came to: what was done in all."""
    grew = [
        name
        for name, values in measures.items()
        if len(values) > 2 and values.iloc[0] == 0 and values.iloc[-1] > 1 and not (values.diff() < 0).any()
    ]
    if len(grew) > 1:
        sums = [measure_text(name, float(measures[name].iloc[-1])) for name in grew[:SUMS_TOLD]]
        sums_text = ", ".join(f"{who[:1].lower()}{who[1:]} {came}" for who, (came,) in sums)
        yield Told(int(measures[grew[0]].index[-1]), "sum", f"In all: {sums_text}", 45)


def _days(measures: dict[str, pd.Series], time_at: Callable[[int], str]) -> Iterator[Told]:
    """Yield on which days a measure was least like on the others, of the measure of which that is clearest."""
    differing: list[tuple[float, Told]] = []
    for name, values in measures.items():
        dates = pd.Series([time_at(int(step))[:10] for step in values.index], values.index)
        whole = dates.value_counts()
        means = values.groupby(dates).mean()[whole.sort_index() == whole.max()]
        if len(means) < LEAST_DAYS or (values.diff().dropna() >= 0).all():
            continue
        usual = float(means.median())
        away = means - usual
        spread, farthest = float(away.abs().median()), float(away[away.abs().idxmax()])
        if spread <= 0 or abs(farthest) < UNLIKE * spread:
            continue
        days = away[away * farthest >= ALIKE * farthest**2].index
        if len(days) > len(means) / 2:
            continue
        most = "most" if farthest > 0 else "least"
        who, (there, else_where) = measure_text(name, float(means[days].mean()), usual)
        text = f"{who}: {there} on {_named(list(days))}, {most} of all days; usually {else_where}"
        step = int(dates.index[dates == days[0]][-1])
        differing.append((abs(farthest) / spread, Told(step, "days", text, 95)))
    if differing:
        yield max(differing, key=lambda each: each[0])[1]


def _named(days: list[str]) -> str:
    names = [f"{dt.date.fromisoformat(day):%a %-d %b}" for day in days]
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
