"""Ordinary notebook programs see the same variables on every host, after every stop, and in every copy.

All programs live side by side on one square, so that each way to live costs a few steps and not hundreds of worlds.
"""

import sys

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.runtime import notebooks
from tests.runtime.generated import programs
from tests.runtime.idioms import IDIOMS

IN_PROCESSES = pytest.param(
    notebooks.in_processes,
    marks=pytest.mark.skipif(not sys.platform.startswith("linux"), reason="jails are Linux's"),
    id="in processes",
)
WAYS = [
    pytest.param(notebooks.stopped_at_every_step, id="stopped and resumed at every step"),
    pytest.param(notebooks.forked_at_every_step, id="forked at every step"),
    IN_PROCESSES,
]
NAMES = {f"agent_{number}": title for number, title in enumerate(IDIOMS)}


@pytest.fixture(scope="module")
def square():
    return notebooks.recipe_of({name: IDIOMS[title][:3] for name, title in NAMES.items()})


@pytest.fixture(scope="module")
def at_once(square, tmp_path_factory):
    """Return what became of every idiom in one go."""
    return notebooks.course(notebooks.here(square, tmp_path_factory.mktemp("idioms") / "run"))


@pytest.mark.parametrize("name", NAMES, ids=NAMES.values())
def test_an_idiom_does_what_it_does_in_a_notebook(name, at_once):
    turns, _ = at_once[name]
    assert [turn[1] for turn in turns] == ["committed"] * 3, turns
    assert turns[-1][2] == IDIOMS[NAMES[name]][3]


@pytest.mark.long(cases=0)
@pytest.mark.parametrize("way", WAYS)
def test_every_idiom_is_the_same(way, square, at_once, tmp_path):
    found = notebooks.course(way(square, tmp_path / "run"))
    assert notebooks.differences(at_once, found) == {}


@pytest.mark.long
def test_idioms_come_out_the_same_when_they_are_verified(square, tmp_path):
    notebooks.here(square, tmp_path / "run")
    assert notebooks.verdict(tmp_path / "run").holds


def several(count):
    """Draw so many programs at once, to live side by side."""
    slow = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture]
    one_after_another = settings(
        max_examples=1, derandomize=True, deadline=None, phases=[Phase.generate], suppress_health_check=slow
    )
    return lambda test: one_after_another(given(cells=st.lists(programs(), min_size=count, max_size=count))(test))


@pytest.mark.long(cases=0)
@pytest.mark.parametrize("way", WAYS[:2])
@several(60)
def test_every_generated_program_is_the_same(way, cells, tmp_path_factory):
    same_as_at_once(way, cells, tmp_path_factory)


@pytest.mark.parametrize("way", [IN_PROCESSES])
@several(8)
def test_every_generated_program_is_the_same_in_processes(way, cells, tmp_path_factory):
    same_as_at_once(way, cells, tmp_path_factory)


def same_as_at_once(way, cells, tmp_path_factory):
    square = notebooks.recipe_of({f"agent_{number}": program for number, program in enumerate(cells)})
    folder = tmp_path_factory.mktemp("generated")
    expected = notebooks.course(notebooks.here(square, folder / "at-once"))
    assert notebooks.differences(expected, notebooks.course(way(square, folder / "run"))) == {}
    committed = [turn for name in square.create["programs"] for turn in expected[name][0] if turn[1] == "committed"]
    assert len(committed) > 2 * len(cells)  # most programs do something
