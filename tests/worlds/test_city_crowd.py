"""A crowd in columns lives by its rules, and anybody in it can become a resident and go back."""

import numpy as np
import pytest

from cave_sim import Simulation, World, WorldError
from cave_sim.models import ScriptedModel
from cave_sim.simulations.city_day.citizens import LLMCitizen, ScriptedCitizen, reply
from cave_sim.worlds.city import Citizen, build_district, demote, promote
from cave_sim.worlds.city.crowd import FREE, Rules, rules_of
from cave_sim.worlds.city.money import total_cents

PERSON = 5


def district(crowd=400, minds=False, residents=0):
    world = build_district(0, seed=7, districts=4, residents=residents, crowd=crowd)
    role = LLMCitizen if minds else ScriptedCitizen
    return Simulation(world, agent_factories={Citizen: role}, llm=ScriptedModel(reply) if minds else None)


def columns(world):
    return {name: getattr(world["crowd"], name).copy() for name in ("at", "until_step", "fed_step", "cents")}


def test_in_a_day_everybody_works_eats_and_comes_home():
    simulation = district()
    simulation.run(until=144)
    world = simulation.world
    people = world["crowd"].until_step != FREE
    assert people.sum() == 100
    assert world["borough"].meals == pytest.approx(100, abs=15)
    assert (world["crowd"].fed_step[people] > 0).mean() > 0.85
    assert (world["crowd"].at[people] == world["roots"].home[people]).mean() > 0.5


def test_a_step_of_the_world_is_a_step_of_the_rules_on_plain_arrays():
    simulation = district()
    world, rules = simulation.world, rules_of(simulation.world)
    plain, purse = columns(world), world["borough"].treasury_cents
    for step in range(1, 80):
        purse, _, _ = rules.step(step, *plain.values(), purse)
    simulation.run(until=79)
    for name, column in columns(world).items():
        assert np.array_equal(column, plain[name])
    assert world["borough"].treasury_cents == purse


def test_few_elements_change_in_a_step():
    world = district(crowd=8_000).world
    shares = []
    for _ in range(72):
        turn = world.advance()
        patched = sum(len(change.new["at"]) for change in turn.changes if change.op == "patch")
        shares.append(patched / (4 * 2_000))
    assert np.mean(shares) < 0.03


def test_promotion_brings_an_agent_and_takes_the_row():
    simulation = district()
    simulation.run(until=30)
    before, people = total_cents(simulation.world), simulation.world["crowd"].size()
    name = promote(simulation, PERSON)
    assert isinstance(simulation.by_name[name], ScriptedCitizen)
    assert simulation.world[name].person == PERSON
    assert simulation.world["crowd"].size() == people - 1
    assert total_cents(simulation.world) == before


def test_who_is_promoted_and_goes_back_at_once_left_no_trace():
    simulation = district()
    simulation.run(until=30)
    before = columns(simulation.world)
    for person in range(0, 100, 7):
        assert demote(simulation, promote(simulation, person)) == person
    after = columns(simulation.world)
    assert all(np.array_equal(before[name], after[name]) for name in before)
    assert not simulation.world.all(Citizen)


@pytest.mark.long
def test_who_goes_back_and_is_promoted_again_knows_all_that_they_knew():
    simulation = district(minds=True)
    simulation.run(until=20)
    name = promote(simulation, PERSON)
    simulation.world.execute("notes = {'friends': ['aino']}\ndef greet(who):\n    return 'Hi ' + who", name)
    while (
        not simulation.world[name].at
        or simulation.world[name].doing == "waiting"
        or not simulation.by_name[name].session.rows
    ):
        simulation.step()
    fields, rows = dict(simulation.world[name].observe()), simulation.by_name[name].session.to_rows(0)
    demote(simulation, name)
    assert name not in simulation.world
    assert promote(simulation, PERSON) == name
    assert simulation.world[name].observe() == fields
    assert simulation.world.execute("greet(notes['friends'][0])", name).output == "'Hi aino'"
    assert simulation.by_name[name].session.to_rows(0) == rows


def test_money_earned_in_the_crowd_is_there_after_promotion():
    simulation = district()
    name = promote(simulation, PERSON)
    purse = simulation.world[name].money_cents
    demote(simulation, name)
    simulation.run(until=144)
    row = int(np.flatnonzero(simulation.world["roots"].person == PERSON)[0])
    cents = int(simulation.world["crowd"].cents[row])
    assert cents != purse
    assert simulation.world[promote(simulation, PERSON)].money_cents == cents


def test_who_lives_elsewhere_cannot_join_this_crowd():
    simulation = district(residents=30)
    worker = next(
        each for each in simulation.world.all(Citizen) if each.workplace not in simulation.world["roots"].sites
    )
    with pytest.raises(WorldError, match="lives in and works in this district"):
        demote(simulation, worker.id)


def test_a_number_that_nobody_has_is_told():
    with pytest.raises(WorldError, match="promote 999"):
        promote(district(), 999)


def test_a_crowd_is_restored_from_a_snapshot():
    simulation = district()
    simulation.run(until=20)
    twin = World.restore(simulation.world.snapshot())
    assert np.array_equal(twin["crowd"].at, simulation.world["crowd"].at)
    assert isinstance(rules_of(twin), Rules)
    assert twin.state_hash() == simulation.world.state_hash()
