"""Simultaneous batches: everybody sees one state, writes are merged by each field's rule, arrival never matters."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cave_sim import Entity, World, WorldError, field
from cave_sim.random_streams import seeded_order
from tests.world.market import make_market

AGENTS = ("ann", "bob", "cem")


class Pool(Entity):
    level: int = field(10, merge="add", ge=0)
    note: str = field("")
    latest: str = field("", merge="last")
    log: list[str] = field([], merge="extend")
    peak: int = field(0, merge=lambda start, current, written: max(current, written))
    seats: dict[str, str] = field({})
    names: set[str] = field(set(), merge="extend")


def make_pool(seed=1):
    world = World(seed=seed)
    world.add("pool", Pool())
    for name in AGENTS:
        world.grant(name, "pool")
    return world


def test_every_cell_of_a_batch_sees_the_state_at_its_start():
    world = make_pool()
    turns = world.execute_batch(dict.fromkeys(AGENTS, "pool.level += 1\npool.level"))
    assert {turn.output for turn in turns.values()} == {"11"}
    assert world["pool"].level == 13


def test_sequential_batches_see_the_one_before():
    turns = make_pool().execute_batch(dict.fromkeys(AGENTS, "pool.level += 1\npool.level"), order="sequential")
    assert [turns[name].output for name in AGENTS] == ["11", "12", "13"]


def test_a_second_writer_gets_a_conflict_that_names_both():
    world = make_pool()
    turns = world.execute_batch({name: f"pool.note = {name!r}" for name in AGENTS})
    first, *others = seeded_order(AGENTS, 1, "merge", 0)
    assert turns[first].status == "committed"
    for loser in others:
        assert turns[loser].status == "conflict"
        assert f"pool.note written twice: by {first}" in turns[loser].error
        assert f"then by {loser}" in turns[loser].error
        assert "give it merge=" in turns[loser].error
    assert world["pool"].note == first


def test_a_turn_that_conflicts_in_one_write_loses_all_of_them():
    world = make_pool()
    world.execute_batch({name: f"pool.level += 5\npool.note = {name!r}" for name in AGENTS})
    assert world["pool"].level == 15


@pytest.mark.parametrize(
    ("code", "field_name", "expected"),
    [
        ("pool.level -= 2", "level", 4),
        ("pool.log.append('x')", "log", ["x", "x", "x"]),
        ("pool.peak = len('{name}') + {number}", "peak", 5),
    ],
)
def test_merge_rules_combine_what_everybody_wrote(code, field_name, expected):
    world = make_pool()
    turns = world.execute_batch({name: code.format(name=name, number=i) for i, name in enumerate(AGENTS)})
    assert {turn.status for turn in turns.values()} == {"committed"}
    assert getattr(world["pool"], field_name) == expected


def test_last_takes_the_last_of_the_seeded_order():
    world = make_pool()
    world.execute_batch({name: f"pool.latest = {name!r}" for name in AGENTS})
    assert world["pool"].latest == seeded_order(AGENTS, 1, "merge", 0)[-1]


def test_different_keys_of_a_dict_and_items_of_a_set_do_not_conflict_and_equal_ones_do():
    world = make_pool()
    turns = world.execute_batch({name: f"pool.seats[{name!r}] = 'taken'\npool.names.add({name!r})" for name in AGENTS})
    assert {turn.status for turn in turns.values()} == {"committed"}
    turns = world.execute_batch({name: f"pool.seats['best'] = {name!r}" for name in AGENTS})
    assert sorted(turn.status for turn in turns.values()) == ["committed", "conflict", "conflict"]


def test_a_merge_that_leaves_the_bounds_is_a_conflict():
    world = make_pool()
    turns = world.execute_batch(dict.fromkeys(AGENTS, "pool.level -= 5"))
    assert sorted(turn.status for turn in turns.values()) == ["committed", "committed", "conflict"]
    assert world["pool"].level == 0


def test_an_invariant_is_checked_after_the_merge():
    world = make_pool()
    world.invariant("at most 12", lambda world: world["pool"].level <= 12)
    turns = world.execute_batch(dict.fromkeys(AGENTS, "pool.level += 1"))
    assert sorted(turn.status for turn in turns.values()) == ["committed", "committed", "conflict"]


def test_removing_what_another_writes_is_a_conflict():
    world = make_market()
    world.grant("ann", "*")
    world.grant("bob", "*")
    turns = world.execute_batch({"ann": "world.remove('weather')", "bob": "weather.rain_mm = 9.0"})
    assert sorted(turn.status for turn in turns.values()) == ["committed", "conflict"]


WHOLE_AND_PART = {
    "a dict and its key": ("pool.seats = {'a': 'x'}", "pool.seats['b'] = 'y'"),
    "a key and its dict": ("pool.seats['b'] = 'y'", "pool.seats = {'a': 'x'}"),
}


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("one", "other"), WHOLE_AND_PART.values(), ids=WHOLE_AND_PART)
def test_a_part_of_a_field_and_the_whole_of_it_conflict_whoever_comes_first(one, other, seed):
    world = make_pool(seed)
    turns = world.execute_batch({"ann": one, "bob": other})
    assert sorted(turn.status for turn in turns.values()) == ["committed", "conflict"]
    first = seeded_order(("ann", "bob"), seed, "merge", 0)[0]
    assert turns[first].committed


def test_what_is_merged_by_extend_can_only_grow_in_a_batch():
    world = make_pool()
    world["pool"].log = ["first"]
    grow, shrink = "pool.log.append('x')", "pool.log[0] = 'gone'"
    turns = world.execute_batch({"ann": grow, "bob": grow, "cem": shrink})
    order = seeded_order(AGENTS, 1, "merge", 0)
    alone = order[0] == "cem"
    assert turns["cem"].committed == alone
    if not alone:
        assert "which only adds" in turns["cem"].error
        assert world["pool"].log == ["first", "x", "x"]


@pytest.mark.parametrize("seed", range(4))
def test_writing_what_another_has_removed_or_removing_what_another_wrote_is_a_conflict(seed):
    world = make_market(seed)
    world.grant("ann", "*")
    world.grant("bob", "*")
    turns = world.execute_batch({"ann": "world.remove('weather')", "bob": "weather.temperature_c = 9.0"})
    first = seeded_order(("ann", "bob"), seed, "merge", 0)[0]
    assert {name: turn.committed for name, turn in turns.items()} == {"ann": first == "ann", "bob": first == "bob"}


def test_turns_inside_a_turn_that_lost_are_lost_with_it():
    world = make_pool()
    for name in AGENTS:
        world.grant(name, "*")
    world.execute("known = 1", agent="cem")
    landed = []
    world.sink = landed.append
    world.execute_batch(dict.fromkeys(AGENTS[:2], "await team['cem'].run('pool.note = \"x\" + str(rng.random())')"))
    children = [turn for turn in landed if turn.parent is not None]
    parents = {turn.id: turn for turn in landed if turn.parent is None}
    assert sorted(turn.status for turn in parents.values()) == ["committed", "conflict"]
    assert {turn.committed for turn in children if not parents[turn.parent].committed} == {False}
    assert len(children) == 2


def test_journaled_changes_of_a_merged_turn_are_those_that_landed():
    world = make_pool()
    landed = []
    world.sink = landed.append
    world.execute_batch(dict.fromkeys(AGENTS, "pool.level += 1"))
    cells = [turn for turn in landed if turn.kind == "cell"]
    assert [(turn.changes[0].old, turn.changes[0].new) for turn in cells] == [(10, 11), (11, 12), (12, 13)]


def test_private_variables_stay_whatever_became_of_the_turn():
    world = make_pool()
    world.execute_batch({name: f"mine = 1\npool.note = {name!r}" for name in AGENTS})
    assert [world.retrieve("mine", agent=name) for name in AGENTS] == [1, 1, 1]


def test_an_unknown_order_is_refused():
    with pytest.raises(WorldError, match="takes 'simultaneous' or 'sequential'"):
        make_pool().execute_batch({}, order="both")


CELLS = (
    "stall.sell(me)",
    "me.mood = 0.75",
    "me.basket['x'] = 1",
    "weather.rain_mm = 2.0",
    "1/0",
    "me.diary.append('seen ' + str(stall.apples))",
    "me.mood = rng.random()",
    "me.sing('la')",
)


@given(st.dictionaries(st.sampled_from(AGENTS), st.sampled_from(CELLS), min_size=1), st.integers(0, 3))
def test_the_order_of_arrival_never_matters(cells, seed):
    found = set()
    for arrival in itertools.permutations(cells):
        world = make_market(seed)
        turns = world.execute_batch({name: cells[name] for name in arrival})
        statuses = tuple(sorted((name, turn.status) for name, turn in turns.items()))
        found.add((world.state_hash(), statuses))
    assert len(found) == 1
