"""A cell that keeps Python in one call inside C ends the process, says so, and costs no committed step."""

import os
import subprocess
import sys

import pytest

ENDLESS = [
    ["t == u", "x = {t: 1}"],
    ["[t].index(u)", "isinstance(1, t)", "hash(t)", "sorted([t, u])", "t in [u]"],
]
SCRIPT = """
import os, sys
from tests.policy import square

world = square.build(deadline_s=0.05)
nests = "t, u = (), ()\\nfor _ in range(60):\\n    t, u = (t, t), (u, u)"
assert world.execute(nests, agent="ann").committed
for cell in sys.argv[1:]:
    child = os.fork()
    if not child:
        world.execute(cell, agent="ann")
        os._exit(0)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@pytest.mark.long
@pytest.mark.parametrize("cells", ENDLESS, ids=" ".join)
def test_whatever_compares_or_hashes_shared_parts_for_ever_ends_its_process_in_one_line(cells):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    ended = subprocess.run([sys.executable, "-c", SCRIPT, *cells], capture_output=True, text=True, env=environment)
    assert ended.stdout.split() == ["1"] * len(cells)
    told = (
        "cave_sim: line 1 of a cell keeps Python in one call that nothing here can interrupt, for 0.5 s of processor "
        "time. This process ends. Whatever was committed is kept: go on with `cave-sim resume RUN --host process`, "
        "where such a cell ends with a process of its own."
    )
    assert [line for line in ended.stderr.splitlines() if line.startswith("cave_sim")] == [told] * len(cells)
    assert "Traceback" not in ended.stderr
