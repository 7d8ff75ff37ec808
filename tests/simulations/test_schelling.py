"""Schelling's board: mild wishes separate, and the same seed gives the same board."""

import mesa
import pytest

from cave_sim.replay.recipe import Recipe
from cave_sim.simulations.schelling.model import Board
from cave_sim.testing import MesaModelContract

GOLDEN = {
    "3.3": "fee0f2ec569639de349edf73688d3dc7738a28e3af1a970aed6000efa2761278",
    "3.5": "930ba907ae056079d8afe963cf1c9a5de1476e9bbf210332e0b4d6e08fa2c857",
}
"""The state after a board has come to rest, by the version of Mesa, which keeps other counts of its own."""


class TestBoard(MesaModelContract):
    model = Board
    steps = 8


def run(**create):
    simulation = Recipe("schelling", {"seed": 7, **create}).make()
    return simulation.run(until=60)


def test_the_same_board_comes_to_the_same_rest():
    version = ".".join(mesa.__version__.split(".")[:2])
    if version not in GOLDEN:
        pytest.skip(f"nobody has recorded it with Mesa {version}")
    assert run().state_hash == GOLDEN[version]


@pytest.mark.long
def test_mild_wishes_separate_and_none_do_not():
    likes = {wanted: run(wanted=wanted).latest_measures["like_neighbours (share)"] for wanted in (0.0, 0.34, 0.5)}
    assert likes[0.0] < 0.6 < 0.7 < likes[0.34] < likes[0.5]


def test_a_board_at_rest_takes_no_more_steps():
    simulation = run()
    assert simulation.over
    assert simulation.latest_measures["content (share)"] == 1
    assert simulation.world.clock.step < 60
