"""What stands for a module in a cell is made when it is asked for, and once."""

import sys

import pytest

from cave_sim import World
from cave_sim.policy.libraries.module_proxy import ModuleProxy, members_of
from tests.policy.square import build


def test_what_a_module_offers_is_made_when_it_is_first_asked_for_and_once():
    made = []

    def make():
        made.append({"answer": 42})
        return made[-1]

    proxy = ModuleProxy("deep", make)
    assert (repr(proxy), made) == ("<module deep>", [])
    assert (proxy.answer, dir(proxy), members_of(proxy)) == (42, ["answer"], {"answer": 42})
    with pytest.raises(AttributeError, match=r"deep\.question is not for cells"):
        _ = proxy.question
    assert len(made) == 1


def test_what_is_interrupted_while_a_module_is_made_is_made_anew():
    attempts = []

    def make():
        attempts.append(1)
        if len(attempts) == 1:
            raise TimeoutError
        return {"answer": 42}

    proxy = ModuleProxy("deep", make)
    with pytest.raises(TimeoutError):
        _ = proxy.answer
    assert proxy.answer == 42


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("import sklearn.metrics as first", "from sklearn import metrics as second"),
        ("import sklearn.metrics.pairwise as first", "from sklearn.metrics import pairwise as second"),
        ("import numpy.random as first", "from numpy import random as second"),
        ("import itertools as first", "import itertools as second"),
    ],
)
def test_two_ways_to_a_module_lead_to_one(first, second):
    turn = build().execute(f"{first}\n{second}\nprint(first is second)", agent="ann")
    assert turn.output == "True\n"


def test_making_a_world_makes_none_of_what_its_modules_offer():
    World()
    assert calls_of(World) < 1_000  # each function of a module would be one more, and there are some thousand


def calls_of(function):
    """Return how many functions are called in a call of this one."""
    called = []

    def note(_frame, event, _argument):
        if event in ("call", "c_call"):
            called.append(event)

    sys.setprofile(note)
    try:
        function()
    finally:
        sys.setprofile(None)
    return len(called)
