"""``is`` says the same in the next turn, after a stop, and in a copy: which object, and of numbers what."""

import pytest

from cave_sim import World
from cave_sim.world.snapshot import restore_into
from tests.long_cases import cases
from tests.policy import square

VALUES = (
    "0.1 + 0.2", "10**15", "'a' * 40", "b'bytes'", "(0.5 + 1j)", "pd.Timestamp('2024-03-30', tz='+02:00')",
    "dt.date(2012, 6, 1)", "dt.timedelta(hours=1)", "np.float64(0.5)", "float('nan')", "re.compile('a+')", "range(3)",
    "[1]", "(1, [2])", "{'a': 1}", "np.zeros(2)", "dt", "bob", "me.notes",
)  # fmt: skip
IMPORTS = "import datetime as dt\nimport numpy as np\nimport pandas as pd\nimport re\n"


def shown(world: World, cell: str) -> str:
    turn = world.execute(cell, agent="ann")
    assert turn.committed, turn.error
    return turn.output


def resumed(world: World) -> World:
    again = square.build()
    restore_into(again, world.snapshot())
    return again


USUAL = [*VALUES][::2]


@pytest.mark.parametrize("value", cases(VALUES, lambda value: value not in USUAL))
def test_two_names_of_one_value_stay_one(value):
    world = square.build()
    asked = "a is b, a is not b, held[0] is a"
    now = shown(world, f"{IMPORTS}a = {value}\nb = a\nheld = [a]\n{asked}")
    assert now == "(True, False, True)"
    assert [shown(copy, asked) for copy in (world.fork(), resumed(world), world)] == [now] * 3


@pytest.mark.parametrize("pair", ["0.0, -0.0", "1, 1.0", "True, 1", "[1], [1]", "'a', b'a'", "None, 0", "{}, {}"])
def test_two_values_that_are_not_one_stay_two(pair):
    world = square.build()
    asked = "a is b, b is a, a is not b"
    now = shown(world, f"a, b = {pair}\n{asked}")
    assert now == "(False, False, True)"
    assert [shown(copy, asked) for copy in (world.fork(), resumed(world), world)] == [now] * 3


@pytest.mark.parametrize("cell", ["x = 5\nx is None", "x = None\nx is None", "... is ...", "not (None is not False)"])
def test_what_there_is_only_one_of_is_asked_as_ever(cell):
    world = square.build()
    assert shown(world, cell) in ("False", "True")
    assert "_same_" not in world.interpreter.cells.get(cell).code.co_names


def test_a_chain_says_how_to_write_it():
    turn = square.build().execute("a = b = c = [1]\na is b is c", agent="ann")
    assert "join them with `and`" in turn.error


SHARED = {
    "me.grid": "x[0] = {n}",
    "me.grid[1:3]": "x[:] = {n}",
    "me.grid.reshape(2, 2).T": "x[1] = {n}",
    "me.diary": "x.loc[0, 'day'] = {n}",
}


@pytest.mark.parametrize("field", SHARED)
def test_an_array_or_a_table_of_a_field_is_shared_to_the_end_of_the_turn_and_then_a_copy(field):
    world = square.build()
    before = world.state_hash()
    assert world.execute(f"x = {field}\n{SHARED[field].format(n=5)}", agent="ann").committed
    written = world.state_hash()
    assert world.execute(SHARED[field].format(n=7), agent="ann").committed
    assert "7" in world.execute("print(x)", agent="ann").output
    assert before != written == world.state_hash()
