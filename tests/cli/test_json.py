"""`--json`: one JSON document on stdout and nothing else, wherever a script reads results."""

import json

import pytest

from cave_sim.cli.main import main


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("json")
    assert main(["run", "storm_warning", "--steps", "3", "--out", str(folder / "run"), "--quiet"]) == 0
    return folder


@pytest.fixture(autouse=True)
def here(place, monkeypatch):
    monkeypatch.chdir(place)


def answer(capsys, *line):
    code = main([*line])
    out = capsys.readouterr().out
    assert out.count("\n") == 1
    return code, json.loads(out)


@pytest.mark.long
@pytest.mark.parametrize(
    "line",
    [
        ["run", "town_day", "--steps", "2", "--residents", "2", "--out", "a"],
        ["resume", "run", "--steps", "4"],
        ["fork", "run", "--at", "2", "--steps", "4", "--out", "b"],
    ],
    ids=lambda line: line[0],
)
def test_what_came_of_a_run(capsys, place, line):
    code, told = answer(capsys, *line, "--json")
    assert (code, told["stopped"]) == (0, None)
    assert told["steps"] == int(line[line.index("--steps") + 1])
    assert {"measures", "turns", "refusals", "spent", "seed"} <= told.keys()
    assert len(told["state_hash"]) == 64
    assert (place / told["report"]).stat().st_size > 10_000


def test_what_came_of_running_again(capsys):
    code, told = answer(capsys, "replay", "run", "--steps", "2", "--json")
    assert (code, told["holds"], told["difference"], told["steps"]) == (0, True, None, 2)


def test_which_files_were_written(capsys, place):
    code, told = answer(capsys, "export", "run", "--format", "csv", "--out", "tables", "--json")
    assert (code, [place / each for each in told["files"]]) == (
        0,
        sorted((place / "tables").iterdir(), key=told_in(told)),
    )


def told_in(told):
    return lambda path: told["files"].index(f"tables/{path.name}")


def test_what_goes_wrong_is_told_on_stderr_alone(capsys):
    assert main(["resume", "nothing", "--json"]) == 1
    told = capsys.readouterr()
    assert (told.out, told.err.count("\n")) == ("", 1)
