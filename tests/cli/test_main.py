"""The command line: one clear line for whatever goes wrong."""

import io
import json
import os
import re
import sqlite3
import subprocess
import sys
from contextlib import closing, contextmanager

import pytest

from cave_sim import Simulation, World, open_run
from cave_sim.cli.commands import run as run_command
from cave_sim.cli.main import main
from cave_sim.cli.options.hosts import chosen
from cave_sim.cli.options.plain_output import drawn_on, plain_output
from cave_sim.cli.parser import parser
from cave_sim.hosts.process import warm_interpreter
from cave_sim.models.from_cli import ModelChoice
from cave_sim.replay.recipe import Recipe

TEA = """
from cave_sim import Simulation, World

STEPS = 5


def create(*, seed, **run):
    return Simulation(World(seed=seed), **run)
"""


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def call(capsys, *arguments):
    code = main([str(each) for each in arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_run_keeps_a_journal_and_prints_the_state_hash_last(here, capsys):
    code, out, _ = call(capsys, "run", "town_day", "--steps", 3, "--residents", 5, "--seed", 3)
    assert code == 0
    assert re.fullmatch(r"state hash: [0-9a-f]{64}", out.strip().splitlines()[-1])
    with open_run(here / "runs" / "town_day-3") as run:
        assert run.steps()[-1].state_hash in out
    assert (here / "runs" / "town_day-3" / "report.html").stat().st_size > 10_000


def test_a_run_that_is_stopped_while_its_host_starts_leaves_its_folder_free(here, capsys, monkeypatch):
    @contextmanager
    def starting(*_):
        raise KeyboardInterrupt
        yield

    monkeypatch.setattr("cave_sim.cli.options.hosts.hosted", starting)
    code, _, err = call(capsys, "run", "town_day", "--steps", 2, "--residents", 2, "--out", "mine")
    assert (code, "interrupted" in err) == (130, True)
    assert not (here / "mine").exists()


def test_a_second_run_finds_a_folder_of_its_own_and_the_same_hash(here, capsys):
    hashes = [call(capsys, "run", "town_day", "--steps", 2, "--residents", 4, "--quiet")[1] for _ in range(2)]
    assert hashes[0] == hashes[1]
    assert sorted(each.name for each in (here / "runs").iterdir()) == ["town_day-7", "town_day-7-2"]


def test_log_prints_turns_for_people_and_for_machines(here, capsys):
    call(capsys, "run", "town_day", "--steps", 3, "--residents", 5, "--quiet", "--out", "r")
    code, out, _ = call(capsys, "log", "r", "--at", 1)
    assert code == 0
    assert all(line.split()[0] == "1" for line in out.splitlines())
    _, out, _ = call(capsys, "log", "r", "--json")
    rows = [json.loads(line) for line in out.splitlines()]
    assert {"turn", "step", "agent", "code", "status", "changes"} <= set(rows[0])
    assert [json.loads(line) for line in call(capsys, "log", "r", "--json", "--last", 2)[1].splitlines()] == rows[-2:]
    assert call(capsys, "log", "r", "--json", "--last", 9_999)[1] == out
    code, out, err = call(capsys, "log", "r", "--status", "timeout")
    assert (code, out, "fits what was asked for" in err or "no cell was run" in err) == (0, "", True)
    _, out, _ = call(capsys, "log", "r", "--status", "committed", "--changes", "--entity", "weather", "--world")
    assert "weather." in out


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["run", "town_dya"], 1, "there is no simulation 'town_dya'. Did you mean 'town_day'?"),
        (["run", "mine"], 1, "One of your own is named by its file"),
        (["run", "no.such.module"], 1, "cannot be imported"),
        (["run", "json.decoder"], 1, "is no simulation"),
        (["run", "town_day", "--set", "colour=red"], 1, "--set colour=red"),
        (["run", "town_day", "--out", "file/run"], 1, "is a file, not a folder"),
        (["run", "town_day", "--residents", "999999999"], 1, "100,000 are the most"),
        (["run", "town_day", "--require", "isolated"], 1, "--host process"),
        (["log", "nowhere"], 1, "holds no run"),
    ],
)
def test_what_goes_wrong_is_one_line_and_an_exit_code(here, capsys, arguments, code, words):
    (here / "file").write_text("x")
    found, out, err = call(capsys, *arguments)
    assert (found, out) == (code, "")
    assert words in err
    assert len(err.strip().splitlines()) == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["run"],
        ["nix"],
        ["run", "town_day", "--steps", "0"],
        ["run", "town_day", "--steps", "x"],
        ["run", "town_day", "--nix"],
        ["run", "town_day", "--seed", "-1"],
        ["study", "smart_home", "--limit", "0"],
        ["dash", "runs", "--port", "99999"],
    ],
)
def test_a_bad_option_is_one_line_and_exit_code_2(capsys, arguments):
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    assert stopped.value.code == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1


def test_an_existing_run_is_not_overwritten(here, capsys):
    call(capsys, "run", "town_day", "--steps", 1, "--residents", 2, "--quiet", "--out", "r")
    code, _, err = call(capsys, "run", "town_day", "--steps", 1, "--residents", 2, "--quiet", "--out", "r")
    assert (code, "holds a run already" in err) == (1, True)


def test_help_is_enough_to_start():
    told = subprocess.run([sys.executable, "-m", "cave_sim", "--help"], capture_output=True, text=True, check=True)
    assert "usage: " in told.stdout


@pytest.mark.long
@pytest.mark.parametrize("refused", [["--stop-when", "nobody.mood > 1"], ["--require", "isolated", "--host", "local"]])
def test_a_run_that_is_refused_before_its_first_step_leaves_its_folder_free(here, capsys, refused):
    asked = ["run", "town_day", "--steps", 1, "--residents", 2, "--quiet", "--out", "r"]
    assert call(capsys, *asked, *refused)[0] == 1
    assert call(capsys, *asked)[0] == 0


@pytest.mark.long
def test_a_run_that_was_stopped_goes_on_as_far_as_it_was_to_go(here, capsys):
    asked = ["run", "town_day", "--residents", 2, "--quiet", "--out", "r", "--steps", 4]
    assert call(capsys, *asked, "--stop-when", "town.treasury_cents > -1")[0] == 0
    assert call(capsys, "resume", "r", "--quiet")[0] == 0
    with open_run("r") as run:
        assert run.last_step == 4


def test_a_run_that_came_as_far_as_it_was_to_go_goes_on_as_far_as_its_simulation_does(here, capsys):
    (here / "tea.py").write_text(TEA)
    assert call(capsys, "run", "tea.py", "--quiet", "--out", "r", "--steps", 2)[0] == 0
    assert call(capsys, "resume", "r", "--quiet")[0] == 0
    with open_run("r") as run:
        assert run.last_step == 5


def test_no_message_commands_the_terminal_nor_fills_it(here, capsys):
    """What a message quotes stands in files of others, and they may write what they like."""
    (here / "tea.yaml").write_text('name: tea\nsimulation: "\\e]0;title\\a\\e[2J\\u202e"\nsteps: 2\n')
    (here / "prompts.toml").write_text(f'"{"x" * 100_000}" = "role"\n')
    for words in (
        ("check", "tea.yaml"),
        ("run", "town_day", "--model", "scripted", "--prompts", "prompts.toml", "--steps", 1),
    ):
        code, _, err = call(capsys, *words)
        assert code == 1
        assert err.rstrip("\n").isprintable(), err
        assert len(err) < 5_000


COMMANDS_TO_A_TERMINAL = "\x1b]0;title\x07\x1b[2J\u202e\x9b1A"


@pytest.mark.parametrize(
    "words",
    [
        ("list", "runs"),
        ("story", "runs/tea"),
        ("log", "runs/tea"),
        ("blame", "runs/tea", "ann.title"),
        ("compare", "runs/tea", "runs/tea"),
    ],
)
def test_what_stands_in_a_run_of_others_commands_no_terminal(here, capsys, words):
    simulation = Simulation(World(seed=1), out=here / "runs" / "tea", manifest={"title": "tea"})
    simulation.run(until=2)
    simulation.close()
    odd = json.dumps(f"tea {COMMANDS_TO_A_TERMINAL}")
    with closing(sqlite3.connect(here / "runs" / "tea" / "run.sqlite")) as file, file:
        file.execute("UPDATE manifest SET value = ? WHERE key IN ('simulation', 'title', 'cave_sim')", (odd,))
        file.execute("UPDATE changes SET entity = entity || ?", (COMMANDS_TO_A_TERMINAL,))
        file.execute("INSERT INTO measures VALUES (1, ?, 2.0)", (f"calm {COMMANDS_TO_A_TERMINAL}",))
    _, out, err = call(capsys, *words)
    assert out or err
    assert not {"\x1b", "\x07", "\x9b", "\u202e"} & {*out, *err}


def test_a_table_is_in_colour_where_it_is_drawn_and_what_a_run_says_never_is(capsys):
    told, drawn = "zwölf \N{FAMILY}\n\t日本", "\x1b[1;32mtable\x1b[0m"
    with plain_output():
        print(drawn, file=drawn_on(), end="")
        print("\x1b[31mred \x1b[8mhidden", end="")
        assert capsys.readouterr().out == drawn + r"\u001b[31mred \u001b[8mhidden"
        print(told, end="")
        print(json.dumps("\x1b[2J\N{TAG LATIN SMALL LETTER A}", ensure_ascii=False), end="")
    out = capsys.readouterr().out
    assert out.startswith(told)
    assert json.loads(out.removeprefix(told)) == "\x1b[2J\N{TAG LATIN SMALL LETTER A}"
    assert "\N{TAG LATIN SMALL LETTER A}" not in out


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_what_a_terminal_lacks_is_written_as_json_writes_it(encoding, monkeypatch):
    told = "zwölf 👪 caf\udce9"
    taken = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(taken, encoding=encoding, write_through=True))
    with plain_output():
        print(json.dumps(told, ensure_ascii=False))
    assert json.loads(taken.getvalue().decode(encoding)) == told


@pytest.mark.long
def test_a_folder_whose_name_is_no_text_holds_runs_of_ones_own_code(here, capsys, monkeypatch):
    folder = here / os.fsdecode(b"caf\xe9")
    try:
        folder.mkdir()
    except OSError:
        pytest.skip("this file system takes texts only")
    (folder / "tea.py").write_text(TEA)
    monkeypatch.chdir(folder)
    monkeypatch.setattr(run_command, "PATIENCE_S", 3_600.0)  # a busy machine is told of here by nobody
    for command in (
        ["run", "tea.py", "--out", folder / "run"],
        ["resume", folder / "run", "--steps", "7"],
        ["verify", folder / "run"],
        ["fork", folder / "run", "--at", "2", "--out", folder / "fork"],
        ["diff", folder / "run", folder / "fork", "--html", "page.html"],
    ):
        code, _, err = call(capsys, *command)
        assert (code, err.strip()) == (0, ""), command
    with open_run(folder / "fork") as run:
        assert run.manifest["found_in"] == str(folder)
    assert (folder / "run" / "report.html").is_file()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="sandboxes are Linux's")
@pytest.mark.parametrize(
    ("model", "words", "host"),
    [
        (None, [], "local"),
        (ModelChoice("openai/small"), [], "process"),
        (ModelChoice("openai/small"), ["--host", "local"], "local"),
        (None, ["--host", "process"], "process"),
    ],
)
def test_cells_that_a_model_writes_are_sandboxed_unless_somebody_says_otherwise(model, words, host):
    assert chosen(Recipe("town_day", model=model), parser().parse_args(["run", "town_day", *words])) == host


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="sandboxes are Linux's")
@pytest.mark.parametrize(
    ("words", "is_started"),
    [
        (["--model", "scripted"], True),
        (["--model", "scripted", "--host", "local"], False),
        (["--host", "process"], True),
        ([], False),
    ],
)
def test_a_sandbox_loads_while_a_run_is_prepared_and_none_does_that_is_not_needed(
    capsys, monkeypatch, words, is_started
):
    started = []
    monkeypatch.setattr(warm_interpreter, "begin", lambda: started.append(True))
    code, _, err = call(capsys, "run", "no_such_town", *words)
    assert (code, started) == (1, [True] * is_started), err
