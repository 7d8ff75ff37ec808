"""A text file in memory that a cell makes stays with its text, wherever in it the cell stood."""

import pytest

from cave_sim import World


def shown(world, cell):
    turn = world.execute(cell)
    assert turn.committed, turn.error
    return turn.output.strip()


def test_it_is_there_in_the_next_cell_where_it_was_left():
    world = World()
    shown(world, "from io import StringIO\nnotes = StringIO('abc')\nsame = notes\nnotes.seek(2)\nnotes.write('Z')\n0")
    assert shown(world, "notes.getvalue(), notes.tell(), notes is same") == "('abZ', 3, True)"
    assert shown(world, "notes.write('!'), same.getvalue()") == "(1, 'abZ!')"


def test_a_with_statement_leaves_it_readable_and_close_closes_it_for_good():
    world = World()
    shown(world, "from io import StringIO\nwith StringIO() as notes:\n    notes.write('tea')\n0")
    assert shown(world, "notes.getvalue()") == "'tea'"
    shown(world, "notes.close()")
    assert "closed file" in world.execute("notes.getvalue()").error


def test_a_place_far_behind_its_end_does_not_fill_memory():
    world = World()
    shown(world, "from io import StringIO\nnotes = StringIO('a')\nnotes.seek(10**9)")
    assert world.execute("notes.write('b')").status == "blocked"


@pytest.mark.parametrize("cell", ["notes.more = 1", "notes.write = print", "notes.buffer", "notes.__class__ = str"])
def test_nothing_else_of_it_can_be_reached(cell):
    world = World()
    shown(world, "from io import StringIO\nnotes = StringIO('a')\n0")
    assert world.execute(cell).status in ("blocked", "failed")
