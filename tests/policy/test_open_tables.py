"""What cells leave in arrays and tables of an injected object is data: their code would run in others' turns."""

import numpy as np
import pandas as pd
import pytest

from cave_sim import World


def rule():
    """Return nothing; the researcher's own function, which stays where it was put."""


class Lab:
    """Lends an array and tables of Python's own objects."""

    def __init__(self):
        self.array = np.array([None, "b", rule], dtype=object)
        self.table = pd.DataFrame({"n": [1, 2, 3], "o": pd.Series([None, "b", rule], dtype=object)})
        self.column = pd.Series([None, "b", rule], dtype=object)

    def lend(self):
        """Return the table."""
        return self.table


@pytest.fixture
def lab():
    return Lab()


@pytest.fixture
def world(lab):
    world = World(seed=1)
    world.inject("lab", lab, about="a laboratory")
    return world


def objects(lab):
    return [*lab.array, *lab.table["o"], *lab.column]


EQUAL_TO_ALL = "class Same:\n    def __eq__(self, other):\n        return True\n"
LEFT = [
    "lab.array[0] = lambda: 1",
    "lab.array[:1][0] = lambda: 1",
    EQUAL_TO_ALL + "lab.array[0] = Same()",
    "lab.array[0] = [[lambda: 1]]",
    "def f():\n    return 1\nlab.table['o'] = [f, f, f]",
    EQUAL_TO_ALL + "lab.table.loc[0, 'o'] = Same()",
    EQUAL_TO_ALL + "lab.table['new'] = [Same()] * 3",
    EQUAL_TO_ALL + "lab.lend().loc[0, 'o'] = Same()",
    EQUAL_TO_ALL + "lab.column.iloc[0] = Same()",
    EQUAL_TO_ALL + "lab.column.iloc[0] = Same\nraise ValueError",
    EQUAL_TO_ALL + "try:\n    lab.table.loc[0, 'o'] = Same()\n    1 / 0\nexcept ZeroDivisionError:\n    pass",
]


@pytest.mark.parametrize("cell", LEFT)
def test_code_that_a_cell_leaves_in_a_table_of_all_is_taken_out_and_its_turn_does_not_land(cell, world, lab):
    turn = world.execute(cell, agent="ann")
    assert not turn.committed
    held = [*objects(lab), *(item for column in lab.table for item in lab.table[column])]
    assert {type(item) for item in held} <= {type(None), str, int, list, np.int64, type(rule)}
    assert all(item is rule for item in held if callable(item))
    assert "lambda" not in str(held)


def test_data_may_be_left_there_and_what_the_researcher_put_there_stays(world, lab):
    turn = world.execute(
        "lab.array[0] = {'a': [1, (2,)]}\nlab.table.loc[0, 'o'] = 'text'\nlab.column.iloc[0] = 3", agent="ann"
    )
    assert turn.committed, turn.error
    assert objects(lab) == [{"a": [1, (2,)]}, "b", rule, "text", "b", rule, 3, "b", rule]
