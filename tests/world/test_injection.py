"""What is put into a world from outside: native objects of any kind, and tools."""

import numpy as np
import pandas as pd

from cave_sim import World, register_codec


def test_injected_objects_come_back_native_with_changes_and_rollback(market):
    market.inject("prices", pd.DataFrame({"day": [1, 2], "cents": [100, 120]}), about="apple prices")
    market.inject("board", {"news": []})
    market.inject("grid", np.zeros(4))
    turn = market.execute(
        "prices['cents'] = prices['cents'] + 10\nboard['news'].append('hi')\ngrid[2] = 5", agent="ann"
    )
    assert {(c.entity, c.op) for c in turn.changes} == {("prices", "patch"), ("board", "set"), ("grid", "patch")}
    market.execute("prices['cents'] = 0\nboard['news'].clear()\ngrid[:] = 1\n1/0", agent="bob")
    assert list(market.retrieve("prices")["cents"]) == [110, 130]
    assert market.retrieve("board") == {"news": ["hi"]}
    assert list(market.retrieve("grid")) == [0, 0, 5, 0]
    assert isinstance(market.retrieve("prices"), pd.DataFrame)
    assert "prices: DataFrame  # apple prices" in market.describe("ann")


def test_a_class_of_the_users_lives_in_the_world_once_it_is_registered():
    class Clockwork:
        def __init__(self, wound):
            self.wound = wound

        def wind(self, turns):
            self.wound += turns
            return self.wound

    register_codec(
        Clockwork, lambda c: {"wound": c.wound}, lambda d: Clockwork(d["wound"]), lambda a, b: b["wound"] - a["wound"]
    )
    world = World()
    toy = Clockwork(1)
    world.inject("toy", toy)
    turn = world.execute("toy.wind(4)")
    assert (turn.output, turn.changes[0].new) == ("5", {"data": {"wound": 5}, "diff": 4})
    world.execute("toy.wind(4)\n1/0")
    assert world.retrieve("toy").wound == 5
    assert World.restore(world.snapshot()).state_hash() == world.state_hash()


def test_functions_are_tools_that_run_with_the_worlds_rights(market):
    def announce(text: str) -> int:
        """Put a note on the weather board."""
        market["weather"].notes.append(text)
        return len(market["weather"].notes)

    market.inject("announce", announce)
    assert market.execute("announce('rain')", agent="ann").output == "1"
    assert market["weather"].notes == ["rain"]
    assert "def announce(text: str) -> int  # Put a note on the weather board." in market.describe("ann")
    assert market.retrieve("announce") is announce
