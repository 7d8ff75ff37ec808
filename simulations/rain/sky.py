"""The sky, and how far its wet and dry spells are from those that were recorded."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable
from functools import cache
from itertools import groupby

from cave_sim import Entity, World, field
from cave_sim.worlds.town.weather import RECORDS

WET_MM = 1.0
"""A day with so much rain or snow is wet."""
LONGEST = 8
"""Days of a spell; longer ones count as so long."""
CALIBRATED, HELD_OUT = ("2012", "2013", "2014"), ("2015",)
Spells = dict[bool, dict[int, float]]
"""Wet or dry -> length in days -> share of the spells of that kind."""


class Sky(Entity):
    """Wet or dry, day by day."""

    wet: bool = field(False, guarded=True, about="whether today is a wet day")
    wet_after_wet: float = field(0.5, ge=0, le=1, guarded=True, about="how often a wet day follows a wet one")
    wet_after_dry: float = field(0.5, ge=0, le=1, guarded=True, about="how often a wet day follows a dry one")
    spells: dict[str, int] = field({}, guarded=True, about="how many spells there were: `wet 3` those of three days")
    spell_days: int = field(0, ge=0, unit="day", guarded=True, about="days of the spell under way")
    wet_days: int = field(0, ge=0, unit="day", guarded=True, about="wet days so far")
    days: int = field(0, ge=0, unit="day", guarded=True, about="days so far")


def pass_day(world: World) -> None:
    """Draw whether the day is wet, and count it."""
    sky: Sky = world["sky"]
    chance = sky.wet_after_wet if sky.wet else sky.wet_after_dry
    wet = world.rng("rain").random() < chance
    if wet != sky.wet and sky.spell_days:
        name = f"{'wet' if sky.wet else 'dry'} {min(sky.spell_days, LONGEST)}"
        sky.spells[name] = sky.spells.get(name, 0) + 1
        sky.spell_days = 0
    sky.wet = wet
    sky.spell_days += 1
    sky.days += 1
    sky.wet_days += wet


def wet_share(world: World) -> float | None:
    """Return the share of wet days; None before the first."""
    sky: Sky = world["sky"]
    return sky.wet_days / sky.days if sky.days else None


def distance(world: World) -> float | None:
    """Return how far spells are from those of the years to calibrate by, :func:`apart`; None before there are any."""
    return _to(world, CALIBRATED)


def distance_held_out(world: World) -> float | None:
    """Return how far spells are from those of the year that is kept out of calibration."""
    return _to(world, HELD_OUT)


def apart(one: Spells, other: Spells) -> float:
    """Return the total variation distance of the lengths of spells, the mean of wet ones and dry ones: 0 to 1."""
    return sum(_variation(one[kind], other[kind]) for kind in (True, False)) / 2


@cache
def recorded(years: tuple[str, ...]) -> Spells:
    """Return the spells of recorded years: Seattle's, by NOAA, as the town's weather has them."""
    with RECORDS.open(encoding="utf-8", newline="") as file:
        days = [float(row["precipitation"]) >= WET_MM for row in csv.DictReader(file) if row["date"][:4] in years]
    return spells_of(days)


def spells_of(days: Iterable[bool]) -> Spells:
    """Return how long the spells of wet and of dry days are; the last one, which is not over, is left out."""
    runs = [(wet, min(LONGEST, len(list(run)))) for wet, run in groupby(days)][:-1]
    return _shares(Counter(runs))


def _to(world: World, years: tuple[str, ...]) -> float | None:
    counts = Counter({(name.startswith("wet"), int(name[4:])): count for name, count in world["sky"].spells.items()})
    kinds = {wet for wet, _ in counts}
    return apart(_shares(counts), recorded(years)) if len(kinds) == 2 else None


def _shares(counts: Counter[tuple[bool, int]]) -> Spells:
    totals = {kind: sum(count for (wet, _), count in counts.items() if wet == kind) for kind in (True, False)}
    return {
        kind: {length: count / totals[kind] for (wet, length), count in counts.items() if wet == kind}
        for kind in (True, False)
    }


def _variation(one: dict[int, float], other: dict[int, float]) -> float:
    return sum(abs(one.get(length, 0.0) - other.get(length, 0.0)) for length in {*one, *other}) / 2
