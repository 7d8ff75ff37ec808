"""Branches: the tree of runs."""

import json

import pytest

from cave_sim import Simulation, World, open_run
from cave_sim.cli.main import main
from cave_sim.history.branches import branches, tree_lines


@pytest.fixture
def forest(tmp_path):
    """A run, two branches of it, a branch of a branch, and a stranger beside them."""

    def grow(name, parent=None, at=1, hashed=None):
        manifest = {}
        if parent:
            with open_run(tmp_path / parent) as run:
                found = hashed or next(step.hash for step in run.steps() if step.step == at)
            manifest = {"parents": [{"run": parent, "step": at, "hash": found}]}
        simulation = Simulation(World(seed=7), out=tmp_path / name, manifest=manifest)
        simulation.run(until=3)
        simulation.close()

    grow("stem")
    grow("left", "stem")
    grow("leaf", "left", at=2)
    grow("right", "stem")
    grow("stranger")
    grow("liar", "stem", hashed="0" * 64)
    return tmp_path


def test_branches_hang_below_the_run_they_came_from(forest):
    stem, stranger = branches(forest / "leaf")
    assert [child.name for child in stem.children] == ["left", "liar", "right"]
    assert [child.name for child in stem.children[0].children] == ["leaf"]
    assert stranger.name == "stranger"


def test_a_parent_that_is_not_as_it_was_is_told(forest):
    stem, _ = branches(forest / "stem")
    assert [child.is_true for child in stem.children] == [True, False, True]


def test_the_tree_is_tree_lines_line_by_line(forest):
    stem, _ = branches(forest / "stem")
    lines = list(tree_lines(stem, "leaf"))
    assert lines[1].startswith("├── left  forked at step 1, steps 0 to 3")
    assert lines[2].startswith("│   └── leaf")
    assert lines[2].endswith("<- here")
    assert lines[-1].startswith("└── right")


def test_a_branch_whose_parent_is_elsewhere_is_a_tree_of_its_own(forest, tmp_path):
    for path in sorted((forest / "stem").iterdir()):
        path.unlink()
    names = {tree.name: tree.is_true for tree in branches(forest / "left")}
    assert names == {"left": False, "right": False, "liar": False, "stranger": True}


def test_the_command_draws_one_tree_or_all(forest, capsys):
    assert main(["branches", str(forest / "leaf")]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 5
    assert main(["branches", str(forest / "leaf"), "--all", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)) == 2
    assert main(["branches", str(forest)]) == 0
    drawn = capsys.readouterr().out
    assert (len(drawn.splitlines()), "<- here" in drawn) == (6, False)
    (forest / "empty").mkdir()
    assert main(["branches", str(forest / "empty")]) == 1
