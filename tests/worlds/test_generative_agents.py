import json
import os
from pathlib import Path
from typing import Any

import pytest

from cave_sim import WorldError
from cave_sim.worlds.town import Place, Resident
from cave_sim.worlds.village import build_village
from cave_sim.worlds.village.generative_agents import load
from cave_sim.worlds.village.prose import hour_after, hours_in, job_in, mentioned, shift_in

SMALLVILLE = Path(
    os.environ.get("CAVE_SIM_SMALLVILLE")
    or Path(__file__).resolve().parents[2].parent / "shared" / "data" / "smallville"
)

# Ada and Bea share a cottage on the left; the tea room is on the right, beyond a hedge with a gap.
MAP: dict[str, Any] = {
    "world": "Nook",
    "width": 9,
    "height": 5,
    "collision": [
        "111110000",
        "100010111",
        "100000101",
        "111110001",
        "000000111",
    ],
}
PLACES: dict[str, Any] = {
    "world": "Nook",
    "sectors": {
        "Fern Cottage": {
            "arenas": {
                "Ada's room": {"tile": [1, 1], "runs": [[1, 1, 2]]},
                "kitchen": {"tile": [2, 2], "runs": [[2, 1, 3]]},
            }
        },
        "The Blue Kettles": {"arenas": {"cafe": {"tile": [7, 2], "runs": [[2, 7, 7]]}}},
        "Hill School": {
            "arenas": {
                "classroom": {"tile": [5, 3], "runs": [[3, 5, 7]]},
                "library": {"tile": [5, 4], "runs": [[4, 0, 5]]},
            }
        },
    },
}
PERSONAS: list[dict[str, Any]] = [
    {
        "name": "Ada Rook",
        "age": 31,
        "traits": ["warm", "busy", "exact"],
        "background": "Ada Rook is a tea room owner who bakes.",
        "currently": "Ada Rook is planning a feast for Cy Dove.",
        "lifestyle": "Ada Rook goes to bed around 10pm, awakes up around 6am, eats dinner around 7pm.",
        "daily_plan": "Ada Rook opens the Blue Kettle cafe at 8am, and stands behind the counter until 4pm.",
        "living_area": "Nook:Fern Cottage:Ada's room",
        "start_tile": [2, 1],
    },
    {
        "name": "Bea Finch",
        "age": 20,
        "traits": ["shy", "keen", "kind"],
        "background": "Bea Finch is a student at Hill School who draws.",
        "currently": "",
        "lifestyle": "Bea Finch goes to bed around 1am, awakes up around 9:30am.",
        "daily_plan": "Bea Finch goes to Hill School to take classes from 10am to 2pm, then eats at the Blue Kettle cafe.",  # noqa: E501
        "living_area": "Nook:Fern Cottage:kitchen",
        "start_tile": [3, 2],
    },
    {
        "name": "Cy Dove",
        "age": 68,
        "traits": ["slow", "sure", "merry"],
        "background": "Cy Dove is a retired sailor.",
        "currently": "",
        "lifestyle": "Cy Dove sleeps when he likes.",
        "daily_plan": "",
        "living_area": "Nook:Fern Cottage:kitchen",
        "start_tile": [1, 2],
    },
]


@pytest.fixture
def nook(tmp_path):
    """Write the three files, after changes made by functions of (personas, places, map), and load them."""

    def loaded(change=None):
        files = json.loads(json.dumps({"personas": PERSONAS, "places": PLACES, "map": MAP}))
        if change is not None:
            change(files)
        for name, data in files.items():
            (tmp_path / f"{name}.json").write_text(json.dumps(data), encoding="utf-8")
        return load(tmp_path)

    return loaded


def test_every_arena_becomes_a_place_named_as_people_would(nook):
    assert {key: (place.title, place.kind) for key, place in nook().places.items()} == {
        "adas_room": ("Ada's room", "home"),
        "fern_cottage_kitchen": ("Fern Cottage, kitchen", "home"),
        "the_blue_kettles": ("The Blue Kettles", "cafe"),
        "hill_school_classroom": ("Hill School, classroom", "school"),
        "hill_school_library": ("Hill School, library", "library"),
    }


def test_people_sleep_and_work_as_their_texts_say(nook):
    people = nook().people
    assert {
        key: (person.job, person.wakes_h, person.sleeps_h, person.workplace, person.shift_h)
        for key, person in people.items()
    } == {
        "ada_rook": ("tea room owner", 6.0, 22.0, "the_blue_kettles", (8.0, 16.0)),
        "bea_finch": ("student", 9.5, 25.0, "hill_school_classroom", (10.0, 14.0)),
        "cy_dove": ("retired", 7.0, 22.5, None, None),
    }


def test_a_place_that_somebody_opens_keeps_their_hours(nook):
    cafe, school = (nook().places[key] for key in ("the_blue_kettles", "hill_school_classroom"))
    assert (cafe.opens_h, cafe.closes_h, school.opens_h) == (8.0, 16.0, None)


def test_people_know_those_they_live_with_and_those_they_speak_of(nook):
    assert {(bond.one, bond.other, bond.kind) for bond in nook().bonds} == {
        ("ada_rook", "bea_finch", "share a house"),
        ("ada_rook", "cy_dove", "share a house"),
        ("bea_finch", "cy_dove", "share a room"),
    }


def test_the_study_s_people_move_into_the_town_s_own_classes_and_wake_up_in_their_beds(nook):
    plan = nook()
    world = build_village(plan, seed=1, start="2023-02-13T00:00")
    ada = world["ada_rook"]
    assert isinstance(ada, Resident)
    assert (ada.location, ada.activity, plan.tiles.tile(ada.node)) == (world["adas_room"], "sleeping", (2, 1))


def _set(file, *path_and_value):
    *steps, last, value = path_and_value

    def change(files):
        part = files[file]
        for step in steps:
            part = part[step]
        part[last] = value

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (_set("personas", 1, "age", "twenty"), "personas.json: [1].age: must be a valid integer, not 'twenty'"),
        (_set("personas", 1, "name", "Ada Rook"), "personas.json: [0] (Ada Rook): name must be nobody else's"),
        (
            _set("personas", 1, "living_area", "Nook:Fern Cottage:attic"),
            "personas.json: [1] (Bea Finch): living_area must be an arena of places.json, not 'Nook:Fern Cottage:attic'",  # noqa: E501
        ),
        (
            _set("personas", 1, "start_tile", [7, 2]),
            "personas.json: [1] (Bea Finch): start_tile must lie in 'Nook:Fern Cottage:kitchen', not at [7, 2]",
        ),
        (_set("personas", 1, "start_tile", [1]), "personas.json: [1].start_tile[1]: must be there"),
        (
            _set("places", "sectors", "Fern Cottage", "arenas", "kitchen", "tile", [0, 0]),
            "places.json: Nook:Fern Cottage:kitchen: tile must be an open tile of the map, not [0, 0]",
        ),
        (
            _set("places", "sectors", "Fern Cottage", "arenas", "kitchen", "tile", [50, 2]),
            "places.json: Nook:Fern Cottage:kitchen: tile must be an open tile of the map, not [50, 2]",
        ),
        (_set("places", "sectors", "Fern Cottage", []), "places.json: sectors.Fern Cottage: must be an object"),
        (_set("map", "height", 6), "map.json: collision: must have 6 rows as height says, not 5"),
        (
            _set("map", "collision", 2, "10000010"),
            "map.json: collision[2]: must be 9 signs, each 0 or 1, not '10000010'",
        ),
        (
            _set("map", "collision", 2, "100010101"),
            "places.json: Nook:The Blue Kettles:cafe: [7, 2] must be reached on foot from Ada Rook's start_tile",
        ),
        (lambda files: files["personas"].clear(), "personas.json: must have at least 1 item"),
        (lambda files: files["personas"][2].pop("lifestyle"), "personas.json: [2].lifestyle: must be there"),
    ],
)
def test_malformed_study_data_is_one_line_with_file_place_and_rule(nook, change, message):
    with pytest.raises(WorldError) as caught:
        nook(change)
    line = str(caught.value)
    assert line.startswith(message)
    assert line.endswith("correct it in the file.")
    assert "\n" not in line


def test_a_missing_file_of_the_three_is_named(tmp_path):
    with pytest.raises(WorldError, match=r"^map.json: cannot be read \(No such file.*\); it should lie at "):
        load(tmp_path)


@pytest.mark.parametrize(
    ("text", "hours"),
    [
        ("from 8 am to midnight", (8.0, 24.0)),
        ("at noon, or 12pm, or 12:30 PM", (12.0, 12.0, 12.5)),
        ("dinner around 17:30pm", (17.5,)),
        ("awakes up around 7amam", (7.0,)),
        ("12am", (0.0,)),
        ("in 5 minutes", ()),
    ],
)
def test_hours_are_read_as_people_write_them(text, hours):
    assert hours_in(text) == hours


def test_an_hour_is_found_after_the_words_that_announce_it():
    assert hour_after(r"\bbed\b", "wakes at 6am, goes to bed around 11pm") == 23.0
    assert hour_after(r"\bbed\b", "wakes at 6am") is None


@pytest.mark.parametrize(
    ("text", "job"),
    [
        ("Ann is a poet who loves words.", "poet"),
        ("Bo is an actor and comedian who jokes.", "actor and comedian"),
        ("Cy is a college student who reads.", "student"),
        ("Di is a retired navy officer who talks.", "retired"),
        ("Ed is a student at Oak College studying law.", "student"),
        ("Flo likes hats.", ""),
    ],
)
def test_a_job_is_what_somebody_is(text, job):
    assert job_in(text) == job


@pytest.mark.parametrize(
    ("text", "shift_h"),
    [
        ("opens at 5pm and closes at 10pm", (17.0, 22.0)),
        ("from 10am", (10.0, 18.0)),
        ("all day", (9.0, 17.0)),
        ("from 8pm", (20.0, 24.0)),
    ],
)
def test_a_shift_fills_what_a_plan_leaves_open(text, shift_h):
    assert shift_in(text, (9.0, 17.0)) == shift_h


def test_a_shop_is_recognised_by_an_inexact_name():
    names = {"shop": ["The Willows Market"], "pub": ["The Crown", "pub"], "park": ["Johnson Park"]}
    assert mentioned(names, "from the Crown, a pub, to Willow Market") == ["pub", "shop"]


@pytest.fixture(scope="module")
def smallville():
    if not (SMALLVILLE / "personas.json").exists():
        pytest.skip("the Generative Agents data is not here; name its folder in CAVE_SIM_SMALLVILLE")
    return load(SMALLVILLE)


def test_the_study_s_town_has_25_people_in_63_rooms_on_140_by_100_tiles(smallville):
    tiles = smallville.tiles
    assert (len(smallville.people), len(smallville.places), tiles.width, tiles.height) == (25, 63, 140, 100)


def test_everybody_in_the_study_s_town_can_walk_to_every_room(smallville):
    tiles = smallville.tiles
    steps = [
        tiles.route(tiles.node(person.bed), tiles.node(place.tile)).length_m / tiles.tile_m
        for person in smallville.people.values()
        for place in smallville.places.values()
    ]
    assert (len(steps), max(steps)) == (25 * 63, 155)


def test_the_study_s_people_keep_their_shops_and_hours(smallville):
    work = {key: (person.workplace, person.shift_h) for key, person in smallville.people.items() if person.workplace}
    assert work["isabella_rodriguez"] == ("hobbs_cafe", (8.0, 20.0))
    assert work["arthur_burton"] == ("the_rose_and_crown_pub", (17.0, 22.0))
    assert work["ayesha_khan"] == ("oak_hill_college_library", (10.0, 14.0))
    assert smallville.places["the_rose_and_crown_pub"].closes_h == 22.0
    assert smallville.people["hailey_johnson"].sleeps_h == 26.0


def test_the_study_s_town_becomes_a_world_of_the_town_s_own_classes(smallville):
    world = build_village(smallville, seed=7, start="2023-02-13T00:00")
    assert (len(world.all(Resident)), len(world.all(Place))) == (25, 63)
    assert all(person.activity == "sleeping" or person.sleeps_h > 24 for person in world.all(Resident))
