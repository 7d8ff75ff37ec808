"""The study's own folders: personas, rooms, relations and memories become a village, or residents of a town."""

import json
from random import Random

import pytest

from cave_sim import WorldError
from cave_sim.session.memory import Weights
from cave_sim.simulations import town_day, valentine_party, village_day
from cave_sim.worlds.town import Resident
from cave_sim.worlds.village import generative_agents, storage

WIDTH, HEIGHT = 9, 5
COLLISION = ["111110000", "100010111", "100000101", "111110001", "000000111"]
SECTORS = {"11": "Fern Cottage", "12": "The Blue Kettles"}
ARENAS = {"21": ("Fern Cottage", "Ada's room"), "22": ("Fern Cottage", "kitchen"), "23": ("The Blue Kettles", "cafe")}
SECTOR_ROWS = ["000000000", "0bbb00000", "0bbb000c0", "000000000", "000000000"]
ARENA_ROWS = ["000000000", "0aa000000", "0kkk000c0", "000000000", "000000000"]
PEOPLE = {
    "Ada Rook": {
        "name": "Ada Rook",
        "first_name": "Ada",
        "age": 31,
        "innate": "warm, busy",
        "learned": "Ada Rook is a tea room owner who bakes.",
        "currently": "Ada Rook is planning a feast.",
        "lifestyle": "Ada Rook goes to bed around 10pm, awakes up around 6am.",
        "living_area": "Nook:Fern Cottage:Ada's room",
        "daily_plan_req": "Ada Rook opens the Blue Kettle cafe at 8am until 4pm.",
        "vision_r": 4,
    },
    "Cy Dove": {
        "name": "Cy Dove",
        "first_name": "Cy",
        "age": 68,
        "innate": "slow",
        "learned": "Cy Dove is a retired sailor.",
        "currently": "",
        "lifestyle": "Cy Dove sleeps when he likes.",
        "living_area": "Nook:Fern Cottage:kitchen",
        "daily_plan_req": "",
    },
}
NODES = {
    "node_3": (
        "thought",
        "2023-02-13 07:00:00",
        "Ada Rook",
        "feast",
        "Ada wants Cy at the feast.",
        7,
        ["node_1", "node_2"],
    ),
    "node_1": ("event", "2023-02-12 20:00:00", "Cy Dove", "rudder", "Cy Dove mends a rudder.", 4, []),
    "node_2": ("chat", "2023-02-13 06:30:00", "Ada Rook", "Cy Dove", "Ada and Cy talk of fish.", 5, [["Ada", "Fish?"]]),
    "node_4": ("event", "2023-02-13 06:31:00", "kettle", "idle", "kettle is idle", 1, []),
}


def write(path, data):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")


def layer(rows, codes):
    return ", ".join(codes.get(sign, "0") for row in rows for sign in row)


@pytest.fixture
def study(tmp_path):
    """Return a folder of a storage with two people and a map of 9 x 5 tiles beside it, all made by hand."""
    server = tmp_path / "frontend_server"
    folder, matrix = server / "storage" / "nook_story", server / "static_dirs" / "assets" / "nook" / "matrix"
    meta = {"curr_time": "February 13, 2023, 08:00:00", "maze_name": "nook", "persona_names": list(PEOPLE), "step": 3}
    write(folder / "reverie" / "meta.json", meta | {"sec_per_step": 10})
    write(
        folder / "environment" / "0.json", {"Ada Rook": {"maze": "nook", "x": 2, "y": 1}, "Cy Dove": {"x": 7, "y": 2}}
    )
    for name, scratch in PEOPLE.items():
        memory = folder / "personas" / name / "bootstrap_memory"
        write(memory / "scratch.json", scratch)
        write(memory / "spatial_memory.json", {"Nook": {"The Blue Kettles": {"cafe": ["kettle"]}}})
    fields = ("type", "created", "subject", "object", "description", "poignancy", "filling")
    nodes = {key: dict(zip(fields, node, strict=True)) for key, node in NODES.items()}
    write(folder / "personas" / "Ada Rook" / "bootstrap_memory" / "associative_memory" / "nodes.json", nodes)
    write(matrix / "maze_meta_info.json", {"world_name": "Nook", "maze_width": WIDTH, "maze_height": HEIGHT})
    write(matrix / "maze" / "collision_maze.csv", layer(COLLISION, {"1": "32125"}))
    write(matrix / "maze" / "sector_maze.csv", layer(SECTOR_ROWS, {"b": "11", "c": "12"}))
    write(matrix / "maze" / "arena_maze.csv", layer(ARENA_ROWS, {"a": "21", "k": "22", "c": "23"}))
    blocks = matrix / "special_blocks"
    write(blocks / "sector_blocks.csv", "".join(f"{code}, Nook, {name}\n" for code, name in SECTORS.items()))
    write(blocks / "arena_blocks.csv", "".join(f"{code}, Nook, {a}, {b}\n" for code, (a, b) in ARENAS.items()))
    return folder


def test_people_and_rooms_become_a_village(study):
    plan = generative_agents.load(study)
    ada, cy = plan.people["ada_rook"], plan.people["cy_dove"]
    assert (ada.age, ada.job, ada.traits, ada.wakes_h, ada.sleeps_h) == (
        31,
        "tea room owner",
        ("warm", "busy"),
        6.0,
        22.0,
    )
    assert ada.biography == "Ada Rook is a tea room owner who bakes. Ada Rook is planning a feast."
    assert (ada.home, ada.bed, ada.workplace, ada.shift_h) == ("adas_room", (2, 1), "the_blue_kettles", (8.0, 16.0))
    assert (cy.job, plan.places[cy.home].title) == ("retired", "Fern Cottage, kitchen")
    assert plan.places["the_blue_kettles"].kind == "cafe"
    assert plan.start == "2023-02-13T08:00:00"


def test_who_is_found_away_from_home_begins_at_home(study):
    plan = generative_agents.load(study)
    assert plan.people["cy_dove"].bed == plan.places[plan.people["cy_dove"].home].tile


def test_what_they_know_of_the_town_are_their_haunts(study):
    assert generative_agents.load(study).people["ada_rook"].haunts == ("the_blue_kettles",)


def test_relations_follow_from_the_house_and_from_what_they_remember(study):
    (bond,) = generative_agents.load(study).bonds
    assert (bond.one, bond.other, bond.kind) == ("ada_rook", "cy_dove", "share a house")


def test_memories_keep_their_poignancy_age_and_evidence_and_idle_things_are_left_out(study):
    told = generative_agents.load(study).memories
    assert list(told) == ["ada_rook"]
    rudder, fish, feast = told["ada_rook"]
    assert (rudder.text, rudder.importance, rudder.hours_ago, rudder.of) == (
        "Cy Dove mends a rudder.",
        4,
        12.0,
        "event",
    )
    assert (fish.of, fish.about) == ("chat", ("cy_dove",))
    assert (feast.of, feast.because) == ("thought", (0, 1))


@pytest.mark.parametrize("make", [village_day, valentine_party])
def test_minds_of_the_village_begin_with_their_memories(study, make):
    options = {"minds": "scripted"} if make is village_day else {"host": "ada_rook", "venue": "the_blue_kettles"}
    simulation = make.create(seed=1, source=study, **options)
    mind = simulation.by_name["ada_rook"]
    rudder, fish, feast = [row for row in mind.session.rows if row.kind == "memory"]
    assert feast.data["because"] == (rudder.id, fish.id)
    assert rudder.time_s == -12 * 3600.0
    by_words = Weights(recency=0, importance=0)
    assert mind.memory.recall(mind.session, "the rudder", now_s=0.0, count=1, weights=by_words) == [rudder]
    simulation.run(until=4)


def test_people_of_the_study_move_into_a_town_with_their_memories(study):
    town = town_day.create(seed=1, personas=str(study), minds="scripted")
    people = {person.id: person for person in town.world.all(Resident)}
    assert {"ada_rook", "cy_dove", "mayor"} == people.keys()
    assert (people["ada_rook"].age, people["ada_rook"].traits, people["cy_dove"].job) == (
        31,
        ["warm", "busy"],
        "retired",
    )
    memories = [row for row in town.by_name["ada_rook"].session.rows if row.kind == "memory"]
    assert [row.data.get("about") for row in memories] == [("cy_dove", "rudder"), ("cy_dove",), ("feast",)]


def test_the_map_may_lie_in_the_folder_itself(study):
    matrix = study.parents[1] / "static_dirs" / "assets" / "nook" / "matrix"
    matrix.rename(study / "matrix")
    assert generative_agents.load(study).tiles.width == WIDTH


@pytest.mark.parametrize(
    ("path", "text", "why"),
    [
        (
            "reverie/meta.json",
            '{"curr_time": "noon", "maze_name": "nook", "persona_names": ["Ada Rook"]}',
            "curr_time: must be",
        ),
        ("personas/Cy Dove/bootstrap_memory/scratch.json", "{}", "scratch.json: name: must be there"),
        ("../../static_dirs/assets/nook/matrix/maze/collision_maze.csv", "0, 0, 0", "must have 9 x 5 numbers"),
        ("../../static_dirs/assets/nook/matrix/maze_meta_info.json", "[]", "maze_meta_info.json"),
    ],
)
def test_what_breaks_the_format_is_named_with_its_file(study, path, text, why):
    (study / path).write_text(text)
    with pytest.raises(WorldError, match=why):
        generative_agents.load(study)


def test_without_a_map_the_folder_is_told_where_it_should_lie(study):
    (study.parents[1] / "static_dirs").rename(study.parents[1] / "elsewhere")
    with pytest.raises(WorldError, match=r"must have its map in static_dirs/assets/nook/matrix"):
        generative_agents.load(study)


def test_a_folder_of_three_files_is_still_read(tmp_path):
    assert not storage.is_one(tmp_path)
    with pytest.raises(WorldError, match=r"map\.json: cannot be read"):
        generative_agents.load(tmp_path)


ODD = (
    None,
    True,
    -1,
    10**30,
    float("nan"),
    "",
    "x" * 500,
    "..",
    "../../../etc",
    "a/b",
    "a\0b",
    "\u0663",
    "2023-02-13T00:00:00+02:00",
    [],
    {},
)


def altered(data, dice):
    """Return data of which one part, somewhere, is missing or something else."""
    if isinstance(data, dict) and data and dice.random() < 0.9:
        key = dice.choice(sorted(data))
        if dice.random() < 0.2:
            return {each: value for each, value in data.items() if each != key}
        return data | {key: altered(data[key], dice)}
    if isinstance(data, list) and data and dice.random() < 0.9:
        at = dice.randrange(len(data))
        return [*data[:at], altered(data[at], dice), *data[at + 1 :]]
    return dice.choice(ODD)


@pytest.mark.long
def test_a_folder_of_which_anything_is_odd_is_read_or_refused_in_one_line(study):
    files = sorted(study.rglob("*.json"))
    refusals = []
    for number in range(120):
        dice = Random(number)
        path = dice.choice(files)
        text = path.read_text(encoding="utf-8")
        path.write_text(json.dumps(altered(json.loads(text), dice)), encoding="utf-8")
        try:
            generative_agents.load(study)
        except WorldError as error:
            refusals.append(str(error))
        path.write_text(text, encoding="utf-8")
    assert len(refusals) > 50
    assert not [refusal for refusal in refusals if len(refusal.splitlines()) > 1]


@pytest.mark.parametrize("name", ["..", "../Ada Rook", "/etc", "Ada Rook/../../../..", "a\\..\\b"])
def test_no_name_leads_out_of_the_folder(study, name):
    meta = study / "reverie" / "meta.json"
    about = json.loads(meta.read_text())
    for odd in ({"persona_names": [name]}, {"maze_name": name}):
        meta.write_text(json.dumps(about | odd))
        with pytest.raises(WorldError, match=r"meta\.json: (persona_names\[0\]|maze_name): must match"):
            generative_agents.load(study)


def test_who_lives_at_no_address_is_told_so(study):
    scratch = study / "personas" / "Cy Dove" / "bootstrap_memory" / "scratch.json"
    scratch.write_text(json.dumps(PEOPLE["Cy Dove"] | {"living_area": "anywhere"}))
    with pytest.raises(WorldError, match="living_area must be an arena"):
        generative_agents.load(study)
