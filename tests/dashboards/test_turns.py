import sqlite3

from cave_sim import Entity, Simulation, World, field
from cave_sim.dashboards.live import Dashboard
from cave_sim.dashboards.lookups import turns as lookups
from cave_sim.dashboards.lookups.journal_reader import JournalReader
from tests.dashboards.asking import answer
from tests.dashboards.small_town import SmallTown


def test_the_feed_goes_back_from_the_shown_step(served):
    turns = answer(served, "feed", step=5, kind="cell")["turns"]
    assert turns == sorted(turns, key=lambda turn: -turn["turn"])
    assert {turn["step"] for turn in turns} <= set(range(6))


def test_a_search_takes_signs_as_they_are(served):
    assert answer(served, "feed", search="100%")["turns"] == []
    assert answer(served, "feed", search="Rain!")["turns"][0]["agent"] == "mayor"


def test_a_turn_tells_what_it_changed(served):
    (mayor,) = answer(served, "feed", search="Rain!")["turns"]
    turn = answer(served, f"turn/{mayor['turn']}")
    assert [(change["entity"], change["op"]) for change in turn["changes"]] == [
        ("town", "splice"), ("place_2", "set"), ("shelter", "create"),
    ]  # fmt: skip
    assert "Rain!" in turn["html"]


class Guests(Entity):
    here: set[str] = field({"ann", "bob"})


def test_every_change_is_told_behind_its_place(tmp_path):
    world = World()
    world.add("inn", Guests())
    world.grant("mayor", "inn.here")
    cell = "inn.here.discard('ann')\ninn.here.add('cat')"
    with Simulation(world, {"mayor": lambda _: cell}, out=tmp_path / "town") as run:
        run.step()
    with Dashboard([tmp_path], port=0) as served:
        (mayor,) = answer(served, "feed", kind="cell")["turns"]
        told = answer(served, f"turn/{mayor['turn']}")["changes"]
    assert [(each["place"], each["told"][len(each["place"]) :]) for each in told] == [
        ("here", " - ann"),
        ("here", " + cat"),
    ]


def test_texts_of_a_world_do_not_become_markup_of_the_page(served):
    (mayor,) = answer(served, "feed", search="Rain!")["turns"]
    assert "<script" not in answer(served, f"turn/{mayor['turn']}")["html"]


def test_what_is_said_at_a_step_is_told_by_those_cells_alone(served):
    (mayor,) = answer(served, "talk", step=19)["turns"]  # a made-up turn is a step late
    assert mayor["agent"] == "mayor"
    assert "Rain!" in mayor["told"][0]
    assert answer(served, "talk", step=12)["turns"] == []


def test_a_story_is_found_once_for_all_who_look_and_anew_when_the_run_was_written_to(tmp_path, monkeypatch):
    reader, found = JournalReader("town", SmallTown().write(tmp_path / "town")), []
    find = lookups.highlights
    monkeypatch.setattr(lookups, "highlights", lambda *given, **more: found.append(1) or find(*given, **more))
    first = lookups.outstanding(reader)
    assert lookups.outstanding(reader) == first
    assert len(found) == 1
    with sqlite3.connect(reader.folder / "run.sqlite") as file:
        file.execute("UPDATE turns SET status = 'blocked' WHERE turn = (SELECT max(turn) FROM turns)")
    lookups.outstanding(reader)
    assert len(found) == 2
    reader.close()
