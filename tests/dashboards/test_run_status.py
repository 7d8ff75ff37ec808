"""What a page says of a run: whether somebody writes it is told by its lock, whatever clocks say."""

import os
import sqlite3
import time
from contextlib import closing

import pytest

from cave_sim import Simulation, World
from cave_sim.dashboards.lookups.journal_reader import JournalReader
from cave_sim.journal.tables import DATABASE


@pytest.mark.parametrize("written_ago_s", [3_600, -3_600], ids=["long ago", "before the clock was set back"])
def test_a_run_that_nobody_writes_is_stopped_whatever_the_clock_was(tmp_path, written_ago_s):
    simulation = Simulation(World(seed=1), out=tmp_path)
    simulation.run(until=2)
    simulation.close()
    with closing(sqlite3.connect(tmp_path / DATABASE)) as file, file:  # as a process that was killed leaves it
        file.execute("DELETE FROM manifest WHERE key = 'finished'")
    moment = time.time() - written_ago_s
    for file in tmp_path.glob(f"{DATABASE}*"):
        os.utime(file, (moment, moment))
    reader = JournalReader("run", tmp_path)
    assert reader.status() == "stopped"
    reader.shut()
