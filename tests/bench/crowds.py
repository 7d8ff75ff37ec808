"""What a crowd of 100,000 costs in a step: as entities of columns, as plain arrays, and as agents one by one."""

import gc
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import mesa
import numpy as np

from cave_sim import World
from cave_sim.journal.writer import Journal
from cave_sim.worlds.city import build_district
from cave_sim.worlds.city.crowd import MEAL_CENTS, WAGE_CENTS, Rules, rules_of
from tests.bench.table import Row, ratio, shown_us

PEOPLE = 100_000
DAY_STEPS = 144
COLUMNS = ("at", "until_step", "fed_step", "cents")


class Commuter(mesa.Agent):
    """One of the crowd, by the same rules, as an agent."""

    def __init__(self, model: mesa.Model, row: int) -> None:
        super().__init__(model)
        rules, columns = model.rules, model.columns
        self.person, self.home, self.work = int(rules.person[row]), int(rules.home[row]), int(rules.work[row])
        self.shift_step = int(rules.shift_step[row])
        self.at, self.until_step, self.fed_step, self.cents = (int(column[row]) for column in columns)

    def step(self) -> None:
        """Go on to the next place if it is time."""
        model = self.model
        if self.until_step != model.now:
            return
        here, goal = self.at, self.home
        if here == self.work:
            goal = self.leave_work()
        elif here == self.home:
            goal = self.work
        walk = int(model.walk_steps[here][goal])
        stay = model.rules.meal_steps
        if goal == self.work:
            stay = model.rules.work_steps
        elif goal == self.home:
            stay = max(1, (self.shift_step - model.now - walk) % model.rules.day_steps)
        self.at, self.until_step = goal, model.now + walk + stay

    def leave_work(self) -> int:
        """Take the wage, and go to eat with it."""
        model = self.model
        if model.purse >= WAGE_CENTS:
            model.purse -= WAGE_CENTS
            self.cents += WAGE_CENTS
        if self.cents < MEAL_CENTS:
            return self.home
        self.cents -= MEAL_CENTS
        model.purse += MEAL_CENTS
        self.fed_step = model.now
        return model.food[self.person % len(model.food)]


class Commuters(mesa.Model):
    """The crowd as agents, each asked in each step, in a random order or in theirs."""

    def __init__(self, rules: Rules, columns: list[np.ndarray]) -> None:
        super().__init__(rng=7)
        self.rules, self.columns = rules, columns
        self.walk_steps, self.food = rules.walk_steps.tolist(), rules.food.tolist()
        self.now, self.purse = 0, 10**9
        for row in np.flatnonzero(columns[1] > 0).tolist():
            Commuter(self, row)

    def take_step(self, order: str) -> None:
        """Let one step pass, in which agents are asked as a method of their set does."""
        self.now += 1
        getattr(self.agents, order)("step")


def crowds(repeats: int) -> Iterator[Row]:
    """Yield rows for the mean step of a day: rules alone, tracked, hashed, journaled, and as agents.

    What agents are set against is what a step of a simulation does: what changed, the hash, and the commit.
    """
    days = max(1, repeats // 3)
    costs = mean_step_us(columns_s, days)
    costs |= mean_step_us(agents_s, 1)  # last, for 100,000 agents leave memory in pieces
    yield ratio(f"a step of {PEOPLE:,}, what changed found", costs, "world", "plain arrays", 3)
    yield ratio("the same, with the state hash", costs, "world, hashed", "plain arrays", 8)
    yield ratio("the same, with state hash and journal", costs, "world, journaled", "plain arrays", 10)
    for order, target in (("shuffle_do", 50), ("do", 15)):
        figure = costs[order] / costs["world, journaled"]
        against = f"mesa's {order} {shown_us(costs[order])}"
        yield Row(
            "the same rules as agents", shown_us(costs["world, journaled"]), against, figure, target, at_least=True
        )


def mean_step_us(day_s: Callable[[], dict[str, list[float]]], days: int) -> dict[str, float]:
    """Return the mean cost of a step in µs, the median of some days, by the way it is taken; without the collector."""
    gc.collect()
    gc.disable()
    try:
        taken = [day_s() for _ in range(days)]
    finally:
        gc.enable()
    return {name: statistics.median(statistics.mean(day[name]) for day in taken) * 1e6 for name in taken[0]}


def columns_s(people: int = PEOPLE, steps: int = DAY_STEPS) -> dict[str, list[float]]:
    """Return the CPU seconds of each step of a day, or of its beginning, in columns."""
    world, hashed, journaled = crowd(people), crowd(people), crowd(people)
    rules = rules_of(world)
    plain, purse = columns_of(world), world["borough"].treasury_cents
    costs_s: dict[str, list[float]] = {
        name: [] for name in ("plain arrays", "world", "world, hashed", "world, journaled")
    }
    with tempfile.TemporaryDirectory() as folder, closing(Journal.begin(Path(folder) / "run", {})) as journal:
        journaled.sink = journal.add

        def whole_step() -> None:
            journaled.advance()
            clock = journaled.clock
            journal.commit(clock.step, clock.time_s, journaled.state_hash(), {})

        for step in range(1, steps + 1):
            started = time.thread_time()
            purse, _, _ = rules.step(step, *plain, purse)
            costs_s["plain arrays"].append(time.thread_time() - started)
            costs_s["world"].append(spent_s(world.advance))
            costs_s["world, hashed"].append(spent_s(hashed.advance) + spent_s(hashed.state_hash))
            costs_s["world, journaled"].append(spent_s(whole_step))
    return costs_s


def agents_s() -> dict[str, list[float]]:
    """Return the CPU seconds of a day as agents, step by step: every third one shuffles them, which takes longest."""
    world = crowd()
    model = Commuters(rules_of(world), columns_of(world))
    costs_s: dict[str, list[float]] = {"do": [], "shuffle_do": []}
    for step in range(DAY_STEPS):
        order = "do" if step % 3 else "shuffle_do"
        costs_s[order].append(spent_s(partial(model.take_step, order)))
    return costs_s


def crowd(people: int = PEOPLE) -> World:
    """Return a city of one district with nobody but the crowd in it, its hash up to date."""
    world = build_district(0, seed=7, districts=1, residents=0, crowd=people)
    world.state_hash()
    return world


def columns_of(world: World) -> list[np.ndarray]:
    """Return copies of a crowd's columns."""
    return [getattr(world["crowd"], name).copy() for name in COLUMNS]


def spent_s(action: Callable[[], object]) -> float:
    """Return the CPU seconds that an action takes."""
    started = time.thread_time()
    action()
    return time.thread_time() - started
