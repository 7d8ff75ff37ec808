"""What is kept is in the next turn what it was: of the same type, with the same settings, said in the same words."""

import pytest

from tests.policy import square

KEPT = """
pd.offsets.BDay(2)
pd.offsets.BDay(offset=datetime.timedelta(hours=2))
pd.offsets.Week(weekday=2, normalize=True)
pd.DateOffset(months=1, normalize=True)
pd.offsets.QuarterEnd(startingMonth=1)
pd.array(['a', None], dtype='string[python]')
pd.array(['a', None], dtype='string')
pd.Series(['a', None], dtype='string[python]')
pd.Index(['a', 'b'], dtype='string[python]')
pd.DataFrame({'a': pd.Series(['x'], dtype='string[python]')}).dtypes
typing.List[typing.Optional[int]]
typing.Callable[[int], str]
typing.ClassVar[int]
Own
""".strip().splitlines()
OWN = "class Own:\n    pass\n"


@pytest.mark.parametrize("expression", KEPT)
def test_a_value_is_the_same_in_the_next_turn(expression):
    world = square.build()
    assert world.execute(f"import typing\n{OWN}x = {expression}\nwas = repr(x)", agent="ann").committed
    turn = world.fork().execute("print(repr(x) == was, was, repr(x))", agent="ann")
    assert turn.output.startswith("True"), turn.error or turn.output


def test_a_variable_that_names_what_its_cell_removed_is_none_from_the_next_turn_on_as_if_it_had_been_removed_later():
    def lived(*cells):
        world = square.build()
        world.grant("chief", "*")
        assert [world.execute(cell, agent="chief").error for cell in cells] == [None] * len(cells)
        return world.execute("print(found, others, found is None)", agent="chief").output

    find, remove = "found = world['bob']\nothers = [found, world['ann']]", "world.remove('bob')"
    assert lived(f"{find}\n{remove}") == lived(find, remove) == "None [None, <Citizen ann>] True\n"
    turn = square.build().execute(f"{find}\nworld.remove('bob')", agent="ann")
    assert turn.status == "blocked"
