"""What newcomers trip over: each mistake is answered by what they meant, or by what there is."""

import json
import shlex

import pytest

from cave_sim.cli.commands import run
from cave_sim.cli.main import main
from cave_sim.cli.parser import COMMANDS, parser
from cave_sim.history.wording import told_apart, value_text
from cave_sim.replay.recipe import Recipe


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """Return a folder with runs/one and runs/two in it."""
    folder = tmp_path_factory.mktemp("newcomer")
    for name, seed in (("one", 7), ("two", 8)):
        simulation = Recipe("town_day", {"seed": seed, "residents": 3}).make(folder / "runs" / name)
        simulation.run(until=12)
        simulation.close()
    (folder / "empty").mkdir()
    (folder / "env.sh").write_text("")
    return folder


@pytest.fixture(autouse=True)
def here(place, monkeypatch):
    monkeypatch.chdir(place)


def call(capsys, *arguments):
    try:
        code = main(list(arguments))
    except SystemExit as end:
        code = end.code
    told = capsys.readouterr()
    return code, told.out, told.err


ANSWERS = [
    (["rnu", "town_day"], 2, "there is no 'rnu'. Did you mean 'run'?"),
    (["run", "town_day", "--residnts", "3"], 2, "there is no option '--residnts'. Did you mean '--residents'?"),
    (["run", "town_day", "--set", "residnts=3"], 1, "has no option 'residnts'. Write --residents 3."),
    (["run", "town_day", "--set", "feed=frends_first"], 1, "of a feed. Did you mean 'friends_first'?"),
    (["run", "town_day", "--set", "map=gone.json"], 1, "made of a file of OpenStreetMap by cave-sim map FILE.osm.pbf"),
    (["run", "village_day", "--set", "source=gone"], 1, "gone: there is no such village file, and no such folder of"),
    (["log", "runs/one", "--stauts=failed"], 2, "Did you mean '--status'?"),
    (["log", "runs/one", "two"], 2, "there is no place for 'two'"),
    (["run", "town_day", "--scheduler", "randm"], 2, "Did you mean 'random'?"),
    (["log", "runs/one", "--agent", "mayr"], 1, "there is no agent 'mayr' in this run. Did you mean 'mayor'?"),
    (["log", "runs/one", "--entity", "wether"], 1, "there is no entity 'wether' in this run. Did you mean 'weather'?"),
    (["log", "runs/one", "--at", "99"], 1, "has no step 99; it has the steps from 0 to 12"),
    (["log", "runs/one", "--status", "timeout"], 0, "cells of this run fits what was asked for"),
    (["log", "runs/noe"], 1, "runs/noe holds no run: there is no such folder. Did you mean runs/one?"),
    (["log", "noe"], 1, "noe holds no run: there is no such folder. Did you mean runs/one?"),
    (["open", "gone/one.cave"], 1, "there is no folder gone"),
    (["run", "town_day", "--model", "openai/x", "--max-usd=1"], 1, "the price of 'openai/x' is not known"),
    (["log", "runs/one/run.sqlite/x"], 1, "there is no such folder"),
    (["run", "tea.yaml"], 1, "tea.yaml is no simulation; a scenario is checked and run by cave-sim check tea.yaml"),
    (["run", "env.sh"], 1, "env.sh is no Python file"),
    (["prompts", "runs/one", "--growth", "--plot", "missing/plot.svg"], 1, "there is no folder missing"),
    (["bundle", "runs/one", "--out", "missing/one.cave"], 1, "there is no folder missing"),
    (["why", "runs/one", "weather.kind"], 1, "is a text, and why asks of a number or of what is true or false"),
    (["why", "runs/one", "mayor"], 1, "name a field of it, mayor.FIELD"),
    (["why", "runs/one", "moods"], 1, "Did you mean the measure 'mood'?"),
    (["resume", "runs"], 1, "Name one of the runs in it: "),
    (["log", "."], 1, "Name one of the runs in it: runs/"),
    (["blame", "runs", "weather.kind"], 1, "runs/one"),
    (["bisect", "runs/one", 'weather.kind = "rain"'], 1, "to compare two, write == in the place of ="),
    (["bisect", "runs/one", 'wether.kind == "rain"'], 1, "there is no entity 'wether'. Did you mean 'weather'?"),
    (["bisect", "runs/one", 'weather.knd == "rain"'], 1, "weather has no field 'knd'. Did you mean 'kind'?"),
    (["run", "city_day", "--set", "districts=0"], 1, "city_day takes for districts a whole number, 1 or more"),
    (["run", "tutorials.teahouse"], 1, "found from the folder that holds tutorials"),
    (["dash", "empty"], 1, "empty holds no run, so there is nothing to look at"),
    (["dash", "missing"], 1, "missing is no folder"),
    (["run", "town_day", "--steps", "1", "--out", "/proc/foo"], 1, "/proc/foo"),
    (["mcp", "runs/noe"], 1, "runs/noe holds no run: there is no such folder. Did you mean runs/one?"),
    (["resume", "runs/one", "--steps", "2"], 1, "--steps 2: runs/one is at step 12 already; name a later one"),
    (["list", "town_dya"], 1, "Did you mean 'town_day'?"),
]


@pytest.mark.parametrize(("line", "code", "words"), ANSWERS, ids=[" ".join(line)[:50] for line, _, _ in ANSWERS])
def test_a_mistake_is_answered_in_one_line_with_the_way_out(capsys, line, code, words):
    found, _, complaint = call(capsys, *line)
    assert (found, complaint.count("\n")) == (code, 1), complaint
    assert words in complaint
    assert "Errno" not in complaint


def test_entities_that_the_world_keeps_for_itself_come_last(capsys):
    _, _, complaint = call(capsys, "blame", "runs/one", "zzz.x")
    assert "There are: " in complaint
    assert "$system" not in complaint
    _, out, _ = call(capsys, "diff", "runs/one", "runs/two", "--json")
    names = list(json.loads(out)["fields"])
    assert sorted(names, key=lambda name: name.startswith("$")) == names


@pytest.mark.parametrize("command", ["verify", "doctor"])
def test_steps_are_counted_as_people_count_them(capsys, command):
    _, out, _ = call(capsys, command, "runs/one")
    assert "steps 0 to 12" in out


def test_a_simulation_says_what_it_takes(capsys):
    code, out, _ = call(capsys, "list", "town_day")
    assert (code, "144 steps" in out, "--set start=" in out) == (0, True, True)
    _, out, _ = call(capsys, "list", "city_day", "--json")
    assert {"crowd", "districts"} <= json.loads(out)["options"].keys()


def test_a_study_says_what_it_is_about(capsys):
    code, out, _ = call(capsys, "list", "smart_home")
    assert (code, out.startswith("cave-sim study smart_home: ")) == (0, True)


@pytest.mark.parametrize("command", sorted(COMMANDS.keys() - {"serve", "completion"}))  # a remark, and a shell's lines
def test_examples_of_help_are_copied_line_by_line_however_narrow_it_is(capsys, monkeypatch, command):
    monkeypatch.setenv("COLUMNS", "40")
    _, out, _ = call(capsys, command, "--help")
    examples = [line.partition("cave-sim ")[2] for line in out.splitlines()[1:] if "cave-sim " in line]
    assert any(example.startswith(f"{command} ") or example == command for example in examples)
    for example in examples:
        words = shlex.split(example.partition(" > ")[0], comments=True)
        assert words[-1] == "--help" or parser().parse_args(words)


def test_help_says_how_to_begin(capsys):
    out = call(capsys, "--help")[1]
    assert "cave-sim run town_day" in out
    assert max(map(len, out.splitlines())) <= 80


def test_numbers_are_rounded_unless_that_hides_a_difference():
    assert value_text(0.1 + 0.2) == "0.3"
    assert value_text({"a": [0.6759999999999999]}) == '{"a": [0.676]}'
    assert told_apart(0.3, 0.1 + 0.2) == ("0.3", "0.30000000000000004")
    assert told_apart(0.3, 0.5) == ("0.3", "0.5")


@pytest.mark.long
def test_making_a_world_is_told_when_it_takes_its_time(capsys, monkeypatch, tmp_path):
    monkeypatch.setattr(run, "PATIENCE_S", 0.0)
    code, _, complaint = call(capsys, "run", "town_day", "--residents", "60", "--steps", "1", "--out", str(tmp_path))
    assert (code, "making the world for 60 residents" in complaint) == (0, True)
