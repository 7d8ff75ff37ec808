"""A stretch of steps of a Mesa model: several are written at once, and the generators of modules stay in place."""

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


def test_steps_of_a_stretch_wait_for_each_other_and_those_that_somebody_plays_do_not(tmp_path):
    alone = Looker(tmp_path / "alone")
    simulation = wealth(tmp_path / "alone", observers=[alone])
    simulation.commit_within_s = 1000.0
    simulation.run(until=4)
    played = Looker(tmp_path / "played")
    wealth(tmp_path / "played", observers=[played], control=Control()).run(until=4)
    assert (alone.seen, played.seen) == ([0, 0, 0, 0, 0], [0, 1, 2, 3, 4])


KILLED = """
import os, sys
from mesa.examples import BoltzmannWealth
from cave_sim.mesa_models.simulation import simulation_of
from cave_sim.simulation.observers import Observer

class Killer(Observer):
    def on_step(self, simulation):
        if simulation.world.clock.step == 17:
            os.kill(os.getpid(), 9)

simulation = simulation_of(BoltzmannWealth, seed=7, arguments={"n": 8}, out=sys.argv[1], observers=[Killer()])
simulation.commit_within_s = float(sys.argv[2])
simulation.run(until=30)
"""


@pytest.mark.long(cases=1)
@pytest.mark.parametrize("within_s", [1000.0, 0.0])
def test_a_run_that_was_killed_within_a_stretch_goes_on_to_the_same_end(within_s, tmp_path):
    ended = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path / "killed"), str(within_s)])
    assert ended.returncode == -signal.SIGKILL
    assert last_written(tmp_path / "killed") == (0 if within_s else 17)
    later = resume(tmp_path / "killed", simulation=wealth(None))
    later.run(until=30).close()
    whole = wealth(tmp_path / "whole")
    whole.run(until=30).close()
    assert written(tmp_path / "killed")[0] == written(tmp_path / "whole")[0]


class Careless(mesa.Model):
    """Draws from the generators of modules."""

    def __init__(self, seed=None):
        super().__init__(seed=seed)
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
