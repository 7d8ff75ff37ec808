"""The town's rules, seen from outside: residents act by cells, and the world goes on by itself."""

import pytest

from cave_sim import World, WorldError
from worlds.town import Mayor, Place, Resident, StreetMap, Town, Weather, build_town, govern, install, total_cents
from worlds.town.maps import Route

OPENING = {"cafe": (7.5, 19.0), "grocer": (7.0, 22.0), "park": (0.0, 24.0), "office": (8.0, 17.0)}


class Line:
    """A map of one long street: node n lies n metres from its beginning."""

    name, attribution = "Line", "nobody"

    def point(self, node):
        return float(node), 0.0

    def route(self, start, goal):
        step = 1 if goal >= start else -1
        nodes = tuple(range(start, goal + step, step))
        return Route(nodes, tuple(map(self.point, nodes)), tuple(float(abs(node - start)) for node in nodes))

    def distance_m(self, a, b):
        return abs(a[0] - b[0])

    def sketch(self):
        return {"name": self.name, "attribution": self.attribution, "axes": "xy", "lines": [[[0, 0], [5000, 0]]]}


@pytest.fixture
def town():
    """Return a town of two on a line, at nine on a sunny Wednesday: Ann with 50 EUR at home, Bob in the café."""
    install(Line())
    world = World(seed=1, step_s=600, start="2012-06-06T09:00")
    world.add("town", Town(title="Line", map_name="Line", treasury_cents=1_000_000, landmarks=["park"]))
    world.add("weather", Weather())
    places = {
        "home": ("home", 0),
        "cafe": ("cafe", 500),
        "grocer": ("supermarket", 100),
        "park": ("park", 2000),
        "office": ("company", 300),
        "bobs": ("home", 900),
    }
    for name, (kind, node) in places.items():
        opens_h, closes_h = OPENING.get(name, (0.0, 24.0))
        world.add(
            name,
            Place(
                title=name.title(),
                kind=kind,
                node=node,
                lon=float(node),
                opens_h=opens_h,
                closes_h=closes_h,
                price_cents=500 if name in ("cafe", "grocer") else 0,
                cash_cents=100_000,
            ),
        )
    person(world, "ann", "home", workplace=world["office"], shift_starts_h=9.0, shift_ends_h=17.0, wage_cents_h=2000)
    person(world, "bob", "cafe")
    person(world, "mayor", "office", Mayor)
    world.grant("mayor", "*")
    govern(world)
    return world


def person(world, name, at, kind=Resident, **about):
    home = world["home" if name == "ann" else "bobs"]
    one = world.add(name, kind(title=name.title(), home=home, money_cents=5000, haunts=["cafe", "grocer"], **about))
    place = world[at]
    one.location, one.node, one.lon = place, place.node, place.lon
    place.guests.add(one)


def act(world, code, agent="ann"):
    """Run a cell that has to land."""
    turn = world.execute(code, agent=agent)
    assert turn.status == "committed", turn.error
    return turn


def refusal(world, code, agent="ann"):
    """Run a cell that must not land; return why."""
    turn = world.execute(code, agent=agent)
    assert turn.status != "committed"
    return turn.error


def wait(world, steps):
    for _ in range(steps):
        world.advance()


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


def test_at_closing_time_guests_have_to_leave_and_learn_the_hours(town):
    town["cafe"].closes_h = 9.25
    wait(town, 2)
    assert town["bob"].location is None
    assert "closed until Thu 07:30" in town["bob"].heard[-1]


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


def test_a_meeting_stands_in_both_plans_and_nobody_is_double_booked(town):
    act(town, "me.go(cafe)")
    wait(town, 1)
    act(town, "me.meet(bob, park, at='18:00')")
    assert town["ann"].plan == {"18:00": "meet bob at park"}
    assert town["bob"].plan == {"18:00": "meet ann at park"}
    assert "as a time of day" in refusal(town, "me.meet(bob, cafe, at='tonight')")
    assert "has a plan for 18:00 already" in refusal(town, "me.meet(bob, cafe, at='18:00')")


def test_money_can_be_given_but_not_made(town):
    act(town, "me.go(cafe)")
    wait(town, 1)
    act(town, "me.give(bob, 700)")
    assert (town["ann"].money_cents, town["bob"].money_cents) == (4300, 5700)
    assert "1 cent or more" in refusal(town, "me.give(bob, -700)")
    assert "ann may not write" in refusal(town, "me.money_cents = 1_000_000")


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
    assert "may not write" in refusal(town, 'bob.plan["12:00"] = "pay ann"')


@pytest.mark.parametrize("code", ["bob.go(park)", "bob.give(ann, 100)", "bob.eat()", "bob.note('I owe Ann 100 EUR')"])
def test_nobody_acts_as_somebody_else(town, code):
    act(town, "me.go(cafe)")
    wait(town, 1)
    assert "Bob (bob) decides about that" in refusal(town, code)


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
    wait(town, 3)
    assert len(town["bob"].heard) <= 8
    assert len(town["ann"].diary) <= 24


def test_what_is_seen_does_not_grow_with_the_town():
    small, large = (build_town(seed=3, residents=count, start="2012-06-01T12:00") for count in (5, 120))
    for world in (small, large):
        for resident in world.all(Resident):
            seen = world.observe(resident._name)
            assert len(seen["near"]) <= 6
            assert len(seen["places"]) <= 18


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
    assert all(world["town"].relations.degree(person._name) >= 1 for person in residents)


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
