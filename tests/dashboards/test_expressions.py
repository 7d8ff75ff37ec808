"""Any expression as a measure: what one that comes to no number is told."""

import pytest

from cave_sim import WorldError
from cave_sim.dashboards.lookups.expressions import worked_out
from cave_sim.simulations import town_day


@pytest.fixture
def folder(tmp_path):
    simulation = town_day.create(seed=7, residents=2, out=tmp_path / "run")
    simulation.run(steps=1)
    simulation.close()
    return tmp_path / "run"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("town.title", "'town.title' comes to no number, but to 'Helsinki centre' at step 0; a measure is a number"),
        ("None", "'None' comes to no number, but to None at step 0; a measure is a number"),
        ("[p.title for p in world.all('Place')]", " … at step 0"),
        ("town.shoes", "town has no field 'shoes'"),
    ],
)  # fmt: skip
def test_what_comes_to_no_number_is_told_with_what_it_comes_to(folder, text, told):
    with pytest.raises(WorldError) as refused:
        worked_out(folder, text)
    assert told in str(refused.value)


def test_the_length_of_a_text_is_a_measure(folder):
    assert worked_out(folder, "len(town.title)")["lines"]["len(town.title)"]["values"] == [15.0, 15.0]
