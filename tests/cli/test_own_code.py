"""Simulations of one's own: found from where one stands or by their path, never because a stranger's run says so."""

import importlib
import json
import os
import re
import shlex
import sqlite3
import subprocess
import sys
from argparse import Namespace
from contextlib import closing
from itertools import product
from pathlib import Path

import pytest

import cave_sim
from cave_sim import WorldError, open_run
from cave_sim.cli.commands.dash import dashboard_class
from cave_sim.cli.main import main
from cave_sim.journal.hash_chain import manifest_seal
from cave_sim.replay import own_code
from tests.long_cases import cases

TEA = '''"""An afternoon at the tea room."""

from typing import TYPE_CHECKING, Literal

from cave_sim import Agent, Entity, Simulation, World, field

if TYPE_CHECKING:
    from nowhere import Nothing

STEPS = 3


class Pot(Entity):
    """The tea pot."""

    cups: int = field(6, ge=0, about="cups left")


class Guest(Agent):
    """Drinks."""

    def act(self, observation):
        """Return the cell to run."""
        return "pot.cups -= 1"


def portray(entity):
    """Draw."""
    return {}


def create(
    *, seed, out=None, manifest=None, observers=(), scheduler=None, control=None,
    cups: int = 6, hot=True, leaf: Literal["green", "black"] = "green", shape: "Nothing" = None,
):
    """Return an afternoon.

    Args:
        seed: of all draws.
        cups: cups in a
            full pot.
    """
    assert isinstance(cups, int) and isinstance(hot, bool)
    world = World(seed=seed)
    world.add("pot", Pot(cups=cups))
    return Simulation(
        world, [(Guest, "pot")], scheduler=scheduler, out=out, observers=observers, manifest=manifest,
        control=control, config={"cups": cups, "hot": hot, "leaf": leaf},
    )
'''


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """Stand in a folder with a simulation of one's own, tea.py; and none of any other test is loaded."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    before = {*sys.modules}
    (tmp_path / "tea.py").write_text(TEA)
    (tmp_path / "studies").mkdir()
    (tmp_path / "studies" / "epidemic.py").write_text(TEA)
    yield tmp_path
    for name in {*sys.modules} - before:
        if name.partition(".")[0] in ("tea", "studies", "other"):
            del sys.modules[name]


def told(capsys, *line):
    code = main([*line])
    return code, capsys.readouterr().err


def test_a_run_that_fails_in_its_first_step_leaves_its_folder_free_and_says_where(here, capsys):
    fault = "    world.dynamics(lambda world: world['pot'].warmth)\n    return Simulation("
    (here / "tea.py").write_text(TEA.replace("    return Simulation(", fault))
    code, err = told(capsys, "run", "tea.py", "--quiet")
    line = next(number for number, text in enumerate((here / "tea.py").read_text().splitlines(), 1) if "warmth" in text)
    assert code == 1
    assert f"'Pot' object has no attribute 'warmth' ({here / 'tea.py'}, line {line};" in err
    assert not (here / "runs" / "tea-7").exists()


def test_a_run_of_which_nothing_can_be_measured_leaves_its_folder_free_and_names_the_measure(here, capsys):
    fault = "measures={'warm': lambda world: world['oven']},\n        control="
    (here / "tea.py").write_text(TEA.replace("control=", fault))
    code, err = told(capsys, "run", "tea.py", "--quiet")
    assert (code, "measure 'warm': there is no 'oven' in this world" in err) == (1, True)
    assert not (here / "runs" / "tea-7").exists()


def test_what_cannot_be_made_says_where(here, capsys):
    (here / "tea.py").write_text(TEA.replace("World(seed=seed)", "World(seed=seed).allow"))
    code, err = told(capsys, "run", "tea.py", "--quiet")
    assert code == 1
    assert re.search(r"tea cannot be made with .*; write world\.grant.* \(.*tea\.py, line \d+\)$", err.strip())


@pytest.mark.long
@pytest.mark.parametrize(
    ("named", "run"), [("tea.py", "tea-7"), ("./tea.py", "tea-7"), ("studies.epidemic", "epidemic-7")]
)
def test_a_run_of_ones_own_is_gone_on_with_from_anywhere(here, named, run, tmp_path_factory, monkeypatch):
    assert main(["run", named, "--quiet"]) == 0
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    folder = str(here / "runs" / run)
    assert main(["resume", folder, "--steps", "5", "--quiet"]) == 0
    assert main(["verify", folder]) == 0
    assert main(["replay", folder]) == 0
    assert main(["fork", folder, "--at", "2", "--set", "pot.cups=1", "--quiet", "--out", "branch"]) == 0
    assert main(["resume", "branch", "--steps", "5", "--quiet"]) == 0
    with open_run("branch") as branch:
        assert branch.manifest["found_in"] == str(here)


def test_cells_of_ones_own_run_in_sandboxed_processes_too():
    pytest.importorskip("pyseccomp")
    assert main(["run", "tea.py", "--quiet", "--host", "process"]) == 0


def test_values_come_in_the_types_that_create_takes():
    assert main(["run", "tea.py", "--set", "cups=3", "--set", "hot=no", "--set", "leaf=black", "--quiet"]) == 0
    with open_run("runs/tea-7") as run:
        assert run.manifest["create"] == {"seed": 7, "cups": 3, "hot": False, "leaf": "black"}
        assert run.manifest["config"] == {"cups": 3, "hot": False, "leaf": "black"}


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ("cups=abc", "--set cups=abc: tea takes for cups a whole number"),
        ("cups=1.5", "tea takes for cups a whole number"),
        ("hot=perhaps", "tea takes for hot yes or no"),
        ("leaf=red", "tea takes for leaf green or black"),
        ("cup=3", "tea has no option 'cup'. Did you mean 'cups'? It takes cups: cups in a full pot"),
        ("out=x", "tea has no option 'out'. Write --out x."),
    ],
)
def test_a_value_that_does_not_fit_is_one_line(capsys, setting, words):
    code, complaint = told(capsys, "run", "tea.py", "--set", setting)
    assert (code, complaint.count("\n")) == (1, 1)
    assert words in complaint


def test_help_tells_what_a_simulation_takes(capsys):
    with pytest.raises(SystemExit) as end:
        main(["run", "tea.py", "--help"])
    out = capsys.readouterr().out
    assert end.value.code == 0
    assert "--steps N" in out
    assert "--set cups=...  cups in a full pot (a whole number; default: 6)" in out
    assert "--set leaf=...  (green or black; default: green)" in out


BROKEN = {
    "missing.py": (None, "there is no file missing.py"),
    "tee.py": (None, "there is no file tee.py. Did you mean tea.py?"),
    "studies/": (None, "studies/ is a folder; name a file in it"),
    "other.txt/x": ("", "no Python file"),
    "tea-time.py": ("", "'tea-time' is no name of a module"),
    "other.py": ("STEPS = 3\ndef create(:\n", "other.py, line 2: SyntaxError: "),
    "./other.py": ("\n\nSTEPS = 1 / 0\n", "other.py, line 3: ZeroDivisionError: division by zero"),
    "studies/other.py": ("import nothing_of_this_name\n", "other.py, line 1: ModuleNotFoundError: No module named"),
    "studies/../other.py": ("STEPS = 3\n", "other.py is no simulation: it has no create; it needs"),
    "studies/queue.py": ("STEPS = 3\n", "Python has another module 'queue'"),
    "deep.py": (f"STEPS = {'-' * 100_000}1\n", "deep.py: "),
    "teaa": (None, "there is no simulation 'teaa'."),
    "studies.other": (None, "found from the folder that holds studies"),
}


@pytest.mark.parametrize("named", BROKEN)
def test_what_is_no_simulation_is_one_line_with_its_place(here, capsys, named):
    text, words = BROKEN[named]
    if text is not None:
        (here / named).parent.mkdir(exist_ok=True)
        (here / named).write_text(text)
    code, complaint = told(capsys, "run", named, "--quiet")
    assert (code, complaint.count("\n")) == (1, 1)
    assert words in complaint
    assert not (here / "runs").exists()


def test_a_bug_in_the_code_of_ones_own_is_one_line_with_its_place(here, capsys):
    (here / "tea.py").write_text(TEA.replace('world.add("pot"', "undefined_name\n    world.add('pot'"))
    code, complaint = told(capsys, "run", "tea.py", "--quiet")
    assert (code, complaint.count("\n")) == (1, 1)
    assert "name 'undefined_name' is not defined" in complaint
    assert "tea.py" in complaint


def say(run, **entries):
    """Have a run's manifest say something else, as a stranger can: sealed anew."""
    with closing(sqlite3.connect(run / "run.sqlite")) as file:
        for key, value in entries.items():
            file.execute("INSERT OR REPLACE INTO manifest VALUES (?, ?)", (key, json.dumps(value)))
        seal = manifest_seal(file.execute("SELECT key, value FROM manifest").fetchall())
        file.execute("UPDATE manifest SET value = ? WHERE key = 'seal'", (f'"{seal}"',))
        file.commit()


TRAP = "from pathlib import Path\n(Path(__file__).parent / 'sprung').touch()\nSTEPS = 1\ncreate = None\n"


COMMANDS = ["resume --quiet", "verify", "replay", "fork --at 1"]
SAID = ["other", "town_day", "studies.other", None]


@pytest.mark.parametrize(
    "way", cases(product(COMMANDS, SAID), lambda way: COMMANDS.index(way[0]) != SAID.index(way[1])), ids=str
)
def test_no_run_of_a_stranger_has_code_imported(here, tmp_path_factory, monkeypatch, capsys, way):
    """Whatever its file says, and whatever lies beside it or where one stands."""
    command, entries = way[0].split(), {"module": way[1]} if way[1] else {}
    assert main(["run", "tea.py", "--quiet"]) == 0
    trap = tmp_path_factory.mktemp("stranger")
    (trap / "studies").mkdir()
    for name in ("tea.py", "other.py", "town_day.py", "studies/other.py"):
        (trap / name).write_text(TRAP)
    say(here / "runs" / "tea-7", found_in=str(trap), **entries)
    monkeypatch.chdir(trap)
    code, complaint = told(capsys, command[0], str(here / "runs" / "tea-7"), *command[1:])
    assert (code, "say --module" in complaint) == (1, True)
    assert not [*trap.rglob("sprung")]


def test_a_run_of_another_account_is_run_by_the_code_that_the_command_line_names(here, capsys, monkeypatch):
    assert main(["run", "studies.epidemic", "--quiet"]) == 0
    monkeypatch.setenv("XDG_STATE_HOME", str(here / "another"))
    assert told(capsys, "verify", "runs/epidemic-7")[0] == 1
    assert told(capsys, "verify", "runs/epidemic-7", "--module", "tea.py")[0] == 1
    assert main(["verify", "runs/epidemic-7", "--module", "studies.epidemic"]) == 0
    assert main(["verify", "runs/epidemic-7", "--module", "studies/epidemic.py"]) == 0


def test_code_that_has_moved_is_named_anew(here, capsys):
    assert main(["run", "tea.py", "--quiet"]) == 0
    (here / "moved").mkdir()
    (here / "tea.py").rename(here / "moved" / "tea.py")
    code, complaint = told(capsys, "replay", "runs/tea-7")
    assert (code, "--module path/to/FILE.py" in complaint) == (1, True)
    del sys.modules["tea"]
    assert main(["verify", "runs/tea-7", "--module", "moved/tea.py"]) == 0


@pytest.mark.long
def test_no_command_imports_what_lies_in_the_current_folder_by_chance(here):
    """A folder with a `pandas.py`, as somebody may send one, decides nothing."""
    assert main(["run", "tea.py", "--quiet"]) == 0
    for name in ("pandas", "rich", "json", "queue", "litellm", "pyarrow", "dash"):
        (here / f"{name}.py").write_text("raise SystemExit('sprung')\n")
    call = "import sys; sys.path = [each for each in sys.path if each]; from cave_sim.cli.main import main; main({!r})"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(each for each in sys.path if each and each != str(here))}
    for line in (["run", "tea.py", "--quiet"], ["log", "runs/tea-7"], ["list"]):
        done = subprocess.run(
            [sys.executable, "-P", "-c", call.format(line)],
            capture_output=True,
            text=True,
            check=False,
            env=environment,
        )
        assert (done.returncode, "sprung" in done.stderr) == (0, False), done.stderr


def test_a_simulation_without_a_summary_gets_one_and_a_report(here, capsys):
    text = TEA.replace('"pot.cups -= 1"', '"pot.cups -= 4"').replace(
        "manifest=manifest,", 'manifest=manifest, measures={"cups left": lambda world: world["pot"].cups},'
    )
    (here / "tea.py").write_text(text)
    assert main(["run", "tea.py"]) == 0
    told = capsys.readouterr().out
    assert "6 to 2 (least 2 in step 1, most 6 in step 0)" in told
    assert "turns that did not land:\n  2 failed: SchemaError: " in told
    assert "report: runs/tea-7/report.html" in told
    assert (here / "runs" / "tea-7" / "report.html").is_file()


@pytest.mark.long
def test_the_commands_for_more_seeds_name_the_file_of_ones_own(here, capsys):
    line = ["run", "tea.py", "--quiet", "--steps", "1"]
    assert main([*line, "--out", "runs/bare"]) == 0
    measured = 'manifest=manifest, measures={"cups left": lambda world: world["pot"].cups},'
    (here / "tea.py").write_text(TEA.replace("manifest=manifest,", measured))
    del sys.modules["tea"]
    for cups in ("7", "8"):
        assert main([*line, "--set", f"cups={cups}", "--out", f"runs/with-{cups}"]) == 0
    assert main(["compare", "runs/bare", "runs/with-7"]) == 0
    assert "no measure in common" in capsys.readouterr().out
    assert main(["compare", "runs/with-7", "runs/with-8"]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if "cave-sim run" in line]
    assert lines
    assert main([word.replace("$seed", "9") for word in shlex.split(lines[0])][1:]) == 0


def test_trials_and_runs_from_python_are_ones_own_as_those_of_the_command_line_are(here, capsys):
    assert main(["study", "tea.py", "--steps", "2", "--seeds", "1", "--quiet", "--out", "runs/study"]) == 0
    cave_sim.run("tea.py", steps=2, out="runs/python")
    for run in (*Path("runs/study/trials").iterdir(), Path("runs/python")):
        assert main(["verify", str(run)]) == 0


@pytest.mark.long
def test_a_run_of_ones_own_file_is_saved_as_a_scenario_that_finds_the_file(here, capsys):
    assert main(["run", "tea.py", "--quiet", "--steps", "2", "--out", "runs/saved"]) == 0
    state = capsys.readouterr().out
    assert main(["scenario", "runs/saved"]) == 0
    told = capsys.readouterr().out
    assert "simulation: tea.py\n" in told
    (here / "saved.yaml").write_text(told)
    assert main(["study", "saved.yaml", "--quiet", "--out", "runs/again"]) == 0
    with open_run("runs/again/trials/baseline-7") as run:
        assert str(run.manifest["state_hash"]) in state


@pytest.mark.parametrize("target", ["tea.py:portray", "./tea.py:portray", "tea:portray"])
def test_a_page_draws_by_a_function_of_ones_own(target):
    pytest.importorskip("starlette")
    options = Namespace(portray=target, listen="127.0.0.1", port=0)
    assert dashboard_class(options).keywords["portray"].__module__ == "tea"


@pytest.mark.parametrize(
    ("target", "words"), [("tea.py:nothing", "tea.py:nothing: "), ("tee.py:portray", "Did you mean tea.py?")]
)
def test_a_function_that_is_not_there_is_told(target, words):
    with pytest.raises(WorldError, match=re.escape(words)):
        dashboard_class(Namespace(portray=target, listen="127.0.0.1", port=0))


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("import sys\nsys.exit(3)\n", "line 2: SystemExit: 3"),
        ("STEPS = 3\ndef create(*, seed, **run):\n    1 / 0\n", "line 3: ZeroDivisionError"),
        ("STEPS = 3\ndef create(*, seed, **run):\n    pass\n", "create returned None; it returns a Simulation"),
    ],
)
def test_a_simulation_that_ends_fails_or_makes_nothing_is_told_in_one_line(code, words, here, capsys):
    (here / "odd.py").write_text(code)
    assert main(["run", "odd.py", "--quiet", "--out", "runs/odd"]) == 1
    told = capsys.readouterr().err
    assert words in told
    assert told.count("\n") == 1


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("boltzmann_wealth --set n=0", r"BoltzmannWealth cannot be made with \{'n': 0\}: ZeroDivisionError: .*"),
        ("wolf_sheep --set grass=no", r"StopIteration \(.*agents\.py, line \d+; CAVE_SIM_TRACEBACK=1 .*\)"),
    ],
)
def test_what_a_model_of_mesa_cannot_do_is_one_line_that_says_where(option, said, here, capsys):
    code, err = told(capsys, "run", *f"mesa:{option} --steps 2 --quiet".split())
    assert code == 1
    assert re.fullmatch(f"cave-sim: {said}\\)?", err.strip())


def test_what_lies_beside_a_module_of_its_own_is_not_taken_for_it(here, monkeypatch):
    (here / "alone.py").write_text("from neighbour import fail\n")
    (here / "neighbour.py").write_text("def fail():\n    raise ValueError('no')\n")
    monkeypatch.syspath_prepend(here)
    alone = importlib.import_module("alone")
    own_code.blame_too(alone)
    with pytest.raises(ValueError, match="no") as raised:
        alone.fail()
    assert "neighbour" not in own_code.place(raised.value)
