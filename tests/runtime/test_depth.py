"""How deep calls go is no data for a cell, and does not follow from how deep its caller was."""

import sys

import pytest

from cave_sim import World
from tests.world.market import make_market

DEEP = "deepest = [0]\ndef fall(n):\n    deepest[0] = n\n    return fall(n + 1)\nfall(0)"


def depth_from(frames: int, world: World) -> int:
    """Run the cell below so many frames of a script, and return how deep it went."""
    if frames:
        return depth_from(frames - 1, world)
    turn = world.execute(DEEP, agent="ann")
    assert "RecursionError" in turn.error
    return world.retrieve("deepest", agent="ann")[0]


@pytest.mark.parametrize("frames", [1, 7, 100, 300])
def test_a_cell_reaches_the_same_depth_from_anywhere(frames):
    few = 3  # Python counts some calls of its own C code in a way that nothing tells from outside
    assert abs(depth_from(frames, make_market()) - depth_from(0, make_market())) <= few


def test_the_limit_of_the_process_is_given_back():
    before = sys.getrecursionlimit()
    depth_from(3, make_market())
    assert sys.getrecursionlimit() == before


def test_no_cell_catches_the_end_of_the_stack():
    world = make_market()
    cell = "def fall(n):\n    try:\n        return fall(n + 1)\n    except Exception:\n        return n\nx = fall(0)"
    assert world.execute(cell, agent="ann").status == "failed"
