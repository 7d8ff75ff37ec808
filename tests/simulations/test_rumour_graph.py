"""A rumour on a graph: its rules hold for any cell, its end is that of the theory, and runs stay the same."""

import math
from pathlib import Path

import pytest

from cave_sim.replay.recipe import Recipe
from cave_sim.scenario import load_scenario
from cave_sim.scenario.study import ScenarioStudy
from cave_sim.simulations import rumour_graph

NAME = "cave_sim.simulations.rumour_graph"
GOLDEN = {"everybody": "729dc7677f6e80ee", "ring": "a6e89dde2fd17b08"}


@pytest.fixture(scope="module")
def runs():
    ties = {"everybody": {"people": 80}, "ring": {"people": 80, "acquaintances": 4}}
    return {name: Recipe(NAME, {"seed": 7, **options}).make().run(until=120) for name, options in ties.items()}


@pytest.mark.long(cases=0)
def test_a_rumour_comes_to_the_state_that_it_always_came_to(runs):
    assert {name: run.state_hash[:16] for name, run in runs.items()} == GOLDEN


@pytest.mark.long
def test_where_all_know_each_other_a_fifth_never_hears_it_and_on_a_ring_most_do_not(runs):
    left = {name: run.latest_measures["never heard (share)"] for name, run in runs.items()}
    theory = 0.2032
    assert theory == pytest.approx(math.exp(-2 * (1 - theory)), abs=1e-3)  # Daley and Kendall's equation
    assert left["everybody"] == pytest.approx(theory, abs=0.12)  # one run of 80
    assert left["ring"] > 0.8
    assert all(run.latest_measures["spreading"] == 0 for run in runs.values())


def test_nobody_tells_a_stranger_or_what_they_do_not_know_or_for_somebody_else():
    world = Recipe(NAME, {"seed": 7, "people": 20, "acquaintances": 2}).make().world
    (teller,) = (person for person in world.all(rumour_graph.Acquaintance) if person.state == "spreading")
    known = sorted(world["circle"].relations.neighbors(teller.id))
    stranger = next(p.id for p in world.all(rumour_graph.Acquaintance) if p.id not in (*known, teller.id))
    assert "does not know" in world.execute(f"me.tell({stranger})", agent=teller.id).error
    assert "has nothing to tell" in world.execute(f"me.tell({teller.id})", agent=known[0]).error
    assert not world.execute(f"{teller.id}.tell({known[0]})", agent=known[0]).committed
    assert not world.execute("me.state = 'spreading'", agent=known[0]).committed
    assert world.execute(f"me.tell({known[0]})", agent=teller.id).committed
    assert world.execute(f"me.tell({teller.id})", agent=known[0]).committed
    assert world[known[0]].state == "stifling"


def test_the_study_can_be_run():
    scenario = load_scenario(Path(rumour_graph.__file__).with_name("rumour_graph.yaml"))
    assert len(ScenarioStudy(scenario).blocks()) == 30
