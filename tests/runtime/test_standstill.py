"""A cell that keeps Python in one call inside C ends the process, says so, and costs no committed step."""

import os

import pytest

from tests.policy import square

ENDLESS = [
    ["t == u", "x = {t: 1}"],
    ["[t].index(u)", "isinstance(1, t)", "hash(t)", "sorted([t, u])", "t in [u]"],
]
NESTS = "t, u = (), ()\nfor _ in range(60):\n    t, u = (t, t), (u, u)"
TOLD = (
    "cave_sim: line 1 of a cell keeps Python in one call that nothing here can interrupt, for 0.5 s of processor "
    "time. This process ends. Whatever was committed is kept: go on with `cave-sim resume RUN --host process`, "
    "where such a cell ends with a process of its own."
)


@pytest.mark.long
@pytest.mark.parametrize("cells", ENDLESS, ids=" ".join)
def test_whatever_compares_or_hashes_shared_parts_for_ever_ends_its_process_in_one_line(cells, tmp_path):
    world = square.build(deadline_s=0.05)
    assert world.execute(NESTS, agent="ann").committed
    for cell in cells:
        with (tmp_path / "told").open("w") as told:
            child = os.fork()
            if not child:
                os.dup2(told.fileno(), 2)
                world.execute(cell, agent="ann")
                os._exit(0)
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 1
        assert (tmp_path / "told").read_text() == f"\n{TOLD}\n"
