"""The hostile corpus gets nowhere in processes either, ordinary cells run there, and both come to the same state."""

from itertools import pairwise

import pytest

from cave_sim.policy.libraries import late
from tests.long_cases import cases
from tests.policy import square
from tests.policy.hostile import ENDLESS, HOSTILE, LENGTHY
from tests.policy.judge import failure_to_go_on, run, traces
from tests.policy.ordinary import ORDINARY
from tests.runtime.test_depth import DEEP

AT_ONCE = 5
"""Cells of one world: the next ones meet the variables of those before, here and there."""
FIRSTS = "the first of every fourth category"
"""The scripts that are run here each time; `make long` runs all."""

pytestmark = [
    pytest.mark.filterwarnings("ignore::RuntimeWarning"),  # a coroutine that a cell forgot
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore:A value is being set on a copy"),
]

USUAL = [scripts[0] for category, scripts in HOSTILE.items() if category not in (*ENDLESS, *LENGTHY)]
PARTS = {
    FIRSTS: USUAL[::4],
    **{f"the first of the others {first}": USUAL[first::4] for first in (1, 2, 3)},
    **{f"{category} 0": scripts[:1] for category, scripts in HOSTILE.items() if category in (*ENDLESS, *LENGTHY)},
    **{
        f"{category} {first}": scripts[first:last]
        for category, scripts in HOSTILE.items()
        for first, last in pairwise((*range(1, len(scripts), AT_ONCE), len(scripts)))
    },
}


def category_of(part):
    return part.rpartition(" ")[0]


def is_long(part):
    return part != FIRSTS


@pytest.mark.parametrize("part", cases(PARTS, is_long))
def test_hostile_cells_are_contained(hosted, part):
    limits = {"deadline_s": 0.25} if category_of(part) in ENDLESS else {}
    scripts = PARTS[part]
    if late.named_in(scripts):  # the host renews its process for a library, over a socket that is no doing of a cell's
        hosted().execute("import plotly.express\nimport scipy.stats\nimport sklearn", agent="ann")
    world = hosted(**limits)
    for script in scripts:
        outcome = run(script, world)
        assert not traces(outcome), script
        assert world.host.canonical_hash() == outcome.state, script
        if not outcome.left_nothing:
            assert not failure_to_go_on(world), script
            world = hosted(**limits)
    assert not failure_to_go_on(world)


@pytest.mark.long
@pytest.mark.parametrize("first", range(0, len(ORDINARY), AT_ONCE))
def test_ordinary_cells_one_after_another_come_to_the_same(hosted, first):
    here, there = square.build(deadline_s=60), hosted(deadline_s=60)  # far beyond what they take
    for cell, _ in ORDINARY[first : first + AT_ONCE]:
        one, other = here.execute(cell, agent="ann"), there.execute(cell, agent="ann")
        assert (one.status, one.error, one.changes) == (other.status, other.error, other.changes), cell
        assert other.output.startswith(one.output.rstrip("\n")), cell
        assert here.state_hash() == there.state_hash(), cell
    assert here.state_hash() == there.host.canonical_hash()


def test_calls_go_as_deep_in_processes_as_here(hosted):
    here, there = square.build(), hosted()
    for cell in DEEP.values():
        one, other = (world.execute(f"went = [0]\n{cell}", agent="ann") for world in (here, there))
        assert (one.status, one.error) == (other.status, other.error), cell
        assert here.variables_hash() == there.variables_hash(), cell
