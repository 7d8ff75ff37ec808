"""Which agents of one class may have changed since the step before, asked for all of them at once."""

import mesa
import pytest

from cave_sim.mesa_models.counterpart_classes import Attributes
from cave_sim.mesa_models.lookout import UNWATCHED_STEPS, Lookout


class Sheep(mesa.Agent):
    def __init__(self, model):
        super().__init__(model)
        self.wool = 1000.0


@pytest.fixture
def flock():
    model = mesa.Model()
    return [Sheep(model) for _ in range(4)]


@pytest.fixture
def changed(flock):
    """Return what a lookout that has seen the flock tells of another one."""
    lookout = Lookout(Sheep, Attributes.of(flock), None)
    assert list(lookout.changed(flock)) == flock
    return lambda agents: list(lookout.changed(agents))


def test_nobody_has_changed_who_holds_the_very_same(flock, changed):
    assert changed(flock) == []


def test_who_got_another_value_has_changed_even_if_it_is_equal(flock, changed):
    flock[1].wool, flock[2].wool = 1000, float("1000")
    assert changed(flock) == flock[1:3]
    assert changed(flock) == []


def test_who_got_another_attribute_has_changed(flock, changed):
    flock[3].name = "Dolly"
    assert changed(flock) == flock[3:]


def test_newcomers_have_changed_and_who_stands_elsewhere_in_the_row_has_not(flock, changed):
    newcomer = Sheep(flock[0].model)
    flock[3].wool = 7
    assert changed([flock[3], newcomer, flock[0]]) == [flock[3], newcomer]


def test_all_are_looked_at_while_one_of_them_lacks_what_the_others_have(flock, changed):
    del flock[0].wool
    assert changed(flock) == flock == changed(flock)
    flock[0].wool = 5
    assert changed(flock) == flock
    assert changed(flock) == []


def test_where_most_have_changed_all_are_looked_at_for_a_while(flock, changed):
    for sheep in flock[:3]:
        sheep.wool += 1
    assert changed(flock) == flock[:3]
    assert [changed(flock) for _ in range(UNWATCHED_STEPS + 1)] == [flock] * (UNWATCHED_STEPS + 1)
    assert changed(flock) == []
