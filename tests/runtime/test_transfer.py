"""What one agent hands to another: copies of data, objects that can be taken apart, and no code."""

import collections
import copyreg

import pytest

from cave_sim.errors import SchemaError
from cave_sim.runtime.transfer import transferred


class Card:
    """An object of the researcher's own class, with nothing but attributes."""

    def __init__(self, text):
        self.text = text


class Hiding:
    """An object that says how it is made anew, with more than its attributes."""

    def __init__(self, secret=None):
        self.secret = secret

    def __reduce_ex__(self, protocol):
        return Hiding, (self.secret,)


class Collected(list):
    """An object that holds items beside its attributes."""


class Filled:
    """An object that hands out its items one by one."""

    def __reduce_ex__(self, protocol):
        return copyreg.__newobj__, (Filled,), None, iter([1, 2])


def test_data_is_handed_over_as_a_copy():
    mine = [1, {"a": (2, {3})}]
    theirs = transferred(mine, ())
    assert theirs == mine
    theirs[1]["a"] = 0
    assert mine == [1, {"a": (2, {3})}]


def test_an_object_of_a_vouched_class_is_made_anew_from_its_attributes():
    card = Card(["hello"])
    theirs = transferred(card, {Card})
    theirs.text.append("there")
    assert (type(theirs), card.text) == (Card, ["hello"])


@pytest.mark.parametrize("value", [Hiding(1), Filled()], ids=["a constructor's argument", "items"])
def test_an_object_that_hides_more_than_attributes_is_not_handed_over(value):
    with pytest.raises(SchemaError, match="cannot be taken apart"):
        transferred(value, {type(value)})


@pytest.mark.parametrize(
    "value",
    [lambda: 1, [print], {"f": len}, Card("x"), collections.defaultdict(list)],
    ids=["a function", "one in a list", "one in a dict", "an object that nobody vouched for", "a dict with a factory"],
)
def test_what_is_code_or_holds_some_is_not_handed_over(value):
    with pytest.raises(SchemaError):
        transferred(value, ())


def test_what_contains_itself_is_not_handed_over():
    value = []
    value.append(value)
    with pytest.raises(SchemaError, match="contains itself"):
        transferred(value, ())


def test_a_counter_stays_one():
    assert type(transferred(collections.Counter("aab"), ())) is collections.Counter
