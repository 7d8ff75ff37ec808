"""Each wall of the sandbox by itself: what ends a cell's process, what it is refused, and Landlock."""

import subprocess
import sys
from importlib.util import find_spec

import pytest

from cave_sim.hosts.process.sandbox import landlock_problem
from tests.hosts.process import restricted
from tests.hosts.process.break_ins import REACHING
from tests.hosts.process.broken import SIGN

ALARMS = ("fork", "open a socket", "open a local socket", "make a pair of sockets", "kill the world", "run a program",
          "trace the world", "raise its limits", "be dumpable again", "make an anonymous file")  # fmt: skip
REFUSALS = ("read a file", "write a file", "list a folder", "look for a file", "make memory executable")


pytestmark = pytest.mark.skipif(find_spec("pyseccomp") is None, reason="cells are jailed on Linux, with pyseccomp")


@pytest.fixture
def world(broken_in):
    return broken_in


def test_a_machine_with_every_wall_holds_cells_isolated(world):
    level = world[0].host.level
    assert "seccomp" in level.layers
    if landlock_problem() is None:
        assert (level.name, level.missing) == ("isolated", ())
    else:
        assert level.missing == (landlock_problem(),)


@pytest.mark.parametrize("attack", ALARMS)
def test_reaching_outside_ends_the_process_and_raises_the_alarm(attack, world):
    world, events = world
    world.execute(SIGN + REACHING[attack], agent="ann")
    assert [event["reason"] for event in events] == ["tripwire"]


@pytest.mark.parametrize("attack", REFUSALS)
def test_looking_around_is_refused_without_alarm(attack, world):
    world, events = world
    turn = world.execute(SIGN + REACHING[attack], agent="ann")
    assert not turn.committed
    assert "tripwire" not in [event["reason"] for event in events]


@pytest.mark.parametrize("taken", ["bytearray({})", "__import__('mmap').mmap(-1, {})"])
def test_a_cell_has_the_memory_that_its_limits_allow_and_no_more(taken, world):
    """Of its own, and what it could share with others: that the limit on a cell's own data does not count."""
    world, _ = world
    assert world.execute(f"{SIGN}held = len({taken.format(64 << 20)})", agent="ann").committed
    assert not world.execute(f"{SIGN}held = len({taken.format(700 << 20)})", agent="ann").committed


LOOKS_OUTSIDE = """
import sys
sys.path.append("/")
from cave_sim.hosts.process.host import ProcessHost
from tests.hosts.process import restricted
world = restricted.build()
with ProcessHost("tests.hosts.process.restricted:build") as host:
    host.attach(world)
    turn = world.execute("window.look()\\nlen(window.views)", agent="ann")
    print(turn.status, turn.output)
"""


@pytest.mark.long
@pytest.mark.skipif(landlock_problem() is not None, reason="this kernel has no Landlock")
def test_trusted_code_that_the_world_process_calls_again_reads_nothing_outside_either():
    """Also where Python looks for modules in the root of the file system, as it does when it is started there."""
    assert restricted.OUTSIDE[0].read_bytes()
    found = subprocess.run([sys.executable, "-c", LOOKS_OUTSIDE], capture_output=True, text=True, check=True)
    assert found.stdout == "committed 0\n"
