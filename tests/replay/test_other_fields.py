"""A run whose classes have other fields now is answered with the fields and the way out, and stays readable."""

import sys
from types import ModuleType

import pytest

from cave_sim import open_run
from cave_sim.cli.main import main
from cave_sim.journal.rebuild import entities_at

TEAHOUSE = """
from cave_sim import Entity, Simulation, World, field

STEPS = 3

class Pot(Entity):
    cups: int = field(3)
    {more}

def create(*, seed, out=None, manifest=None, observers=()):
    world = World(seed=seed)
    world.add("pot", Pot())
    return Simulation(world, out=out, manifest=manifest, observers=observers)
"""


def teahouse(monkeypatch, more):
    module = ModuleType("other_fields.teahouse")
    exec(compile(TEAHOUSE.format(more=more), "teahouse", "exec"), module.__dict__)
    monkeypatch.setitem(sys.modules, "other_fields", ModuleType("other_fields"))
    monkeypatch.setitem(sys.modules, "other_fields.teahouse", module)


@pytest.mark.parametrize(
    ("then", "now", "words"),
    [
        ("", "lid: str = field('on')", "Pot has 'lid' besides"),
        ("lid: str = field('on')", "", "Pot has no field 'lid' any more"),
        (
            "lid: str = field('on')",
            "cover: str = field('on')",
            "Pot has no field 'lid' any more and has 'cover' besides",
        ),
    ],
)
@pytest.mark.parametrize(
    "command", [["resume", "run", "--steps", "4"], ["fork", "run", "--at", "1", "--out", "branch"]]
)
def test_other_fields_are_named_with_the_way_out(tmp_path, monkeypatch, capsys, command, then, now, words):
    monkeypatch.chdir(tmp_path)
    teahouse(monkeypatch, then)
    assert main(["run", "other_fields.teahouse", "--quiet", "--out", "run"]) == 0
    teahouse(monkeypatch, now)
    assert main([*command, "--quiet", "--module", "other_fields.teahouse"]) == 1
    complaint = capsys.readouterr().err
    assert (words in complaint, "Go on with the code that wrote it" in complaint) == (True, True)
    assert complaint.count("\n") == 1
    with open_run(tmp_path / "run") as run:
        assert "pot" in entities_at(run, 3)
