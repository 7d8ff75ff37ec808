"""Ordinary programs show in cells what they show in Python, over turns and in one, on every host, after every stop."""

import pytest

from tests.long_cases import cases
from tests.runtime import notebooks
from tests.runtime.plain_python import PROGRAMS, in_python
from tests.runtime.test_idioms import WAYS

NAMES = {f"agent_{number}": title for number, title in enumerate(PROGRAMS)}
USUAL = [*NAMES][::3]
"""Whose programs `make test` runs; `make long` runs all."""
OF_EACH = cases(NAMES, lambda name: name not in USUAL)


@pytest.fixture(scope="module")
def square(pytestconfig):
    """Return a square on which each program is somebody's notebook, and somebody else's single cell."""
    apart = {name: PROGRAMS[NAMES[name]] for name in (NAMES if pytestconfig.option.long else USUAL)}
    return notebooks.recipe_of(apart | {f"{name}_at_once": ["\n".join(cells)] for name, cells in apart.items()})


@pytest.fixture(scope="module")
def here(square, tmp_path_factory):
    """Return what became of every program in one go."""
    return notebooks.course(notebooks.here(square, tmp_path_factory.mktemp("plain") / "run"))


@pytest.mark.parametrize("name", OF_EACH, ids=NAMES.values())
def test_a_program_over_turns_shows_what_it_shows_in_python(name, here):
    turns, _ = here[name]
    told = [(status, output, error) for _, status, output, error, _ in turns[: len(PROGRAMS[NAMES[name]])]]
    assert told == [("committed", each, None) for each in in_python(NAMES[name])]


@pytest.mark.parametrize("name", OF_EACH, ids=NAMES.values())
def test_a_program_in_one_cell_shows_what_it_shows_in_python(name, here):
    _, status, output, error, _ = here[f"{name}_at_once"][0][0]
    assert (status, error) == ("committed", None)
    assert output.endswith(in_python(NAMES[name])[-1])


@pytest.mark.long(cases=0)
@pytest.mark.parametrize("way", WAYS)
def test_every_program_leaves_the_same_everywhere(way, square, here, tmp_path):
    assert notebooks.differences(here, notebooks.course(way(square, tmp_path / "run"))) == {}


@pytest.mark.long
def test_every_program_comes_out_the_same_when_it_is_verified(square, tmp_path):
    notebooks.here(square, tmp_path / "run")
    assert notebooks.verdict(tmp_path / "run").holds


def test_there_are_enough_of_them():
    assert len(PROGRAMS) >= 250
