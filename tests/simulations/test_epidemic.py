"""An epidemic spreads where people meet, ends by itself, and comes to the states that it always came to."""

from pathlib import Path

import pytest

from cave_sim.replay.recipe import Recipe
from cave_sim.scenario import load_scenario, run_study
from cave_sim.scenario.check import check_scenario
from cave_sim.simulations import epidemic

SCENARIO = Path(epidemic.__file__).with_name("epidemic.yaml")
GOLDEN = {
    "open": "0cbb67306bd467ff",
    "leisure": "6f3814e688fa140f",
    "lockdown": "f36f78ae7fccfe70",
}


def lived(steps=48, **options):
    return Recipe("epidemic", {"seed": 7, "residents": 10, **options}).make().run(until=steps)


@pytest.mark.long
def test_everybody_is_in_exactly_one_state_at_every_step():
    simulation = lived(steps=1, catching=0.3)
    for _ in range(40):
        simulation.step()
        state = simulation.world["epidemic"]
        groups = [set(state.susceptible), set(state.infectious), set(state.recovered)]
        assert sum(map(len, groups)) == len(set().union(*groups)) == 11
        assert state.peak >= len(state.infectious)


@pytest.mark.long(cases=0)
def test_without_contagion_only_the_first_ever_have_it_and_they_recover():
    state = lived(steps=60, catching=0.0, first=3)
    assert state.world["epidemic"].share_ever == 3 / 11
    assert set(state.world["epidemic"].infectious) == set()
    assert len(state.world["epidemic"].recovered) == 3


@pytest.mark.long
def test_what_is_more_catching_comes_further():
    shares = [lived(catching=catching).world["epidemic"].share_ever for catching in (0.0, 0.1, 1.0)]
    assert shares[0] < shares[1] <= shares[2]


@pytest.mark.long
def test_nobody_catches_it_who_was_with_nobody_that_had_it():
    simulation = lived(steps=0, catching=1.0, first=1)
    for _ in range(30):
        world = simulation.world
        before = set(world["epidemic"].susceptible)
        simulation.step()
        caught = before - set(world["epidemic"].susceptible)
        for name in caught:
            place = world[name].location
            assert any(guest.id in world["epidemic"].infectious and guest.id != name for guest in place.guests)


@pytest.mark.long
def test_the_scenario_that_comes_along_can_be_run():
    findings = check_scenario(load_scenario(SCENARIO))
    assert findings.problems == []


@pytest.fixture(scope="module")
def studied(tmp_path_factory):
    scenario = load_scenario(SCENARIO).model_copy(update={"residents": 10, "steps": 48})
    return run_study(scenario, tmp_path_factory.mktemp("epidemic") / "study", seeds=1)[1]


@pytest.mark.long
def test_the_trials_of_its_study_come_to_the_states_that_they_always_came_to(studied):
    assert {result.trial.partition("-")[0]: result.state_hash[:16] for result in studied.results} == GOLDEN
