import pytest

from cave_sim import World, WorldError
from cave_sim.history.condition import Condition
from cave_sim.history.measures_by_name import meant
from cave_sim.simulation.measure_by_text import MeasureByText


def test_a_written_measure_that_is_none_has_nothing_to_measure():
    measure = MeasureByText("1 / world.step if world.step else None")
    assert measure(World(seed=1)) is None


def test_a_written_measure_that_divides_by_zero_says_when_and_what_to_write():
    with pytest.raises(WorldError, match=r"division by zero, at step 0; .*it may be None: A / B if B else None"):
        MeasureByText("1 / world.step")(World(seed=1))


def test_a_word_of_another_notation_is_no_misspelt_measure():
    with pytest.raises(WorldError) as raised:
        Condition("steps > 3").value(World(seed=1))
    assert meant(raised.value, ["asleep steps"]) == '. Measures are named so: measures["asleep steps"]'
