"""What residents can do in a town, and what is refused to them."""

import pytest

from tests.worlds.line_town import act, line_town, refusal, wait

town = pytest.fixture(line_town)


def test_walking_takes_the_time_that_the_way_takes(town):
    act(town, "me.go(park)")
    assert (town["ann"].activity, town["ann"].location) == ("walking", None)
    wait(town, 1)
    assert (town["ann"].lon, town["ann"].walked_m) == (780.0, 780.0)
    wait(town, 2)
    assert (town["ann"].location, town["ann"].activity, town["ann"].did) == (town["park"], "waiting", "walking")
    assert town["ann"] in town["park"].guests
    assert town["ann"] not in town["home"].guests


def test_whoever_changes_their_mind_turns_round_at_the_last_corner(town):
    act(town, "me.go(park)")
    wait(town, 1)
    act(town, "me.go(cafe)")
    assert (town["ann"].node, town["ann"].walked_m) == (780, 0.0)
    wait(town, 1)
    assert town["ann"].location is town["cafe"]


def test_a_place_may_be_named_by_its_key(town):
    act(town, 'me.go("cafe")')
    assert "no place named 'moon'" in refusal(town, 'me.go("moon")')


def test_eating_out_moves_money_and_stills_hunger(town):
    before = town["bob"].hunger
    act(town, "me.eat()", "bob")
    assert (town["bob"].money_cents, town["cafe"].cash_cents) == (4500, 100_500)
    assert town["bob"].hunger < before
    assert (town["bob"].activity, town["bob"].until_s) == ("eating", 1200)


def test_groceries_are_bought_carried_home_and_eaten(town):
    act(town, "me.go(grocer)")
    wait(town, 1)
    act(town, "me.buy(2)")
    assert town["ann"].belongings == {"groceries": 2}
    act(town, "me.go(home)")
    wait(town, 1)
    act(town, "me.eat()")
    assert (town["ann"].belongings, town["ann"].money_cents) == ({"groceries": 1}, 4000)


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("me.eat()", "The kitchen is empty"),
        ("me.drink()", "nothing to drink at Home"),
        ("me.buy()", "is no shop"),
        ("me.go(home)", "already at Home"),
        ("me.go(bobs)", "somebody else's home"),
        ("me.work()", "You are not at work: your workplace is Office (office)"),
        ("me.say(bob, 'hello')", "Bob (bob) is not here"),
        ("me.say(me, 'hello')", "only talk to another resident"),
        ("me.enjoy()", "nothing to do at Home"),
    ],
)
def test_a_deed_that_cannot_be_done_is_refused_with_the_reason(town, code, reason):
    state = town.state_hash()
    assert reason in refusal(town, code)
    assert town.state_hash() == state


def test_a_closed_door_says_until_when(town):
    town["cafe"].opens_h = 11.0
    assert "Cafe (cafe) is closed until 11:00" in refusal(town, "me.go(cafe)")
    town["cafe"].closes_h = 12.0
    wait(town, 24)
    assert "Cafe (cafe) is closed until Thu 11:00" in refusal(town, "me.go(cafe)")
    town["cafe"].closed = True
    assert "closed by order of the city" in refusal(town, "me.go(cafe)")


def test_who_cannot_pay_is_told_the_price_and_keeps_the_money(town):
    town["cafe"].price_cents = 9900
    assert "Bob has 50.00 EUR and cannot pay 99.00 EUR" in refusal(town, "me.eat()", "bob")
    assert town["bob"].money_cents == 5000


def test_who_arrives_at_a_full_place_stays_outside(town):
    town["cafe"].capacity = 1
    act(town, "me.go(cafe)")
    wait(town, 1)
    assert (town["ann"].location, town["ann"].node) == (None, 500)
    assert town["ann"].heard[-1] == "Cafe (cafe) is full."


def test_work_is_paid_by_the_workplace_when_it_ends_and_taxed_by_the_town(town):
    act(town, "me.go(office)")
    wait(town, 1)
    act(town, "me.work()")
    treasury = town["town"].treasury_cents
    wait(town, 48)
    assert town.clock.hour == pytest.approx(17 + 10 / 60)
    assert town["ann"].activity == "waiting"
    gross = round(20 * 100 * (7 + 5 / 6))
    assert town["town"].treasury_cents - treasury == round(gross * 0.25)
    assert town["ann"].money_cents == 5000 + gross - round(gross * 0.25)


def test_a_lunch_break_pays_the_morning_and_work_goes_on_after_it(town):
    act(town, "me.go(office)")
    wait(town, 1)
    act(town, "me.work()")
    wait(town, 6)
    act(town, "me.go(cafe)")
    assert town["ann"].money_cents == 5000 + 1500


def test_sleep_lasts_until_about_the_usual_hour_and_restores(town):
    wait(town, 84)
    tired = town["ann"].energy
    act(town, "me.sleep()")
    assert "asleep" in refusal(town, "me.say(ann, 'psst')", "bob") or town["bob"].location is not town["ann"].location
    wait(town, 48)
    assert town["ann"].energy > tired
    assert town["ann"].activity == "sleeping"
    wait(town, 20)
    assert town["ann"].activity == "resting"


def test_talking_is_heard_and_brings_people_together(town):
    act(town, "me.go(cafe)")
    wait(town, 1)
    act(town, "me.say(bob, 'Good morning!')")
    assert town["bob"].heard == ["09:10 Ann (ann): Good morning!"]
    assert town["town"].strength("ann", "bob") == town["town"].strength("bob", "ann") == 0.1
    act(town, "me.say(bob, 'Lovely day.')")
    assert town["town"].strength("ann", "bob") == 0.12


def test_nobody_is_talked_into_a_friendship_at_once(town):
    act(town, "me.go(cafe)")
    wait(town, 1)
    assert "said enough to Bob" in refusal(town, "for word in range(50):\n    me.say(bob, f'friend {word}')")
    assert "ann may not write ann.heard" in refusal(town, "me.heard.clear()")
    assert town["town"].strength("ann", "bob") == 0


def test_nobody_enjoys_themselves_into_bliss_at_once(town):
    act(town, "me.go(park)", "bob")
    wait(town, 2)
    mood = town["bob"].mood
    act(town, "for _ in range(50):\n    me.enjoy()", "bob")
    assert town["bob"].mood == mood


@pytest.fixture
def table(town):
    """A town in which ann and bob sit in the café, and ann has asked bob to meet."""
    act(town, "me.go(cafe)")
    wait(town, 1)
    act(town, "me.meet(bob, park, at='18:00')")
    return town


def plans(town):
    return town["ann"].plan.get("18:00", ""), town["bob"].plan.get("18:00", "")


def test_a_meeting_stands_in_both_plans_once_both_have_said_it(table):
    assert plans(table) == ("asked bob to meet at park, unanswered since 09:10", "")
    assert "You have asked Bob" in refusal(table, "me.meet(bob, park, at='18:00')")
    assert "You have a plan for 18:00 already" in refusal(
        table, "me.plan['18:00'] = 'rest'\nme.meet(bob, park, '18:00')"
    )
    assert "as a time of day" in refusal(table, "me.meet(bob, cafe, at='tonight')")
    act(table, "me.meet(ann, park, at='18:00')", "bob")
    assert plans(table) == ("meet bob at park", "meet ann at park")


def test_an_unanswered_question_to_meet_lapses_and_who_asked_is_told(table):
    wait(table, 2)
    assert plans(table)[0].startswith("asked bob")
    wait(table, 3)
    assert plans(table) == ("", "")
    assert "bob has not answered; you do not meet at 18:00." in table["ann"].heard[-1]
    act(table, "me.meet(ann, park, at='18:00')", "bob")
    assert plans(table) == ("", "asked ann to meet at park, unanswered since 10:00")


def test_who_would_rather_meet_elsewhere_asks_back_and_the_other_agrees(table):
    act(table, "me.meet(ann, cafe, at='18:00')", "bob")
    assert [plan.partition(",")[0] for plan in plans(table)] == [
        "asked bob to meet at park",
        "asked ann to meet at cafe",
    ]
    act(table, "me.meet(bob, cafe, at='18:00')")
    assert plans(table) == ("meet bob at cafe", "meet ann at cafe")


@pytest.mark.parametrize("withdraws", ["del me.plan['18:00']", "me.plan['18:00'] = 'a walk'", "me.plan.clear()"])
def test_a_meeting_that_is_agreed_on_as_it_is_withdrawn_stands_for_both_or_for_none(table, withdraws):
    turns = table.execute_batch({"ann": withdraws, "bob": "me.meet(ann, park, at='18:00')"})
    assert sorted(turn.status for turn in turns.values()) == ["committed", "conflict"]
    assert [plan.startswith("meet ") for plan in plans(table)] in ([True, True], [False, False])


@pytest.mark.parametrize("at", ["['18:00']", "[f'{hour}:00' for hour in range(10, 17)]"])
@pytest.mark.parametrize("at_once", [False, True])
def test_who_asks_somebody_to_meet_learns_nothing_of_their_plan(at, at_once):
    def told(plan):
        town = line_town()
        act(town, "me.go(cafe)")
        wait(town, 1)
        town["bob"].plan = plan
        asks = "    try:\n        print(me.meet(bob, park, at))\n    except Refused as no:\n        print(no)"
        cells = {"ann": f"for at in {at}:\n{asks}\nprint(me.plan, me.heard)"}
        rival = {"bob": "me.plan['18:00'] = me.plan.get('18:00', 'a walk')"} if at_once else {}
        turn = town.execute_batch(cells | rival)["ann"]
        wait(town, 6)
        return (turn.status, turn.output, turn.error, town.observe("ann")), dict(town["bob"].plan)

    busy = {f"{hour}:00": "meet eve at park" for hour in range(10, 17)} | {"18:00": "meet eve at cafe"}
    (free, _), (taken, plan) = told({}), told(busy)
    assert (free, plan) == (taken, busy)


def test_money_can_be_given_but_not_made(town):
    act(town, "me.go(cafe)")
    wait(town, 1)
    act(town, "me.give(bob, 700)")
    assert (town["ann"].money_cents, town["bob"].money_cents) == (4300, 5700)
    assert "1 cent or more" in refusal(town, "me.give(bob, -700)")
    assert "ann may not write" in refusal(town, "me.money_cents = 1_000_000")
