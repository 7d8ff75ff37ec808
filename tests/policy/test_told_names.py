"""No text that an author of cells reads names a class of ours: it is called what plain Python has in its place."""

import re
from functools import cache
from pathlib import Path

import pytest

import cave_sim
from tests.policy import square

PACKAGE = Path(cave_sim.__file__).parent
ROOMS = ("entity", "policy", "runtime", "determinism", "world", "diagnostics", "loading")
PLAIN = frozenset({"Array", "Column", "Last", "Key", "Source", "Matrix", "Norm", "Order", "Day", "NodeView"})
"""Names of ours that are those of a library, or words of its messages, too."""
ONE_WORD = frozenset({"Database", "Grid", "Ufunc", "Labels", "class_of_value", "cave_sim"})
TOLD = frozenset({"CannotBeKept", "SchemaError", "WorldError", "Refused", "Blocked", "PermissionDenied", "NotFound"})
"""Errors that a cell is told of by their own names."""


@cache
def private_names() -> frozenset[str]:
    files = [path for room in ROOMS for path in (PACKAGE / room).rglob("*.py")]
    names = {name for path in files for name in re.findall(r"^ *class (\w+)[(:]", path.read_text(), re.MULTILINE)}
    marked = {name for name in names if re.search(r"[a-z][A-Z]|^_", name)}
    return frozenset({*marked, *ONE_WORD} - PLAIN - TOLD)


VALUES = {
    "me.notes": "list",
    "me.counts": "dict",
    "me.tags": "set",
    "me.friends": "list",
    "me.map": "Graph",
    "me.map[0]": "AtlasView",
    "me.map.nodes[0]": "dict",
    "shop.stock": "dict",
    "vault.entries": "list",
    "vault.streets": "Graph",
    "{'a': 1}.keys()": "dict_keys",
    "{'a': 1}.items()": "dict_items",
    "rng": "Random",
    "world": "World",
    "db": "Connection",
    "apply_to_each": "function",
    "np.add": "ufunc",
    "np.r_": "AxisConcatenator",
    "json": "module",
    "Citizen": "type",
    "type": "type",
    "str": "type",
    "range": "type",
    "bytearray": "type",
    "np.ndarray": "type",
    "np.str_": "type",
    "pd.Timestamp": "type",
    "type(rng)": "type",
    "itertools.count": "type",
    "me.diary.index": "RangeIndex",
}
WRONG = """
x << 1
x @ 1
int(x)
math.sqrt(x)
x.nothing
del x.nothing
x.nothing = 1
type(x).nothing = 1
x[1.5] = 2
with x: pass
me.mood = x
me.notes = x
me.memory = [x, lambda: 1]
me.map.add_node(x)
pd.Timestamp(x)
pd.concat(x)
world[x]
shop.buy(me, x, x)
raise ValueError(x)
print(type(x), [type(x)])
"""


@pytest.mark.parametrize("value", VALUES)
def test_no_text_names_a_class_of_ours(value):
    world = square.build()
    for wrong in WRONG.strip().splitlines():
        turn = world.execute(f"x = {value}\n{wrong}", agent="ann")
        told = turn.output + re.sub(r"(?m)^line \d+: .*$", "", turn.error or "")
        assert not private_names() & set(re.findall(r"\w+", told)), (wrong, told)


@pytest.mark.parametrize(("value", "name"), VALUES.items())
def test_python_says_of_it_what_it_says_of_what_it_stands_for(value, name):
    turn = square.build().execute(f"{value} << 1", agent="ann")
    assert turn.error.endswith(f"unsupported operand type(s) for <<: '{name}' and 'int'"), turn.error


GENERATORS = {
    "itertools.count()": "<generator object count>",
    "itertools.permutations([1, 2])": "<generator object permutations>",
    "nx.shortest_path(nx.path_graph(3))": "<generator object all_pairs_shortest_path>",
    "nx.connected_components(nx.path_graph(3))": "<generator object connected_components>",
}


@pytest.mark.parametrize("expression", GENERATORS)
def test_an_iterator_is_told_by_the_name_of_what_made_it(expression):
    assert square.build().execute(f"print({expression})", agent="ann").output == f"{GENERATORS[expression]}\n"
