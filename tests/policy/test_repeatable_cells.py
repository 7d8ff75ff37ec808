"""Cells come to the same on every machine: whatever its salt for hashes, its time zone, its language, its threads."""

import json
import os
import random
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from cave_sim import World
from cave_sim.policy.libraries.late import load
from tests.policy import square
from tests.policy.hostile import scripts
from tests.policy.judge import run
from tests.policy.repeatable import PAGES

MACHINES = (
    {"PYTHONHASHSEED": "1", "TZ": "UTC", "OPENBLAS_NUM_THREADS": "1", "LC_ALL": "C"},
    {"PYTHONHASHSEED": "4242", "TZ": "Asia/Tokyo", "OPENBLAS_NUM_THREADS": "4", "LC_ALL": "de_DE.UTF-8"},
)


def told(script: str) -> str:
    """Return what a script came to as JSON: its turns, the state, and everybody's variables."""
    outcome = run(script, square.build(deadline_s=30.0))  # none of them is to meet it, on a busy machine either
    kept = {agent: namespace.data for agent, namespace in outcome.world.interpreter.namespaces.items()}
    return json.dumps([outcome.told(), kept], default=str)


@pytest.fixture(scope="module")
def told_by_machines():
    """Return what every script came to on each of the machines."""
    code = (
        "import json; from tests.policy.test_repeatable_cells import PAGES, scripts, told; "
        "print(json.dumps([[told(script) for script in scripts(page)] for page in PAGES.values()]))"
    )
    started = [
        subprocess.Popen(
            [sys.executable, "-W", "ignore", "-c", code],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **machine},
            stdout=subprocess.PIPE,
        )
        for machine in MACHINES
    ]
    return [json.loads(process.communicate()[0].splitlines()[-1]) for process in started]


@pytest.mark.long(cases=0)
@pytest.mark.parametrize("page", PAGES)
def test_a_cell_comes_to_the_same_on_every_machine(page, told_by_machines):
    at = [*PAGES].index(page)
    for script, here, there in zip(scripts(PAGES[page]), *(told[at] for told in told_by_machines), strict=True):
        assert here == there, script


def test_there_are_enough_of_them():
    assert sum(len(scripts(page)) for page in PAGES.values()) >= 120


def test_a_library_that_draws_while_it_loads_changes_no_draw_of_the_script(tmp_path, monkeypatch):
    (tmp_path / "draws_at_first.py").write_text("import random\n\nDRAWN = random.random()\n")
    monkeypatch.syspath_prepend(tmp_path)
    before = random.getstate()
    assert 0 <= load("draws_at_first").DRAWN < 1
    assert random.getstate() == before


def test_a_moment_past_the_years_that_python_counts_has_a_hash():
    world = World()
    world.inject("far", pd.DataFrame({"at": np.array(["20000-01-01"], "M8[s]"), "span": np.array([10**15], "m8[s]")}))
    turn = world.execute("hash(far['at'][0]) == hash(far['at'][0]), hash(far['span'][0]) == hash(far['span'][0])")
    assert (turn.error, turn.output) == (None, "(True, True)")
