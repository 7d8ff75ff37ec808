"""Ctrl-C ends a command in one line, wherever it comes, and so does one after another."""

import re
import signal
import subprocess
import sys

import pytest

SIMULATION = """
import atexit, signal
from cave_sim import Simulation, World
STEPS = 5
class Loud:
    def __del__(self, press=signal.raise_signal, number=signal.SIGINT):
        press(number)
def again():
    signal.raise_signal(signal.SIGINT)
def create(*, seed=7, out=None, observers=(), manifest=None):
    world = World(seed=seed)
    @world.dynamics
    def go(world):
        if world.clock.step == 2:
            {what}
    return Simulation(world, {{}}, out=out, observers=list(observers), manifest=manifest or {{}})
"""
BETWEEN = "raise KeyboardInterrupt"
WHERE = {
    "in a step": BETWEEN,
    "while an object is let go of": "Loud()",
    "and again as the process ends": f"atexit.register(again); {BETWEEN}",
    "and again as what is left is let go of": f"signal.left = Loud(); {BETWEEN}",
}


@pytest.mark.parametrize("ignored", [False, True], ids=["", "as where Ctrl-C is ignored"])
def test_sigterm_ends_it_as_ctrl_c_does_with_an_exit_code_of_its_own(tmp_path, ignored):
    (tmp_path / "tea.py").write_text(SIMULATION.format(what="signal.raise_signal(signal.SIGTERM)"))
    command = [sys.executable, "-m", "cave_sim", "run", "tea.py", "--quiet", "--out", "r"]
    deaf = {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.SIG_IGN)} if ignored else {}
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, **deaf)
    assert (ended.returncode, ended.stdout) == (143, "")
    assert re.fullmatch(r"cave-sim: stopped at step [1-3] of 5; to go on: cave-sim resume r\n", ended.stderr)


@pytest.mark.parametrize("where", WHERE)
def test_it_ends_in_one_line(tmp_path, where):
    (tmp_path / "tea.py").write_text(SIMULATION.format(what=WHERE[where]))
    command = [sys.executable, "-m", "cave_sim", "run", "tea.py", "--quiet", "--out", "r"]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert ended.returncode in (130, -signal.SIGINT)
    assert ended.stdout == ""
    assert re.fullmatch(r"cave-sim: stopped at step [1-5] of 5; to go on: cave-sim resume r\n", ended.stderr)
