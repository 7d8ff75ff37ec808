"""How often a study is wrong: where nothing differs, one of twenty finds something; what differs is found as it should.

One study with many seeds is as many small ones as it has groups of seeds: seeds have nothing in common.
"""

import math
from dataclasses import replace

import pytest

from cave_sim.analysis.planning import power_of
from cave_sim.analysis.trials import Trials, contrasts
from cave_sim.scenario import parse_scenario, run_study

STUDIES, SEEDS, EFFECT = 200, 5, 1.7
WALKERS = """
from functools import partial

from cave_sim import Entity, Simulation, World, field

STEPS = 4


class Walker(Entity):
    x: float = field(0.0)


def wander(world, lift):
    for walker in world.all(Walker):
        walker.x += world.rng("wind").gauss(lift / STEPS)


def create(*, seed: int, luck: int = 0, lift: float = 0.0, **run):
    world = World(seed=3 * seed + luck)
    for number in range(4):
        world.add(f"w{number}", Walker())
    world.dynamics(partial(wander, lift=lift))
    return Simulation(world, **run)
"""
"""The mean place is normal with a spread of 1, whatever the luck; two lucks have no draw in common."""
SCENARIO = f"""
name: walkers
simulation: walkers.py
seeds: {STUDIES * SEEDS}
steps: 4
measures: {{x: "sum(w.x for w in world.all(Walker)) / 4"}}
conditions:
  plain: {{}}
  alike: {{options: {{luck: 1}}}}
  lifted: {{options: {{luck: 2, lift: {EFFECT * math.sqrt(2)}}}}}
"""


@pytest.fixture(scope="module")
def shares(tmp_path_factory):
    """Return of how many small studies each condition differed from the first one at 5 %."""
    folder = tmp_path_factory.mktemp("rates")
    (folder / "walkers.py").write_text(WALKERS)
    with pytest.MonkeyPatch.context() as here:
        here.chdir(folder)
        run_study(parse_scenario(SCENARIO), folder / "out")
    trials = Trials.read(folder / "out")
    seeds = sorted(trials.last["seed"].unique())
    found = {"alike": 0, "lifted": 0}
    for first in range(0, len(seeds), SEEDS):
        group = trials.last["seed"].isin(seeds[first : first + SEEDS])
        for row in contrasts(replace(trials, last=trials.last[group])).to_dict("records"):
            assert (row["method"], row["n"]) == ("paired t", SEEDS)
            found[row["arm"]] += row["p_value"] < 0.05
    return {arm: count / STUDIES for arm, count in found.items()}


@pytest.mark.long(cases=0)
def test_where_nothing_differs_one_study_of_twenty_finds_something(shares):
    assert 0.02 <= shares["alike"] <= 0.08


@pytest.mark.long(cases=0)
def test_what_differs_is_found_as_often_as_the_power_says(shares):
    power = power_of(SEEDS, EFFECT)
    assert power > 0.75
    assert abs(shares["lifted"] - power) < 3 * math.sqrt(power * (1 - power) / STUDIES)
