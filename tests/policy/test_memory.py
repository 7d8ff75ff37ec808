"""No way of a cell to make much of little takes more memory than a turn may, on the local host, too."""

import dataclasses
import resource
import subprocess
import sys

import pytest

from cave_sim import Limits, World
from tests.policy import square
from tests.policy.hostile import scripts
from tests.policy.hostile_memory import PAGE

MEMORY_BYTES = 64 * 2**20
SPARE_BYTES = 400 * 2**20
"""For what libraries load when they are first used, and what a turn needs beside its cell."""
SCRIPTS = scripts(PAGE)


def grown_bytes() -> int:
    """Run every script in one world after the other; returns by how much the process was larger at its largest."""
    found = []
    for script in ["pd.Series(['a'])", *SCRIPTS]:
        world = square.build(ticks=2_000_000, deadline_s=2)
        world.limits = dataclasses.replace(world.limits, memory_bytes=MEMORY_BYTES)
        turn = world.execute(script, agent="ann")
        found.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
        if turn.committed and script in SCRIPTS:
            print(f"committed: {script}")
        following = world.execute("me.mood = 0.25\nx = [0] * 1000", agent="bob")
        if not following.committed:
            print(f"{following.error} after {script}")
    return found[-1] - found[0]


@pytest.mark.long
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere the system keeps no such limit")
def test_no_cell_takes_more_memory_than_a_turn_may():
    code = "from tests.policy.test_memory import grown_bytes; print(grown_bytes())"
    found = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    assert found[:-1] == []
    assert int(found[-1]) < MEMORY_BYTES + SPARE_BYTES


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere the system keeps no such limit")
def test_the_limit_is_given_back_with_every_turn():
    before = resource.getrlimit(resource.RLIMIT_DATA)
    world = World(limits=Limits(memory_bytes=MEMORY_BYTES))
    for code in ("x = 'a' * 1_000_000\nwhile True:\n    x = x + x", "team.me", "print(1)", "1 / 0", "open"):
        world.execute(code)
        assert resource.getrlimit(resource.RLIMIT_DATA) == before
    assert len(bytearray(4 * MEMORY_BYTES)) == 4 * MEMORY_BYTES


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere the system keeps no such limit")
def test_a_cell_cannot_go_on_after_it_ran_out_of_memory():
    world = World(limits=Limits(memory_bytes=MEMORY_BYTES))
    turn = world.execute(
        "x = 'a' * 1_000_000\ntry:\n    while True:\n        x = x + x\nexcept BaseException:\n    print('on')"
    )
    assert (turn.status, turn.output) == ("failed", "[gone with this turn, because they cannot be kept: x]\n") or (
        turn.status == "failed" and "on" not in turn.output
    )
    assert "the cell needed more memory than a turn may take" in turn.error


@pytest.mark.long
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere the system keeps no such limit")
def test_a_library_has_its_own_memory_when_a_cell_first_uses_it():
    """Without, linear algebra ended the process, or asked for memory for ever."""
    code = (
        "from cave_sim import Limits, World\n"
        "world = World(limits=Limits(memory_bytes=8 << 20, deadline_s=30))\n"
        "for cell in ('import numpy as np\\na = np.ones((300, 300))\\nfloat((a @ a).sum())',\n"
        "             'from scipy import stats\\nprint(float(stats.norm.cdf(0)))\\na = np.ones(2_000_000)'):\n"
        "    turn = world.execute(cell)\n"
        "    print(turn.output, turn.error)\n"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    first, second, *_ = found.stdout.splitlines()
    assert (first, second) == ("27000000.0 None", "0.5")
    assert "the cell needed more memory than a turn may take" in found.stdout
    assert found.returncode == 0
