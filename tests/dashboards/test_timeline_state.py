"""Where everybody is at any step, read from a journal alone."""

import json
import sqlite3

import numpy as np
import pytest

from cave_sim import Entity, Simulation, World, field, open_run
from cave_sim.dashboards.live import Portrayal
from cave_sim.dashboards.lookups.portrayal import portray
from cave_sim.dashboards.lookups.timeline_state import TimelineState
from tests.dashboards.small_town import SmallTown


@pytest.mark.parametrize("key_every", [1, 50, 10**9])
def test_a_scene_is_the_same_from_any_key_frame(tmp_path, monkeypatch, key_every):
    monkeypatch.setattr("dashboards.lookups.timeline_state.KEY_EVERY_CHANGES", key_every)
    with open_run(SmallTown().write(tmp_path / "town")) as run:
        motion = TimelineState(run, portray)
        scenes = motion.scenes(0, 36)
        one_by_one = {scene.step: (motion.positions(scene).copy(), motion.states(scene)) for scene in scenes}
        assert list(one_by_one) == list(range(37))
        for step in (0, 1, 17, 18, 35, 36):
            scene = motion.at(step)
            np.testing.assert_array_equal(motion.positions(scene), one_by_one[step][0])
            np.testing.assert_array_equal(motion.states(scene), one_by_one[step][1])


def test_what_came_and_what_closed_is_in_the_scene_from_then_on(tmp_path):
    with open_run(SmallTown().write(tmp_path / "town")) as run:
        motion = TimelineState(run, portray)
        assert motion.places["shelter"].step == 18
        assert (motion.at(17).closed.get("place_2"), motion.at(18).closed.get("place_2")) == (None, True)
        assert (motion.at(11).weather["kind"], motion.at(12).weather["kind"]) == ("sun", "rain")


@pytest.mark.parametrize("axes", [("x", "y"), ("lon", "lat")])
def test_worlds_with_coordinates_are_drawn_without_being_told_how(tmp_path, axes):
    with open_run(SmallTown(axes=axes).write(tmp_path / "town")) as run:
        motion = TimelineState(run, portray)
        assert (len(motion.movers), len(motion.places)) == (6, 22)
        assert not np.isnan(motion.positions(motion.last)).any()


def test_a_world_without_coordinates_is_drawn_by_where_its_people_say_they_are(tmp_path):
    def by_place(name, type_name, fields, acts):
        if type_name == "Place":
            return Portrayal("place", kind=fields["kind"])
        return Portrayal("mover", node="location", state="activity") if acts else None

    with open_run(SmallTown(axes=()).write(tmp_path / "town")) as run:
        run.manifest["map"] = {"nodes": {f"place_{number}": [number, 2 * number] for number in range(21)}}
        motion = TimelineState(run, by_place)
        where = motion.positions(motion.at(35))
        assert {tuple(each) for each in where[~np.isnan(where).any(axis=1)].tolist()} <= {(n, 2 * n) for n in range(21)}
        assert motion.words


class Ball(Entity):
    """Something with a colour of every kind of value."""

    x: float = field(0.0)
    y: float = field(0.0)
    lit: bool = field(False)
    paint_layers: int = field(1)
    mood: str = field("calm")


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("lit", "True", ["not lit", "lit"]),
        ("paint_layers", "2", ["paint layers 1", "paint layers 2"]),
        ("mood", "'1'", ["calm", "1"]),
    ],
)
def test_a_number_that_colours_says_what_it_is_of_and_a_word_speaks_for_itself(tmp_path, name, value, words):
    world = World(seed=1)
    world.add("ball", Ball())
    with Simulation(world, {"ball": lambda _: f"me.{name} = {value}"}, out=tmp_path / "run") as simulation:
        simulation.run(steps=1)
    with open_run(tmp_path / "run") as run:
        motion = TimelineState(run, lambda who, *_: Portrayal("mover", "x", "y", state=name) if who == "ball" else None)
        seen = [int(motion.states(motion.at(step))[0]) for step in (0, 1)]
        assert [motion.words[code] for code in seen] == words


def test_who_has_an_illness_is_in_the_scene_from_then_on_until_it_is_over(tmp_path):
    folder = SmallTown(residents=2, steps=8).write(tmp_path / "town")
    item = '["ill_until_s","resident_1"]'
    with sqlite3.connect(folder / "run.sqlite") as journal:
        last = dict(journal.execute("SELECT step, last_turn FROM steps").fetchall())
        born = json.dumps({"type": "Health", "fields": {"ill_until_s": {"resident_0": 9e5}}})
        journal.execute("INSERT INTO changes VALUES (?, 9990, 'health', '[]', 'create', NULL, ?)", (last[2], born))
        journal.execute("INSERT INTO changes VALUES (?, 9991, 'health', ?, 'set', NULL, '7200.0')", (last[4], item))
        journal.execute("INSERT INTO changes VALUES (?, 9992, 'health', ?, 'delete', '7200.0', NULL)", (last[6], item))
        journal.execute(
            "INSERT INTO changes VALUES (?, 9993, 'health', '[\"ill_until_s\"]', 'set', '{}', '{}')", (last[8],)
        )
    journal.close()
    with open_run(folder) as run:
        motion = TimelineState(run, portray)
        assert len(motion.movers) == 2
        ill = [motion.at(step).signs.get("ill", ()) for step in range(1, 9)]
    assert ill == [(), *[("resident_0",)] * 2, *[("resident_0", "resident_1")] * 2, *[("resident_0",)] * 2, ()]


def test_somebody_who_left_is_nowhere(tmp_path):
    town = SmallTown(residents=2, steps=4)
    folder = town.write(tmp_path / "town")
    with sqlite3.connect(folder / "run.sqlite") as journal:
        (turn,) = journal.execute("SELECT max(last_turn) FROM steps").fetchone()
        journal.execute("INSERT INTO changes VALUES (?, 9999, 'resident_1', '[]', 'remove', NULL, NULL)", (turn,))
    journal.close()
    with open_run(folder) as run:
        motion = TimelineState(run, portray)
        assert np.isnan(motion.positions(motion.last))[:, 0].tolist() == [False, True]
        assert not np.isnan(motion.positions(motion.at(3))).any()


@pytest.mark.parametrize("emptied", [False, True])
def test_a_stretch_read_at_once_is_the_one_read_change_by_change(tmp_path, monkeypatch, emptied):
    folder = SmallTown(residents=5, steps=20).write(tmp_path / "town")
    if emptied:
        with sqlite3.connect(folder / "run.sqlite") as journal:
            journal.execute("""UPDATE changes SET new = NULL WHERE entity = 'resident_1' AND path = '["lon"]'""")
        journal.close()
    with open_run(folder) as run:
        at_once, steps = TimelineState(run, portray), [3, 12, 19, 20]  # from a key frame to each is one stretch
        monkeypatch.setattr("dashboards.lookups.timeline_state.moves_between", lambda *_, **__: None)
        in_order = TimelineState(run, portray)
        for step in steps:
            np.testing.assert_array_equal(at_once.positions(at_once.at(step)), in_order.positions(in_order.at(step)))
            np.testing.assert_array_equal(at_once.states(at_once.at(step)), in_order.states(in_order.at(step)))
            assert at_once.at(step).weather == in_order.at(step).weather
            assert at_once.at(step).closed == in_order.at(step).closed
        assert np.isnan(at_once.positions(at_once.last)[1]).any() == emptied


@pytest.mark.parametrize("field_name", ["lon", "activity"])
@pytest.mark.parametrize("written", ['"north"', "[1]", "{bad", "null", "NaN", "1e999"])
def test_whatever_a_file_says_of_a_position_or_an_activity_it_is_drawn_or_is_nowhere(tmp_path, field_name, written):
    folder = SmallTown(residents=3, steps=6).write(tmp_path / "town")
    with sqlite3.connect(folder / "run.sqlite") as journal:
        journal.execute("UPDATE changes SET new = ? WHERE path = ? AND turn > 20", (written, f'["{field_name}"]'))
        born = json.dumps({"type": "Place", "fields": {"lon": "north", "lat": 60.1, "kind": "cafe"}})
        journal.execute("INSERT INTO changes VALUES (20, 9000, 'nowhere', '[]', 'create', NULL, ?)", (born,))
        journal.execute("""INSERT INTO changes VALUES (8, 9001, 'late', '["lon"]', 'set', NULL, '24.9')""")
        late = json.dumps({"type": "Resident", "fields": {"lon": 24.93, "lat": 60.16, "activity": "resting"}})
        journal.execute("INSERT INTO changes VALUES (20, 9002, 'late', '[]', 'create', NULL, ?)", (late,))
    journal.close()
    with open_run(folder) as run:
        motion = TimelineState(run, portray)
        where = motion.positions(motion.last)
        assert len(where) == 4
        assert (np.isfinite(where) | np.isnan(where)).all()
        assert np.isfinite(motion.bounds).all()
        assert "nowhere" not in motion.places
        assert motion.at(2).step == 2
