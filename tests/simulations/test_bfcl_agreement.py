"""Right and spoilt answers of the leaderboard's tasks: our verdict is its own, on some of each split."""

import pytest

from cave_sim.simulations.studies import bfcl
from tests.simulations.bfcl_agreement import TURNS, agreement
from tests.simulations.test_bfcl import installed


@installed
@pytest.mark.parametrize("split", [*bfcl.SINGLE_TURN, *bfcl.MULTI_TURN])
def test_a_verdict_is_that_of_the_leaderboard_on_the_same_calls(split):
    counts, others = agreement(split, every=50, most=len(TURNS) if split in bfcl.MULTI_TURN else 6)
    assert counts.total() > 0
    assert others == []
