"""The small helpers of libraries: what they refuse, and what comes back of them."""

import pytest

from cave_sim import Limits, World

REFUSED = {
    "import re\nre.compile('a', 128)": "flags DEBUG and LOCALE are not for cells",
    "import re\nre.sub('a', 'b', 'c', 0, 128)": "flags DEBUG and LOCALE are not for cells",
    "int.from_bytes(b'x' * 2_501, 'big')": "more than 2,500 bytes",
    "(1).to_bytes(2_501, 'big')": "more than 2,500 bytes",
    "class A:\n    __class__ = __init__": "belongs to Python or to the world",
    "class A:\n    def f(self): ...\n    __call__ = f": "belongs to Python or to the world",
    "from dataclasses import fields\nfields(int)": "a dataclass that a cell defined",
}


@pytest.mark.parametrize("cell", REFUSED)
def test_what_is_not_for_cells_is_refused(cell, capfd):
    turn = World().execute(cell)
    assert turn.status in ("blocked", "failed")
    assert REFUSED[cell] in turn.error
    assert capfd.readouterr().out == ""


def test_calling_without_an_end_spends_the_ticks_of_the_turn():
    turn = World(limits=Limits(deadline_s=60, ticks=1_000)).execute("list(iter(dict, 0))")
    assert turn.status != "committed"
    assert "1,000" in turn.error


def test_a_generic_class_takes_types_after_it_came_back():
    world = World()
    world.execute("from typing import Generic, TypeVar\nT = TypeVar('T')\nclass Stack(Generic[T]): ...")
    turn = World.restore(world.snapshot()).execute("isinstance(Stack[int](), Stack)")
    assert turn.output == "True"
