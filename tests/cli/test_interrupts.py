"""Ctrl-C ends a command in one line, wherever it comes, and so does one after another."""

import fcntl
import os
import pty
import re
import signal
import subprocess
import sys
import termios

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


ENDED_BY = {"SIGTERM": 143, "SIGHUP": 129}


@pytest.mark.long(cases=0)
@pytest.mark.parametrize("ignored", [False, True], ids=["", "as where Ctrl-C is ignored"])
@pytest.mark.parametrize("number", ENDED_BY)
def test_what_ends_a_process_ends_it_as_ctrl_c_does_with_an_exit_code_of_its_own(tmp_path, number, ignored):
    (tmp_path / "tea.py").write_text(SIMULATION.format(what=f"signal.raise_signal(signal.{number})"))
    command = [sys.executable, "-m", "cave_sim", "run", "tea.py", "--quiet", "--out", "r"]

    def begin():
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
        if ignored:
            signal.signal(signal.SIGINT, signal.SIG_IGN)

    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, preexec_fn=begin)
    assert (ended.returncode, ended.stdout) == (ENDED_BY[number], "")
    assert re.fullmatch(r"cave-sim: stopped at step [1-3] of 5; to go on: cave-sim resume r\n", ended.stderr)


@pytest.mark.long
def test_a_closed_terminal_ends_nothing_under_nohup(tmp_path):
    (tmp_path / "tea.py").write_text(SIMULATION.format(what="signal.raise_signal(signal.SIGHUP)"))
    command = [sys.executable, "-m", "cave_sim", "run", "tea.py", "--quiet", "--out", "r"]
    deaf = {"preexec_fn": lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)}
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, **deaf)
    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.long(cases=0)
def test_a_command_whose_terminal_is_closed_keeps_its_run(tmp_path):
    """Nothing can be said any more then, and what tries to gets an error."""
    waits = "print('go', flush=True); [__import__('time').sleep(0.1) for _ in range(990)]"  # one may begin too late
    (tmp_path / "tea.py").write_text(SIMULATION.format(what=waits))
    command = [sys.executable, "-m", "cave_sim", "run", "tea.py", "--out", "r"]
    ours, theirs = pty.openpty()

    def begin():
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
        os.setsid()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    with subprocess.Popen(
        command, cwd=tmp_path, stdin=theirs, stdout=theirs, stderr=theirs, preexec_fn=begin
    ) as process:
        os.close(theirs)
        said = b""
        while b"go" not in said:
            said += os.read(ours, 1_000)
        os.close(ours)
        assert process.wait() == 129
    (tmp_path / "tea.py").write_text(SIMULATION.format(what="pass"))
    again = subprocess.run([*command[:3], "resume", "r", "--quiet"], cwd=tmp_path, capture_output=True, text=True)
    assert again.returncode == 0, again.stderr


@pytest.mark.long
@pytest.mark.parametrize("where", WHERE)
def test_it_ends_in_one_line(tmp_path, where):
    (tmp_path / "tea.py").write_text(SIMULATION.format(what=WHERE[where]))
    command = [sys.executable, "-m", "cave_sim", "run", "tea.py", "--quiet", "--out", "r"]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert ended.returncode in (130, -signal.SIGINT)
    assert ended.stdout == ""
    assert re.fullmatch(r"cave-sim: stopped at step [1-5] of 5; to go on: cave-sim resume r\n", ended.stderr)


IMPORTED = """
import signal, sys
class Pressed:
    def find_spec(self, name, path, target=None):
        if name == {module!r}:
            signal.raise_signal(signal.SIGINT)
sys.meta_path.insert(0, Pressed())
from cave_sim.__main__ import main
sys.exit(main())
"""


@pytest.mark.parametrize("module", ["cave_sim.cli", "cave_sim.cli.parser"])
def test_while_the_command_is_being_imported_it_ends_in_one_line(module):
    command = [sys.executable, "-c", IMPORTED.format(module=module)]
    ended = subprocess.run(command, capture_output=True, text=True)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "cave-sim: interrupted\n")
