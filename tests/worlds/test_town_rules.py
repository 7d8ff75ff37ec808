"""How a town goes on by itself, what its mayor may do, and what nobody may."""

import pytest

from cave_sim import WorldError
from cave_sim.worlds.town import Place, Resident, StreetMap, build_town, total_cents
from tests.worlds.line_town import act, line_town, refusal, wait

town = pytest.fixture(line_town)


def test_at_closing_time_guests_have_to_leave_and_learn_the_hours(town):
    town["cafe"].closes_h = 9.25
    wait(town, 2)
    assert town["bob"].location is None
    assert "closed until Thu 07:30" in town["bob"].heard[-1]


def test_who_walks_to_a_place_that_is_taken_away_stops(town):
    act(town, 'world.add("tent", Place(title="Tent", node=4000, lon=4000.0))', "mayor")
    act(town, "me.go(tent)")
    act(town, "world.remove('tent')", "mayor")
    wait(town, 1)
    assert (town["ann"].activity, town["ann"].did) == ("waiting", "leaving")


def test_not_even_the_mayor_can_make_or_burn_money(town):
    for forgery in (
        "town.treasury_cents += 1",
        "ann.money_cents = 0",
        "cafe.cash_cents += 5",
        "world.remove('cafe')",
        "world.add('bank', Place(title='Bank', kind='bank', cash_cents=100))",
    ):
        assert "money is neither made nor lost" in refusal(town, forgery, "mayor")
    assert "the books agree" in refusal(town, "town.money_supply_cents += 1", "mayor")
    act(town, "town.treasury_cents -= 500\nann.money_cents += 500", "mayor")
    assert total_cents(town) == town["town"].money_supply_cents


def test_a_shelter_built_by_the_mayor_can_be_used_in_the_next_turn(town):
    act(
        town,
        'world.add("tent", Place(title="Tent", kind="shelter", node=200, lon=200.0, capacity=5))\n'
        'town.landmarks.append("tent")\ntown.announcements.append("Come in.")',
        "mayor",
    )
    assert any(place["name"] == "tent" for place in town.observe("ann")["places"])
    act(town, "me.go(tent)")
    wait(town, 1)
    act(town, "me.rest()")
    assert list(town["tent"].guests) == [town["ann"]]


def test_a_park_closed_by_the_mayor_empties_and_stays_closed(town):
    act(town, "me.go(park)", "bob")
    wait(town, 2)
    act(town, "park.closed = True", "mayor")
    wait(town, 1)
    assert town["bob"].location is None
    assert "closed by order of the city" in refusal(town, "me.go(park)", "bob")
    act(town, "park.closed = False", "mayor")
    act(town, "me.go(park)", "bob")


def test_only_the_mayor_writes_on_the_notice_board(town):
    assert "ann may not write town.announcements" in refusal(town, 'town.announcements.append("free beer")')
    act(town, 'town.announcements.append("Parade at noon.")', "mayor")
    assert town.observe("ann")["news"] == ["Parade at noon."]


def test_a_resident_decides_about_their_own_plan_and_diary_only(town):
    act(town, 'me.plan["12:00"] = "lunch at cafe"\nme.note("Hungry.")')
    assert town["ann"].diary == ["Wed 09:00 Hungry."]
    assert "may not read" in refusal(town, 'bob.plan["12:00"] = "pay ann"')
    assert "may not write" in refusal(town, 'bob.plan = {"12:00": "pay ann"}')


@pytest.mark.parametrize(
    "code", ["me.title = 'The mayor'", "me.home = cafe", "me.wage_cents_h = 9999", "me.mood = 1.0"]
)
def test_nobody_writes_themselves_another_life(town, code):
    assert "ann may not write ann." in refusal(town, code)


@pytest.mark.parametrize("code", ["bob.go(park)", "bob.give(ann, 100)", "bob.eat()", "bob.note('I owe Ann 100 EUR')"])
def test_nobody_acts_as_somebody_else(town, code):
    act(town, "me.go(cafe)")
    wait(town, 1)
    assert "is for bob alone to do" in refusal(town, code)


def test_bodies_tire_hunger_and_recover(town):
    wait(town, 6)
    ann = town["ann"]
    assert ann.energy < 0.9
    assert ann.hunger > 0.3
    assert 0 <= ann.mood <= 1


def test_rain_spoils_the_mood_outside_and_not_inside(town):
    act(town, "me.go(park)", "bob")
    wait(town, 3)
    dry = town.fork()
    for world, mm in ((town, [3.0] * 24), (dry, [0.0] * 24)):
        world["weather"].showers_mm = mm
        wait(world, 6)
    assert town["bob"].mood < dry["bob"].mood
    assert town["ann"].mood == dry["ann"].mood


def test_memories_are_bounded(town):
    act(town, "me.go(cafe)")
    wait(town, 1)
    for number in range(40):
        act(town, f"me.say(bob, 'word {number}')\nme.note('{number}')")
        wait(town, 1)
    wait(town, 3)
    assert len(town["bob"].heard) <= 8
    assert len(town["ann"].diary) <= 24


def test_what_is_seen_does_not_grow_with_the_town():
    small, large = (build_town(seed=3, residents=count, start="2012-06-01T12:00") for count in (5, 120))
    for world in (small, large):
        for resident in world.all(Resident):
            seen = world.observe(resident.id)
            assert len(seen["near"]) <= 6
            assert len(seen["places"]) <= 20


def test_who_sleeps_sees_the_time_only(town):
    act(town, "me.sleep()")
    assert set(town.observe("ann")) == {"time", "hour", "weekday", "me"}


def test_a_built_town_is_the_same_for_the_same_seed_and_another_for_another():
    one, same, other = (build_town(seed=seed, residents=12).state_hash() for seed in (5, 5, 6))
    assert one == same != other


def test_a_built_town_has_homes_work_and_friends_for_everyone():
    world = build_town(seed=5, residents=40)
    residents = world.all(Resident)
    assert len(residents) == 41
    assert all(person.home.kind == "home" and person in person.home.guests for person in residents)
    employed = [person for person in residents if person.job not in ("retired", "student")]
    assert len(employed) > 20
    assert all(person.workplace is not None for person in employed)
    assert all(world["town"].relations.degree(person.id) >= 1 for person in residents)


def test_a_town_can_be_built_from_a_small_map_of_ones_own(tmp_path):
    path = tmp_path / "hamlet.json"
    path.write_text(
        '{"name": "Hamlet", "nodes": [[24.0, 60.0], [24.01, 60.0]], "edges": [[0, 1, 560.0, "Lane"]],'
        '"places": [{"name": "Inn", "kind": "restaurant", "lon": 24.0, "lat": 60.0, "node": 0}],'
        '"buildings": [{"kind": "yes", "lon": 24.01, "lat": 60.0, "node": 1}]}'
    )
    world = build_town(seed=1, residents=9, street_map=StreetMap.load(path))
    assert {place.kind for place in world.all(Place)} == {"restaurant", "home"}
    wait(world, 12)


def test_a_map_without_homes_or_work_cannot_be_lived_in(tmp_path):
    path = tmp_path / "desert.json"
    path.write_text('{"name": "Desert", "nodes": [[24.0, 60.0]], "edges": [], "places": [], "buildings": []}')
    with pytest.raises(WorldError, match="Desert: people need a home and somewhere to work"):
        build_town(seed=1, residents=1, street_map=StreetMap.load(path))
