"""Planted causes are found and ranked first, in worlds in which they are known; and none where there is none."""

import pytest

from cave_sim import WorldError, open_run
from cave_sim.causes import Asked, Counterfactuals, candidates, effects, ranked, shortest_cause
from cave_sim.causes.provenance import Provenance
from cave_sim.causes.removal import Removal
from cave_sim.scenario.pauses import pauses
from cave_sim.simulation.treatment import Intervention, Treatment
from tests.causes.worlds import hall, lived

NOISE = (("cid", None, "me.mood += 1"),)
PAY = "hall.treasury -= 30"


def ready(run, text, *, ever=False, at=None, among="turns"):
    """Return the checked counterfactuals of a run, and the candidates in their order."""
    folder, make = run
    question = Asked(text, ever)
    counterfactuals = Counterfactuals(folder, question, make, at=at)
    counterfactuals.check()
    with open_run(folder) as opened:
        until = counterfactuals.decided
        found = candidates(opened, among, until, Provenance(opened, question.fields({}), until))
    return counterfactuals, found


def causes(run, text, *, seeds=1, **how):
    """Return who caused what, the largest effect first, as (agent, step, effect)."""
    found = ranked(list(effects(*ready(run, text, **how), seeds=seeds)))
    return [(each.candidate.agent, each.candidate.step, each.mean) for each in found]


def shortest(run, text, **how):
    """Return the turns of a shortest cause as (agent, step); None if there is none."""
    found = shortest_cause(*ready(run, text, ever=True), **how)
    assert found.is_minimal
    return None if found.turns is None else [(each.agent, each.step) for each in found.turns]


def test_a_condition_on_somebody_who_comes_later_does_not_hold_until_then(tmp_path):
    born = ("ann", 2, "world.add('dot', Person(mood=1)) if hall.keys else None")
    run = lived(tmp_path / "run", ("bob", 1, "hall.keys = 1"), born)
    assert causes(run, "dot.mood > 0", ever=True) == [("bob", 1, 1.0), ("ann", 2, 1.0)]
    with pytest.raises(WorldError, match="there is no entity 'dott'"):
        ready(run, "dott.mood > 0", ever=True)


def test_one_announcement_on_which_somebody_acts_day_after_day(tmp_path):
    party = ("ann", 2, "hall.notices.append('party')")
    run = lived(tmp_path / "run", party, ("bob", None, "if 'party' in hall.notices: hall.treasury -= 5"), *NOISE)
    first, *rest = causes(run, "hall.treasury")
    assert first == ("ann", 2, -30.0)
    assert rest == [("bob", step, -5.0) for step in range(2, 8)]


def test_two_that_only_act_together_are_both_causes_and_both_are_needed_to_bring_it_about(tmp_path):
    keys = ("ann", 1, "hall.keys += 1"), ("bob", 3, "hall.keys += 1")
    opened = ("cid", None, "if hall.keys == 2: hall.closed = True")
    run = lived(tmp_path / "run", *keys, opened, ("dan", None, "me.mood += 1"), names=("ann", "bob", "cid", "dan"))
    assert causes(run, "hall.closed") == [("ann", 1, 1.0), ("bob", 3, 1.0)]
    assert len(shortest(run, "hall.closed")) == 1
    assert shortest(run, "hall.closed", sufficient=True) == [("ann", 1), ("bob", 3), ("cid", 3)]


def test_who_is_paused_is_as_silent_as_who_is_taken_out_also_in_steps_that_follow_each_other(tmp_path):
    turns = [("ann", step, "hall.notices.append(1)") for step in (0, 1, 3)] + [("bob", 1, "hall.keys += 1")]
    run = lived(tmp_path / "run", *turns, ("cid", None, "hall.noise += 1 + hall.keys"), ("ann", 4, "hall.keys += 1"))
    counterfactuals, found = ready(run, "len(hall.notices) * 1000 + hall.noise * 10 + hall.keys")
    taken = [each for each in found if (each.agent, each.step) in {("ann", 0), ("ann", 1), ("bob", 1), ("cid", 5)}]
    for sufficient in (False, True):
        silent = Removal.of_all_but(taken) if sufficient else Removal.of(taken)
        paused = Removal(pauses=pauses(silent.silence, 0))
        value = counterfactuals.outcome(paused, 0).value
        assert value == counterfactuals.outcome(silent, 0).value != counterfactuals.fact


@pytest.mark.long
def test_two_that_mask_each_other_are_found_by_the_shortest_cause_alone(tmp_path):
    told = ("ann", 1, "hall.notices.append('fire')"), ("bob", 1, "hall.notices.append('fire')")
    fled = ("cid", 4, "if 'fire' in hall.notices: hall.closed = True")
    run = lived(tmp_path / "run", *told, fled, ("dan", None, "me.mood += 1"), names=("ann", "bob", "cid", "dan"))
    assert causes(run, "hall.closed") == [("cid", 4, 1.0)]
    run_of_two = lived(tmp_path / "two", *told, dynamics=flee)
    assert causes(run_of_two, "hall.closed") == []
    assert shortest(run_of_two, "hall.closed") == [("ann", 1), ("bob", 1)]
    assert len(shortest(run_of_two, "hall.closed", sufficient=True)) == 1


def flee(world):
    if "fire" in world["hall"].notices and world.clock.step >= 4:
        world["hall"].closed = True


@pytest.mark.long
def test_none_where_the_world_does_it_by_itself(tmp_path):
    run = lived(tmp_path / "run", *NOISE, ("ann", 3, "hall.noise += 1"), dynamics=drain)
    assert causes(run, "hall.treasury") == []
    assert causes(run, "hall.treasury < 60", ever=True) == []
    assert shortest(run, "hall.treasury < 60") is None
    assert shortest(run, "hall.treasury < 60", sufficient=True) == []


def drain(world):
    world["hall"].treasury -= 10


def test_none_where_agents_are_taken_out_who_did_nothing_to_it(tmp_path):
    run = lived(tmp_path / "run", *NOISE, ("ann", None, "me.trust += 1"))
    assert causes(run, "hall.treasury", among="agents") == []


def test_a_planned_intervention(tmp_path):
    plan = Treatment([Intervention("hall.treasury += 7", at=1), Intervention(PAY, when="hall.noise > 2")])
    run = lived(tmp_path / "run", ("ann", None, "hall.noise += 1"), *NOISE, treatment=plan)
    found = causes(
        (run[0], lambda: hall(("ann", None, "hall.noise += 1"), *NOISE, treatment=plan.copy())),
        "hall.treasury",
        among="interventions",
    )
    assert [effect for _, _, effect in found] == [-30.0, 7.0]


@pytest.mark.long
def test_a_cell_that_was_submitted_live(tmp_path):
    acts = (("bob", None, "if 'strike' in hall.notices: hall.treasury -= 2"), *NOISE)
    simulation = hall(*acts, out=tmp_path / "run")
    simulation.run(until=3)
    simulation.intervene("hall.notices.append('strike')", "operator")
    simulation.run(until=5)
    simulation.intervene("hall.noise += 1", "operator")
    simulation.run(until=8).close()
    run = tmp_path / "run", lambda: hall(*acts)
    assert causes(run, "hall.treasury", among="interventions") == [("operator", 3, -10.0)]
    assert [who for who, _, _ in causes(run, "hall.treasury")] == ["bob"] * 5


@pytest.mark.long
def test_a_late_one_and_what_comes_after_the_question_is_no_candidate(tmp_path):
    run = lived(tmp_path / "run", *NOISE, ("ann", 6, PAY))
    assert causes(run, "hall.treasury") == [("ann", 6, -30.0)]
    assert causes(run, "hall.treasury", at=6) == []
    assert causes(run, "hall.treasury", at=7) == [("ann", 6, -30.0)]


@pytest.mark.long
def test_an_agent_who_matters_by_many_turns_none_of_which_is_the_largest(tmp_path):
    run = lived(tmp_path / "run", ("cid", None, "hall.treasury -= 2"), ("ann", 4, "hall.treasury -= 3"))
    assert causes(run, "hall.treasury", among="agents") == [("cid", 0, -16.0), ("ann", 4, -3.0)]
    assert causes(run, "hall.treasury")[0] == ("ann", 4, -3.0)


@pytest.mark.long
def test_one_that_kept_something_from_happening(tmp_path):
    stolen = ("bob", 5, "if not hall.closed: hall.treasury = 0")
    run = lived(tmp_path / "run", ("ann", 2, "hall.closed = True"), stolen, *NOISE)
    assert causes(run, "hall.treasury") == [("ann", 2, 100.0)]
    assert causes(run, "hall.treasury < 50") == [("ann", 2, -1.0)]


@pytest.mark.long
def test_word_that_was_passed_on_begins_with_who_said_it_first(tmp_path):
    passed = ("bob", None, "if me.heard and not cid.heard: cid.heard.append(me.heard[0])")
    paid = ("cid", 6, "if me.heard: hall.treasury -= 30")
    run = lived(
        tmp_path / "run",
        ("ann", 1, "bob.heard.append('pay')"),
        passed,
        paid,
        ("dan", None, "me.mood += 1"),
        names=("ann", "bob", "cid", "dan"),
    )
    found = causes(run, "hall.treasury")
    assert found[0] == ("ann", 1, -30.0)
    assert found[-1] == ("cid", 6, -30.0)
    assert len(found) == 2  # bob would have passed it on a step later


def test_what_an_agent_kept_in_a_variable(tmp_path):
    run = lived(tmp_path / "run", ("ann", 1, "price = 30"), ("ann", 6, "hall.treasury -= price"), *NOISE)
    assert causes(run, "hall.treasury") == [("ann", 1, -30.0), ("ann", 6, -30.0)]


def test_one_whose_effect_the_world_makes_large(tmp_path):
    run = lived(
        tmp_path / "run", ("ann", 1, "hall.noise = 1"), ("bob", 2, "hall.treasury -= 4"), *NOISE, dynamics=spread
    )
    assert causes(run, "hall.treasury") == [("ann", 1, -127.0), ("bob", 2, -4.0)]


def spread(world):
    place = world["hall"]
    place.treasury -= place.noise
    place.noise *= 2


CHANCE = ("cid", None, "hall.treasury -= random.randint(0, 4)")


@pytest.mark.long
def test_over_futures_the_one_with_an_effect_has_an_interval_apart_from_0(tmp_path):
    run = lived(tmp_path / "run", ("ann", 1, PAY), CHANCE, ("bob", 2, "me.mood += 1"))
    counterfactuals, found = ready(run, "hall.treasury")
    tried = list(effects(counterfactuals, found, seeds=5))
    best = ranked(tried)[0]
    assert (best.candidate.agent, best.candidate.step, best.mean) == ("ann", 1, -30.0)
    assert str(best.estimate) == "-30 in each of 5"
    assert not [each for each in ranked(tried) if each.candidate.agent == "bob"]


def test_a_measure_goes_by_its_name(tmp_path):
    def spent(world):
        return 100.0 - world["hall"].treasury

    run = lived(tmp_path / "run", ("ann", 1, PAY), *NOISE, measures={"spent": spent})
    assert causes(run, "spent") == [("ann", 1, 30.0)]


def is_called_a_cause(folder, seed, shift):
    """Say whether somebody is called a cause over six futures, who lets another one draw from -3 to 3 and a shift."""
    drawn = f"hall.treasury += hall.noise * (random.randint(-3, 3) + {shift})"
    acts = ("ann", 1, "hall.noise = 1"), *(("cid", step, drawn) for step in range(2, 6))
    counterfactuals, found = ready(lived(folder, *acts, seed=seed, steps=6), "hall.treasury")
    (ann,) = (each for each in found if each.agent == "ann")
    return bool(ranked(list(effects(counterfactuals, [ann], seeds=6))))


@pytest.mark.long
def test_over_futures_one_without_a_mean_effect_is_hardly_called_a_cause_and_one_with_it_nearly_always(tmp_path):
    without = [is_called_a_cause(tmp_path / f"without-{seed}", seed, 0) for seed in range(60)]
    assert sum(without) <= 0.05 * 60
    planted = [is_called_a_cause(tmp_path / f"with-{seed}", seed, 2) for seed in range(20)]
    assert sum(planted) >= 0.85 * 20


def test_what_wrote_another_field_of_what_is_asked_about_is_tried_before_all_others(tmp_path):
    """A world's rule works the one out from the other, and nothing says what rules read."""

    def drain(world):
        world["hall"].treasury -= world["hall"].keys

    run = lived(tmp_path / "run", ("bob", 1, "hall.keys += 3"), *NOISE, dynamics=drain)
    counterfactuals, found = ready(run, "hall.treasury")
    assert (found[0].agent, found[0].step) == ("bob", 1)
    assert len(found) == 9
    assert [effect.mean for effect in effects(counterfactuals, found[:1])] == [-21.0]
