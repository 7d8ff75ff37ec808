"""A cell under way is ended for what it computes or waits for, and never because others had the processor."""

import os
import subprocess
import sys
import time
from dataclasses import dataclass
from types import SimpleNamespace

import pytest

from cave_sim import Limits
from cave_sim.hosts.process import running_cell
from cave_sim.hosts.process.running_cell import RunningCell, queued_s

SPINS = "import os\nos.sched_setaffinity(0, {min(os.sched_getaffinity(0))})\nwhile True:\n    pass"


@dataclass
class Silent:
    """A process that says nothing."""

    is_caught_up: bool = True
    pid: int = os.getpid()
    received: bytes = b""
    proposal: bytes | None = None


@pytest.fixture
def machine(monkeypatch):
    """Return what the system says of a process: how long it computed, and how long it was kept from that."""
    said = SimpleNamespace(computed_s=0.0, queued_s=0.0)
    monkeypatch.setattr(running_cell, "processor_s", lambda pid, waited_s: said.computed_s)
    monkeypatch.setattr(running_cell, "queued_s", lambda pid: said.queued_s)
    return said


@pytest.mark.parametrize(("is_caught_up", "patience_s"), [(True, 20), (False, 60)])
def test_who_is_kept_from_the_processor_is_waited_for(machine, is_caught_up, patience_s):
    cell = RunningCell("ann", "me.wait()", Silent(is_caught_up), Limits(deadline_s=2))
    machine.queued_s = 1_000.0
    assert not cell.look(patience_s + 1, is_ready=False)
    machine.queued_s = 5.0
    assert not cell.look(3, is_ready=False)
    assert cell.look(3, is_ready=False)
    assert cell.reason == ("deadline" if is_caught_up else "killed")


def test_what_it_computed_counts_however_busy_the_machine_was(machine):
    cell = RunningCell("ann", "me.wait()", Silent(), Limits(deadline_s=2))
    machine.queued_s, machine.computed_s = 1_000.0, 2.5
    assert cell.look(3, is_ready=False)


@pytest.mark.skipif(not os.access("/proc/self/schedstat", os.R_OK), reason="this system does not say")
def test_the_system_says_how_long_others_had_the_processor():
    spinning = [subprocess.Popen([sys.executable, "-S", "-c", SPINS]) for _ in range(2)]
    try:
        due = time.monotonic() + 60
        while min(queued_s(each.pid) for each in spinning) < 0.2:
            assert time.monotonic() < due
    finally:
        for each in spinning:
            each.kill()
            each.wait()
    assert queued_s(2**30) == 0.0
