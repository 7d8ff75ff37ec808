"""A paper's tables: all of its studies for several models on one page, whatever of them is finished."""

import json
import shutil
from contextlib import redirect_stdout
from io import StringIO

import pandas as pd
import pytest

from cave_sim.cli.main import main
from cave_sim.cli.options.paper_study import PAGE, PaperWork
from cave_sim.experiment.call_log import LoggedCall
from cave_sim.experiment.failure_kinds import KINDS, kinds_of
from cave_sim.experiment.kept_trials import KeptCell, KeptTrial, kept_trial
from cave_sim.experiment.paper_numbers import change, per_query_mean, success
from cave_sim.experiment.results import Outcome, Result
from cave_sim.experiment.slips import call_slips, state_slips

MODELS = "scripted,scripted-wrong"
TASTE = ["--limit", "1", "--json", "--quiet"]


def tables(*arguments):
    """Run the command and return its tables by name, as rows of texts without their heads."""
    with redirect_stdout(StringIO()) as told:
        assert main(["study", "paper", *TASTE, *map(str, arguments)]) == 0
    report = json.loads(told.getvalue())
    return {table["name"]: table["rows"] for table in report["tables"]} | {
        name: report[name] for name in ("models", "missing", "notes")
    }


@pytest.fixture(scope="module")
def begun(tmp_path_factory):
    """Return the folder of a paper that a budget ended early, its tables, and whether there was a page."""
    out = tmp_path_factory.mktemp("paper") / "paper"
    found = tables("--groups", "F5", "--max-calls", 20, "--out", out)
    return out, found, (out / "paper.html").is_file()


@pytest.fixture(scope="module")
def whole(begun):
    """Return the folder of a taste of the whole paper, which went on from that, and its tables."""
    return begun[0], tables("--model", MODELS, "--out", begun[0])


@pytest.mark.long
def test_every_table_that_needs_no_benchmark_of_others_is_there_with_models_as_columns(whole):
    _, found = whole
    assert found["models"] == MODELS.split(",")
    assert {"T3", "F5", "T4", "T5", "F13", "F.1.2", "Cost"} <= found.keys()
    for table in {"T1", "T2"} - found.keys():
        assert any(line.startswith(f"{table}, ") for line in found["missing"])
    assert [row[0] for row in found["T3"]][:4] == ["simple", "object", "scientific", "5 variables"]


@pytest.mark.long
def test_right_scripts_pass_everything_and_wrong_ones_nothing(whole):
    rates = [row[3:] for name in ("T3", "F5", "T5") for row in whole[1][name] if row[2] == "success, %"]
    assert len(rates) > 20
    assert all(right.startswith("100.0 (") and wrong.startswith("0.0 (0 of") for right, wrong in rates)


@pytest.mark.long
def test_each_failure_is_of_some_kind_and_a_model_that_does_not_fail_has_none(whole):
    out, found = whole
    by_kind = {(row[0], row[1]): row[2:] for row in found["F13"]}
    right, wrong = by_kind["cave", "failed queries"]
    assert right == "0"
    assert int(wrong) > 70
    assert by_kind["json", "no action"][1].endswith("(100%)")
    folders = [each for each in (out / "scripted-wrong").glob("*/trials/*") if "-cave-" in each.name]
    for folder in folders:
        trial = kept_trial(folder)
        kinds = [kinds_of(trial, query) for query in range(len(trial.result.outcomes))]
        assert all(kinds)
        assert {each for some in kinds for each in some} <= {*KINDS}


@pytest.mark.long
def test_the_census_counts_loops_and_conditionals_of_what_was_won(whole):
    rows = {(row[1], row[2]): row[3:] for row in whole[1]["F.1.2"] if row[0] == "all that were won"}
    assert rows["cave", "queries"][1] == "0"
    assert rows["cave", "with a conditional"][1] == "none won"
    assert 0 < int(rows["cave", "with a conditional"][0].rstrip("%")) < 100


@pytest.mark.long
def test_the_page_is_one_file_that_asks_no_one(whole):
    page = (whole[0] / "paper.html").read_text(encoding="utf-8")
    assert all(f"<h2>{name}: " in page for name in ("T3", "F5", "T4", "T5", "F13", "F.1.2", "Cost"))
    assert "http://" not in page.replace("http://www.w3.org", "")
    assert "src=" not in page


@pytest.mark.long
def test_what_was_killed_is_done_again_and_nothing_else_and_other_models_stay(whole, tmp_path):
    out = tmp_path / "paper"
    for model in MODELS.split(","):
        shutil.copytree(whole[0] / model / "token_efficiency", out / model / "token_efficiency")
    shutil.copy(whole[0] / "study.json", out)
    trials = out / "scripted" / "token_efficiency" / "trials"
    shutil.rmtree(trials / "shopping-json-7")
    (trials / "evening-cave-7" / "run.sqlite").write_bytes(b"not a journal")
    kept = {path: path.stat().st_mtime_ns for path in out.glob("*/*/trials/*/run.sqlite")}
    found = tables("--model", "scripted", "--groups", "F5", "--out", out)
    assert found["F5"] == whole[1]["F5"]
    again = {path.parent.name for path, at in kept.items() if path.stat().st_mtime_ns != at}
    assert again == {"evening-cave-7"}
    assert found["models"] == MODELS.split(",")


@pytest.mark.long
def test_a_budget_leaves_a_page_of_what_is_finished_and_a_larger_one_goes_on(begun, whole):
    _, some, has_page = begun
    done = {row[0]: row[2] for row in some["Cost"]}["token_efficiency"]
    assert has_page
    assert 0 < int(done.split(" of ")[0]) < 6
    assert [row[2] for row in whole[1]["Cost"] if row[0] == "token_efficiency"] == ["6 of 6", "6 of 6"]


def test_the_page_is_there_from_the_first_trial_on(tmp_path, monkeypatch):
    done = []
    write = PaperWork.write_page

    def writing(run):
        write(run)
        done.append((len(list(tmp_path.glob("*/*/*/trials/*/run.sqlite"))), (tmp_path / "paper" / PAGE).is_file()))

    monkeypatch.setattr(PaperWork, "write_page", writing)
    tables("--groups", "F5", "--max-calls", 20, "--out", tmp_path / "paper")
    assert done[0] == (1, True)


def test_what_was_not_run_is_said_and_has_no_rows_and_so_is_what_bounded_the_rest(begun):
    _, some, _ = begun
    assert "T3" not in some
    assert any(line.startswith("T3, Variables") and "--groups T3" in line for line in some["missing"])
    assert not [cell for table in some.values() for row in table for cell in row if cell == "–"]
    assert {row[0] for row in some["F13"]} <= {"json", "cave"}
    assert any("at most 1 task of each group (scripted in token_efficiency)" in note for note in some["notes"])


@pytest.mark.long
def test_a_single_model_has_a_table_of_what_code_saves(begun):
    compared = {(row[0], row[1]): row[2:] for row in begun[1]["T4"]}
    assert [len(cells) for cells in compared.values()] == [1] * 5
    assert compared["cave beside json", "tokens"][0].startswith("-")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--groups", "T9"], "paper has no table 'T9'. There are: T1, T2, T3"),
        (["--model", "scripted,scripted"], "name each model once"),
        (["--paradigms", "cave"], "choose tables with --groups"),
        (["--seeds", "3"], "repetitions of a paper are --repeats"),
    ],
)
def test_what_a_paper_does_not_take_is_refused_in_one_line(arguments, told, tmp_path, capsys):
    assert main(["study", "paper", "--out", str(tmp_path / "paper"), *arguments]) == 1
    line = capsys.readouterr().err
    assert told in line
    assert line.count("\n") == 1
    assert not (tmp_path / "paper").exists()


def test_slips_tell_what_was_left_done_wrong_unasked_and_left_over():
    before = {"a.x": 1, "b.x": 1, "c.x": 1, "d.x": 1, "old.x": 9}
    expected_before = {**before, "old.x": 5}
    expected = {**expected_before, "a.x": 2, "b.x": 2, "c.x": 2, "new": 7}
    actual = {"a.x": 2, "b.x": 1, "c.x": 3, "d.x": 0, "old.x": 9}
    assert state_slips(expected, actual, before, expected_before) == {
        "done": ["a.x"],
        "missing": ["b.x", "new"],
        "wrong": ["c.x"],
        "unasked": ["d.x"],
        "carried": ["old.x"],
    }
    assert state_slips(expected, expected, before, expected_before) == {}


def test_slips_in_calls_are_told_by_the_calls_of_a_right_answer():
    reference = [("get_order", {"id": 1}), ("get_order", {"id": 2}), ("pay", {"sum": 5}), ("cancel", {"id": 2})]
    made = [LoggedCall(0, "", *call, "") for call in (("get_order", {"id": 1}), ("pay", {"sum": 6}), ("gift", {}))]
    assert call_slips(reference, made) == {
        "unexplored": ["get_order"],
        "wrong": ["pay"],
        "missing": ["cancel"],
        "unasked": ["gift"],
    }


@pytest.mark.parametrize(
    ("slips", "cells", "kinds"),
    [
        ({"missing": ["a.x"], "done": ["b.x"]}, "ok", {"missing action", "incomplete exploration"}),
        ({"missing": ["a.x"], "done": ["b.y"]}, "ok", {"missing action"}),
        ({"unexplored": ["get_order"]}, "ok", {"incomplete exploration"}),
        ({"wrong": ["a.x"], "unasked": ["b.x"]}, "ok", {"wrong argument", "unasked action"}),
        ({"carried": ["a.x"], "done": ["b.x"]}, "ok", {"carried over"}),
        ({"missing": ["x"]}, "error", {"missing action", "unrecovered error"}),
        ({"missing": ["x"]}, "", {"missing action", "no action"}),
        ({}, "ok", {"other"}),
    ],
)
def test_a_failure_is_of_the_kinds_that_its_run_tells(slips, cells, kinds):
    status = {"ok": "committed", "error": "failed"}
    ran = (KeptCell(0, status[cells], "pass"),) if cells else ()
    result = Result("tea", "tasks", "cave", 7, (Outcome(False, "wrong", 1, 1, 1, 0, slips),))
    assert kinds_of(KeptTrial(result, ran, 0.0, 0.0, 1), 0) == kinds


def test_a_single_repetition_has_wilsons_interval_several_have_students_and_scripts_none():
    one = pd.DataFrame({"seed": [7] * 10, "ok": [True] * 9 + [False]})
    assert success(one, scripted=False).method == "Wilson"
    assert success(one, scripted=False).low == pytest.approx(59.6, abs=0.1)
    two = pd.DataFrame({"seed": [7, 7, 8, 8], "ok": [True, True, True, False]})
    assert success(two, scripted=False).method == "t"
    assert (success(two, scripted=False).low, success(two, scripted=False).high) == (0.0, 100.0)
    assert not success(one, scripted=True).has_interval


def test_repetitions_that_all_came_out_alike_are_one():
    alike = pd.DataFrame({"seed": [7] * 3 + [8] * 3, "ok": [True, False, False] * 2, "steps": [1, 2, 3] * 2})
    assert (success(alike, scripted=False).method, success(alike, scripted=False).n) == ("Wilson", 3)
    assert not per_query_mean(alike, "steps").has_interval


def test_a_change_is_over_tasks_that_were_finished_in_both_ways_of_acting():
    rows = [("a", "cave", 1), ("a", "json", 2), ("b", "json", 100)]
    queries = pd.DataFrame([{"seed": 7, "task": t, "paradigm": p, "steps": n} for t, p, n in rows])
    assert change(queries, "steps", "cave", "json").mean == -50
