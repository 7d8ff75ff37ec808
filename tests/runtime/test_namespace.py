"""Variables between turns: what is kept, what fails a turn, and what hostile data can do, which is nothing."""

import math
from ipaddress import IPv4Address

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from cave_sim import World, vouch
from cave_sim.runtime.graph.errors import CannotBeKept, Malformed
from tests.policy import square

AGENT = "ann"


def turn(world: World, cell: str):
    return world.execute(cell, agent=AGENT)


def kept(world: World):
    return world.interpreter.namespace(AGENT).data


# ---- what cannot be kept

UNKEEPABLE = {
    "a generator": ("x = (i for i in range(3))", "x is a generator", "keep list(x)"),
    "an iterator": ("x = iter([1])", "x is a list_iterator", "keep list(x)"),
    "a zip": ("x = zip([1], [2])", "x is a zip", "keep list(x)"),
    "a map": ("x = map(str, [1])", "x is a map", "keep list(x)"),
    "an iterator of itertools": ("import itertools\nx = itertools.count()", "x is a generator", "keep list(x)"),
    "values of a dict": ("x = {1: 2}.values()", "x is a view of a dict", "keep list(x)"),
    "a running generator function": ("def f():\n    yield 1\nx = f()", "x is a generator", "keep list(x)"),
    "a generator in a list": ("x = [(i for i in range(3))]", "x holds a generator", "keep list(x)"),
    "a generator in an object": (
        "class C:\n    pass\nx = C(); x.g = (i for i in range(3))", "x holds a generator", "keep",
    ),
    "a generator in a closure": (
        "def f():\n    g = (i for i in range(3))\n    return lambda: g\nx = f()", "x holds a generator", "keep",
    ),
    "a generator as a default": ("g = [1]\ndef f(it=iter(g)):\n    return it", "f holds a list_iterator", "keep"),
    "a window": ("x = pd.DataFrame({'a': [1]}).rolling(1)", "x is a window over a table", "keep the table"),
    "a coroutine": ("async def f():\n    return 1\nx = f()", "x is a coroutine", "await it"),
    "bytes without end": ("x = bytes(80_000_000)", "x: 80,000,000 bytes", "too many"),
    "more than fits": ("x = ['a' * 1_000_000 + str(i) for i in range(20)]", "x has", "at most 16,777,216"),
    "an integer without end": ("x = 1 << 5000", "x: an integer of 5,001 bits", "at most"),
}  # fmt: skip


@pytest.mark.parametrize("name", UNKEEPABLE)
def test_what_cannot_be_kept_fails_the_turn_and_says_what_to_do(name):
    cell, what, way_out = UNKEEPABLE[name]
    world = square.build(deadline_s=20)
    before = world.state_hash()
    failed = turn(world, "me.mood = 0.1\n" + cell)
    assert failed.status == "failed", failed
    assert what in failed.error
    assert way_out in failed.error
    assert world.state_hash() == before
    assert "x" not in kept(world)


def test_a_turn_that_fails_keeps_what_was_assigned_and_tells_what_is_gone():
    world = square.build()
    failed = turn(world, "n = 1; g = (i for i in range(3))\n1 / 0")
    assert "[gone with this turn, because they cannot be kept: g]" in failed.output
    assert world.variables(AGENT) == {"n": 1}


def test_variables_of_a_turn_that_fails_fit_the_world_that_it_leaves():
    world = square.build()
    world.grant(AGENT, "*")
    assert turn(world, "bob = world['bob']\nxs = [1]").committed
    failed = turn(world, "new = world.add('zed', Citizen())\nxs.append(new)\nworld.remove('bob')\nc = [bob]\n1 / 0")
    assert "[not added, because this turn failed; None in variables: zed]" in failed.output
    assert turn(world, "world.add('zed', Citizen())").committed
    assert turn(world, "print(new, xs, bob, c)").output == "None [1, None] bob [<Citizen bob>]\n"


def test_all_variables_together_are_bounded():
    world = square.build()
    for name in "abc":
        assert turn(world, f"{name} = 'x' * 4_900_000").committed
    assert "all variables together" in turn(world, "d = 'x' * 4_900_000").error
    assert turn(world, "del a").committed
    assert turn(world, "d = 'x' * 4_900_000").committed


def test_a_cell_that_names_no_variable_touches_none():
    world = square.build()
    turn(world, "xs = [1]; n = 2")
    turn(world, "n + 1")
    namespace = world.interpreter.namespace(AGENT)
    namespace.changed.clear()
    turn(world, "me.mood = 0.25")
    turn(world, "n")
    assert namespace.changed == set()


def test_what_a_program_reads_is_nobody_elses():
    world = square.build()
    turn(world, "xs = [1]")
    world.variables(AGENT)["xs"].append(2)
    assert world.retrieve("xs", agent=AGENT) == [1]


def test_a_function_that_a_program_reads_finds_what_it_looks_up():
    world = square.build()
    turn(world, "n = 4\ndef f(x):\n    return g(x) + n\ndef g(x):\n    return x * 2")
    assert world.retrieve("f", agent=AGENT)(3) == 10


# ---- what comes back is what was there

SCALARS = (
    some.none()
    | some.booleans()
    | some.integers(-(2**70), 2**70)
    | some.floats(allow_nan=False)
    | some.text(max_size=5)
)


@some.composite
def graphs(draw):
    """Return variables that share lists, dicts and tuples with one another, cycles included."""
    holders = [draw(some.sampled_from([list, dict]))() for _ in range(draw(some.integers(1, 6)))]
    parts = SCALARS | some.sampled_from(range(len(holders))).map(lambda at: holders[at])
    parts = parts | some.tuples(parts, parts)
    for holder in holders:
        items = draw(some.lists(parts, max_size=4))
        holder.extend(items) if isinstance(holder, list) else holder.update(enumerate(items))
    return {name: draw(parts) for name in "abcde"[: draw(some.integers(1, 5))]}


def isomorphic(one, other):
    """Say whether two object graphs are the same: values, types, and which objects are one."""
    pairs, waiting = {}, [(one, other)]
    while waiting:
        mine, theirs = waiting.pop()
        if type(mine) is not type(theirs):
            return False
        if not isinstance(mine, (list, dict, tuple)):
            if repr(mine) != repr(theirs):
                return False
            continue
        if id(mine) in pairs or id(theirs) in pairs.values():
            if pairs.get(id(mine)) != id(theirs):
                return False
            continue
        pairs[id(mine)] = id(theirs)
        if len(mine) != len(theirs):
            return False
        flat = [[*each.items()] if isinstance(each, dict) else each for each in (mine, theirs)]
        waiting += [
            pair
            for parts in zip(*flat, strict=True)
            for pair in (zip(*parts, strict=True) if isinstance(mine, dict) else [parts])
        ]
    return True


@pytest.mark.long
@settings(max_examples=300)
@given(graphs())
def test_reading_undoes_writing(variables):
    interpreter = World().interpreter
    data = interpreter.pack(variables)
    again = interpreter.unpack(data)
    assert isomorphic(*({name: each[name] for name in sorted(each)} for each in (variables, again)))
    assert interpreter.pack(again) == data


@pytest.mark.parametrize(
    "table",
    [
        pd.DataFrame({"a": pd.date_range("2026-01-01", periods=2, tz="Europe/Helsinki")}),
        pd.DataFrame({"p": pd.period_range("2026-01", periods=2, freq="M")}),
        pd.DataFrame({"c": pd.Categorical(["x", None], ["y", "x"], ordered=True)}),
        pd.DataFrame([[1, 2.5]], columns=pd.MultiIndex.from_tuples([("a", 1), ("b", 2)])),
        pd.DataFrame({"o": np.array(["x", 1, None, math.inf], dtype=object)}),
        pd.DataFrame({"s": pd.array(["x", None], dtype="string"), "t": ["x", None]}),
        pd.DataFrame({"i": pd.array([1, None], dtype="Int8"), "b": pd.array([True, None], dtype="boolean")}),
        pd.DataFrame({"a": [1, 1]}, index=pd.Index([3, 3], name="k")),
        pd.DataFrame(),
        pd.DataFrame({"d": pd.to_timedelta([1, 2], unit="D")}, index=pd.date_range("2026", periods=2, freq="D")),
    ],
)
def test_a_table_comes_back_as_it_was(table):
    interpreter = World().interpreter
    again = interpreter.unpack(interpreter.pack({"t": table}))["t"]
    pd.testing.assert_frame_equal(again, table, check_freq=True)
    assert interpreter.pack({"t": again}) == interpreter.pack({"t": table})


# ---- hostile data

HOSTILE = {
    "itself": {"$see": "x"},
    "an object that is itself": {"$heap": {"0": {"$see": "0"}}, "value": {"$see": "0"}},
    "a tuple in itself": {"$heap": {"0": {"$tuple": [{"$see": "0"}]}}, "value": {"$see": "0"}},
    "no list": {"$tuple": 5},
    "an empty object": {"$instance": []},
    "an object of a builtin class": {"$instance": [{"$name": ["dict"]}, []]},
    "an object of a type": {"$instance": [{"$name": ["int"]}, []]},
    "no name": {"$name": 5},
    "a hidden name": {"$name": ["_tick_"]},
    "an entity by name": {"$name": ["bob"]},
    "no statement": {"$function": {"in": 5, "number": 0, "name": "f"}},
    "a statement that the gate refuses": {
        "$function": {"in": {"$statement": "def f():\n    return ().__bases__"}, "number": 0, "name": "f"}
    },
    "no such function": {"$function": {"in": {"$statement": "def f(): pass"}, "number": 7, "name": "f"}},
    "a function before the first": {"$function": {"in": {"$statement": "def f(): pass"}, "number": -1, "name": "f"}},
    "a heap of something": {"$heap": 5, "value": 1},
    "two tags": {"$tuple": [], "$set": []},
    "an unknown tag": {"$eval": "1"},
    "a list as a key": {"$items": [[[1], 2]]},
    "half a pair": {"$items": [[1]]},
    "an older form": {"$source": "def f(): pass"},
    "a class that nobody vouched for": {"$library": {"class": "os:stat_result", "by": "new", "from": [[]]}},
    "a function that nobody vouched for": {"$library": {"class": "os:stat_result", "by": "os:system", "from": ["ls"]}},
    "a class of the package": {"$library": {"class": "cave_sim.world.world:World", "by": "new", "from": []}},
    "a method that is not for cells": {"$bound": [{"$ref": "ann"}, "_settle_in"]},
    "a method of a class": {"$bound": [{"$name": ["str"]}, "mro"]},
    "a class with a hidden attribute": {"$class": {"name": "C", "bases": [], "attributes": [["__getattribute__", 1]]}},
    "a class of a builtin": {"$class": {"name": "C", "bases": [{"$name": ["dict"]}], "attributes": []}},
    "a window out of bounds": {
        "$window": {
            "of": {"$array": {"dtype": "<i8", "shape": [1], "base64": "AAAAAAAAAAA="}},
            "dtype": "<i8",
            "shape": [99],
            "strides": [8],
            "offset": 0,
        }
    },
    "an array of objects": {"$array": {"dtype": "|O", "shape": [1], "base64": "AAAAAAAAAAA="}},
    "a pattern of nothing": {"$pattern": [5, 0]},
    "a graph without nodes": {
        "$network": {"directed": False, "graph": {}, "nodes": [], "edges": [[0, 1, {}]], "next": [[1]]}
    },
    "the world's own entity": {"$ref": "$system"},
    "a part of the world's own entity": {"$at": ["$system", "grants"]},
    "a private field": {"$at": ["ann", "_undo_log"]},
    "codec of nothing": {"$codec": {"type": "nothing", "data": {"$json": 1}}},
    "a huge number of dimensions": {"$array": {"dtype": "<i8", "shape": [1] * 99, "base64": "AAAAAAAAAAA="}},
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_data_costs_one_turn_of_its_agent_and_no_more(name):
    world = square.build()
    world.interpreter.namespace(AGENT).put({"x": HOSTILE[name], "y": 1})
    assert isinstance(world.variable_types(AGENT)["x"], str)
    world.fork().snapshot()
    failed = turn(world, "x")
    assert failed.status == "failed", failed
    assert "cannot be read back, and is gone" in failed.error
    assert turn(world, "y").output == "1"
    assert turn(world, "x = 2\nx").output == "2"


@pytest.mark.parametrize("name", ["_tick_", "__builtins__", "__x__", "me", "a b", "_write_", ""])
def test_data_binds_no_name_that_a_cell_cannot(name):
    with pytest.raises(Malformed, match="no name that a cell can bind"):
        square.build().interpreter.namespace(AGENT).put({name: 1})


def test_data_that_is_nested_without_end_is_refused():
    data = 1
    for _ in range(5_000):
        data = [data]
    with pytest.raises(Malformed, match="nested"):
        square.build().interpreter.namespace(AGENT).put({"x": data})


# ---- libraries


class Model:
    """Stands for an estimator of a library."""

    def __init__(self, weights):
        self.weights = weights

    def predict(self, x):
        return self.weights[0] * x


def test_an_object_of_an_injected_class_is_kept():
    def build():
        world = square.build()
        world.inject("Model", Model)
        return world

    world = build()
    turn(world, "model = Model([2]); shared = model.weights")
    turn(world, "shared[0] = 3")
    assert turn(world, "model.predict(2)").output == "6"
    assert turn(world.fork(), "model.predict(2)").output == "6"


def test_an_object_of_a_vouched_package_is_kept():
    world = square.build()
    with pytest.raises(CannotBeKept, match="IPv4Address"):
        world.interpreter.pack({"x": IPv4Address("10.0.0.1")})
    vouch("ipaddress")
    assert world.interpreter.unpack(world.interpreter.pack({"x": IPv4Address("10.0.0.1")})) == {
        "x": IPv4Address("10.0.0.1")
    }


def test_only_top_level_packages_are_vouched_for():
    with pytest.raises(ValueError, match="top-level"):
        vouch("os.path")


# ---- digests


def test_variables_have_a_digest_of_their_own():
    world = World()
    assert world.variables_hash() == ""
    turn(world, "x = [1]")
    first = world.variables_hash()
    assert world.fork().variables_hash() == first
    turn(world, "x.append(2)")
    assert world.variables_hash() != first
    turn(world, "x.pop()")
    assert world.variables_hash() == first


HASH = "def __hash__(self):\n        board.post('hashed')\n        return 1"
EQUAL = "def __eq__(self, other):\n        board.post('asked')\n        return False"
KEYED = (
    "{Odd(): 1}", "{Odd(), 1}", "[{(1, Odd()): 2}]", "Counter([Odd()])", "defaultdict(list, {Odd(): []})",
    "{Frozen(Odd()): 1}",
)  # fmt: skip


@pytest.mark.parametrize("methods", [HASH, f"{HASH}\n    {EQUAL}"], ids=["a hash", "both"])
@pytest.mark.parametrize("held", KEYED)
def test_reading_a_variable_from_outside_runs_no_hash_of_a_cell(methods, held):
    world = square.build()
    cell = (
        f"from collections import Counter, defaultdict\nfrom dataclasses import dataclass\nclass Odd:\n    {methods}\n"
        f"@dataclass(frozen=True)\nclass Frozen:\n    of: object\nheld = {held}\nplain = [1]"
    )
    assert world.execute(cell, agent="ann").committed
    posted = len(world.retrieve("board").lines)
    with pytest.raises(KeyError, match="a cell's own code, which runs in turns alone"):
        world.retrieve("held", agent="ann")
    assert "held" not in world.variables("ann")
    assert world.variables("ann")["plain"] == [1]
    assert world.variable_types("ann")["plain"] == "list"
    assert len(world.retrieve("board").lines) == posted
    assert world.execute("len(held)", agent="ann").committed  # in a turn it is there


def test_what_hashes_by_its_number_or_its_fields_is_read_from_outside():
    world = square.build()
    world.execute(
        "from dataclasses import dataclass\nclass Plain:\n    pass\n@dataclass(frozen=True)\nclass At:\n    x: int\n"
        "held = {Plain(): 1, At(3): 2, (1, At(4)): 3}",
        agent="ann",
    )
    assert sorted(world.retrieve("held", agent="ann").values()) == [1, 2, 3]


# ---- names of modules


def test_a_name_of_a_module_is_kept_as_that_name_in_each_of_several_worlds_and_is_its_own_when_it_is_read_back():
    cell = (
        "import itertools, operator, math, pprint, time\n"
        "of_all, of_each = math.prod, [itertools.count, operator.attrgetter, operator.mul, time.time, pprint, np]"
    )
    one, other = World(), World()
    for world in (one, other):
        assert turn(world, cell).committed
        assert turn(world, "next(of_each[0](7)), of_each[1]('real')(7), of_each[2](6, 7), of_all([6, 7])").committed
    assert kept(one) == kept(other)
    assert [*map(str, kept(one)["of_all"].values())] == ["['math', 'prod']"]
    of_one, of_other = (world.interpreter.scope["__import__"]("itertools").count for world in (one, other))
    assert of_one is not of_other
    assert one.retrieve("of_each", agent=AGENT)[0] is of_one
    assert other.retrieve("of_each", agent=AGENT)[0] is of_other


@pytest.mark.long
def test_what_takes_long_to_write_is_bounded_by_its_effort():
    world = World()
    cell = "x = []\nfor y in range(60_000):\n    x = [lambda x=x: x]"
    turn = world.execute(cell, agent="ann")
    assert "x: more than 2,000,000 parts are too many to be kept" in turn.error
    assert world.variables("ann") == {"y": 59_999}
