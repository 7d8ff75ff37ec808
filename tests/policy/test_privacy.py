"""Nobody learns what is not for them: in two worlds that differ in secrets alone, a cell is told the very same."""

from functools import partial

import pytest

from tests.policy import hostile_hearsay, hostile_privacy, parlour
from tests.policy.hostile import scripts
from tests.policy.spying import learned

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")  # a coroutine that a cell forgot
WAYS = [
    pytest.param(script, id=f"{category}-{number}", marks=[pytest.mark.long] * (number % 2))
    for category, page in (hostile_privacy.PAGES | hostile_hearsay.PAGES).items()
    for number, script in enumerate(scripts(page))
]


@pytest.mark.parametrize("script", WAYS)
def test_a_cell_learns_nothing_that_is_not_for_its_agent(script):
    assert not learned(script)


@pytest.mark.long
def test_the_ways_are_many_and_most_lead_to_it_where_it_may_be_read():
    everything = [param.values[0] for param in WAYS]
    assert len(everything) >= 110
    told_so = [script for script in everything if learned(script, partial(parlour.build, told=True))]
    assert len(told_so) >= len(everything) // 2
