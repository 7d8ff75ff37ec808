"""Further planted causes: thresholds, what comes later by itself, what is made up for, what only looks like a cause."""

import pytest

from tests.causes.test_planted import NOISE, PAY, causes, shortest
from tests.causes.worlds import lived

FOUR = ("ann", "bob", "cid", "dan")


@pytest.mark.long
def test_each_of_three_straws_is_a_cause_and_a_fourth_makes_none_of_them_one(tmp_path):
    straws = [(who, 2, "hall.noise += 1") for who in ("ann", "bob", "cid")]
    broken = ("dan", 4, f"if hall.noise >= 3: {PAY}")
    run = lived(tmp_path / "three", *straws, broken, names=FOUR)
    assert causes(run, "hall.treasury") == [(who, 2, -30.0) for who in ("ann", "bob", "cid")] + [("dan", 4, -30.0)]
    spare = lived(tmp_path / "four", *straws, ("ann", 3, "hall.noise += 1"), broken, names=FOUR)
    assert causes(spare, "hall.treasury") == [("dan", 4, -30.0)]
    assert len(shortest(spare, "hall.treasury < 100", sufficient=True)) == 4  # any three, and who looks


def test_who_took_somebody_out_of_the_world_before_they_could_pay(tmp_path):
    run = lived(tmp_path / "run", ("ann", 2, "world.remove('cid')"), ("bob", 5, f"if 'cid' in world: {PAY}"))
    assert causes(run, "hall.treasury") == [("ann", 2, 30.0)]


def test_who_left_something_to_happen_by_itself_later(tmp_path):
    due = ("ann", 1, "hall.noise = 4")
    run = lived(tmp_path / "run", due, *NOISE, dynamics=pay_when_due)
    assert causes(run, "hall.treasury") == [("ann", 1, -40.0)]


def pay_when_due(world):
    if world["hall"].noise == world.clock.step:
        world["hall"].treasury -= 40


@pytest.mark.long(cases=0)
def test_what_somebody_makes_up_for_is_no_cause_and_who_makes_up_for_it_is(tmp_path):
    refund = ("bob", None, "if hall.treasury < 100: hall.treasury = 100")
    run = lived(tmp_path / "run", ("ann", 3, PAY), refund, *NOISE)
    assert causes(run, "hall.treasury") == []  # a step later bob would have made up for it all the same
    assert causes(run, "hall.treasury", among="agents") == [("bob", 0, 30.0)]


def test_who_came_first_in_a_queue_that_serves_one(tmp_path):
    come = [(who, step, f"hall.notices.append({who!r})") for who, step in (("cid", 1), ("ann", 2), ("bob", 3))]
    serve = ("dan", 5, "hall.treasury -= 50 if hall.notices[0] == 'cid' else 20 if hall.notices[0] == 'ann' else 0")
    run = lived(tmp_path / "run", *come, serve, names=FOUR)
    assert causes(run, "hall.treasury") == [("dan", 5, -50.0), ("cid", 1, -30.0)]


@pytest.mark.long
def test_who_draws_and_does_nothing_shifts_nobody_elses_luck(tmp_path):
    drawn = ("ann", None, "x = rng.random()"), ("cid", None, "hall.treasury -= rng.randint(0, 9)")
    run = lived(tmp_path / "run", *drawn)
    assert {who for who, _, _ in causes(run, "hall.treasury")} == {"cid"}


@pytest.mark.long
def test_what_always_comes_just_before_is_no_cause(tmp_path):
    bell = [("bob", step, "hall.notices.append('ding')") for step in (1, 3, 5)]
    run = lived(tmp_path / "run", *bell, *NOISE, dynamics=at_even_steps)
    assert causes(run, "hall.treasury") == []
    assert causes(run, "hall.treasury", among="announcements") == []
    assert shortest(run, "hall.treasury < 100") is None


def at_even_steps(world):
    if world.clock.step % 2 == 0:
        world["hall"].treasury -= 10


def test_of_two_that_follow_from_a_third_neither_is_the_others_cause(tmp_path):
    word = ("ann", 1, "hall.notices.append('storm')")
    noise = ("bob", 3, "if 'storm' in hall.notices: hall.noise += 1")
    pay = ("cid", 5, f"if 'storm' in hall.notices: {PAY}")
    run = lived(tmp_path / "run", word, noise, pay)
    assert causes(run, "hall.treasury") == [("ann", 1, -30.0), ("cid", 5, -30.0)]
    assert causes(run, "hall.noise") == [("ann", 1, 1.0), ("bob", 3, 1.0)]
