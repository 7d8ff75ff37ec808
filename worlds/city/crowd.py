"""The background crowd of a district: a hundred thousand citizens in columns, one row each.

Columns say *when* things happen, not how much of them there is: nobody grows hungrier from step to step, they were fed
at a step; nobody moves a few metres further, they are bound for a place until a step. So a step touches only those for
whom something ends, and only that is compared, hashed and journaled.
"""

from functools import cache
from typing import Any

import numpy as np

from cave_sim import Entity, World, field
from cave_sim.worlds.city.atlas import Atlas, helsinki_in

FREE = -1
"""In ``until_step``: nobody has this row."""

WALKING_M_S = 1.3
WORK_H, MEAL_H = 8.0, 1.0
MEAL_CENTS, WAGE_CENTS = 1_200, 9_600
FIRST_SHIFT_H, SHIFTS = 6.0, 24  # shifts begin from 6 o'clock on, each a quarter of an hour after the one before


class Roots(Entity):
    """What stays as it is in the rows of a crowd; kept apart, so that it need not be hashed when the crowd moves."""

    person: np.ndarray = field(guarded=True, about="the number of the person in each row, all over the city")
    home: np.ndarray = field(guarded=True, about="number of their house among the district's sites")
    work: np.ndarray = field(guarded=True, about="number of their workplace among the district's sites")
    shift: np.ndarray = field(guarded=True, about="which of the shifts they work, from 0")
    sites: list[str] = field(guarded=True, about="names of the sites that the columns number")
    nodes: list[int] = field(guarded=True, about="the corner of the map that each site lies at")
    food: list[int] = field(guarded=True, about="numbers of the sites that serve food, two at least")
    version: int = field(0, ge=0, guarded=True, about="how often somebody came into a row or left it")


class Crowd(Entity):
    """Who of the crowd is where until when. A day of theirs: home, work, a meal, home."""

    at: np.ndarray = field(guarded=True, about="number of the site where they are; at first they are on their way")
    until_step: np.ndarray = field(guarded=True, about="step at which they leave it; -1: nobody has this row")
    fed_step: np.ndarray = field(guarded=True, about="step of the last meal")
    cents: np.ndarray = field(guarded=True, about="what they own")
    luggage: dict[str, Any] = field({}, guarded=True, about="what those who were residents remember of it")

    def size(self) -> int:
        """Return how many people are in the crowd."""
        return int(np.count_nonzero(self.until_step != FREE))


class Rules:
    """How a crowd lives, on plain arrays: no world, no entities, so that its cost alone can be measured.

    Args:
        key: of every draw, with step and person: seed of the city and number of the district.
        roots: the columns that stay.
        atlas: for distances.
        step_s: seconds in a step.
        start_s: seconds from midnight to step 0.
    """

    def __init__(self, key: tuple[int, int], roots: Roots, atlas: Atlas, step_s: float, start_s: float) -> None:
        self.person: np.ndarray = roots.person
        self.home: np.ndarray = roots.home
        self.work: np.ndarray = roots.work
        self.day_steps: int = round(86_400 / step_s)
        shifts_s = 3600 * (FIRST_SHIFT_H + 0.25 * np.arange(SHIFTS)) - start_s
        self.shift_step: np.ndarray = np.round(shifts_s / step_s).astype(np.int32)[roots.shift]
        self.food: np.ndarray = np.array(list(roots.food), dtype=np.int16)
        self.work_steps: int = max(1, round(WORK_H * 3600 / step_s))
        self.meal_steps: int = max(1, round(MEAL_H * 3600 / step_s))
        self.walk_steps: np.ndarray = walk_steps(atlas, tuple(roots.nodes), step_s)
        seed, district = key
        self.key: np.ndarray = mix(np.uint64(seed % 2**64)) ^ mix(np.uint64(district))

    def step(
        self, step: int, at: np.ndarray, until_step: np.ndarray, fed_step: np.ndarray, cents: np.ndarray, purse: int
    ) -> tuple[int, int, int]:
        """Let one step pass for everybody; returns what is in the purse then, meals eaten and people paid.

        Args:
            step: the number of the step.
            at: a column, as the following; they are written in place.
            until_step: a column.
            fed_step: a column.
            cents: a column.
            purse: what there is to pay wages from, in cents.
        """
        due = np.flatnonzero(until_step == step)
        if not due.size:
            return purse, 0, 0
        here, home, work = at[due], self.home[due], self.work[due]
        ends_work = here == work
        leaves_home = (here == home) & ~ends_work
        paid = due[ends_work][: purse // WAGE_CENTS]
        cents[paid] += WAGE_CENTS
        hungry = due[ends_work]
        eats = hungry[cents[hungry] >= MEAL_CENTS]
        cents[eats] -= MEAL_CENTS
        fed_step[eats] = step
        goal = np.where(leaves_home, work, home)
        goal[np.isin(due, eats, assume_unique=True)] = self._choice(step, eats)
        at[due] = goal
        until_step[due] = step + self._stay(step, due, here, goal)
        return purse - paid.size * WAGE_CENTS + eats.size * MEAL_CENTS, int(eats.size), int(paid.size)

    def next_shift(self, step: int) -> np.ndarray:
        """Return the step, after this one, at which each person leaves home for work."""
        following: np.ndarray = step + 1 + (self.shift_step - step - 1) % self.day_steps
        return following

    def _choice(self, step: int, rows: np.ndarray) -> np.ndarray:
        """Choose where to eat, by a draw that depends on who and when alone."""
        drawn = mix(mix(self.key ^ np.uint64(step)) ^ self.person[rows].astype(np.uint64))
        choice = (drawn % np.uint64(len(self.food))).astype(np.intp)
        at_own_work = self.food[choice] == self.work[rows]  # a day off from there: the next one
        chosen: np.ndarray = self.food[(choice + at_own_work) % len(self.food)]
        return chosen

    def _stay(self, step: int, rows: np.ndarray, here: np.ndarray, goal: np.ndarray) -> np.ndarray:
        """Return for how many steps people stay where they go, with the way there."""
        walk = self.walk_steps[here, goal]
        until_shift = (self.shift_step[rows] - step - walk) % self.day_steps
        at_work = goal == self.work[rows]
        at_home = (goal == self.home[rows]) & ~at_work
        stay: np.ndarray = walk + np.where(
            at_work, self.work_steps, np.where(at_home, np.maximum(until_shift, 1), self.meal_steps)
        )
        return stay


class Life:
    """The dynamics of a district's crowd: its rules, on the columns of its entities."""

    def __init__(self) -> None:
        self._rules: Rules | None = None
        self._version = -1

    def rules(self, world: World) -> Rules:
        """Return the rules for whoever is in the crowd now."""
        version = world["roots"].version
        if self._rules is None or self._version != version:
            self._rules, self._version = rules_of(world), version
        return self._rules

    def __call__(self, world: World) -> None:
        """Let one step pass for the crowd."""
        crowd, borough = world["crowd"], world["borough"]
        if not np.any(crowd.until_step == world.clock.step):
            return  # each column that is read is copied and compared
        columns = crowd.at, crowd.until_step, crowd.fed_step, crowd.cents
        purse, meals, paid = self.rules(world).step(world.clock.step, *columns, borough.treasury_cents)
        if meals or paid:
            borough.treasury_cents = purse
            borough.meals += meals
            borough.worked_h += paid * WORK_H


def mix(keys: np.ndarray | np.uint64) -> np.ndarray:
    """Return 64 mixed bits for each key (splitmix64's finaliser): a draw that depends on nothing but its key."""
    with np.errstate(over="ignore"):
        mixed = np.asarray(keys, dtype=np.uint64) + np.uint64(0x9E3779B97F4A7C15)
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    drawn: np.ndarray = mixed ^ (mixed >> np.uint64(31))
    return drawn


def rules_of(world: World) -> Rules:
    """Return the rules for the crowd of a district's world."""
    borough, start = world["borough"], world.start
    start_s = 3600 * start.hour + 60 * start.minute + start.second
    atlas = helsinki_in(borough.districts)
    return Rules((world.seed, borough.number), world["roots"], atlas, world.step_s, start_s)


@cache
def walk_steps(atlas: Atlas, nodes: tuple[int, ...], step_s: float) -> np.ndarray:
    """Return how many steps one walks between any two sites, as the crow flies, at least one."""
    metres = np.array([[atlas.distance_m(one, other) for other in nodes] for one in nodes])
    steps: np.ndarray = np.maximum(1, np.ceil(metres / (WALKING_M_S * step_s))).astype(np.int32)
    steps.flags.writeable = False
    return steps
