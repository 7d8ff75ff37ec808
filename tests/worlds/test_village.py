import pytest

from cave_sim import World
from cave_sim.worlds.town import Mayor, Place, Resident, TownMap, installed, total_cents
from cave_sim.worlds.village import build_village, hollinweir


@pytest.fixture
def village():
    def built(**options):
        return build_village(hollinweir(), **{"seed": 7} | options)

    return built


def test_a_village_stands_behind_the_town_s_own_classes(village):
    world = village()
    assert isinstance(world, World)
    assert isinstance(installed(world["town"].map_name), TownMap)
    assert (len(world.all(Place)), len(world.all(Resident))) == (26, 24)


def test_everybody_starts_at_home_and_asleep_before_their_hour(village):
    residents = village(start="2012-06-01T05:00").all(Resident)
    assert all(person.location is person.home and person in person.home.guests for person in residents)
    assert {person.id for person in residents if person.activity != "sleeping"} == {"odile_maslin"}


def test_whoever_stays_up_past_midnight_is_awake_if_the_story_begins_then(village):
    world = village(start="2012-06-01T00:15")
    assert (world["juno_vane"].activity, world["odile_maslin"].activity) == ("resting", "sleeping")


def test_a_place_keeps_its_own_hours_and_otherwise_those_of_its_kind(village):
    world = village()
    assert (world["bakery"].opens_h, world["bakery"].price_cents) == (6.5, 420)
    assert (world["lantern_house"].closes_h, world["lantern_house"].capacity) == (24, 400)


def test_people_bring_their_bonds_and_say_of_what_kind_they_are(village):
    relations = village()["town"].relations
    assert relations.edges["hester_quill", "ambrose_quill"] == {"strength": 0.95, "kind": "married"}


def test_if_only_some_move_in_the_mayor_is_one_of_them(village):
    world = village(residents=2)
    assert [type(person) for person in world.all(Resident)] == [Mayor, Resident]
    assert world.execute("green.closed = True", agent="dorrit_lark").status == "committed"


def test_only_the_mayor_may_close_the_green(village):
    world = village()
    assert world.execute("green.closed = True", agent="wilf_ironwright").status == "blocked"
    assert world["green"].closed is False


def test_habits_are_written_into_the_plan_again_every_night(village):
    world = village(start="2012-06-01T22:00", step_s=600)
    world.execute("me.plan.clear()\nme.plan['09:15'] = 'meet abel_thorne at pond'", agent="wilf_ironwright")
    for _ in range(6 * 6):
        world.advance()
    assert sorted(world["wilf_ironwright"].plan) == ["09:00", "09:15", "11:00", "18:00"]


def test_a_villager_walks_from_door_to_door_on_open_tiles(village):
    world = village(start="2012-06-01T09:00", step_s=30)
    world.execute("me.go(pond)", agent="abel_thorne")
    world.advance()
    abel, tiles = world["abel_thorne"], installed("Hollinweir")
    route = tiles.route(world["thimble_row_3"].node, world["pond"].node)
    assert (abel.lon, abel.lat) == tuple(round(axis, 6) for axis in route.at(39.0))
    for _ in range(int(route.length_m / 39) + 1):
        world.advance()
    assert abel.location is world["pond"]


def test_a_new_world_holds_the_money_that_people_tills_and_treasury_hold(village):
    world = village()
    assert world["town"].money_supply_cents == total_cents(world) > 0
