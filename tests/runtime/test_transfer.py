"""What one agent hands to another: copies in the one form that variables have, objects taken apart, and no code."""

import copyreg

import pytest

from cave_sim.errors import SchemaError
from tests.policy import square


class Card:
    """An object of the researcher's own class, with nothing but attributes."""

    def __init__(self, text):
        self.text = text


class Filled:
    """An object that says it is made by a function that nobody vouched for."""

    def __reduce_ex__(self, protocol):
        return copyreg.__reduce_ex__, (Filled, 2)


@pytest.fixture
def world():
    return square.build()


def handed(world, expression, before=""):
    """Return what ann shows of it when the mayor handed it over, or the mayor's error."""
    turn = world.execute(f"{before}\nteam['ann'].inject('got', {expression})", agent="mayor")
    return world.execute("got, type(got).__name__", agent="ann").output if turn.committed else turn.error


@pytest.mark.parametrize(
    ("expression", "shown"),
    [
        ("[1, {'a': (2, {3})}]", "([1, {'a': (2, {3})}], 'list')"),
        ("Counter('aab')", "(Counter({'a': 2, 'b': 1}), 'Counter')"),
        ("Pair(1, [2])", "(Pair(one=1, two=[2]), 'Pair')"),
        ("bob", "(<Citizen bob>, 'Citizen')"),
        ("within", "([[...]], 'list')"),
        ("board", "(<tests.policy.square.Board object>, 'Board')"),
        ("me.notes", "(['I am mayor'], 'list')"),
        ("me.counts", "({'walks': 2}, 'dict')"),
    ],
)
def test_data_arrives_as_what_it_is(expression, shown, world):
    made = "Pair = namedtuple('Pair', 'one two')\nwithin = []\nwithin.append(within)"
    before = f"from collections import Counter, namedtuple\n{made}"
    assert handed(world, expression, before) == shown


def test_neither_can_change_what_the_other_holds_and_what_was_shared_stays_shared(world):
    handed(world, "mine", "mine = [[1]]\nmine.append(mine[0])\nlive = me.notes")
    assert world.execute("got[0].append(2)\ngot[0] is got[1], got", agent="ann").output == "(True, [[1, 2], [1, 2]])"
    assert world.execute("mine", agent="mayor").output == "[[1], [1]]"
    handed(world, "me.notes")
    turn = world.execute("got.append('x')\ngot", agent="ann")
    assert (turn.output, turn.changes) == ("['I am mayor', 'x']", [])
    assert world["mayor"].notes == ["I am mayor"]


@pytest.mark.parametrize(
    "expression",
    [
        "lambda: 1", "[print]", "{'f': len}", "Own()", "Own", "{Own(): 1}", "defaultdict(list)", "[].append", "team",
        "team['bob']", "world", "rng", "weather_of", "(n for n in [1])", "Mode.A", "partial(max, 1)",
    ],
)  # fmt: skip
def test_what_is_code_or_holds_some_is_not_handed_over(expression, world):
    before = (
        "from collections import defaultdict\nfrom enum import Enum\nfrom functools import partial\n"
        "class Own:\n    pass\nclass Mode(Enum):\n    A = 1"
    )
    assert "only data can be" in handed(world, expression, before)


def test_an_object_of_a_vouched_class_is_made_anew_from_its_attributes(world):
    card = Card(["hello"])
    world.inject("card", card, agent="mayor")
    handed(world, "card")
    assert world.execute("got.text.append('there')\ngot.text", agent="ann").output == "['hello', 'there']"
    assert card.text == ["hello"]


def test_an_object_that_nobody_vouched_for_or_that_an_unknown_function_makes_is_not_handed_over(world):
    with pytest.raises(SchemaError, match="Card"):
        world.interpreter.copy(Card("x"))
    world.interpreter.open_types.add(Filled)
    with pytest.raises(SchemaError, match=r"nobody vouched for|cannot be taken apart"):
        world.interpreter.copy(Filled())
