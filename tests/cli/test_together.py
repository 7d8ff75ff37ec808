"""Options that would do nothing, or spoil each other, are refused; none is ignored."""

import json
import re
from functools import cache
from pathlib import Path

import pytest

from cave_sim.cli.main import main
from cave_sim.cli.parser import COMMANDS, parser

WITH = re.compile(r"with (--[a-z-]+)(?: ([a-z]+))?:")


def line_of(name, action):
    """Return a command line that gives one option, and whatever must be there."""
    needed = [each for each in commands()[name].declared() if each.required and not each.option_strings]
    value = [] if action.nargs == 0 else ["1"]
    return [name, *("x" for _ in needed), action.option_strings[-1], *value]


@cache
def commands():
    """Return the parser of each command."""
    parsers = parser().get_default("parsers")
    return {name: parsers[name] for name in COMMANDS}


def told(arguments, capsys):
    """Return exit code and error line of a command line."""
    try:
        code = main(arguments)
    except SystemExit as end:
        code = end.code
    return code, capsys.readouterr().err


def test_an_option_whose_help_says_with_what_it_goes_is_refused_without_that(capsys):
    found = 0
    for name, command in commands().items():
        for action in command.declared():
            match = WITH.match(action.help or "")
            if match is None or not action.option_strings:
                continue
            found += 1
            code, error = told(line_of(name, action), capsys)
            assert code != 0, (name, action.option_strings)
            assert match[1].removeprefix("--") in error, (name, error)
    assert found >= 4


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("run town_day --rpm 3", "--rpm does nothing without --model or --replay-model"),
        ("run town_day --api-base http://x", "--api-base does nothing without --model"),
        ("run town_day --stream", "--stream does nothing without --model"),
        ("run town_day --embeddings-base http://x", "--embeddings-base does nothing without --embeddings"),
        ("run town_day --address auto --host local", "--address does nothing without --host ray"),
        ("run town_day --port 0", "--port does nothing without --watch page"),
        ("run town_day --watch=terminal --portray a:b", "--portray does nothing without --watch page"),
        ("run town_day --print --quiet", "not allowed with argument --print"),
        ("resume x --gguf y", "--gguf does nothing without --model"),
        ("fork x --at 1 --agent mayor", "--agent does nothing without --cell"),
        ("study x.yaml --cpus-each 2", "--cpus-each does nothing without --on ray"),
        ("study data_tasks --address auto", "--address does nothing without --on ray"),
        ("study x.yaml --most-seeds 3", "--most-seeds does nothing without --until-halfwidth"),
        ("search x.yaml 'a' --address auto", "--address does nothing without --on ray"),
        ("check x.yaml --temperature 1", "--temperature does nothing without --model"),
    ],
)
def test_an_option_that_would_do_nothing_names_what_it_lacks(line, words, capsys):
    code, error = told(line.split(), capsys)
    assert (code, words in error) == (2, True), error


def test_an_option_is_no_longer_alone_once_what_it_needs_is_given():
    options = parser().parse_args(["run", "town_day", "--model", "scripted", "--rpm", "3", "--watch", "--port", "0"])
    assert (options.rpm, options.port) == (3.0, 0)


def test_an_empty_text_is_no_path_in_any_command(capsys):
    for name, command in commands().items():
        for action in command.declared():
            if action.type is not Path:
                continue
            line = [name, action.option_strings[-1], ""] if action.option_strings else [name, ""]
            code, error = told(line, capsys)
            assert code == 2, (name, action.dest)
            assert "an empty text names no file and no folder" in error, (name, action.dest, error)


@pytest.mark.long
def test_turns_that_are_printed_beside_json_leave_stdout_to_it(tmp_path, capsys):
    code = main(["run", "storm_warning", "--steps", "8", "--print", "--json", "--out", str(tmp_path / "run")])
    printed = capsys.readouterr()
    assert code == 0
    assert json.loads(printed.out)["steps"] == 8
    assert "committed" in printed.err


@pytest.mark.long
def test_each_turn_is_one_line_however_narrow_the_place_is(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    assert main(["run", "storm_warning", "--steps", "8", "--print", "--out", str(tmp_path / "run")]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if "committed" in line and " 2012 " in line]
    assert lines
    assert all(re.search(r"committed +\S", line) for line in lines)


@pytest.mark.long
@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("export RUN --format graphml --table turns", "--table is of the other formats"),
        ("export RUN --reward weather.kind --format csv", "--reward writes trajectories, as jsonl"),
        ("export RUN", "say in which --format: jsonl"),
        ("log RUN --from 3 --to 2", "--from 3 lies behind --to 2"),
        ("story RUN weather --lines 2", "--lines is of a whole run"),
    ],
)
def test_what_does_not_go_together_is_said(line, words, tmp_path, capsys):
    run = str(tmp_path / "run")
    assert main(["run", "storm_warning", "--steps", "3", "--quiet", "--out", run]) == 0
    capsys.readouterr()
    code, error = told(line.replace("RUN", run).split(), capsys)
    assert (code, words in error) == (1, True), error


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("fork runs/x --at 1 --step 8", "there is no option '--step'. Did you mean '--steps'?"),
        ("why runs/x mood --seed 3", "there is no option '--seed'. Did you mean '--seeds'?"),
        ("answer runs/x --text no ann-1 rejec", "there is no 'rejec'. Did you mean 'reject'?"),
        ("sessions runs/x --rows ann bob", "there is no place for 'bob'"),
    ],
)
def test_an_option_is_written_in_full_and_a_word_that_has_no_place_is_refused(line, words, capsys):
    code, error = told(line.split(), capsys)
    assert code == 2
    assert words in error


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("sessions runs/x --rows ann", {"run": Path("runs/x"), "session": "ann", "rows": True}),
        ("answer runs/x --text no ann-1 reject", {"ticket": "ann-1", "decision": "reject", "text": "no"}),
        ("rules a --json b c", {"runs": [Path("a"), Path("b"), Path("c")], "json": True}),
        ("story --at 3 runs/x ann", {"run": Path("runs/x"), "entity": "ann", "at": 3}),
    ],
)
def test_a_place_that_may_stay_empty_may_stand_behind_an_option(line, found):
    given = vars(parser().parse_args(line.split()))
    assert {name: given[name] for name in found} == found
