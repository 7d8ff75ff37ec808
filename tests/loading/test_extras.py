"""What is optional: a base install runs a town, and whatever needs more says what to install, in one line."""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from cave_sim.loading.extras import MODULES, extra

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
FOR_DEVELOPERS = {"dev", "browser"}

NAMES_ITS_EXTRA = {
    "run town_day --host ray": "ray",
    "run city_day --set host=ray": "ray",
    "run town_day --watch": "dash",
    "run town_day --model openai/some": "llm",
    "run town_day --model local --gguf weights.gguf": "local",
    "run town_day --mirror memory://copy": "mirror",
    "resume town --steps 3 --host ray": "ray",
    "resume town --steps 3 --watch": "dash",
    "export town --format parquet": "export",
    "dash town": "dash",
    "serve --gguf weights.gguf": "local",
    "mcp town": "mcp",
    "study data_tasks": "plots",
    "study bank_account --on ray": "ray",
}
DOES_WITHOUT = {
    "run town_day --steps 2 --residents 3 --out town": "report: town/report.html",
    "diff town town --html page.html": "page: page.html",
    "compare town town --html page.html": "page: page.html",
}
STUDY = "study stateful_types --limit 1 --paradigms cave --out study"

CALLS = """
import contextlib, io, json, os, sys
for name in json.loads(sys.argv[1]):
    sys.modules[name] = None
from cave_sim.cli.main import main
results = {}
for command in json.loads(sys.argv[2]):
    out, err, before = io.StringIO(), io.StringIO(), sorted(os.listdir("."))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(command.split())
    results[command] = [code, out.getvalue(), err.getvalue(), sorted(set(os.listdir(".")) - set(before))]
print(json.dumps(results))
"""


@pytest.mark.parametrize("name", ["networkx", "numpy", "pandas", "plotly", "pydantic", "scikit-learn", "scipy"])
def test_nothing_that_cells_reach_is_older_than_what_hostile_cells_are_tried_on(name):
    lock = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    locked = re.search(rf"^{name}==(\d+\.\d+)", lock, re.MULTILINE)[1]
    needs = [need for group in (PROJECT["dependencies"], *EXTRAS.values()) for need in group]
    assert {need for need in needs if re.match(rf"{name}\b", need)} == {f"{name}>={locked}"}


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """Return what commands come to where nothing of any extra can be imported."""
    here = tmp_path_factory.mktemp("base")
    (here / "weights.gguf").write_bytes(b"GGUF")
    return called(here, *DOES_WITHOUT, *NAMES_ITS_EXTRA)


def called(here, *commands):
    """Call commands in a Python in which nothing of any extra can be imported; return what they come to."""
    missing = json.dumps([module for modules in MODULES.values() for module in modules])
    command = [sys.executable, "-c", CALLS, missing, json.dumps(commands)]
    finished = subprocess.run(command, cwd=here, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stderr
    return json.loads(finished.stdout)


@pytest.mark.parametrize("command", NAMES_ITS_EXTRA)
def test_a_command_that_needs_an_extra_names_it_before_anything_is_written(results, command):
    code, out, err, written = results[command]
    assert (code, out, written) == (1, "", [])
    assert re.fullmatch(rf"cave-sim: .* needs an extra: pip install 'cave_sim\[{NAMES_ITS_EXTRA[command]}\]'\n", err)


@pytest.mark.parametrize("command", DOES_WITHOUT)
def test_a_command_does_without_what_it_can_do_without(results, command):
    code, out, _, _ = results[command]
    assert code == 0
    assert DOES_WITHOUT[command] in out.splitlines()


@pytest.mark.long
def test_a_study_does_without_any_extra(tmp_path):
    code, out, _, _ = called(tmp_path, STUDY)[STUDY]
    assert code == 0
    assert "page: study/study.html" in out.splitlines()


def test_every_extra_that_commands_may_need_is_declared():
    assert MODULES.keys() == EXTRAS.keys() - FOR_DEVELOPERS


def test_a_module_that_no_extra_brings_is_not_blamed_on_one():
    with pytest.raises(ModuleNotFoundError, match="no_such_module"), extra("dash", "a page"):
        import no_such_module  # noqa: F401


def test_the_lock_has_all_that_is_required():
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    locked = {re.split(r"==", line)[0] for line in lines if not line.startswith("#")}
    required = {re.match(r"[\w-]+", each)[0] for each in sum(EXTRAS.values(), PROJECT["dependencies"])}
    assert required <= locked


def test_a_base_install_brings_nothing_of_an_extra():
    base = {re.match(r"[\w-]+", each)[0].replace("-", "_") for each in PROJECT["dependencies"]}
    assert not base & {module for modules in MODULES.values() for module in modules}
