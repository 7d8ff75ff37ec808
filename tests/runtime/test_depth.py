"""How deep calls go is no data for a cell, and does not follow from how deep its caller was."""

import sys
from itertools import count

import pytest

from cave_sim.policy.repeatable_builtins import format_text
from tests.world.market import make_market

OWN_LIMIT = "Python 3.12 ends calls by way of C at some 480 by a count of its own, which nobody can set"
by_way_of_c = pytest.mark.skipif(sys.version_info[:2] == (3, 12), reason=OWN_LIMIT)
BY_WAY_OF_C = {"calls by way of C", "special methods", "comparisons"}

DEEP = {
    "calls": "def fall(*_):\n    note()\n    return fall()\nfall()",
    "calls by way of C": "def fall(*_):\n    note()\n    return sorted([1, 2], key=fall)\nfall()",
    "special methods": "class A:\n    def __len__(self):\n        note()\n        return len(self)\nlen(A())",
    "comparisons": "class A:\n    def __eq__(self, o):\n        note()\n        return self == o\nA() == A()",
    "iterators": "class A:\n    def __iter__(self):\n        note()\n        return iter(self)\nlist(A())",
    "generators": "def fall():\n    note()\n    yield from fall()\nlist(fall())",
}


def depth_from(frames: int, cell: str) -> tuple[int, str]:
    """Run a cell below so many frames of a script, half of them C's; return how deep it went and what it was told."""
    if frames:
        return depth_from(frames - 1, cell) if frames % 2 else next(map(depth_from, [frames - 1], [cell]))
    world, went = make_market(), count(1)
    world.inject("note", lambda: next(went))
    turn = world.execute(cell, agent="ann")
    assert "RecursionError" in turn.error
    return next(went), turn.error


@pytest.mark.long
@pytest.mark.parametrize(
    "cell", [pytest.param(DEEP[name], id=name, marks=[by_way_of_c] * (name in BY_WAY_OF_C)) for name in DEEP]
)
def test_a_cell_reaches_the_same_depth_from_anywhere_however_often_it_ran(cell):
    assert len({depth_from(frames, cell) for frames in (0, 1, 0, 2, 7, 100, 0)}) == 1


FIRST_DEEPER_LATER = {
    "sorting": ("def fall(n):\n    print(n)\n    return sorted([n - 1], key=fall) if n else []\nfall({n})", 898),
    "contexts": (
        """
import contextlib
@contextlib.contextmanager
def fall(n):
    print(n)
    if n:
        with fall(n - 1):
            yield
    else:
        yield
with fall({n}):
    pass
""",
        299,
    ),
    "while an error is on its way": (
        """
class A:
    def __init__(self, n):
        self.n = n
    def __enter__(self):
        print(self.n)
        if self.n:
            with A(self.n - 1):
                pass
    def __exit__(self, *error):
        done.append(self.n)
done = []
with A({n}):
    pass
""",
        449,
    ),
}
"""Cells that plain Python lets go deeper where their lines are known to it, and how deep they go here at most."""


@pytest.mark.parametrize(
    ("cell", "deepest"),
    [
        pytest.param(*FIRST_DEEPER_LATER[name], id=name, marks=[by_way_of_c] * (name == "sorting"))
        for name in FIRST_DEEPER_LATER
    ],
)
def test_the_deepest_calls_that_end_do_so_in_every_process(cell, deepest):
    world = make_market()
    for n, status in ((deepest - 1, "committed"), (deepest, "failed")):
        turns = [world.execute(f"n = {n}\n{cell.format(n=n)}", agent="ann") for _ in range(3)]
        assert {turn.status for turn in turns} == {status}
        assert len({(turn.output, turn.error) for turn in turns}) == 1
        assert turns[0].output.startswith(f"{n}\n")
        assert world.variables("ann")["n"] == n


def test_how_deep_calls_of_c_got_is_in_nothing_that_is_kept_of_a_turn():
    world = make_market()
    world.execute("went = ['before']\nknown = 1", agent="ann")
    cell = "print('begins')\nknown, nest = 2, []\nfor _ in range(15_000):\n    nest = [nest]\nwent.append(str(nest))"
    turn = world.execute(cell, agent="ann")
    kept = "[calls went too deep: what this turn printed and assigned until then is not kept]\n"
    assert (turn.status, turn.output) == ("failed", kept)
    assert world.variables("ann") == {"went": ["before"], "known": 1}


@pytest.mark.long
def test_formats_of_what_is_nested_deep_end_at_one_depth_however_often_they_ran():
    world = make_market()
    for n in range(2_690, 2_702):
        format_text.__code__ = format_text.__code__.replace()  # as in a process in which it never ran
        cell = f"n = []\nfor _ in range({n}):\n    n = [n]\nshort = format(n)[0]\nn = 0"
        assert len({world.execute(cell, agent="ann").status for _ in range(9)}) == 1


def test_a_turn_inside_another_that_went_too_deep_leaves_its_caller_calls():
    world = make_market()
    world.execute("def fall(n):\n    return fall(n + 1)", agent="ann")
    world.grant("bob", "*")
    cell = "turn = await team['ann'].run('fall(0)')\ndef told():\n    return turn.status\nsaid = [told()]"
    assert world.execute(cell, agent="bob").status == "committed"
    assert world.variables("bob")["said"] == ["failed"]


@pytest.mark.parametrize("cell", DEEP.values(), ids=DEEP)
def test_where_python_found_the_end_of_the_stack_is_not_told(cell):
    _, told = depth_from(0, cell)
    assert told.splitlines()[-1] == (
        "RecursionError: maximum recursion depth exceeded; calls go 900 deep at most: use a loop"
    )
    assert told.splitlines()[0] == f"line {len(cell.splitlines())}: {cell.splitlines()[-1]}"


def test_the_limit_of_the_process_is_given_back():
    before = sys.getrecursionlimit()
    depth_from(3, DEEP["calls"])
    assert sys.getrecursionlimit() == before


def test_no_cell_catches_the_end_of_the_stack():
    world = make_market()
    cell = "def fall(n):\n    try:\n        return fall(n + 1)\n    except Exception:\n        return n\nx = fall(0)"
    assert world.execute(cell, agent="ann").status == "failed"
