"""A run's file names no address, no file and no module that a command uses without being told to."""

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from cave_sim.cli.main import main
from cave_sim.journal.hash_chain import manifest_seal
from cave_sim.replay.recipe import Recipe
from cave_sim.worlds import town

TOWN = Path(town.__file__).parent / "data" / "helsinki_centre.json"
COMMANDS = {"resume": ["--quiet"], "verify": [], "replay": [], "fork": ["--at", "1", "--quiet", "--out", "branch"]}
ASKING = ["resume", "fork"]
OUTSIDE = [
    {"host": "ray", "address": "203.0.113.7:6379"},
    {"map": "/etc/passwd"},
    {"map": "streets.json"},
    {"replay": "../other"},
    {"plan": "../../secret"},
    {"plan": "~/secret"},
    {"plan": "C:\\secret"},
]
MADE_OF = [{"name": "local", "gguf": "/w.gguf"}, {"name": "recorded", "replay": "other"}]


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("trust") / "run"
    simulation = Recipe("storm_warning", {"seed": 5}).make(folder)
    simulation.run(until=2)
    simulation.close()
    return folder


@pytest.fixture
def run(whole, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return shutil.copytree(whole, tmp_path / "run")


def name(run, key, value):
    """Have a run's manifest say something else, as a stranger can: sealed anew."""
    with closing(sqlite3.connect(run / "run.sqlite")) as file:
        file.execute("INSERT OR REPLACE INTO manifest VALUES (?, ?)", (key, json.dumps(value)))
        seal = manifest_seal(file.execute("SELECT key, value FROM manifest").fetchall())
        file.execute("UPDATE manifest SET value = ? WHERE key = 'seal'", (f'"{seal}"',))
        file.commit()


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("create", OUTSIDE, ids=str)
def test_what_lies_outside_is_not_used_unless_it_is_allowed(run, command, create, capsys, monkeypatch):
    monkeypatch.setattr(Recipe, "make", lambda *_, **__: pytest.fail("it was made"))
    name(run, "create", {"seed": 5, **create})
    assert main([command, str(run), *COMMANDS[command]]) == 1
    complaint = capsys.readouterr().err
    assert "say --outside" in complaint
    assert complaint.count("\n") == 1


@pytest.mark.parametrize("command", ASKING)
@pytest.mark.parametrize(
    "model",
    [
        {"name": "local", "gguf": "/w.gguf"},
        {"name": "recorded", "replay": "other"},
        {"name": "openai/x", "agents": [["mayor", {"name": "local", "gguf": "/w.gguf"}]]},
    ],
    ids=str,
)
def test_what_a_model_is_made_of_is_not_read_unless_it_is_allowed(run, command, model, capsys):
    name(run, "model", model)
    assert main([command, str(run), *COMMANDS[command]]) == 1
    assert "say --outside" in capsys.readouterr().err


@pytest.mark.parametrize("command", ASKING)
def test_no_agent_asks_a_server_that_a_strangers_file_alone_names(run, command, capsys):
    elsewhere = {"name": "openai/y", "api_base": "http://203.0.113.7/v1"}
    name(run, "model", {"name": "openai/x", "agents": [["mayor", elsewhere]]})
    assert main([command, str(run), *COMMANDS[command]]) == 1
    assert "asked a model at 'http://203.0.113.7/v1'" in capsys.readouterr().err


def test_what_is_allowed_is_used(run, capsys):
    name(run, "create", {"seed": 5, "map": "/etc/passwd"})
    assert main(["resume", str(run), "--quiet", "--outside"]) == 1
    assert "say --outside" not in capsys.readouterr().err


def made_here(tmp_path, monkeypatch):
    """Run something with a map of one's own, by the command line."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(TOWN, tmp_path / "streets.json")
    asked = ["--steps", "2", "--residents", "2", "--set", "map=streets.json", "--quiet", "--out", "own"]
    assert main(["run", "town_day", *asked]) == 0
    return tmp_path / "own"


@pytest.mark.long
@pytest.mark.parametrize("command", COMMANDS)
def test_a_run_that_this_account_made_may_use_what_it_was_told_to(tmp_path, monkeypatch, command):
    made_here(tmp_path, monkeypatch)
    steps = ["--steps", "3"] if command in ASKING else []
    assert main([command, "own", *COMMANDS[command], *steps]) == 0


def test_another_account_is_asked_first(tmp_path, monkeypatch, capsys):
    made_here(tmp_path, monkeypatch)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "another"))
    assert main(["resume", "own", "--quiet"]) == 1
    assert "say --outside" in capsys.readouterr().err
    assert not (tmp_path / "another").exists()


@pytest.mark.long
@pytest.mark.parametrize(("key", "value"), [("create", {"seed": 7, "map": "/etc/passwd"}), ("made_here", "0" * 64)])
def test_a_mark_is_of_one_recipe_alone(tmp_path, monkeypatch, capsys, key, value):
    name(made_here(tmp_path, monkeypatch), key, value)
    assert main(["resume", "own", "--quiet"]) == 1
    assert "say --outside" in capsys.readouterr().err


def test_the_key_of_an_account_is_for_nobody_else_to_read(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    made_here(tmp_path, monkeypatch)
    assert (tmp_path / "state" / "cave_sim" / "key").stat().st_mode & 0o077 == 0


@pytest.mark.long(cases=0)
def test_without_a_folder_for_a_key_every_run_is_a_strangers(tmp_path, monkeypatch, capsys):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    made_here(tmp_path, monkeypatch)
    assert main(["resume", "own", "--quiet"]) == 1
    assert "say --outside" in capsys.readouterr().err


@pytest.mark.long
@pytest.mark.parametrize("command", COMMANDS)
def test_a_usual_run_needs_no_leave(run, command):
    steps = ["--steps", "3"] if command in ASKING else []
    assert main([command, str(run), *COMMANDS[command], *steps]) == 0


def test_a_resumed_run_takes_larger_limits(run, capsys):
    assert main(["resume", str(run), "--steps", "3", "--quiet", "--max-calls", "x"][:5]) == 0
    with pytest.raises(SystemExit):
        main(["resume", str(run), "--max-calls", "x"])
    assert "no number of 0 or more" in capsys.readouterr().err


@pytest.mark.parametrize("measure", ["os.path:exists", "subprocess:run", "cave_sim.cli.main:main"])
def test_a_module_that_measures_is_not_imported_unless_it_is_allowed(run, measure, capsys, monkeypatch):
    name(run, "measures", {"one": "1", "other": measure})
    monkeypatch.setattr(Recipe, "make", lambda *_, **__: pytest.fail("it was made"))
    assert main(["resume", str(run), "--quiet"]) == 1
    assert f"say --module {measure.partition(':')[0]}" in capsys.readouterr().err


@pytest.mark.parametrize("named", ["no_such_module", "no_such_file.py", "os"])
def test_a_module_that_is_none_of_the_run_is_refused(run, named, capsys, monkeypatch):
    monkeypatch.setattr(Recipe, "make", lambda *_, **__: pytest.fail("it was made"))
    assert main(["resume", str(run), "--quiet", "--module", named]) == 1
    assert named in capsys.readouterr().err
