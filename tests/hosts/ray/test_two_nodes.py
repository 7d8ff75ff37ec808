"""A world whose node is lost goes on at another node, as if nothing had been."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from cave_sim import open_run
from tests.hosts.ray.two_nodes import CELLS, STEPS, TOWN

ROOT = Path(__file__).parents[3]


@pytest.mark.long
def test_the_loss_of_its_node_loses_nothing_of_a_world(tmp_path):
    command = [sys.executable, "-m", "tests.hosts.ray.two_nodes", str(tmp_path)]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=True)
    seen = json.loads(ended.stdout.splitlines()[-1])
    assert seen["told"] == "['in the morning', 'just before']"
    assert seen["moved"]
    assert seen["hash"] == local_hash()
    with open_run(tmp_path / seen["run"]) as run:
        assert [turn.code for turn in run.turns("mayor") if turn.code in CELLS] == CELLS


def local_hash():
    simulation = TOWN.make()
    simulation.world.execute(CELLS[0], "mayor")
    simulation.run(until=STEPS // 2)
    simulation.world.execute(CELLS[1], "mayor")
    simulation.world.execute("[*town.announcements]", "mayor")
    return simulation.run(until=STEPS).state_hash
