"""A city whose districts are in processes of their own is the city in one process."""

import os
import signal
from multiprocessing.context import ForkServerProcess

import pytest

from cave_sim import CaveSimError, WorldError
from cave_sim.replay.recipe import Recipe
from cave_sim.replay.resume import resume
from cave_sim.sharding.process_worker_pool import ProcessWorkerPool
from tests.sharding.conftest import SMALL, residents

BEFORE, STEPS = 5, 8


def test_a_city_in_processes_is_the_city_in_one_also_after_one_of_them_was_killed(city, tmp_path):
    here = city()
    there = Recipe("city_day", {**SMALL, "host": "processes", "workers": 2}).make(tmp_path / "run")
    assert there.run(until=BEFORE).state_hash == here.run(until=BEFORE).state_hash
    assert residents(there) == residents(here)
    processes = [there.ask(district, "process") for district in range(4)]
    assert len({os.getpid(), *processes}) == 3

    with pytest.raises(WorldError, match="nobody in this district's crowd"):  # told as what it is
        there.ask(0, "promote", 999)

    os.kill(processes[3], signal.SIGKILL)
    with pytest.raises(CaveSimError, match=r"died by signal 9; .* cave-sim resume"):
        there.run(until=STEPS)
    there.close()
    assert not any(is_running(process) for process in processes)

    resumed = resume(tmp_path / "run")
    assert resumed.run(until=STEPS).state_hash == here.run(until=STEPS).state_hash
    assert resumed.totals["crossings"] == here.totals["crossings"] > 0
    resumed.close()


@pytest.mark.long
def test_a_district_that_cannot_be_made_in_its_process_is_told_in_one_line():
    with pytest.raises(CaveSimError, match=r"^AttributeError: .*no attribute 'no_such_maker'"):
        ProcessWorkerPool("cave_sim.sharding.shard:no_such_maker", {}, [[0]])


def is_running(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_worker_that_cannot_be_started_is_told_as_such(monkeypatch):
    def killed(process):
        raise EOFError("unexpected EOF")  # as where what forks workers was killed meanwhile

    monkeypatch.setattr(ForkServerProcess, "start", killed)
    with pytest.raises(CaveSimError, match=r"could not be started \(EOFError: unexpected EOF\); .* same command again"):
        ProcessWorkerPool("cave_sim.simulations.city_day.district:make", {}, [[0]])
