"""Hosts of one process share an interpreter to fork from; nothing of one shows in another."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cave_sim.hosts.process import warm_interpreter
from cave_sim.hosts.process.host import ProcessHost
from cave_sim.hosts.process.warm_interpreter import PASSED_ON
from tests.policy import square

SQUARE = "tests.policy.square:build"


def proc(pid):
    return Path("/proc", str(pid))


def parent(pid):
    return int((proc(pid) / "stat").read_text(encoding="ascii").rpartition(")")[2].split()[1])


def is_gone(pid):
    """Wait until a process that is ending has ended; False if it lives on."""
    due = time.monotonic() + 60
    while proc(pid).exists() and time.monotonic() < due:
        time.sleep(0.001)
    return not proc(pid).exists()


@pytest.fixture
def two_hosts():
    with ProcessHost(SQUARE) as one, ProcessHost(SQUARE) as other:
        yield one, other


@pytest.mark.long
def test_hosts_of_one_process_are_forked_from_one_interpreter(two_hosts):
    one, other = two_hosts
    assert parent(one.pids[0]) == parent(other.pids[0])
    assert one.pids[0] != other.pids[0]


@pytest.mark.long
def test_hosts_do_not_hold_each_other_open(two_hosts):
    one, other = two_hosts
    one.close()
    assert is_gone(one.pids[0])
    assert proc(other.pids[0]).exists()


@pytest.mark.long
def test_an_interpreter_that_was_killed_is_replaced_and_its_forks_live_on(two_hosts):
    one, _ = two_hosts
    warm = parent(one.pids[0])
    os.kill(warm, signal.SIGKILL)
    world = square.build()
    one.attach(world)
    assert world.execute("me.plan = 'x'", agent="ann").committed
    with ProcessHost(SQUARE) as third:
        assert parent(third.pids[0]) not in (warm, parent(one.pids[0]))


@pytest.mark.long
def test_a_host_works_in_the_folder_that_its_maker_is_in(tmp_path, monkeypatch, two_hosts):
    monkeypatch.chdir(tmp_path)
    with ProcessHost(SQUARE) as host:
        assert (proc(host.pids[0]) / "cwd").samefile(tmp_path)


def test_modules_that_are_found_elsewhere_by_now_need_no_other_interpreter(tmp_path, monkeypatch):
    with ProcessHost(SQUARE) as one:
        (tmp_path / "own_square.py").write_text("from tests.policy.square import build\n")
        monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.setattr(sys, "path", [Path("what Python passes over"), *sys.path])
        with ProcessHost("own_square:build") as other:
            assert parent(one.pids[0]) == parent(other.pids[0])


ONCE = """
import gc, math
from tests.policy.square import build as built

def build():
    assert gc.isenabled()
    assert not hasattr(math, "seen"), "another world was built here"
    math.seen = True
    return built()
"""


def test_what_building_one_world_left_behind_is_not_there_for_the_next_one(tmp_path, monkeypatch):
    (tmp_path / "once_square.py").write_text(ONCE)
    monkeypatch.syspath_prepend(tmp_path)
    warm_interpreter.begin()
    with ProcessHost("once_square:build") as one, ProcessHost("once_square:build") as other:
        assert parent(one.pids[0]) == parent(other.pids[0])


@pytest.mark.long
def test_an_environment_that_changed_is_that_of_the_next_host(monkeypatch, two_hosts):
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    monkeypatch.setenv("OPENBLAS_CORETYPE", "Haswell")
    monkeypatch.setenv("SOME_API_KEY", "secret")
    with ProcessHost(SQUARE) as host:
        environment = (proc(parent(host.pids[0])) / "environ").read_text(encoding="utf-8")
    names = dict(entry.partition("=")[::2] for entry in environment.split("\0"))
    assert names["TZ"] == "Asia/Tokyo"
    assert names["OPENBLAS_CORETYPE"] == "Haswell"  # the last digits of what is computed there follow it
    assert "SOME_API_KEY" not in names
    assert "TZ" in PASSED_ON


LEFT_OPEN = f"""
from cave_sim.hosts.process.host import ProcessHost
host = ProcessHost({SQUARE!r})
print(*host.pids, flush=True)
"""
FORKED = f"""
import os
from cave_sim.hosts.process.host import ProcessHost
with ProcessHost({SQUARE!r}):
    pid = os.fork()
    if pid == 0:
        with ProcessHost({SQUARE!r}) as own:
            os._exit(0 if own.pids else 1)
    print(os.waitpid(pid, 0)[1])
with ProcessHost({SQUARE!r}) as again:
    print(len(again.pids))
"""


def run(script):
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)


@pytest.mark.long
def test_nothing_is_left_when_a_process_ends_that_closed_nothing():
    assert is_gone(run(LEFT_OPEN).stdout.strip())


@pytest.mark.long
def test_a_process_that_was_forked_makes_its_own():
    assert run(FORKED).stdout.split() == ["0", "1"]
