"""A stretch of steps of a Mesa model: several are written at once, and the generators of modules stay in place."""

import asyncio
import random
import signal
import subprocess
import sys

import mesa
import numpy as np
import pytest
from mesa.examples import BoltzmannWealth

from cave_sim import open_run
from cave_sim.mesa_models.simulation import simulation_of
from cave_sim.mesa_models.stepping import DIGEST_EVERY
from cave_sim.replay.resume import resume
from cave_sim.simulation.control import Control
from cave_sim.simulation.observers import Observer
from cave_sim.testing.mesa_models import take

ARGUMENTS = {"n": 8}


def wealth(out, **options):
    return simulation_of(BoltzmannWealth, seed=7, arguments=ARGUMENTS, out=out, **options)


def written(folder):
    """Return what a run holds, but how long its steps took and the seals that cover this."""
    with open_run(folder) as run:
        steps = run.query("SELECT step, time_s, last_turn, state_hash, previous, hash FROM steps ORDER BY step")
        rest = ("changes", "measures", "events", "kept", "cells")
        return [*steps], {table: [*run.query(f"SELECT * FROM {table}")] for table in rest}


def last_written(folder):
    with open_run(folder) as run:
        return run.last_step


class Looker(Observer):
    def __init__(self, folder):
        self.folder, self.seen = folder, []

    def on_step(self, simulation):
        self.seen.append(last_written(self.folder))


def test_a_stretch_is_written_as_single_steps_are(tmp_path):
    alone, together = wealth(tmp_path / "alone"), wealth(tmp_path / "together")
    take(alone, 23)
    together.commit_within_s = 1000.0
    together.run(until=23)
    assert last_written(tmp_path / "together") == 23, "whoever waits for the end of a stretch finds it written"
    alone.close()
    together.close()
    assert written(tmp_path / "alone") == written(tmp_path / "together")


def seen_before_each_step_is_written(folder, **options):
    seen, simulation = [], wealth(folder, **options)
    simulation.commit_within_s = 1000.0
    simulation.measures["seen"] = lambda world: seen.append(last_written(folder)) or 0.0
    simulation.run(until=4)
    return seen


def test_steps_of_a_stretch_wait_for_each_other_and_those_that_somebody_plays_do_not(tmp_path):
    assert seen_before_each_step_is_written(tmp_path / "alone") == [0, 0, 0, 0]
    assert seen_before_each_step_is_written(tmp_path / "played", control=Control()) == [0, 1, 2, 3]


def test_an_observer_of_ones_own_finds_each_step_written(tmp_path):
    looker = Looker(tmp_path / "looked_at")
    simulation = wealth(tmp_path / "looked_at", observers=[looker])
    simulation.commit_within_s = 1000.0
    simulation.run(until=4)
    assert looker.seen == [0, 1, 2, 3, 4]


def test_a_step_that_took_long_waits_for_no_other(tmp_path, monkeypatch):
    now_s = 0.0
    monkeypatch.setattr("cave_sim.journal.waiting_rows.monotonic", lambda: now_s)
    simulation = wealth(tmp_path / "slow")
    simulation.commit_within_s = 1.0
    written_of, took_s = [], [0.25, 0.25, 2.0, 0.25]

    def measure(world):
        nonlocal now_s
        written_of.append(last_written(tmp_path / "slow"))
        now_s += took_s[world.clock.step - 1]
        return 0.0

    simulation.measures["written"] = measure
    simulation.run(until=4)
    assert written_of == [0, 0, 0, 3]


KILLED = """
import os, sys
from mesa.examples import BoltzmannWealth
from cave_sim.mesa_models.simulation import simulation_of

def kill(world):
    if world.clock.step == 17:
        os.kill(os.getpid(), 9)
    return 0.0

simulation = simulation_of(BoltzmannWealth, seed=7, arguments={"n": 8}, out=sys.argv[1])
simulation.measures["kills"] = kill
simulation.commit_within_s = float(sys.argv[2])
simulation.run(until=30)
"""


@pytest.mark.long(cases=0)
@pytest.mark.parametrize("within_s", [1000.0, 0.0])
def test_a_run_that_was_killed_within_a_stretch_goes_on_to_the_same_end(within_s, tmp_path):
    ended = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path / "killed"), str(within_s)])
    assert ended.returncode == -signal.SIGKILL
    assert last_written(tmp_path / "killed") == (0 if within_s else 16)
    later, whole = wealth(None), wealth(tmp_path / "whole")
    for each in (later, whole):
        each.measures["kills"] = lambda world: 0.0
    resume(tmp_path / "killed", simulation=later).run(until=30).close()
    whole.run(until=30).close()
    assert written(tmp_path / "killed")[0] == written(tmp_path / "whole")[0]


class Careless(mesa.Model):
    """Draws from the generators of modules."""

    def __init__(self, seed=None):
        super().__init__(rng=seed)  # Mesa 3.5 warns about ``seed``; 3.3 knows both
        self.drawn, self.drawn_by_numpy = 0.0, 0.0

    def step(self):
        self.drawn, self.drawn_by_numpy = random.random(), float(np.random.random())


class Drawer(Observer):
    def __init__(self):
        self.drawn = []

    def on_step(self, simulation):
        self.drawn.append((random.random(), np.random.random()))


def course(simulation, steps=7):
    drawn = []
    for _ in range(steps):
        simulation.run(steps=1)
        drawn.append((simulation.world["model"].drawn, simulation.world["model"].drawn_by_numpy))
    return drawn


def seeded():
    random.seed(3)
    np.random.seed(3)
    return [(random.random(), np.random.random()) for _ in range(8)]  # at the beginning, too, observers are told


def test_what_others_draw_shifts_no_draw_of_a_model_nor_is_shifted_by_it():
    expected, drawer = seeded(), Drawer()
    alone = course(simulation_of(Careless, seed=7))
    seeded_again = seeded()
    assert expected == seeded_again
    random.seed(3)
    np.random.seed(3)
    assert course(simulation_of(Careless, seed=7, observers=[drawer])) == alone
    assert drawer.drawn == expected
    random.seed(3)
    np.random.seed(3)
    whole = simulation_of(Careless, seed=7).run(steps=7)
    assert (whole.world["model"].drawn, whole.world["model"].drawn_by_numpy) == alone[-1]
    assert (random.random(), np.random.random()) == expected[0], "a stretch leaves them as it found them"


def drawn_alone():
    return simulation_of(Careless, seed=7).run(steps=5).world["model"].drawn


def test_models_that_share_an_event_loop_draw_as_each_does_alone():
    first, second = simulation_of(Careless, seed=7), simulation_of(Careless, seed=7)

    async def both():
        await asyncio.gather(first.arun(steps=5), second.arun(steps=5))

    random.seed(3)
    asyncio.run(both())
    assert [each.world["model"].drawn for each in (first, second)] == [drawn_alone()] * 2
    assert random.random() == random.Random(3).random()


def test_dynamics_of_ones_own_shift_no_draw_of_a_model():
    simulation = simulation_of(Careless, seed=7)
    simulation.world.dynamics(lambda world: random.random())
    assert simulation.run(steps=5).world["model"].drawn == drawn_alone()


def test_a_stretch_that_an_error_ends_puts_the_generators_of_others_back():
    class Failing(Careless):
        def step(self):
            super().step()
            if self.steps == 3:
                raise ZeroDivisionError("here")

    random.seed(3)
    expected = random.Random(3).random()
    with pytest.raises(ZeroDivisionError):
        simulation_of(Failing, seed=7).run(until=9)
    assert random.random() == expected


@pytest.mark.parametrize("steps", [DIGEST_EVERY - 1, DIGEST_EVERY, DIGEST_EVERY + 1])
def test_where_generators_stand_is_digested_at_every_tenth_step(steps):
    simulation = wealth(None)
    new = simulation.world["$mesa"].digest
    simulation.run(until=steps)
    assert (simulation.world["$mesa"].digest == new) is (steps < DIGEST_EVERY)
