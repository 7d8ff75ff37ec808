"""Minds that are asked within a cell, and objects that are handed over, in a simulation that lives in an actor."""

import os
import signal
from concurrent.futures import ThreadPoolExecutor

import pytest

from cave_sim.hosts.ray import launch
from cave_sim.simulations import pipeline, workshop
from tests.simulations import test_pipeline, test_workshop

STEPS = {test_workshop: workshop.STEPS, test_pipeline: pipeline.STEPS}
named = pytest.mark.parametrize("ours", STEPS, ids=["workshop", "pipeline"])


@pytest.mark.long(cases=0)
@pytest.mark.parametrize("require", [None, "guarded"])
@named
def test_a_simulation_in_an_actor_comes_to_the_state_that_it_has_everywhere(cluster, tmp_path, ours, require):
    remote = launch(ours.RECIPE, tmp_path / ours.RECIPE.simulation, require=require)
    try:
        assert remote.run(until=STEPS[ours]) == ours.HASH
    finally:
        remote.end()


@pytest.mark.long(cases=0)
@pytest.mark.parametrize("within", [False, True], ids=["between two steps", "within one"])
@named
def test_an_actor_that_is_killed_comes_to_the_same_state(cluster, tmp_path, ours, within):
    remote = launch(ours.RECIPE, tmp_path / ours.RECIPE.simulation)
    try:
        remote.run(until=1)
        killed = remote.about()["process"]
        with ThreadPoolExecutor(1) as threads:
            running = threads.submit(remote.run, STEPS[ours]) if within else None
            os.kill(killed, signal.SIGKILL)
            assert (running.result() if running else remote.run(until=STEPS[ours])) == ours.HASH
        assert remote.about()["process"] != killed
    finally:
        remote.end()
