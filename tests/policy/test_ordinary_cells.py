"""What a language model ordinarily writes runs, and means what it means in Python, wherever and however often."""

import pytest

from cave_sim import World
from cave_sim.policy import scope
from cave_sim.simulation.run_state import AgentState
from tests.policy import square
from tests.policy.judge import untouched
from tests.policy.ordinary import ORDINARY
from tests.policy.ordinary_modules import MODULES
from tests.runtime import notebooks
from tests.runtime.test_idioms import WAYS


@pytest.fixture(scope="module")
def as_good_as_new():
    """Return squares in which nobody has acted, or nobody who left anything: most cells leave variables alone."""
    return []


@pytest.mark.parametrize(("cell", "shown"), ORDINARY, ids=[cell.splitlines()[0][:40] for cell, _ in ORDINARY])
def test_an_ordinary_cell_runs(cell, shown, as_good_as_new):
    world = as_good_as_new.pop() if as_good_as_new else square.build(deadline_s=60)  # far beyond what they take
    turn = world.execute(cell, agent="ann")
    assert (turn.status, turn.error) == ("committed", None)
    assert shown is None or turn.output.endswith(repr(shown))
    AgentState.forget(world, "ann")
    if not turn.changes and world.variables_hash() == untouched().world.variables_hash():
        as_good_as_new.append(world)


@pytest.fixture(scope="module")
def side_by_side():
    """Return a square on which somebody runs each cell that imports something, and goes on for a turn."""
    return notebooks.recipe_of(
        {f"agent_{number}": [cell, "kept = len(me.notes)"] for number, (cell, _) in enumerate(MODULES)}
    )


@pytest.fixture(scope="module")
def at_once(side_by_side, tmp_path_factory):
    """Return what became of each of them in one go."""
    return notebooks.course(notebooks.here(side_by_side, tmp_path_factory.mktemp("cells") / "run"))


@pytest.mark.long(cases=0)
@pytest.mark.parametrize("way", WAYS)
def test_they_leave_the_same_everywhere(way, side_by_side, at_once, tmp_path):
    turns = [turn for name, (turns, _) in at_once.items() if name for turn in turns]
    assert [turn for turn in turns if turn[1] != "committed"] == []
    assert len(turns) >= 2 * len(MODULES)
    found = notebooks.course(way(side_by_side, tmp_path / "run"))
    assert notebooks.differences(at_once, found) == {}


def test_there_are_enough_of_them():
    assert len(ORDINARY) >= 300
    assert len(MODULES) >= 100


def test_a_module_within_another_is_imported_in_every_way_that_python_has():
    world = World(seed=7)
    for module in sorted(name for name in scope.MODULES if "." in name):
        package, _, name = module.rpartition(".")
        ways = f"import {module}\n{module}", f"import {module} as x\nx", f"from {package} import {name}\n{name}"
        told = {turn.output for turn in map(world.execute, ways)}
        assert [text[: len("<module ")] for text in told] == ["<module "], module
