"""Runs in a table, and what people write on their covers."""

import json

import pytest

from cave_sim import open_run
from cave_sim.cli.main import main
from cave_sim.history.run_list import runs_in
from cave_sim.journal.lock import lock
from cave_sim.replay.recipe import Recipe


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Return a folder with a run that ended, one that was cut off, one that a limit stopped, and a city."""
    folder = tmp_path_factory.mktemp("list") / "runs"
    for name, steps in (("short", 1), ("long", 9)):
        Recipe("town_day", {"seed": steps, "residents": 2}).make(folder / name, tags=[name]).run(until=steps).close()
    cut = Recipe("town_day", {"seed": 3, "residents": 2}).make(folder / "cut")
    cut.run(until=4)
    cut.journal.abandon()
    asking = ["run", "storm_warning", "--model", "scripted", "--max-calls", "3", "--host", "local", "--quiet"]
    main([*asking, "--out", str(folder / "limited")])
    city = {"seed": 7, "residents": 4, "crowd": 20, "districts": 2}
    Recipe("city_day", city).make(folder / "city").run(until=1).close()
    return folder


@pytest.fixture(autouse=True)
def here(whole, monkeypatch):
    monkeypatch.chdir(whole.parent)


def told(capsys, *line):
    code = main([*line])
    out = capsys.readouterr()
    return code, out.out, out.err


def test_runs_are_told_with_how_they_ended(capsys):
    code, out, _ = told(capsys, "list", "runs", "--json")
    rows = {row["run"]: row for row in json.loads(out)}
    assert code == 0
    assert {name: row["status"] for name, row in rows.items()} == {
        "city": "finished", "cut": "interrupted", "limited": "stopped", "long": "finished", "short": "finished",
    }  # fmt: skip
    assert (rows["long"]["steps"], rows["long"]["tags"], rows["cut"]["steps"]) == (9, ["long"], 4)
    assert rows["limited"]["calls"] == 3
    assert rows["limited"]["tokens"] > 0
    assert all(row["size_bytes"] > 10_000 for row in rows.values())


def test_parts_of_a_city_are_no_runs_of_their_own(whole):
    assert [path.name for path in runs_in(whole / "city")] == ["city"]


def test_a_table_is_sorted_by_any_column_and_filtered_by_tag(capsys):
    _, out, _ = told(capsys, "list", "runs", "--sort", "steps")
    assert out.index("long") < out.index("cut") < out.index("short")
    assert "seed" in out
    _, out, _ = told(capsys, "list", "runs/", "--tag", "short")
    assert ("short" in out, "long" in out) == (True, False)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (["list", "runs", "--tag", "shrt"], "no run in runs has the tag 'shrt'. Did you mean 'short'?"),
        (["list", "nothing/"], "nothing is no folder"),
        (["list", "--sort", "steps"], "name the folder that holds them"),
        (["tag", "runs", "x"], "holds no run"),
        (["tag", "runs/short", "a\tb"], "is no tag"),
        (["note", "runs/short", " "], "a note has 1 to"),
    ],
)
def test_a_mistake_is_one_line(capsys, line, words):
    code, out, err = told(capsys, *line)
    assert (code, out, err.count("\n")) == (1, "", 1)
    assert words in err


@pytest.mark.parametrize(("data", "status"), [(b"no database", "unreadable"), (b"", "not begun")])
def test_a_run_that_cannot_be_read_is_listed_as_what_it_is(whole, capsys, data, status):
    broken = whole / "broken"
    broken.mkdir()
    (broken / "run.sqlite").write_bytes(data)
    try:
        rows = json.loads(told(capsys, "list", "runs", "--json")[1])
    finally:
        (broken / "run.sqlite").unlink()
        broken.rmdir()
    assert {row["run"]: row["status"] for row in rows}["broken"] == status


def test_tags_and_notes_are_written_on_the_cover_and_change_nothing(capsys):
    assert told(capsys, "tag", "runs/short", "pilot", "draft")[1] == "runs/short: short, pilot, draft\n"
    assert told(capsys, "tag", "runs/short", "--remove", "draft")[1] == "runs/short: short, pilot\n"
    assert told(capsys, "note", "runs/short", "too short")[0] == 0
    assert json.loads(told(capsys, "note", "runs/short", "as I said", "--json")[1])["notes"][0]["text"] == "too short"
    assert told(capsys, "note", "runs/short")[1].count("\n") == 2
    assert json.loads(told(capsys, "tag", "runs/short", "--json")[1])["tags"] == ["short", "pilot"]
    assert told(capsys, "verify", "runs/short")[0] == 0
    assert told(capsys, "resume", "runs/short", "--steps", "2", "--quiet")[0] == 0
    with open_run("runs/short") as run:
        assert (run.manifest["tags"], len(run.manifest["notes"])) == (["short", "pilot"], 2)


def test_a_run_that_was_cut_off_goes_on_after_it_was_tagged(capsys):
    assert told(capsys, "tag", "runs/cut", "odd")[0] == 0
    with open_run("runs/cut") as run:
        assert not run.manifest.get("finished")
    assert told(capsys, "verify", "runs/cut")[0] == 0


def test_a_run_that_is_being_written_is_left_alone(whole, capsys):
    held = lock(whole / "long")
    try:
        code, _, err = told(capsys, "tag", "runs/long", "x")
    finally:
        held.close()
    assert (code, "is being written" in err) == (1, True)


@pytest.mark.long
def test_the_doctor_says_what_is_installed(capsys):
    code, out, _ = told(capsys, "doctor")
    assert code == 0
    for word in ("python", "extras", "isolation", "disk", "ray", "browser"):
        assert f"\n{word} " in out
    found = json.loads(told(capsys, "doctor", "--json")[1])
    assert found["libraries"].keys() >= {"mesa", "numpy", "pandas"}
    assert found["isolation"]["name"] in ("isolated", "contained", "guarded")
    assert all(each["installed"] == (not each["missing"]) for each in found["extras"].values())


def test_the_doctor_tells_of_a_run_as_data(capsys):
    code, out, _ = told(capsys, "doctor", "runs/long", "--json")
    found = json.loads(out)
    assert (code, found["whole"], found["problems"], found["last_step"]) == (0, True, [], 9)
