"""A lake that several fish in: its rules are the game's, its policies do what they say, and runs stay the same."""

from pathlib import Path

import pytest

from cave_sim import WorldError
from cave_sim.models import ScriptedModel
from cave_sim.replay.recipe import Recipe
from cave_sim.scenario import load_scenario
from cave_sim.scenario.check import check_scenario
from cave_sim.simulations import commons

SCENARIO = Path(commons.__file__).with_name("commons.yaml")
GOLDEN = {
    "silent": "48047d698b71ae59",
    "talk": "9df407734154daa1",
    "advice": "19625955ebffd262",
    "sanctions": "ed0e4986952ebb02",
}


def year(seed=7, **options):
    return commons.create(seed=seed, **options).run(until=24)


def measures(simulation, *names):
    return [simulation.latest_measures[name] for name in names]


@pytest.mark.parametrize("condition", GOLDEN)
def test_a_year_comes_to_the_state_that_it_always_came_to(condition):
    options = dict(load_scenario(SCENARIO).conditions[condition].options)
    assert Recipe("commons", {"seed": 7, **options}).make().run(until=24).state_hash[:16] == GOLDEN[condition]


def test_sustainable_fishers_land_all_that_can_be_landed_and_share_it_equally():
    simulation = year(greedy=0, sustainable=5)
    assert measures(simulation, "survived (months)", "landed (t)", "efficiency (share)") == [12, 600, 1.0]
    assert measures(simulation, "equality", "over-usage (share)") == [1.0, 0.0]


def test_greedy_fishers_empty_the_lake_in_a_month_and_that_ends_the_run():
    simulation = year(greedy=5)
    assert measures(simulation, "survived (months)", "landed (t)", "fish (t)") == [1, 100, 0]
    assert simulation.over
    assert simulation.world.clock.step == 2


def test_fish_double_up_to_what_the_lake_can_feed_and_die_out_below_the_threshold():
    for stock_t, next_t in ((30, 60), (70, 100), (5, 10), (4, 0)):
        simulation = commons.create(seed=7, residents=1, greedy=0, sustainable=1)
        simulation.step()
        simulation.world["lake"].stock_t = stock_t
        simulation.step()
        assert simulation.world["lake"].stock_t == next_t
        assert simulation.world["lake"].collapsed == (next_t == 0)


def test_no_more_is_landed_than_was_there_and_every_ton_is_on_somebodys_account():
    simulation = commons.create(seed=3, greedy=2)
    while not simulation.over:
        before = simulation.world["lake"].stock_t
        simulation.step()
        lake = simulation.world["lake"]
        if lake.phase == "harbour":
            catches = sum(fisher.catch_t for fisher in simulation.world.all(commons.Fisher))
            assert catches == before - lake.stock_t <= before
    assert sum(fisher.account_t for fisher in simulation.world.all(commons.Fisher)) == lake.landed_t


def test_a_fine_costs_both_and_makes_the_greedy_careful():
    with_sanctions, without = year(greedy=2, enforcers=2), year(greedy=2)
    lake = with_sanctions.world["lake"]
    assert sum(fisher.fined for fisher in with_sanctions.world.all(commons.Fisher)) > 0
    assert sum(fisher.account_t for fisher in with_sanctions.world.all(commons.Fisher)) < lake.landed_t
    assert lake.months == 12 > without.world["lake"].months


def test_catches_are_seen_where_people_talk_and_nowhere_else():
    for talk in (True, False):
        simulation = commons.create(seed=7, talk=talk)
        simulation.step()
        looked = simulation.world.execute("bob.catch_t", agent="ann")
        assert looked.committed == talk
        assert ("may not read" in (looked.error or "")) == (not talk)


@pytest.mark.parametrize(
    ("cell", "rule"),
    [
        ("me.fish(101)", "there are 100 t"),
        ("me.say('hello')", "harbour half"),
        ("bob.fish(1)", "bob"),
        ("lake.stock_t = 1_000", "may not write"),
        ("bob.wants_t", "may not read"),
    ],
)
def test_cells_are_held_to_the_rules(cell, rule):
    turn = commons.create(seed=7).world.execute(cell, agent="ann")
    assert not turn.committed
    assert rule in turn.error


def test_minds_fish_and_talk_in_the_imitators_place():
    def reply(request):
        fishing = '"phase":"fishing"' in request.messages[-1].text
        return "```python\n" + ("me.fish(4)" if fishing else "me.say('4 t each')") + "\n```"

    simulation = commons.create(seed=7, greedy=1, llm=ScriptedModel(reply)).run(until=2)
    minds = [simulation.world[name] for name in ("bob", "cem", "dora", "eli")]
    assert {(mind.catch_t, mind.says) for mind in minds} == {(4, "4 t each")}
    assert simulation.world["ann"].catch_t == 20


def test_more_cast_than_there_are_people_are_refused():
    with pytest.raises(WorldError, match="5 live there"):
        commons.create(seed=7, greedy=3, enforcers=3)


def test_the_scenario_that_comes_along_can_be_run():
    assert check_scenario(load_scenario(SCENARIO)).problems == []
