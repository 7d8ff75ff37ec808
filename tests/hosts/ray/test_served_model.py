"""A model on Ray Serve is no more than an api_base."""

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from cave_sim.models.from_cli import ModelChoice
from cave_sim.replay.recipe import Recipe
from tests.hosts.contracts import STORM
from tests.hosts.ray.served_model import UNTIL

ROOT = Path(__file__).parents[3]
NEEDS = ("fastapi", "grpc", "grpc_reflection", "litellm")


@pytest.mark.skipif(not all(map(find_spec, NEEDS)), reason="pip install 'ray[serve]' litellm")
def test_minds_that_ask_a_model_on_ray_serve_act_as_with_the_model_itself(tmp_path):
    command = [sys.executable, "-m", "tests.hosts.ray.served_model", str(tmp_path / "run")]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=True)
    seen = json.loads(ended.stdout.splitlines()[-1])
    simulation = Recipe("storm_warning", STORM, ModelChoice()).make()
    simulation.run(until=UNTIL)
    assert seen["hash"] == simulation.state_hash
    assert seen["calls"] == simulation.calls.budgets.spent.calls > 0
