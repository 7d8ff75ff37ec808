"""What Python asks of trusted objects by itself has no order that another process would not have."""

import pytest

from cave_sim import World
from tests.world.laboratory import ASKED, MIXED, Lab, lab_world


@pytest.mark.parametrize("cell", ASKED)
def test_what_python_asks_of_an_object_by_itself_is_handed_over_too(cell):
    turn = lab_world().execute(cell, agent="ann")
    assert (turn.output, turn.error) == (ASKED[cell], None)


def test_special_methods_are_what_they_were_for_trusted_code():
    lab = Lab()
    world = World(seed=1)
    world.inject("lab", lab)
    assert type(lab()) is set
    assert list(lab) == list(MIXED)
    assert lab["log"] is lab.log
    assert repr(lab.sample) == f"Sample(marks={set(MIXED)})"


def test_what_a_special_method_answers_is_the_cells_own_and_what_an_attribute_holds_is_the_objects():
    lab = Lab()
    world = World(seed=1)
    world.inject("lab", lab)
    assert world.execute("lab['log'].append(lambda: 1)").committed
    assert lab.log == []
    assert world.execute("lab.log.append(lambda: 1)").status == "blocked"
    assert world.execute("lab.log.append(1)").committed
    assert lab.log == [1]
