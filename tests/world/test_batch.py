"""Simultaneous batches: everybody sees one state, writes are merged by each field's rule, arrival never matters."""

import itertools
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cave_sim import Entity, World, WorldError, field
from cave_sim.determinism.random_streams import seeded_order
from cave_sim.world.apply_changes import apply_change
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


@pytest.mark.parametrize("shrink", ["pool.log[0] = 'gone'", "pool.log.pop()", "pool.log = ['mine']"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_what_is_merged_by_extend_can_only_grow_in_a_batch(shrink, seed):
    world = make_pool(seed)
    world["pool"].log = ["first"]
    grow = "pool.log.append('x')"
    turns = world.execute_batch({"ann": grow, "bob": grow, "cem": shrink})
    alone = seeded_order(AGENTS, seed, "merge", 0)[0] == "cem"
    assert turns["cem"].status == ("committed" if alone else "conflict")
    if not alone:
        assert world["pool"].log == ["first", "x", "x"]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_whole_list_is_merged_by_extend_if_it_begins_as_it_was_and_conflicts_if_not(seed):
    world = make_pool(seed)
    world["pool"].log = ["first"]
    longer, another = "pool.log = [*pool.log, 'x']", "pool.log = ['mine', 'x']"
    turns = world.execute_batch({"ann": longer, "bob": longer, "cem": another})
    first = seeded_order(AGENTS, seed, "merge", 0)[0] == "cem"
    assert [turns[name].status for name in AGENTS] == ["committed", "committed", "committed" if first else "conflict"]
    assert world["pool"].log == [*(("mine", "x") if first else ("first",)), "x", "x"]


@pytest.mark.parametrize("seed", range(4))
def test_writing_what_another_has_removed_or_removing_what_another_wrote_is_a_conflict(seed):
    world = make_market(seed)
    world.grant("ann", "*")
    world.grant("bob", "*")
    turns = world.execute_batch({"ann": "world.remove('weather')", "bob": "weather.temperature_c = 9.0"})
    first = seeded_order(("ann", "bob"), seed, "merge", 0)[0]
    assert {name: turn.committed for name, turn in turns.items()} == {"ann": first == "ann", "bob": first == "bob"}
    assert f"written twice: by {first}" in turns["bob" if first == "ann" else "ann"].error


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


@pytest.mark.long
@given(st.dictionaries(st.sampled_from(AGENTS), st.sampled_from(CELLS), min_size=1), st.integers(0, 3))
def test_the_order_of_arrival_never_matters(cells, seed):
    found = set()
    for arrival in itertools.permutations(cells):
        world = make_market(seed)
        turns = world.execute_batch({name: cells[name] for name in arrival})
        statuses = tuple(sorted((name, turn.status) for name, turn in turns.items()))
        found.add((world.state_hash(), statuses))
    assert len(found) == 1


def broken(start, current, written):
    raise RuntimeError("the author's own mistake")


def rude(start, current, written):
    raise SystemExit


class Wordless(Exception):
    def __str__(self):
        raise ValueError


def wordless(start, current, written):
    raise Wordless


def greedy(start, current, written):
    for value in (start, current, written):
        if isinstance(value, (list, dict)):
            value.clear()
    return written


HOSTILE = (
    broken,
    rude,
    wordless,
    greedy,
    lambda start, current, written: object(),
    lambda start, current, written: float("nan"),
    lambda start, current, written: {"$ref": "nobody"},
    lambda start, current, written: [written, current],
    lambda *values: values[3],  # there are three
)
WRITES: dict[str, tuple[Any, Any, list[str]]] = {
    "number": (int, 5, ["board.number += 1", "board.number = 0"]),
    "share": (float, 0.5, ["board.share *= 2.0"]),
    "text": (str, "", ["board.text = 'x'"]),
    "maybe": (int | None, None, ["board.maybe = 3", "board.maybe = None"]),
    "items": (list[int], [1, 2], ["board.items.append(3)", "board.items.pop()", "board.items = [7]"]),
    "rows": (dict[str, list[int]], {"a": [1]}, ["board.rows['a'].append(2)", "board.rows.pop('a')"]),
    "tags": (set[str], {"p"}, ["board.tags.add('q')", "board.tags.discard('p')"]),
    "any": (Any, {"k": (1, {2})}, ["board.any = 3", "board.any['k'] = 4", "board.any.pop('k')"]),
    "pair": (tuple[int, str], (1, "x"), ["board.pair = (2, 'y')"]),
    "friend": (Pool | None, None, ["board.friend = pool", "board.friend = None"]),
    "pools": (dict[str, Pool], {}, ["board.pools['x'] = pool", "board.pools.pop('x', None)"]),
    "grid": (np.ndarray, np.zeros(9), ["board.grid[0] += 1", "board.grid = board.grid[:2]"]),
    "table": (pd.DataFrame, pd.DataFrame({"x": [1, 2]}), ["board.table['x'] = 7", "board.table = board.table.head(1)"]),
    "map": (nx.Graph, nx.path_graph(3), ["board.map.add_edge(0, 9)", "board.map.remove_node(0)"]),
}


def make_board(rule):
    """A board with a field of every type, all merged by one rule where it fits."""
    annotations = {name: annotation for name, (annotation, _, _) in WRITES.items()}
    body: dict[str, Any] = {"__annotations__": annotations}
    for name, (_, default, _) in WRITES.items():
        body[name] = field(default, merge=rule)
    world = make_pool()
    world.add("board", type("Board", (Entity,), body)())
    for name in AGENTS:
        world.grant(name, "*")
    return world


CELL = st.lists(st.sampled_from([act for *_, acts in WRITES.values() for act in acts]), min_size=1, max_size=4)


@given(st.sampled_from(["one_writer", "last", *HOSTILE]), st.dictionaries(st.sampled_from(AGENTS), CELL, min_size=2))
@example("last", {name: ["board.text = 'x'", "board.rows.pop('a')"] for name in AGENTS})
@example(broken, {name: ["board.text = 'x'", "board.number += 1"] for name in AGENTS})
@example("last", {"ann": ["board.grid = board.grid[:2]"], "bob": ["board.grid[0] += 1"]})
def test_whatever_a_merge_does_a_turn_lands_whole_or_not_at_all_and_the_world_is_what_its_sink_was_told(rule, cells):
    world, mirror = make_board(rule), make_board(rule)
    world.state_hash()
    told = []
    world.sink = told.append
    turns = world.execute_batch({agent: "\n".join(acts) for agent, acts in cells.items()})
    assert {turn.agent for turn in told} == set(cells)
    for turn in told:
        assert turn.committed == (turn.error is None)
        assert turn.committed or not turn.changes
        for change in turn.changes:
            apply_change(mirror, change)
    assert mirror.state_hash() == world.state_hash()
    assert any(turn.committed for turn in turns.values()) or all(turn.status != "conflict" for turn in turns.values())
    assert world.execute("board.number = 1").committed


def test_a_merge_function_that_raises_costs_the_turn_that_it_was_asked_for_and_no_other():
    class Scores(Entity):
        best: int = field(0, merge=broken)
        note: str = field("", merge="last")

    world = make_pool()
    world.add("scores", Scores())
    for name in AGENTS:
        world.grant(name, "scores")
    turns = world.execute_batch({name: f"scores.note = {name!r}\nscores.best = 3" for name in AGENTS})
    first, second, third = seeded_order(AGENTS, 1, "merge", 0)
    assert [turns[name].status for name in (first, second, third)] == ["committed", "conflict", "conflict"]
    assert world["scores"].note == first
    assert (
        f"step 0: what {second} wrote to scores.best cannot be merged with what was written there first, by {first}: "
        in turns[second].error
    )
    assert "RuntimeError: the author's own mistake" in turns[second].error


def test_the_second_to_take_the_same_key_gets_a_conflict():
    class Shelf(Entity):
        books: dict[str, str] = field({"atlas": "new", "novel": "worn"}, merge="last")

    world = make_pool()
    world.add("shelf", Shelf())
    for name in AGENTS:
        world.grant(name, "shelf")
    turns = world.execute_batch(dict.fromkeys(AGENTS, "shelf.books.pop('atlas')"))
    assert sorted(turn.status for turn in turns.values()) == ["committed", "conflict", "conflict"]
    assert world["shelf"].books == {"novel": "worn"}


def test_a_merge_function_is_given_whole_values_however_small_the_parts_that_were_written():
    seen = []

    def union(start, current, written):
        seen.append((start, current, written))
        return {**current, **written}

    class Menu(Entity):
        prices: dict[str, int] = field({"tea": 2}, merge=union)

    world = make_pool()
    world.add("menu", Menu())
    for name in AGENTS:
        world.grant(name, "menu")
    world.execute_batch({name: f"menu.prices[{name!r}] = 1\nmenu.prices['tea'] += 1" for name in AGENTS[:2]})
    first, second = seeded_order(AGENTS[:2], 1, "merge", 0)
    assert seen == [({"tea": 2}, {"tea": 3, first: 1}, {"tea": 3, second: 1})]
    assert world["menu"].prices == {"tea": 3, "ann": 1, "bob": 1}


@pytest.mark.parametrize(
    ("rule", "start", "gift", "theft"),
    [
        ("extend", [1, 2], "append(3)", "pop(0)"),
        ("extend", {"a": 1}, "update(b=2)", "pop('a')"),
        ("last", [1, 2], "append(3)", "append(4)"),
    ],
)
def test_a_part_that_a_rule_cannot_place_costs_whoever_comes_second(rule, start, gift, theft):
    box = type("Box", (Entity,), {"__annotations__": {"things": type(start)}, "things": field(start, merge=rule)})
    for seed in range(4):
        world = World(seed=seed)
        world.add("box", box())
        for name in ("ann", "bob"):
            world.grant(name, "box")
        first, second = seeded_order(("ann", "bob"), seed, "merge", 0)
        cells = {first: f"box.things.{gift}", second: f"box.things.{theft}"}
        turns = world.execute_batch(cells)
        assert (turns[first].status, turns[second].status) == ("committed", "conflict")
        assert f"merge='{rule}' takes no" in turns[second].error
