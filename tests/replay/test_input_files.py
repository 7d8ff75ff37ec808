"""A run that was made from files knows what was in them, and goes on with what it began with."""

import logging

import pytest

from cave_sim import open_run
from cave_sim.models.from_cli import ModelChoice
from cave_sim.replay.fork import fork
from cave_sim.replay.input_files import other_files
from cave_sim.replay.made_by import MADE_OTHERWISE
from cave_sim.replay.recipe import Recipe
from cave_sim.replay.resume import resume

PEOPLE = "name,age,prompts\nAino Testi,34,{}\nBo Prov,70,\n"


@pytest.fixture
def files(tmp_path):
    (tmp_path / "terse.toml").write_text('resident = "Say little."\n')
    (tmp_path / "people.csv").write_text(PEOPLE.format(tmp_path / "terse.toml"))
    return tmp_path


@pytest.fixture
def run(files):
    create = {"seed": 7, "personas": str(files / "people.csv"), "residents": 2}
    with Recipe("town_day", create, model=ModelChoice("scripted")).make(files / "run") as simulation:
        simulation.run(steps=2)
    return files / "run"


def test_a_manifest_holds_the_prompts_of_each_resident_and_the_digest_of_the_file(run):
    with open_run(run) as read:
        assert read.manifest["prompts_of"]["aino_testi"]["texts"] == {"resident": "Say little."}
        assert list(read.manifest["prompts_of"]) == ["aino_testi"]
        assert len(read.manifest["files"]["personas"]) == 64


@pytest.mark.parametrize("way", ["resumed", "forked"])
def test_who_was_told_something_of_their_own_is_told_that_when_the_file_says_something_else(run, files, way):
    (files / "terse.toml").write_text('resident = "Say much."\n')
    simulation = resume(run) if way == "resumed" else fork(run, at=1, out=files / "branch")
    with simulation:
        assert simulation.by_name["aino_testi"].wording("resident", "") == "Say little."
        simulation.run(steps=1)
    with open_run(run if way == "resumed" else files / "branch") as read:
        assert read.manifest["prompts_of"]["aino_testi"]["texts"] == {"resident": "Say little."}


def test_a_file_that_changed_is_named(run, files, caplog):
    people = files / "people.csv"
    people.write_text(people.read_text() + "Cecilia Ek,20,\n")
    with caplog.at_level(logging.WARNING), resume(run) as simulation:
        simulation.run(steps=1)
    assert f"not as it was when the run began: {people} (personas)" in caplog.text
    with open_run(run) as read:
        assert "people.csv" in str(read.query("SELECT data FROM events WHERE kind = ?", MADE_OTHERWISE))


def test_a_file_that_is_as_it_was_is_not_named(run, caplog):
    with caplog.at_level(logging.WARNING), resume(run):
        assert "not as it was" not in caplog.text


@pytest.mark.parametrize("files", [3, [], {"personas": 5}, {"seed": "x"}, {"nothing": "x"}, {"personas": None}])
def test_a_manifest_that_says_nonsense_of_its_files_ends_nothing(files):
    assert isinstance(other_files({"files": files, "create": {"seed": 7, "personas": "/dev/zero"}}), str)


OWN = """
from cave_sim import Agent, Simulation, World
from cave_sim.entity.entity import Entity
STEPS = 4
class Walker(Agent):
    def act(self, observation):
        return "x = {number}"
def create(*, seed=7, **run):
    world = World(seed=seed)
    world.add("ann", Entity())
    return Simulation(world, [(Walker, "ann")], **run)
"""


@pytest.fixture
def own_run(tmp_path):
    (tmp_path / "walk.py").write_text(OWN.format(number=1))
    with Recipe.named(str(tmp_path / "walk.py"), create={"seed": 7}).make(tmp_path / "run") as simulation:
        simulation.run(steps=2)
    return tmp_path / "run"


def test_a_manifest_holds_the_digest_of_code_of_ones_own(own_run):
    with open_run(own_run) as read:
        assert len(read.manifest["own_code"]) == 64


@pytest.mark.parametrize("way", ["resumed", "forked"])
def test_code_of_ones_own_that_is_another_is_named(own_run, tmp_path, way, caplog):
    (tmp_path / "walk.py").write_text(OWN.format(number=2))
    with caplog.at_level(logging.WARNING):
        simulation = resume(own_run) if way == "resumed" else fork(own_run, at=1, out=tmp_path / "branch")
        with simulation:
            simulation.run(steps=1)
    assert "not as it was when the run began: the code of walk" in caplog.text
    with open_run(own_run if way == "resumed" else tmp_path / "branch") as read:
        assert "the code of walk" in str(read.query("SELECT data FROM events WHERE kind = ?", MADE_OTHERWISE))


def test_a_branch_knows_the_code_that_it_was_made_by_and_not_its_parents(own_run, tmp_path):
    (tmp_path / "walk.py").write_text(OWN.format(number=2))
    with fork(own_run, at=1, out=tmp_path / "branch") as branch:
        branch.run(steps=1)
    with open_run(tmp_path / "branch") as read:
        assert other_files(read.manifest) == ""
        (tmp_path / "walk.py").write_text(OWN.format(number=1))
        assert other_files(read.manifest) == "not as it was when the run began: the code of walk"


@pytest.mark.parametrize(
    ("imports", "file", "told"),
    [
        ("import helper", "helper.py", "helper.py beside it"),
        ("from parts import rules", "parts/rules.py", "parts/rules.py beside it"),
        ("from parts.rules import *", "parts/__init__.py", "parts/__init__.py beside it"),
        ("import helper", "deeper.py", "deeper.py beside it"),  # which helper imports
        ("import helper", "gone", "helper.py beside it, which is gone"),
        ("import helper", "queue.py", ""),  # Python's own is taken
        ("import helper", "unused.py", ""),
    ],
)
def test_a_module_beside_code_of_ones_own_that_is_another_is_named(tmp_path, imports, file, told):
    (tmp_path / "parts").mkdir()
    for name in ("deeper.py", "queue.py", "unused.py", "parts/__init__.py", "parts/rules.py"):
        (tmp_path / name).write_text("")
    (tmp_path / "helper.py").write_text("import queue\n\n\ndef far():\n    import deeper\n")
    (tmp_path / "aside.py").write_text(f"{imports}\nimport math\n")
    entries = Recipe("aside", found_in=str(tmp_path)).made_from()
    manifest = {"module": "aside", "found_in": str(tmp_path), "create": {}, **entries}
    assert other_files(manifest) == ""
    if file == "gone":
        (tmp_path / "helper.py").unlink()
    else:
        (tmp_path / file).write_text("edited = True\n")
    assert other_files(manifest).removeprefix("not as it was when the run began: ") == told


@pytest.mark.parametrize("name", ["/etc/hostname", "../secret.py", "a/../../secret.py"])
def test_a_manifest_names_no_module_outside_of_its_folder(own_run, tmp_path, name):
    with open_run(own_run) as read:
        manifest = read.manifest | {"own_modules": {name: "0" * 64}}
    assert other_files(manifest) == ""


@pytest.mark.parametrize("change", ["", "gone"])
def test_code_of_ones_own_that_is_the_same_or_gone_is_not_named(own_run, tmp_path, change, caplog):
    if change:
        (tmp_path / "walk.py").unlink()
    with open_run(own_run) as read:
        assert other_files(read.manifest) == ""


@pytest.mark.parametrize("code", [3, "", ["x"], None])
def test_a_manifest_that_says_nonsense_of_its_code_ends_nothing(code):
    for module, folder in ((code, "/dev"), ("zero", code), ("a/../..", "/dev")):
        assert isinstance(
            other_files({"own_code": code, "own_modules": code, "module": module, "found_in": folder}), str
        )
