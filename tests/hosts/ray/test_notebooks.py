"""Ordinary notebook programs, and programs put together at random, come out on Ray as they do in this process."""

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.runtime import notebooks
from tests.runtime.generated import programs
from tests.runtime.idioms import IDIOMS

drawn = settings(
    max_examples=1, derandomize=True, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck)
)


@pytest.mark.long
@pytest.mark.usefixtures("cluster")
@drawn
@given(cells=st.lists(programs(), min_size=40, max_size=40))
def test_every_program_is_the_same_on_ray(cells, tmp_path_factory):
    cells = [*(idiom[:3] for idiom in IDIOMS.values()), *cells]
    square = notebooks.recipe_of({f"agent_{number}": program for number, program in enumerate(cells)})
    folder = tmp_path_factory.mktemp("on-ray")
    expected = notebooks.course(notebooks.here(square, folder / "here"))
    assert notebooks.differences(expected, notebooks.course(notebooks.on_ray(square, folder / "there"))) == {}
