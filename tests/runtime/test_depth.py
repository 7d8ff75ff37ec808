"""How deep calls go is no data for a cell, and does not follow from how deep its caller was."""

import sys

import pytest

from tests.world.market import make_market

DEEP = {
    "calls": "def fall(*_):\n    went[0] += 1\n    return fall()\nfall()",
    "calls by way of C": "def fall(*_):\n    went[0] += 1\n    return sorted([1, 2], key=fall)\nfall()",
    "special methods": "class A:\n    def __len__(self):\n        went[0] += 1\n        return len(self)\nlen(A())",
    "comparisons": "class A:\n    def __eq__(self, o):\n        went[0] += 1\n        return self == o\nA() == A()",
    "iterators": "class A:\n    def __iter__(self):\n        went[0] += 1\n        return iter(self)\nlist(A())",
    "generators": "def fall():\n    went[0] += 1\n    yield from fall()\nlist(fall())",
}


def depth_from(frames: int, cell: str) -> tuple[int, str]:
    """Run a cell below so many frames of a script, half of them C's; return how deep it went and what it was told."""
    if frames:
        return depth_from(frames - 1, cell) if frames % 2 else next(map(depth_from, [frames - 1], [cell]))
    world = make_market()
    turn = world.execute(f"went = [0]\n{cell}", agent="ann")
    assert "RecursionError" in turn.error
    return world.retrieve("went", agent="ann")[0], turn.error


@pytest.mark.parametrize("cell", DEEP.values(), ids=DEEP)
def test_a_cell_reaches_the_same_depth_from_anywhere_however_often_it_ran(cell):
    assert len({depth_from(frames, cell) for frames in (0, 1, 0, 2, 7, 100, 0)}) == 1


@pytest.mark.parametrize("cell", DEEP.values(), ids=DEEP)
def test_where_python_found_the_end_of_the_stack_is_not_told(cell):
    _, told = depth_from(0, cell)
    assert told.splitlines()[-1] == (
        "RecursionError: maximum recursion depth exceeded; calls go 900 deep at most: use a loop"
    )
    assert told.splitlines()[0] == f"line {len(cell.splitlines()) + 1}: {cell.splitlines()[-1]}"


def test_the_limit_of_the_process_is_given_back():
    before = sys.getrecursionlimit()
    depth_from(3, DEEP["calls"])
    assert sys.getrecursionlimit() == before


def test_no_cell_catches_the_end_of_the_stack():
    world = make_market()
    cell = "def fall(n):\n    try:\n        return fall(n + 1)\n    except Exception:\n        return n\nx = fall(0)"
    assert world.execute(cell, agent="ann").status == "failed"
