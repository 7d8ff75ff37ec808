"""Two drivers, four onlookers and a hundred agents on one world that dies meanwhile: each turn is done once, in order.

``CAVE_SIM_TURNS=2000`` asks for more turns than the few hundred that every test run makes.
"""

import os
import signal
import threading
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import pytest

from cave_sim import CaveSimError, open_run
from cave_sim.hosts.ray import connect, launch
from cave_sim.replay.recipe import Recipe

TURNS = int(os.environ.get("CAVE_SIM_TURNS", "400"))
TOWN = Recipe("town_day", {"seed": 7, "residents": 99})
STEPS = 3


def drive(remote, agents, turns):
    """Have agents count their turns, one after another, a step now and then; return what each was told, in order."""
    told = defaultdict(list)
    futures = [(name, remote.submit("mine = []\n0", name)) for name in agents]
    for number in range(turns):
        name = agents[number % len(agents)]
        futures.append((name, remote.submit("mine.append(1)\nlen(mine)", name)))
        if number * STEPS // turns != (number + 1) * STEPS // turns:
            remote.step()
    for name, future in futures:
        told[name].append(future.result().output)
    return told


def look_through_the_world(remote, is_over):
    """Look as a dashboard that is connected does; return how often there was something to see."""
    seen = 0
    while not is_over.is_set():
        assert remote.observe("mayor")
        assert remote.state_hash()
        seen += 1
    return seen


def look_at_the_journal(folder, is_over):
    """Look as a dashboard that reads along does."""
    seen = 0
    while not is_over.is_set():
        with open_run(folder) as run:
            numbers = [turn.turn for turn in run.turns("mayor")]
        assert numbers == sorted(set(numbers))
        seen += 1
    return seen


@pytest.mark.long
def test_no_turn_is_lost_or_doubled_and_each_agent_acts_in_order(cluster, tmp_path):
    folder = tmp_path / f"town-{uuid4().hex[:8]}"
    first, is_over = launch(TOWN, folder), threading.Event()
    others = [connect(first.name, address=None) for _ in range(3)]
    names = first.about()["agents"]
    try:
        with ThreadPoolExecutor(6) as threads:
            drivers = [
                threads.submit(drive, remote, agents, TURNS // 2)
                for remote, agents in ((first, names[:50]), (others[0], names[50:]))
            ]
            lookers = [threads.submit(look_through_the_world, remote, is_over) for remote in others[1:]]
            lookers += [threads.submit(look_at_the_journal, folder, is_over) for _ in range(2)]
            os.kill(first.about()["process"], signal.SIGKILL)
            try:
                told = {name: outputs for driver in drivers for name, outputs in driver.result().items()}
            finally:
                is_over.set()
            assert all(looker.result() for looker in lookers)
        first.step()
    finally:
        for each in others:
            each.close()
        first.end()
    assert len(told) == 100
    wrong = {name: said for name, said in told.items() if said != [str(count) for count in range(len(said))]}
    assert not wrong
    assert sum(map(len, told.values())) == TURNS + 100
    numbers = submitted(folder)
    assert len(numbers) == TURNS + 100
    assert {driver for driver, _ in numbers} == {first.driver, others[0].driver}


def submitted(folder):
    """Return the turns of drivers that a journal has, by driver and number; each has one of its own."""
    with open_run(folder) as run:
        found = [turn.usage for turn in run.turns() if turn.usage and "driver" in turn.usage]
    numbers = {(usage["driver"], usage["sequence"]) for usage in found}
    if len(numbers) != len(found):
        raise CaveSimError("a turn was done twice")
    return numbers
