"""What is light stays light: no library is imported for a help text, or before a name is asked for."""

import ast
import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import cave_sim
from cave_sim.cli.main import COMMANDS

HEAVY = {"mesa", "pandas", "scipy", "ray", "plotly", "numpy", "networkx", "pydantic", "rich"}
MAIN = "from cave_sim.cli.main import main; main"


QUICK = ["import cave_sim", *(f"{MAIN}(['{word}'])" for word in ("--help", "--version", "--nix", "nix"))]


@pytest.mark.parametrize("code", QUICK)
def test_no_library_is_waited_for(code):
    told = f"""
import contextlib, json, sys
with contextlib.suppress(SystemExit), contextlib.redirect_stdout(None), contextlib.redirect_stderr(sys.stdout):
    {code}
json.dump(sorted({{name.partition(".")[0] for name in sys.modules}}), sys.__stderr__)
"""
    finished = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    assert not HEAVY & {*json.loads(finished.stderr)}


def test_every_public_name_is_there_and_seen():
    assert all(getattr(cave_sim, name) is not None for name in cave_sim.__all__)
    assert {*cave_sim.__all__} <= {*dir(cave_sim)}


def test_a_name_that_is_not_public_is_not_there():
    with pytest.raises(AttributeError, match="module 'cave_sim' has no attribute 'Nobody'"):
        cave_sim.Nobody  # noqa: B018


def test_a_name_is_what_type_checkers_are_told_that_it_is():
    tree = ast.parse(Path(cave_sim.__file__).read_bytes())
    (for_types,) = [node for node in tree.body if isinstance(node, ast.If)]
    told = {alias.name: node.module for node in for_types.body for alias in node.names}
    assert told == cave_sim.HOMES
    assert all(getattr(import_module(home), name) is getattr(cave_sim, name) for name, home in told.items())


def test_every_command_has_its_module_and_every_module_its_command():
    folder = Path(cave_sim.__file__).parent / "cli" / "commands"
    assert {path.stem for path in folder.glob("*.py")} - {"__init__"} == COMMANDS.keys()
