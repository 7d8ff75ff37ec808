"""What agents in sandboxed processes had comes back when a run is gone on with; none of their code runs outside."""

import os
import signal
import subprocess
import sys

import pytest

from cave_sim import Simulation, open_run
from cave_sim.hosts.placement import isolated
from cave_sim.hosts.process.host import ProcessHost
from cave_sim.journal.integrity import problems
from cave_sim.replay.recipe import Recipe
from cave_sim.replay.resume import resume
from tests.hosts.process import broken
from tests.hosts.process.break_ins import LIES
from tests.hosts.process.broken import SIGN

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the sandbox is Linux's")

TOWN = Recipe("town_day", {"seed": 7, "residents": 2})
CELL = "seen = {'a': [1, 2]}\nsame = seen\ndef twice(x):\n    return 2 * x"
KILLED = """
import os, signal, sys
from cave_sim.hosts.placement import isolated
from tests.runtime.test_serialization import CELL, TOWN

simulation = TOWN.make(sys.argv[1])
isolated(simulation, TOWN)
simulation.world.execute(CELL, "mayor")
simulation.run(until=3)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def killed(tmp_path):
    """Return the folder of a run whose process was killed after the mayor had made variables in a sandbox."""
    command = [sys.executable, "-c", KILLED, str(tmp_path / "run")]
    ended = subprocess.run(command, env={**os.environ, "PYTHONPATH": "."}, capture_output=True, text=True, check=False)
    assert ended.returncode == -signal.SIGKILL, ended.stderr
    return tmp_path / "run"


@pytest.mark.long
def test_variables_of_agents_in_processes_outlive_a_kill(killed):
    simulation = resume(killed)
    mayor = simulation.world.interpreter.namespace("mayor")
    assert set(mayor.data) == {"seen", "same", "twice"}
    assert set(mayor.globals) <= {"__builtins__", "_tick_", "_enter_"}, "code of cells ran outside of the sandbox"
    with isolated(simulation, TOWN):
        turn = simulation.world.execute("same['a'].append(twice(4))\nseen['a']", agent="mayor")
        assert (turn.status, turn.output) == ("committed", "[1, 2, 8]")
        simulation.run(until=5)
        simulation.close()
    with open_run(killed) as run:
        assert list(problems(run)) == []


@pytest.mark.long
def test_they_are_awake_where_cells_run_in_this_process(killed):
    simulation = resume(killed)
    assert simulation.world.execute("twice(len(same['a']))", agent="mayor").output == "4"
    simulation.close()


def test_who_was_suspended_stays_so_when_the_run_is_gone_on_with(tmp_path):
    with ProcessHost("tests.hosts.process.broken:build") as host:
        simulation = Simulation(broken.build_square(), out=tmp_path / "run")
        host.attach(simulation.world)
        for _ in range(3):
            simulation.world.execute(SIGN + LIES["a vault"], agent="ann")
        simulation.step()
        simulation.journal.abandon()
        simulation = resume(tmp_path / "run", simulation=Simulation(broken.build_square()))
        host.attach(simulation.world)
        assert "suspended" in simulation.world.execute("1", agent="ann").error
        assert simulation.world.execute("1", agent="bob").committed
        simulation.close()
