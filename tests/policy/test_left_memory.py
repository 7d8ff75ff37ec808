"""A turn leaves no memory taken in the process: what cells make is gone with them, however often they make it."""

import gc
import sys

import pytest

from tests.policy import square

MADE_ANEW = {
    "classes of named tuples": """
        from collections import namedtuple
        for number in range(30):
            Pair = namedtuple("Pair", "x y")
            Pair(1, 2).x
        del Pair
    """,
    "named tuples written as classes": """
        from typing import NamedTuple
        for number in range(30):
            class Pair(NamedTuple):
                x: int = 0
            Pair(1).x
        del Pair
    """,
    "flags of expressions": """
        import re
        for number in range(1, 200):
            re.compile("a", re.I | re.M)
            re.I | ((BASE + number) << 12)
    """,
    "flags and members": """
        from enum import Flag
        for number in range(10):
            class Mark(Flag):
                A = 1
                B = 2
            Mark.A | Mark.B
        del Mark
    """,
    "data classes": """
        from dataclasses import dataclass
        for number in range(10):
            @dataclass
            class Point:
                x: int = 0
            Point(1).x
        del Point
    """,
    "names that nothing has": """
        for number in range(100):
            hasattr(me, "x%d" % (BASE + number))
    """,
    "types": """
        from typing import List, Literal, TypeVar
        for number in range(200):
            List[TypeVar("T%d" % (BASE + number))], Literal[BASE + number]
    """,
}
"""What cells make, and how: each turn makes others than the one before."""


@pytest.mark.long(cases=0)
@pytest.mark.parametrize("cell", MADE_ANEW.values(), ids=MADE_ANEW)
def test_what_cells_make_again_and_again_is_gone_with_their_turns(cell):
    world, rounds = square.build(ticks=1_000_000), iter(range(0, 10**9, 10_000))
    lines = [line.removeprefix("        ") for line in cell.strip("\n").splitlines()]

    def blocks_after(turns):
        for _ in range(turns):
            turn = world.execute("\n".join([f"BASE = {next(rounds)}", *lines]), agent="ann")
            assert turn.committed, turn.error
        gc.collect()
        return sys.getallocatedblocks()

    blocks_after(turns=4)
    before = blocks_after(turns=4)
    assert blocks_after(turns=4) - before < 1_000
