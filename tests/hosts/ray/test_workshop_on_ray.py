"""Minds that are asked within a cell, in a simulation that lives in an actor."""

import pytest

from cave_sim.hosts.ray import launch
from cave_sim.simulations import workshop
from tests.simulations.test_workshop import HASH, RECIPE


@pytest.mark.long(cases=0)
@pytest.mark.parametrize("require", [None, "guarded"])
def test_a_workshop_in_an_actor_comes_to_the_same_state(cluster, tmp_path, require):
    remote = launch(RECIPE, tmp_path / "workshop", require=require)
    try:
        assert remote.run(until=workshop.STEPS) == HASH
    finally:
        remote.end()
