"""What a language model ordinarily writes runs, and means what it means in Python."""

import pytest

from tests.policy import square
from tests.policy.ordinary import ORDINARY


@pytest.mark.parametrize(("cell", "shown"), ORDINARY, ids=[cell.splitlines()[0][:40] for cell, _ in ORDINARY])
def test_an_ordinary_cell_runs(cell, shown):
    world = square.build(deadline_s=60)  # far beyond what they take
    *lines, last = cell.split("\n")
    found = world.execute("\n".join([*lines, f"result_of_the_cell = ({last.partition('  #')[0]})"]), agent="ann")
    if not last.startswith((" ", "@")) and found.status == "committed":
        assert world.retrieve("result_of_the_cell", agent="ann") == shown
    turn = square.build(deadline_s=60).execute(cell, agent="ann")
    assert (turn.status, turn.error) == ("committed", None)


def test_there_are_enough_of_them():
    assert len(ORDINARY) >= 200
