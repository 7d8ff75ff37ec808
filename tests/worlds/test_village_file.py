import json
from typing import Any

import pytest

from cave_sim import WorldError
from cave_sim.worlds.town.kinds import KINDS
from cave_sim.worlds.village import hollinweir, load

HAMLET: dict[str, Any] = {
    "name": "Hamlet",
    "attribution": "drawn for a test",
    "tile_m": 2,
    "open": ".+",
    "blocked": "#",
    "rows": ["####....", "#hh+.sss", "####.sss"],
    "places": {
        "house": {"mark": "h", "title": "The House", "kind": "home"},
        "shop": {"mark": "s", "title": "The Shop", "kind": "convenience", "opens_h": 9, "price_cents": 250},
    },
    "people": {
        "ann": {
            "title": "Ann Oak",
            "age": 40,
            "job": "grocer",
            "home": "house",
            "workplace": "shop",
            "shift_h": [9, 17],
            "traits": ["quiet"],
            "plan": [["18:00", "house", "count the takings"]],
        },
        "bo": {"title": "Bo Oak", "age": 71, "job": "retired", "home": "house"},
    },
    "relations": [["ann", "bo", "daughter and father", 0.9]],
    "mayor": "ann",
}


@pytest.fixture
def village(tmp_path):
    """Load the hamlet after changes such as ("people.bo.age", "old"); None as the value takes the field out."""

    def loaded(*changes):
        data = json.loads(json.dumps(HAMLET))
        for path, value in changes:
            *steps, last = path.split(".")
            part = data
            for step in steps:
                part = part[int(step) if isinstance(part, list) else step]
            if value is None:
                del part[last]
            else:
                part[int(last) if isinstance(part, list) else last] = value
        (tmp_path / "hamlet.json").write_text(json.dumps(data), encoding="utf-8")
        return load(tmp_path / "hamlet.json")

    return loaded


def test_a_village_file_becomes_a_map_with_places_people_and_bonds(village):
    hamlet = village()
    assert hamlet.tiles.name == "Hamlet"
    assert {key: place.tile for key, place in hamlet.places.items()} == {"house": (1, 1), "shop": (6, 1)}
    assert hamlet.people["ann"].plan[0] == ("18:00", "house", "count the takings")
    assert (hamlet.bonds[0].kind, hamlet.mayor) == ("daughter and father", "ann")


def test_what_a_place_does_not_say_is_left_to_its_kind(village):
    shop = village().places["shop"]
    assert (shop.opens_h, shop.price_cents, shop.closes_h, shop.capacity) == (9, 250, None, None)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("people.bo.age", "old"), "people.bo.age: must be a valid integer, not 'old'"),
        (("people.bo.age", 171), "people.bo.age: must be less than or equal to 120, not '171'"),
        (("people.bo.title", None), "people.bo.title: must be there"),
        (("people.bo.shoe_size", 44), "people.bo.shoe_size: no such field is known"),
        (("people.bo.home", "barn"), "people.bo.home: must name one of the places, not 'barn'"),
        (("people.bo.home", "shop"), "people.bo.home: must be a place of the kind home, not 'shop'"),
        (("people.bo.workplace", "shop"), "people.bo.shift_h: must be given for those who have a workplace"),
        (("people.ann.shift_h", [17, 9]), "people.ann.shift_h: must end after it begins, not [17.0, 9.0]"),
        (
            ("people.ann.plan", [["6 pm", "house", "rest"]]),
            "people.ann.plan[0][0]: must be a time of day such as 07:30, not '6 pm'",
        ),
        (
            ("people.ann.plan", [["18:00", "barn", "rest"]]),
            "people.ann.plan[0]: must name one of the places, not 'barn'",
        ),
        (
            ("people.ann.plan", [["18:00", "house", "rest"], ["18:00", "shop", "shop"]]),
            "people.ann.plan: must have one thing at a time",
        ),
        (("people.house", HAMLET["people"]["bo"]), "people.house: must differ from the place of that key"),
        (("people.Bo Oak", HAMLET["people"]["bo"]), "people.Bo Oak: a key must be lower-case letters"),
        (("people.weather", HAMLET["people"]["bo"]), "people.weather: a key must be lower-case letters"),
        (("relations.0.1", "cy"), "relations[0]: must name one of the people, not 'cy'"),
        (("relations.0.1", "ann"), "relations[0]: must join two different people, not 'ann' with themselves"),
        (("relations.0.3", 2), "relations[0][3]: must be less than or equal to 1, not '2'"),
        (("mayor", "cy"), "mayor: must name one of the people, not 'cy'"),
        (("tile_m", 0), "tile_m: must be greater than 0, not '0'"),
        (("rows.1", "#hh+.ss"), "rows[1]: must have 8 tiles like the first row, not 7"),
        (("rows.1", "#hh+?sss"), "rows[1]: column 4 must be ground or a place's mark, not '?'"),
        (("rows.1", "#hh#.sss"), "places.shop: must be reached on foot from house, but there is no way; draw a door"),
        (("places.house.mark", "x"), "places.house.mark: must be drawn in rows, but no tile there is 'x'"),
        (("places.house.mark", "s"), "places.shop.mark: must be its own; 's' means house"),
        (("places.house.mark", "#"), "places.house.mark: must be its own; '#' means the ground"),
        (("places", {}), "places: must hold at least one place"),
    ],
)
def test_a_mistake_in_a_village_file_is_one_line_with_place_rule_and_way_out(village, change, message):
    with pytest.raises(WorldError) as caught:
        village(change)
    line = str(caught.value)
    assert line.startswith(f"hamlet.json: {message}")
    assert line.endswith("correct it in the file.")
    assert "\n" not in line


def test_a_file_that_is_not_json_says_so(tmp_path):
    (tmp_path / "broken.json").write_text("{'name'", encoding="utf-8")
    with pytest.raises(WorldError, match=r"^broken.json: must be JSON \(.*line 1.*\); correct it"):
        load(tmp_path / "broken.json")


def test_a_missing_file_says_where_it_should_lie(tmp_path):
    with pytest.raises(WorldError, match=r"^nowhere.json: cannot be read \(No such file.*\); it should lie at "):
        load(tmp_path / "nowhere.json")


def test_hollinweir_has_rooms_and_lives_enough_for_a_village():
    village = hollinweir()
    assert (village.tiles.width, village.tiles.height, len(village.places), len(village.people)) == (60, 40, 26, 24)
    assert all(person.plan and len(person.biography.split(". ")) >= 2 for person in village.people.values())
    assert {name for bond in village.bonds for name in (bond.one, bond.other)} == set(village.people)


def test_everybody_in_hollinweir_can_walk_to_every_place():
    village = hollinweir()
    tiles = village.tiles
    routes_m = [
        tiles.route(tiles.node(village.places[person.home].tile), tiles.node(place.tile)).length_m
        for person in village.people.values()
        for place in village.places.values()
    ]
    assert 0.0 <= min(routes_m) <= max(routes_m) < 1000.0


def test_hollinweir_s_places_are_of_kinds_that_the_town_knows():
    assert {place.kind for place in hollinweir().places.values()} <= set(KINDS)


def test_nobody_in_hollinweir_is_expected_in_two_places_while_they_sleep():
    for key, person in hollinweir().people.items():
        for errand in person.plan:
            hour = int(errand.at[:2]) + int(errand.at[3:]) / 60
            assert person.wakes_h <= hour < person.sleeps_h, (key, errand)
