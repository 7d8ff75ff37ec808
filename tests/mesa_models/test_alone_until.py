"""How far a world is alone: up to what is planned, and between two moments of an event loop."""

import asyncio

import pytest

from cave_sim.models.budget import Budgets
from cave_sim.replay.recipe import Recipe
from cave_sim.scenario.plans import TrialPlan
from cave_sim.scenario.trial import run_trial
from cave_sim.simulation.treatment import Intervention, Treatment
from cave_sim.testing.mesa_models import take
from tests.mesa_models.lonely_runs import STEPS, both, count_closed, left, wealth, written


@pytest.fixture
def closed(monkeypatch):
    return count_closed(monkeypatch)


AT_FIVE, BEFORE, EARLY = "2000-01-01T00:00:05", "1999-01-01T00:00:00", "2000-01-01T00:00:00.500000"


@pytest.mark.parametrize(
    ("moment", "stretches"),
    [
        ({"at": 5}, [5, 6]),
        ({"at": 0}, [11]),
        ({"at": STEPS}, [STEPS]),
        ({"at": AT_FIVE}, [5, 6]),
        ({"at": BEFORE}, [11]),
        ({"at": EARLY}, [10]),
        ({"when": "world.step >= 5"}, [6]),
        ({"when": "world.step >= 5", "repeat": True}, []),
    ],
)
@pytest.mark.parametrize("is_probe", [False, True])
def test_what_is_planned_is_done_at_its_step_and_cuts_a_stretch_there(moment, stretches, is_probe, closed):
    rich = Intervention("agent_4.wealth = 50", **moment)

    def plan(simulation):
        simulation.treatment = Treatment([] if is_probe else [rich])
        simulation.treatment.probes = [rich] if is_probe else []

    single, alone = both(plan)
    assert left(single) == left(alone)
    assert single.treatment.keep() == alone.treatment.keep()
    riches = sum(alone.world[f"agent_{number}"].wealth for number in range(1, 9))
    assert (riches > 50) is (not is_probe and moment != {"at": STEPS})
    assert closed == stretches


def test_on_an_event_loop_they_end_as_single_steps_do(closed):
    simulation, single = wealth(), wealth()
    simulation.commit_within_s = 1000.0
    asyncio.run(simulation.arun(steps=STEPS))
    take(single, STEPS)
    assert left(simulation) == left(single)
    assert closed == [STEPS]


def test_others_of_an_event_loop_have_their_turn_between_two_moments(closed):
    simulation, turns = wealth(), []
    simulation.commit_within_s = 0.0

    async def look():
        while len(turns) < STEPS:
            turns.append(simulation.world.clock.step)
            await asyncio.sleep(0)

    async def both():
        await asyncio.gather(simulation.arun(steps=STEPS), look())

    asyncio.run(both())
    assert closed == [1] * STEPS
    assert len(set(turns)) == STEPS


def trial(folder, stop=None, probes=()):
    made = {"n": 8, "seed": 7}
    recipe = Recipe("mesa:boltzmann_wealth", made, interventions=(Intervention("agent_4.wealth = 50", at=5),))
    return run_trial(TrialPlan(recipe, STEPS, stop), folder, Budgets(), probes=probes)


@pytest.mark.parametrize(("stop", "stretches"), [(None, [3, 1, 6]), ("world.step == 7", [])])
def test_a_trial_of_a_scenario_takes_them_where_no_condition_is_to_be_looked_at(tmp_path, monkeypatch, stop, stretches):
    monkeypatch.setattr("cave_sim.mesa_models.simulation.COMMIT_WITHIN_S", 1000.0)
    probes = [Intervention("pass", at=3)]
    closed = count_closed(monkeypatch)
    quick = trial(tmp_path / "quick" / "one", stop, probes)
    assert closed == stretches
    monkeypatch.setattr("cave_sim.scenario.trial.take_moment_alone", lambda simulation, end: False)
    assert trial(tmp_path / "slow" / "one", stop, probes) == quick
    assert written(tmp_path / "quick" / "one") == written(tmp_path / "slow" / "one")
