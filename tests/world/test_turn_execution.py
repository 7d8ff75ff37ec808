"""Turns: they land whole or not at all."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cave_sim import Entity, Limits, Refused, World, WorldError, field
from tests.world.market import make_market


def paths(turn):
    return [(change.entity, *change.path, change.op) for change in turn.changes]


def test_a_committed_turn_tells_its_net_changes(market):
    turn = market.execute("me.mood = 0.1\nme.mood = 0.9\nweather\nstall.sell(me)", agent="ann")
    assert turn.status == "committed"
    assert [(c.entity, c.path, c.op, c.old, c.new) for c in turn.changes] == [
        ("ann", ("mood",), "set", 0.5, 0.9),
        ("ann", ("purse_cents",), "set", 1000, 900),
        ("stall", ("till_cents",), "set", 0, 100),
        ("stall", ("apples",), "set", 10, 9),
        ("stall", ("visitors",), "splice", {"at": 0, "items": []}, {"at": 0, "items": [{"$ref": "ann"}]}),
    ]


def test_a_write_that_is_taken_back_is_no_change(market):
    assert (
        market.execute("me.mood = 0.9\nme.mood = 0.5\nme.tags.add('x')\nme.tags.discard('x')", agent="ann").changes
        == []
    )


def test_true_is_not_one_and_one_is_not_one_point_zero():
    class Box(Entity):
        value: object = 1

    world = World()
    world.add("box", Box())
    assert [c.new for c in world.execute("box.value = True").changes] == [True]
    assert [c.new for c in world.execute("box.value = 1.0").changes] == [1.0]


@pytest.mark.parametrize(
    ("code", "status", "words"),
    [
        ("me.mood = 7", "failed", "ann.mood: Input should be less than or equal to 1 (got 7)"),
        ("me.mood = 'high'", "failed", "valid number"),
        ("me.diary.append(3)", "failed", "ann.diary: Input should be a valid string"),
        ("stall.till_cents = 5", "blocked", "ann may not write stall.till_cents"),
        ("me.purse_cents = 5", "blocked", "It is changed only by what you do"),
        ("bob.mood = 1.0", "blocked", "ann may not write bob.mood"),
        ("bob.diary.append('x')", "blocked", "ann may not write bob.diary"),
        ("bob.sing('x')", "blocked", "for bob alone to do"),
        ("world.remove('bob')", "blocked", "may not remove entities"),
        ("1/0", "failed", "line 1: 1/0\nZeroDivisionError: division by zero"),
        ("x = (", "failed", "SyntaxError"),
        ("me.sing('x', at=18:00)", "failed", 'SyntaxError: invalid syntax; a time of day is a text: "18:00"'),
        ("while True:\n    pass", "timeout", "loop steps"),
        ("open('f')", "blocked", "'open' is not for cells"),
        ("import os", "blocked", "module 'os' is not for cells"),
        ("stall.price_cents = 5000\nstall.sell(me)", "blocked", "may not write"),
        ("world['nobody']", "failed", "there is no 'nobody'"),
        ("me.moood", "failed", "Did you mean 'mood'"),
    ],
)
def test_what_goes_wrong_comes_back_as_data_and_leaves_the_world_as_it_was(market, code, status, words):
    before, state = market.state_hash(), market.snapshot()
    turn = market.execute("me.mood = 0.9\n" + code, agent="ann")
    assert turn.status == status
    assert words.replace("line 1", "line 2") in turn.error
    assert (market.state_hash(), turn.changes) == (before, [])
    assert market.snapshot().split(b'"namespaces"')[0] == state.split(b'"namespaces"')[0].replace(
        b'"turns":%d' % (turn.id - 1), b'"turns":%d' % turn.id
    )


def test_an_invariant_refuses_what_would_break_it(market):
    turn = market.execute("ann.purse_cents += 1", agent="mayor")
    assert (turn.status, "money is conserved" in turn.error) == ("failed", True)
    assert market["ann"].purse_cents == 1000


def test_an_invariant_that_does_not_hold_now_is_refused_at_once(market):
    with pytest.raises(Exception, match="even now"):
        market.invariant("no apples", lambda world: world["stall"].apples == 0)


def test_an_invariant_may_look_at_the_changes_alone(market):
    market.invariant(
        "moods only rise", lambda world, changes: all(c.new >= c.old for c in changes if c.path == ("mood",))
    )
    assert market.execute("me.mood = 0.6", agent="ann").status == "committed"
    assert market.execute("me.mood = 0.2", agent="ann").status == "failed"


def test_a_deletion_that_is_rolled_back_keeps_the_order(market):
    market.execute("me.basket = {'a': 1, 'b': 2, 'c': 3}", agent="ann")
    for removal in ("del me.basket['a']", "me.basket.pop('b')", "me.basket.popitem()", "me.basket.clear()"):
        market.execute(f"{removal}\nme.basket['z'] = 9\n1/0", agent="ann")
        assert list(market["ann"].basket.items()) == [("a", 1), ("b", 2), ("c", 3)]


def test_reordering_a_dict_is_a_change(market):
    market.execute("me.basket = {'a': 1, 'b': 2}", agent="ann")
    turn = market.execute("x = me.basket.pop('a')\nme.basket['a'] = x", agent="ann")
    assert paths(turn) == [("ann", "basket", "set")]


def test_nested_containers_roll_back_and_tell_the_part_that_changed(market):
    turn = market.execute("me.shelves['a'].append(3)\nme.shelves['b'] = [9]", agent="ann")
    assert [(c.path, c.old, c.new) for c in turn.changes] == [
        (("shelves", "a"), [1, 2], [1, 2, 3]),
        (("shelves", "b"), None, [9]),
    ]
    market.execute("me.shelves['a'].clear()\nme.shelves['b'][0] = 5\ndel me.shelves['b']\n1/0", agent="ann")
    assert market["ann"].shelves == {"a": [1, 2, 3], "b": [9]}


def test_a_list_tells_the_smallest_splice(market):
    market.execute("me.diary = ['a', 'b', 'c', 'd']", agent="ann")
    turn = market.execute("me.diary[1] = 'B'\nme.diary.insert(2, 'x')", agent="ann")
    assert [(c.op, c.old, c.new) for c in turn.changes] == [
        ("splice", {"at": 1, "items": ["b"]}, {"at": 1, "items": ["B", "x"]})
    ]


def test_graphs_arrays_and_tables_change_natively_and_roll_back(market):
    turn = market.execute(
        "me.map.add_edge(0, 9, metres=5)\nme.map.nodes[1]['name'] = 'x'\n"
        "me.grid[1, 1] = 7\nme.table['z'] = me.table['x'] * 2",
        agent="ann",
    )
    assert {(c.path, c.op) for c in turn.changes} == {
        (("map", "node", 9), "set"),
        (("map", "edge", 0, 9), "set"),
        (("map", "node", 1), "set"),
        (("grid",), "patch"),
        (("table",), "patch"),
    }
    before = market.state_hash()
    failed = market.execute(
        "me.map.remove_node(1)\nme.grid[:] = 3\nme.table.loc[0, 'x'] = 99\nme.map.clear()\n1/0",
        agent="ann",
    )
    assert (failed.status, market.state_hash()) == ("failed", before)
    ann = market["ann"]
    assert (sorted(ann.map.edges), ann.grid[1, 1], list(ann.table["z"])) == ([(0, 1), (0, 9), (1, 2)], 7.0, [2, 4, 6])


def test_an_array_that_was_read_and_then_set_anew_holds_what_was_set(market):
    turn = market.execute("old = me.grid\nme.grid = old + 1\nold[0, 0] = 50\nme.grid[1, 1] = 7", agent="ann")
    assert turn.committed
    assert market["ann"].grid.tolist() == [[1, 1, 1], [1, 7, 1], [1, 1, 1]]
    kept = market["ann"].grid
    market["ann"].grid = kept * 0
    market.advance()
    assert not market["ann"].grid.any()


def test_an_agent_without_the_right_gets_a_copy_of_a_table_that_is_thrown_away(market):
    turn = market.execute("ann.table['x'] = 0\nann.grid[0, 0] = 5\nint(ann.table['x'].sum())", agent="bob")
    assert turn.changes == []
    assert list(market["ann"].table["x"]) == [1, 2, 3]


def test_own_variables_persist_and_stay_private_even_after_an_error(market):
    market.execute("x = 1\ndef twice(n):\n    return 2 * n\ny = 2\n1/0", agent="ann")
    assert market.execute("twice(x) + y", agent="ann").output == "4"
    assert market.execute("x", agent="bob").status == "failed"
    assert market.retrieve("x", agent="ann") == 1
    with pytest.raises(KeyError, match="ann has no variable 'z'"):
        market.retrieve("z", agent="ann")


def test_a_name_that_an_agent_binds_shadows_the_world_for_itself_alone(market):
    market.execute("stall = 5", agent="ann")
    assert market.execute("stall", agent="ann").output == "5"
    assert market.execute("stall.apples", agent="bob").output == "10"


def test_nobody_can_be_somebody_else(market):
    market.execute("me = bob", agent="ann")
    assert market.execute("me.mood = 0.1", agent="ann").changes[0].entity == "ann"


def test_a_new_entity_can_be_used_in_the_very_next_turn(market):
    turn = market.execute("world.add('kiosk', Stall(title='Kiosk', price_cents=50))", agent="mayor")
    assert [(c.entity, c.op, c.new["type"]) for c in turn.changes] == [("kiosk", "create", "Stall")]
    assert market.execute("kiosk.sell(me)", agent="ann").output == "50"
    assert "kiosk" in market.describe("ann")


def test_entities_that_came_or_went_in_a_failed_turn_did_not(market):
    before = market.state_hash()
    market.execute("world.add('kiosk', Stall())\nworld.remove('bob')\nkiosk.title = 'x'\n1/0", agent="mayor")
    assert market.state_hash() == before
    assert ("kiosk" in market, "bob" in market) == (False, True)
    assert market.execute("bob.mood", agent="ann").output == "0.5"


def test_writes_of_the_script_become_a_turn_of_their_own(market):
    turns = []
    market.sink = turns.append
    market["ann"].mood = 0.7
    market["ann"].grid[0, 0] = 4
    market.execute("me.mood = 0.8", agent="ann")
    assert [(t.kind, paths(t)) for t in turns] == [
        ("outside", [("ann", "mood", "set"), ("ann", "grid", "patch")]),
        ("cell", [("ann", "mood", "set")]),
    ]


def test_child_turns_land_with_their_parent_and_are_undone_with_it(market):
    turns = []
    market.sink = turns.append
    code = (
        "t = await team['ann'].run('me.mood = 0.9\\nx = 5')\n"
        "team['bob'].inject('gift', [t.status])\nteam['ann'].retrieve('x')"
    )
    parent = market.execute(code, agent="mayor")
    assert (parent.output, market["ann"].mood, market.retrieve("gift", agent="bob")) == ("5", 0.9, ["committed"])
    market.execute("await team['ann'].run('me.mood = 0.2')\n1/0", agent="mayor")
    assert market["ann"].mood == 0.9
    assert [(t.agent, t.status, t.parent is not None) for t in turns] == [
        ("ann", "committed", True),
        ("mayor", "committed", False),
        ("ann", "failed", True),
        ("mayor", "failed", False),
    ]
    market.limits = Limits(ticks=1_000)
    market.execute("await team['ann'].run('me.mood = 0.2')\nwhile True: pass", agent="mayor")
    assert [turn.error for turn in turns if turn.error and turn.parent] == [
        "undone with the turn of mayor that ran it, which failed",
        "undone with the turn of mayor that ran it, which ran out of time",
    ]


def test_a_child_runs_with_its_own_rights_and_fails_alone(market):
    turn = market.execute("t = await team['ann'].run('bob.mood = 1.0')\nweather.rain_mm = 1.0\nt.status", agent="mayor")
    assert (turn.status, turn.output, market["weather"].rain_mm) == ("committed", "'blocked'", 1.0)
    assert market.execute("await team['bob'].run('1')", agent="ann").status == "blocked"


def test_a_deep_chain_of_agents_running_agents_does_not_deadlock(market):
    market.grant("ann", "*")
    market.grant("bob", "*")
    code = "await team['ann'].run(\"await team['bob'].run('cem.mood = 0.25')\")"
    assert market.execute(code, agent="mayor").status == "committed"
    assert market["cem"].mood == 0.25


def test_grants_say_what_exists(market):
    market.grant("clerk", "stall.price_cents", "Weather")
    assert market.execute("stall.price_cents = 90\nweather.rain_mm = 2", agent="clerk").status == "committed"
    assert market.execute("stall.apples = 3", agent="clerk").status == "blocked"
    for target in ("nowhere", "stall.nix"):
        with pytest.raises(WorldError, match="grant"):
            market.grant("clerk", target)


FAULTS = (
    "1/0",
    "me.mood = 9",
    "me.diary.append(1)",
    "stall.till_cents = 1",
    "bob.mood = 0",
    "raise ValueError('x')",
    "nix",
)
ACTS = (
    "me.mood = 0.25",
    "me.diary.append('x')",
    "me.diary.insert(0, 'y')",
    "me.diary.reverse()",
    "me.basket['k'] = me.basket.get('k', 0) + 1",
    "me.basket.pop('k', None)",
    "me.shelves['a'].append(7)",
    "me.shelves['n'] = [1]",
    "me.tags.add('t')",
    "me.tags.clear()",
    "me.friends.append(cem)",
    "me.friends.clear()",
    "me.favourite = stall",
    "stall.sell(me)",
    "me.map.add_edge(0, 'far', metres=2)",
    "me.map.remove_node(0) if me.map.has_node(0) else None",
    "me.grid[0, 0] += 1",
    "me.table = me.table.head(1)",
    "me.diary = list(me.diary) + ['z']",
    "[me.diary.append(str(i)) for i in range(3)]",
    "me.sing('la')",
)


@given(
    st.lists(st.sampled_from(ACTS), max_size=8), st.lists(st.sampled_from(ACTS), max_size=8), st.sampled_from(FAULTS)
)
def test_no_program_with_a_fault_at_any_statement_leaves_half_a_turn(warm_up, program, fault):
    world = make_market()
    for act in warm_up:
        world.execute(act, agent="ann")
    before, state = world.state_hash(), world.snapshot().split(b'"entities"')[1].split(b'"namespaces"')[0]
    for place in range(len(program) + 1):
        turn = world.execute("\n".join([*program[:place], fault, *program[place:]]), agent="ann")
        assert turn.status in ("failed", "blocked")
        assert world.state_hash() == before
        assert world.snapshot().split(b'"entities"')[1].split(b'"namespaces"')[0] == state


@given(st.lists(st.lists(st.sampled_from(ACTS), min_size=1, max_size=6), max_size=6))
def test_changes_fold_into_the_state_that_running_the_cells_gave(programs):
    from cave_sim.world.apply_changes import apply_change

    world, mirror = make_market(), make_market()
    for program in programs:
        turn = world.execute("\n".join(program), agent="ann")
        for change in turn.changes:
            apply_change(mirror, change)
    assert mirror.state_hash() == world.state_hash()
    assert [[*world["ann"].basket], [*world["ann"].diary]] == [[*mirror["ann"].basket], [*mirror["ann"].diary]]


def test_the_data_of_a_node_holds_plain_copies_even_of_itself(market):
    turn = market.execute(
        "me.map.nodes[1]['self'] = me.map.nodes[1]\nme.map.edges[0, 1]['n'] = me.map.nodes[2]", agent="ann"
    )
    assert [(c.path, c.new) for c in turn.changes] == [
        (("map", "node", 1), {"self": {}}),
        (("map", "edge", 0, 1), {"n": {}}),
    ]


def test_a_method_that_refuses_leaves_nothing_half_done_even_if_the_cell_catches_it(market):
    class Clumsy(Entity):
        drops: int = 0
        log: list[str] = field([])

        def drop(self) -> None:
            self.log.append("oops")
            self.drops += 1
            raise Refused("it fell")

    market.add("clumsy", Clumsy())
    code = "me.diary.append('before')\ntry:\n    clumsy.drop()\nexcept Refused:\n    me.diary.append('after')"
    turn = market.execute(code, agent="ann")
    assert paths(turn) == [("ann", "diary", "splice")]
    assert (market["clumsy"].drops, market["clumsy"].log, market["ann"].diary) == (0, [], ["before", "after"])


def test_who_was_removed_in_a_failed_turn_comes_back_as_it_was(market):
    market.execute("left = world.remove('weather')\nleft.rain_mm = 9.0\nleft.notes.append('x')\n1/0", agent="mayor")
    assert (market["weather"].rain_mm, market["weather"].notes) == (0.0, [])


def test_a_failed_turn_leaves_nobodys_luck_shifted(market):
    twin = make_market()
    market.execute("rng.random()\n1 / 0", agent="ann")
    market.execute("rng.random()\nweather.temperature_c = 1.0", agent="ann")
    draws = [world.execute("rng.random()", agent="ann").output for world in (market, twin)]
    assert draws[0] == draws[1]


def test_a_child_that_fails_takes_back_its_own_writes_to_a_list_and_not_its_parents():
    world = make_market()
    world.grant("ann", "*")
    cell = "me.diary.append('mine')\nawait team['ann'].run(\"me.diary.append('its')\\n1 / 0\")\nme.diary.append('last')"
    assert world.execute(cell, agent="ann").committed
    assert world["ann"].diary == ["mine", "last"]


def test_each_turn_of_a_step_and_each_agent_draws_from_a_stream_of_its_own(market):
    draws = [market.execute("rng.random()", agent=name).output for name in ("ann", "ann", "bob")]
    assert len(set(draws)) == 3


def test_as_many_changes_as_the_limit_says_land_and_no_more():
    for count, status in ((5, "committed"), (6, "blocked")):
        world = make_market(limits=Limits(changes=5))
        turn = world.execute(f"for n in range({count}):\n    me.basket[str(n)] = n", agent="ann")
        assert (turn.status, len(world["ann"].basket)) == (status, 5 if status == "committed" else 0)


@pytest.mark.parametrize("handler", ["except Exception:", "except StopIteration:"])
def test_a_cell_that_catches_the_end_of_its_ticks_does_not_land(handler):
    world = make_market(limits=Limits(ticks=100))
    turn = world.execute(f"me.mood = 0.9\ntry:\n    while True:\n        pass\n{handler}\n    pass", agent="ann")
    assert (turn.status, world["ann"].mood) == ("timeout", 0.5)


def test_a_refusal_dooms_the_turn_that_caught_it_and_no_other(market):
    turn = market.execute("try:\n    stall.title = 'mine'\nexcept Exception:\n    me.mood = 0.9", agent="ann")
    assert (turn.status, market["ann"].mood) == ("blocked", 0.5)
    assert market.execute("me.mood = 0.9", agent="ann").committed
