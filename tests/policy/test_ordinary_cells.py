"""What a language model ordinarily writes runs, and means what it means in Python."""

import sys

import pytest

from tests.hosts.process.conftest import attached, square_host
from tests.policy import square
from tests.policy.ordinary import ORDINARY
from tests.policy.ordinary_modules import MODULES
from tests.runtime.test_idioms import ran, stopped_and_resumed

__all__ = ["square_host"]
IDS = [f"{number} {cell.splitlines()[0][:40]}" for number, (cell, _) in enumerate(MODULES)]


@pytest.mark.parametrize(("cell", "shown"), ORDINARY, ids=[cell.splitlines()[0][:40] for cell, _ in ORDINARY])
def test_an_ordinary_cell_runs(cell, shown):
    world = square.build(deadline_s=60)  # far beyond what they take
    *lines, last = cell.split("\n")
    found = world.execute("\n".join([*lines, f"result_of_the_cell = ({last.partition('  #')[0]})"]), agent="ann")
    if not last.startswith((" ", "@")) and found.status == "committed":
        assert world.retrieve("result_of_the_cell", agent="ann") == shown
    turn = square.build(deadline_s=60).execute(cell, agent="ann")
    assert (turn.status, turn.error) == ("committed", None)


@pytest.mark.parametrize("cell", [cell for cell, _ in MODULES], ids=IDS)
def test_what_a_cell_leaves_is_the_same_after_every_stop_and_in_a_fork(cell):
    cells = [cell, "kept = len(me.notes)"]
    alone = ran(square.build(deadline_s=60), cells)
    assert ran(square.build(deadline_s=60), cells, stopped_and_resumed) == alone
    assert ran(square.build(deadline_s=60), cells, lambda world: world.fork()) == alone


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="sandboxes are Linux's")
@pytest.mark.parametrize("cell", [cell for cell, _ in MODULES], ids=IDS)
def test_a_cell_is_the_same_in_processes(cell, square_host):
    cells = [cell, "kept = len(me.notes)"]
    assert ran(attached(square_host, square.build()), cells) == ran(square.build(), cells)


def test_there_are_enough_of_them():
    assert len(ORDINARY) >= 300
    assert len(MODULES) >= 100
