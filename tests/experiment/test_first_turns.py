import pytest

from cave_sim import WorldError
from cave_sim.simulations.studies import smart_home


def test_only_the_first_turns_of_a_day_are_asked_if_so_many_are_wanted():
    for short, whole in zip(smart_home.tasks(7, turns="3"), smart_home.tasks(7), strict=True):
        assert short.queries == whole.queries[:3]


@pytest.mark.parametrize("turns", ["0", "21", "some"])
def test_a_day_has_its_turns_and_no_others(turns):
    with pytest.raises(WorldError, match="from 1 to 20 turns"):
        smart_home.tasks(7, turns=turns)
