"""What agents do at once comes to the same on every host and after every stop, their variables included."""

from collections import Counter

import pytest

from tests.runtime import notebooks, yards
from tests.runtime.test_idioms import IN_PROCESSES, WAYS

FEW = [
    "nested dict of lists extend",
    "set anew by one, held by others",
    "spawn and run at once",
    "both spawn the same and run it",
    "delegated turns in one batch over one agent's variables",
    "delegated variables and conflict",
    "nested delegated",
    "inject then conflict",
    "retrieve while changed",
    "object fields",
    "two who wire for the first time",
    "spawned and run in a turn that fails",
]
"""Those in which something once differed."""


@pytest.mark.long(cases=1)
@pytest.mark.parametrize("way", [IN_PROCESSES, *WAYS[:2]])
def test_a_batch_comes_to_the_same(way, tmp_path):
    _compare(FEW, way, tmp_path)


@pytest.mark.long(cases=0)
@pytest.mark.parametrize("way", WAYS)
def test_every_batch_comes_to_the_same(way, tmp_path):
    _compare(yards.cases(), way, tmp_path)


def _compare(titles, way, tmp_path):
    recipe = yards.recipe_of(titles)
    here = notebooks.here(recipe, tmp_path / "here")
    expected, found = notebooks.course(here), notebooks.course(way(recipe, tmp_path / "run"))
    statuses = Counter(turn[1] for name, (turns, _) in expected.items() if name for turn in turns)
    assert min(statuses["committed"], statuses["conflict"]) >= len(FEW) // 2
    assert notebooks.differences(expected, found) == {}
    assert notebooks.verdict(here[0]).holds
