"""Worlds: names, time, events, state as a whole."""

import copy
import datetime as dt
import math
import pickle
import subprocess
import sys
import tracemalloc

import numpy as np
import pytest

from cave_sim import Entity, Limits, World, WorldError, field
from cave_sim.testing import WorldContract
from cave_sim.worlds.smart_home.devices import Lamp
from tests.world.market import Buyer, Stall, make_market


class TestMarket(WorldContract):
    agent = "ann"

    def make(self, seed):
        return make_market(seed)


def test_entities_are_found_by_name_and_by_class(market):
    assert ("ann" in market, "zoe" in market, len(market)) == (True, False, 5)
    assert list(market) == ["ann", "bob", "cem", "stall", "weather"]
    assert [buyer.id for buyer in market.all(Buyer)] == ["ann", "bob", "cem"]
    market.add("aaa", Buyer())
    assert [buyer.id for buyer in market.all(Buyer)] == ["aaa", "ann", "bob", "cem"]


@pytest.mark.parametrize(
    ("name", "entity", "words"),
    [
        ("ann", Stall(), "taken by a Buyer"),
        ("_x", Stall(), "neither"),
        ("$x", Stall(), "neither"),
        ("", Stall(), "neither"),
        ("print", Stall(), "cells know something else"),
        ("new", 5, "int is no Entity; use inject"),
    ],
)
def test_a_bad_name_is_refused(market, name, entity, words):
    with pytest.raises(WorldError, match=words):
        market.add(name, entity)


def test_an_entity_lives_in_one_world_at_a_time(market):
    with pytest.raises(WorldError, match="in a world already, as 'ann'"):
        make_market().add("zoe", market["ann"])


def test_an_unknown_name_hints_at_the_nearest(market):
    with pytest.raises(WorldError, match="Did you mean 'stall'"):
        market["stal"]


def test_bad_settings_are_refused():
    for options, words in (
        ({"seed": -1}, "seed=-1"),
        ({"seed": 1.5}, "a whole number"),
        ({"step_s": 0}, "step_s=0"),
        ({"step_s": math.nan}, "step_s=nan"),
        ({"step_s": math.inf}, "step_s=inf"),
        ({"start": "yesterday"}, "is no date with a time"),
        ({"start": dt.date(2012, 6, 1)}, "is no date with a time"),
        ({"policy": "none"}, "'guarded' or 'trusted'"),
        ({"limits": {"ticks": 5}}, "as limits=Limits"),
    ):
        with pytest.raises(WorldError, match=words):
            World(**options)


@pytest.mark.parametrize(
    ("name", "value"), [("deadline_s", math.nan), ("deadline_s", "5"), ("ticks", -1), ("changes", 1.5), ("ticks", True)]
)
def test_a_limit_that_would_hold_nothing_is_refused(name, value):
    with pytest.raises(WorldError, match=f"{name}={value!r}.*0 or more"):
        Limits(**{name: value})


def test_time_moves_by_steps(market):
    assert (market.clock.step, market.clock.text, market.clock.hour) == (0, "Fri 1 June 2012 06:00", 6.0)
    for _ in range(3):
        market.advance()
    assert (market.clock.step, market.clock.time_s, market.clock.text) == (3, 1800.0, "Fri 1 June 2012 06:30")


def test_events_happen_when_due_in_order_and_survive_a_snapshot(market):
    market.schedule_event("stall", "restock", after_s=1200, args={"apples": 5})
    market.schedule_event("stall", "restock", after_s=600, args={"apples": 1})
    twin = World.restore(market.snapshot())
    seen = []
    for world in (market, twin):
        apples = []
        for _ in range(3):
            world.advance()
            apples.append(world["stall"].apples)
        seen.append(apples)
    assert seen == [[11, 16, 16], [11, 16, 16]]


def test_bad_events_are_refused(market):
    with pytest.raises(WorldError, match="has no method 'fly'"):
        market.schedule_event("stall", "fly")
    with pytest.raises(WorldError, match="in the past"):
        market.schedule_event("stall", "restock", after_s=-1)
    for options, words in (
        ({"method": None}, "has no method None"),
        ({"after_s": math.nan}, "after_s=nan"),
        ({"after_s": "600"}, "takes seconds"),
        ({"args": "5"}, "takes the method's arguments by name"),
    ):
        with pytest.raises(WorldError, match=words):
            market.schedule_event("stall", **{"method": "restock", **options})
    assert market.schedule_event("stall", "restock", after_s=np.int64(600), args={"apples": 1}) == 1


@pytest.mark.parametrize("touching", ["apples", 5, [5], None])
def test_a_rule_that_would_never_be_asked_is_refused(market, touching):
    with pytest.raises(WorldError, match="takes names of fields"):
        market.invariant("apples stay", lambda world: world["stall"].apples >= 0, touching=touching)


def test_time_does_not_move_within_a_step(market):
    market.dynamics(lambda world: world.advance())
    with pytest.raises(WorldError, match="within a step"):
        market.advance()


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickle.dumps])
def test_an_entity_is_not_copied_and_says_how_to_have_another(market, copied):
    for stall in (Stall(), market["stall"]):
        with pytest.raises(WorldError, match=r"is not copied: .*Stall\(\.\.\.\)"):
            copied(stall)


@pytest.mark.parametrize(("name", "agent"), [(5, None), (None, None), ("list_of_mine", 5)])
def test_what_has_no_name_is_not_injected(market, name, agent):
    with pytest.raises(WorldError, match="inject"):
        market.inject(name, [1], agent=agent)


@pytest.mark.parametrize("state", [None, 5, "", b"", "\ud800", {}])
def test_what_is_no_snapshot_is_refused(state):
    with pytest.raises(WorldError, match="no snapshot"):
        World.restore(state)


def test_time_moves_by_steps_from_a_date_with_a_time():
    assert World(start=dt.datetime(2012, 6, 1, 8)).clock.text == "Fri 1 June 2012 08:00"


def test_an_error_in_the_dynamics_is_the_programmers_and_the_step_is_taken_back(market):
    market.dynamics(lambda world: world["ann"].__setattr__("mood", 0.1) or 1 / 0)
    before = market.state_hash()
    with pytest.raises(ZeroDivisionError):
        market.advance()
    assert (market.state_hash(), market.clock.step) == (before, 0)


def test_streams_follow_from_name_and_step_alone():
    one, other = make_market(3), make_market(3)
    other.add("zoe", Buyer(purse_cents=0))
    other.rng("something else").random()
    for world in (one, other):
        world.advance()
    assert one.rng("a").random() == other.rng("a").random() != one.rng("b").random()
    outputs = {world.execute("rng.random()", agent="ann").output for world in (one, other)}
    assert len(outputs) == 1
    assert one.execute("rng.random()", agent="ann").output not in outputs


def test_the_state_hash_does_not_depend_on_how_the_state_came_to_be():
    class Box(Entity):
        items: dict[str, int] = field({})
        tags: set[str] = field(set())

    hashes = set()
    for order in ("abc", "cba"):
        world = World()
        for name in order:
            world.add(name, Box())
        for key in order:
            world["a"].items["x"] = order.index(key)
            world["a"].tags.add(key)
        hashes.add(world.state_hash())
    assert len(hashes) == 1


@pytest.mark.long
def test_the_state_hash_is_the_same_in_any_process():
    code = (
        "from tests.world.market import make_market\n"
        "world = make_market()\n"
        "world.execute(\"me.tags = {'x', 'y', 'z'}; me.diary = [str(t) for t in me.tags | {'q'}]\", 'ann')\n"
        "world.advance()\n"
        "print(world.state_hash())"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": "."},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "77")
    }
    assert len(found) == 1


def test_a_snapshot_keeps_agents_variables_and_aliases():
    world = make_market()
    world.execute(
        "n = 3\nnotes = me.diary\ndef double(x):\n    return 2 * x\nfriend = bob\nlost = (i for i in range(3))",
        agent="ann",
    )
    restored = World.restore(world.snapshot())
    assert (
        restored.execute("notes.append('hi')\ndouble(n), friend.mood, len(me.diary)", agent="ann").output
        == "(6, 0.5, 1)"
    )
    assert restored.execute("lost", agent="ann").status == "failed"


def test_a_snapshot_that_is_none_is_refused():
    for state, words in ((b"nonsense", "no snapshot"), (b"{}", "no snapshot")):
        with pytest.raises(WorldError, match=words):
            World.restore(state)


def test_a_fork_does_not_touch_its_parent(market):
    market.execute("x = 1\nme.diary.append('before')", agent="ann")
    child = market.fork()
    child.execute("weather.temperature_c = 38.0\nann.diary.append('heat')", agent="mayor")
    child.execute("x += 1", agent="ann")
    assert (market["weather"].temperature_c, child["weather"].temperature_c) == (15.0, 38.0)
    assert (market["ann"].diary, child["ann"].diary) == (["before"], ["before", "heat"])
    assert (market.retrieve("x", agent="ann"), child.retrieve("x", agent="ann")) == (1, 2)


def test_the_api_reference_quotes_the_texts_of_a_signature_and_not_its_annotations():
    world = World(seed=1)
    world.add("lamp", Lamp())
    assert "def set_colour(colour: Literal['white', 'warm', 'red', 'blue']) -> str" in world.describe("ann")


def test_the_api_reference_says_what_a_mind_needs(market):
    text = market.describe("ann")
    for line in (
        "me: Buyer  # yourself, ann",
        "class Stall:",
        '"""Sells apples."""',
        "price_cents: int  # >= 1 EUR cent; price of one apple",
        "till_cents: int  # >= 0; read-only",
        "temperature_c: float  # -60 to 60 degC",
        "favourite: Stall | None",
        "def sell(buyer: Buyer) -> int  # Sell one apple; returns its price in cents.",
        "# You may write: ann.*",
    ):
        assert line in text


@pytest.mark.long
def test_ten_thousand_different_cells_leave_nothing_behind():
    import linecache

    world = make_market(limits=Limits(deadline_s=0))
    lines = len(linecache.cache)

    def run(cells):
        for number in cells:
            assert world.execute(f"x = {number}\ny = x + 1", agent="ann").status == "committed"

    run(range(3_000))
    tracemalloc.start()
    run(range(3_000, 5_000))
    before = tracemalloc.get_traced_memory()[0]
    run(range(5_000, 13_000))
    grown = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert len(linecache.cache) == lines
    assert grown < 200_000
