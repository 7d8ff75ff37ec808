"""Diff: where two runs part, and what differs."""

import json

import pytest

from cave_sim import JournalError, open_run
from cave_sim.cli.main import main
from cave_sim.history.diff import ABSENT, diff
from cave_sim.journal.rebuild import entities_at
from cave_sim.replay.fork import fork
from cave_sim.simulation.treatment import Intervention
from cave_sim.simulations import town_day
from tests.small_runs import live


def test_a_run_does_not_differ_from_itself(town):
    found = diff(town, town)
    assert (found.parted, found.state_parted, found.fields, found.measures) == (None, None, {}, {})


def test_the_first_turn_that_differs_is_the_first_that_the_other_order_moved(town, other_town):
    parted = diff(town, other_town).parted
    assert (parted.one.step, parted.one.code) != (parted.other.step, parted.other.code) or parted.differ == ("agent",)
    before = parted.one.turn - 1
    turns = [[(turn.agent, turn.code) for turn in run.turns() if turn.turn <= before] for run in (town, other_town)]
    assert turns[0] == turns[1]


def test_the_fields_that_differ_are_those_of_the_two_states(town, other_town):
    found = diff(town, other_town, at=40)
    one, other = entities_at(town, 40), entities_at(other_town, 40)
    for name in one:
        left, right = one[name]["fields"], other[name]["fields"]
        assert set(found.fields.get(name, {})) == {field for field in left if left[field] != right[field]}
    entity, fields = next(iter(found.fields.items()))
    field, values = next(iter(fields.items()))
    assert values == (one[entity]["fields"][field], other[entity]["fields"][field])


def test_without_a_step_the_last_that_both_have_is_compared(town, other_town):
    found = diff(town, other_town)
    assert (found.at, found.steps) == (48, (60, 48))
    assert diff(other_town, town).fields.keys() == found.fields.keys()


def test_an_entity_that_only_one_has_is_absent_in_the_other(town, tmp_path):
    with open_run(live(tmp_path / "fewer", steps=2, residents=3)) as fewer:
        found = diff(town, fewer)
    assert any(values[1] == ABSENT for fields in found.fields.values() for values in fields.values())


def test_measures_and_costs_stand_side_by_side(town, other_town):
    found = diff(town, other_town, at=48)
    for name, (one, other) in found.measures.items():
        assert (one, other) == (town.measures()[name][48], other_town.measures()[name][48])
        assert one != other
    count = "SELECT count(*) FROM turns WHERE kind = 'cell'"
    assert found.costs["turns"] == (town.query(count)[0][0], other_town.query(count)[0][0])


def test_a_cell_that_changes_nothing_parts_two_runs_before_their_states_do(tmp_path):
    for name in ("plain", "curious"):
        simulation = town_day.create(seed=7, residents=2, out=tmp_path / name)
        simulation.run(until=2)
        if name == "curious":
            simulation.world.execute("print(weather.kind)", "mayor")
        simulation.run(until=4)
        simulation.close()
    with open_run(tmp_path / "plain") as plain, open_run(tmp_path / "curious") as curious:
        found = diff(plain, curious)
    assert (found.parted.step, found.state_parted, found.fields) == (2, None, {})
    assert found.parted.other.code == "print(weather.kind)"


def test_a_branch_parts_from_its_parent_where_something_was_changed(tmp_path, capsys):
    live(tmp_path / "stem", steps=20, residents=2)
    for name, interventions in (("null", []), ("storm", [Intervention("weather.kind = 'storm'", "mayor")])):
        make = town_day.create(seed=7, residents=2)
        branch = fork(tmp_path / "stem", 10, tmp_path / name, interventions=interventions, simulation=make)
        branch.run(until=20 if name == "null" else 22)
        branch.close()
    assert main(["diff", str(tmp_path / "stem"), str(tmp_path / "storm")]) == 0
    assert "what each took to its own end, step 20 | 22:" in capsys.readouterr().out
    with open_run(tmp_path / "stem") as stem:
        with open_run(tmp_path / "null") as null:
            found = diff(stem, null)
        with open_run(tmp_path / "storm") as storm:
            parted = diff(stem, storm).parted
    assert (found.parted, found.fields, found.until) == (None, {}, 20)
    assert (parted.step, parted.other.agent, parted.other.code) == (10, "mayor", "weather.kind = 'storm'")


def test_a_step_that_one_of_them_lacks_is_said(town, other_town):
    with pytest.raises(JournalError, match="has no step 55"):
        diff(town, other_town, at=55)


def test_the_command_prints_words_and_json(town_folder, other_folder, capsys):
    assert main(["diff", str(town_folder), str(other_folder), "--at", "40"]) == 0
    assert capsys.readouterr().out.startswith("they part in step ")
    assert main(["diff", str(town_folder), str(other_folder), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["at"] == 48
    assert main(["diff", str(town_folder), str(town_folder)]) == 0
    assert "their states are the same" in capsys.readouterr().out


def test_the_page_shows_both_timelines_and_asks_no_one_for_anything(town_folder, other_folder, tmp_path, capsys):
    page = tmp_path / "difference.html"
    assert main(["diff", str(town_folder), str(other_folder), "--html", str(page)]) == 0
    text = page.read_text(encoding="utf-8")
    body = text[text.index("<body>") :]
    assert all(word in body for word in ("Two timelines", "town and sequential", "Where they part", "mayor"))
    assert "src=" not in body
    assert f"page: {page}" in capsys.readouterr().out


def test_texts_of_a_run_are_no_markup_on_the_page(tmp_path):
    for name in ("one", "other"):
        simulation = town_day.create(seed=7, residents=1, out=tmp_path / name)
        if name == "other":
            simulation.world.execute('me.plan["<script>alert(1)</script>"] = "</script><b>"', "mayor")
        simulation.run(until=1)
        simulation.close()
    page = tmp_path / "page.html"
    assert main(["diff", str(tmp_path / "one"), str(tmp_path / "other"), "--html", str(page)]) == 0
    text = page.read_text(encoding="utf-8")
    assert "<script>alert" not in text[text.index("<body>") :]
