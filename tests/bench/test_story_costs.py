"""What shorter prompts cost is measured on the very runs, and compared seed by seed."""

import json
from pathlib import Path

import pytest

from cave_sim.agents import script
from cave_sim.simulations import town_day
from tests.bench.story_costs import live, lives_of, main, rows_of, table
from tests.bench.story_run import lived, showing_all

ROOT = Path(__file__).parents[2]


def kept(file, story, by_seed):
    file.write_text("".join(json.dumps({"story": story, "seed": seed, **row}) + "\n" for seed, row in by_seed.items()))
    return lives_of(file)


@pytest.mark.long
def test_a_story_is_lived_and_measured():
    day = lived("town_day", 3, residents=2, steps=4)
    assert 200 < day["tokens of a request"] <= day["tokens of a step"]
    assert 0 < day["agent-steps with a question"] <= 3 * 4
    assert day["cells that landed"] > 0
    assert "tokens of a request, its mayor" in day
    party = lived("valentine_party", 3, steps=2)
    assert party["who came"] == party["who knows of the party"] == 0


def test_a_script_that_is_shown_all_reads_what_its_prompt_leaves_out():
    simulation = town_day.create(seed=3, residents=2, minds="scripted", start="2012-06-01T12:00")
    name = next(iter(simulation.by_name))
    simulation.world[name].heard.append("12:00 Ann Arb (ann_arb): The bakery has opened anew.")
    prompt = f"You are {name}, 40, clerk: kind. Awake 07:00-23:00.\n\nIt is Fri 1 June 12:00."
    assert script.seen_in(prompt)["heard"] == []
    with showing_all(simulation.world):
        assert len(script.seen_in(prompt)["heard"]) == 1
    assert script.seen_in(prompt)["heard"] == []


def test_differences_are_of_seeds_that_both_have(tmp_path):
    before = kept(tmp_path / "a", "town_day", {1: {"x": 10.0}, 2: {"x": 20.0}, 3: {"x": 31.0}, 9: {"x": 500.0}})
    now = kept(tmp_path / "b", "town_day", {3: {"x": 21.0}, 2: {"x": 11.0}, 1: {"x": 0.0}, 4: {"x": 900.0}})
    (row,) = list(table(before, now))[2:]
    assert row == "| `town_day` (3) | x | 20.3 | 10.7 | -9.67 ± 1.43 |"  # 4.303, t of 2, times 0.577 / √3


def test_living_goes_on_where_it_stopped_and_a_line_that_was_cut_off_is_not_counted(tmp_path):
    file = tmp_path / "now.jsonl"
    file.write_text('{"story": "storm_warning", "seed": 1, "x": 1}\n{"story": "storm_warning", "se')
    assert [row["seed"] for row in rows_of(file)] == [1]
    live(file, ROOT, ["storm_warning"], [1])
    assert [row["seed"] for row in rows_of(file)] == [1]


def test_a_tree_that_is_no_checkout_is_said_in_one_line(tmp_path, capsys):
    (tmp_path / "cave_sim").mkdir()
    (tmp_path / "cave_sim" / "__init__.py").write_text("raise ImportError('not this one')")
    with pytest.raises(SystemExit) as stopped:
        main(["live", str(tmp_path / "x"), "--tree", str(tmp_path), "--stories", "town_day", "--seeds", "7"])
    assert stopped.value.code == 1
    assert capsys.readouterr().err.endswith("ImportError: not this one\n")
    with pytest.raises(SystemExit):
        main(["live", str(tmp_path / "x"), "--seeds", "9-7"])
    assert "no range of seeds" in capsys.readouterr().err
