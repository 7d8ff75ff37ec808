"""What trusted code hands to cells is theirs: it is shared with nobody, and its sets are read in sorted order."""

from collections import defaultdict, deque
from types import MappingProxyType
from typing import NamedTuple

import pandas as pd
import pytest

from cave_sim import Entity, SchemaError, World, field
from cave_sim.entity.handed_values import handed


class Named(NamedTuple):
    """A row with a list."""

    items: list


MIXED = {8, 1}
"""Read in the order of its hashes, 8 comes first: numbers need no salt to show what texts do."""


class Post(Entity):
    """Knows who waits."""

    waiting: list[int] = field([])

    def numbers(self):
        """Return a set."""
        return set(MIXED)

    def nested(self):
        """Return sets within containers."""
        return {"all": [(frozenset(MIXED), 1)], "none": ()}

    def iterated(self):
        """Return an iterator over a set."""
        return iter(set(MIXED))


class Model:
    """Stands for an object of the researcher's own class."""

    known = frozenset(MIXED)

    def __init__(self):
        self.labels, self.groups, self.pair = set(MIXED), {"all": [set(MIXED)]}, (1, set(MIXED))

    def numbers(self):
        """Return a set."""
        return set(MIXED)

    @classmethod
    def of_all(cls):
        """Return sets within containers."""
        return {"all": set(MIXED)}

    @staticmethod
    def apart():
        """Return a set, of no object."""
        return set(MIXED)

    def one_by_one(self):
        """Yield sets."""
        yield set(MIXED)
        yield {"all": set(MIXED)}

    def fit(self):
        """Return itself."""
        return self


def ask() -> set:
    """Return a set."""
    return set(MIXED)


def test_what_a_cell_adds_to_a_set_of_an_object_is_in_it():
    world, model = World(seed=1), Model()
    world.inject("model", model)
    assert world.execute("model.labels.add(3)\nmodel.groups['all'][0].add(4)\nmodel.pair[1].add(5)").committed
    assert (model.labels, model.groups, model.pair) == ({1, 3, 8}, {"all": [{1, 4, 8}]}, (1, {1, 5, 8}))


@pytest.fixture(scope="module")
def world():
    assert list(MIXED) != sorted(MIXED)
    made = World(seed=1)
    made.add("post", Post())
    made.add("ann", Post())
    made.inject("ask", ask)
    made.inject("model", Model())
    return made


@pytest.mark.parametrize(
    ("cell", "output"),
    [
        ("post.numbers()", "{1, 8}"),
        ("me.waiting = list(post.numbers())\nme.waiting", "[1, 8]"),
        ("[each for each in ask()]", "[1, 8]"),
        ("next(iter(post.numbers()))", "1"),
        ("list(post.iterated())", "[1, 8]"),
        ("post.nested()", "{'all': [(frozenset({1, 8}), 1)], 'none': ()}"),
        ("[*post.nested()['all'][0][0]], post.nested()['none']", "([1, 8], ())"),
        ("ask() - {1}, ask().pop()", "({8}, 1)"),
        ("list(model.numbers()), list(model.fit().numbers())", "([1, 8], [1, 8])"),
        ("[(list(read()), read.__name__) for read in [model.numbers]]", "[([1, 8], 'numbers')]"),
        ("model.numbers == model.numbers", "True"),
        ("list(model.labels), list(model.known), list(model.of_all()['all'])", "([1, 8], [1, 8], [1, 8])"),
        ("list(model.apart()), list(type(model).numbers(model)), list(model.pair[1])", "([1, 8], [1, 8], [1, 8])"),
        ("[*model.one_by_one()]", "[{1, 8}, {'all': {1, 8}}]"),
        ("list(model.groups['all'][0]), list(getattr(model, 'labels'))", "([1, 8], [1, 8])"),
    ],
)
def test_a_set_of_a_method_or_a_function_is_read_in_sorted_order(world, cell, output):
    turn = world.execute(cell, agent="ann")
    assert (turn.output, turn.error) == (output, None)


def test_what_is_shared_in_a_value_is_shared_in_what_is_handed_over_and_cycles_end():
    row, loop = [1], [set(MIXED)]
    loop.append((loop,))
    rows = handed([row, {"a": row}, (row, 2)])
    assert rows == [[1], {"a": [1]}, ([1], 2)]
    assert rows[0] is rows[1]["a"] is rows[2][0] is not row
    found = handed(loop)
    assert repr(found[0]) == "{1, 8}"
    assert found[1][0] is found is not loop
    assert handed((loop,))[0][1][0] is not loop


def test_what_shares_its_parts_sixty_deep_is_handed_over_at_once_and_what_is_nested_deeper_than_data_is_refused():
    wide: list = [set(MIXED)]
    for _ in range(60):
        wide = [wide, wide]
    found = handed(wide)
    assert found[0] is found[1] is not wide[0]
    deep: list = []
    for _ in range(200):
        deep = [deep]
    with pytest.raises(SchemaError, match="ask: what cells are handed is nested at most 100 deep"):
        handed(deep, "ask")


KEPT: dict = {"rows": [{"name": "ann"}], "pairs": ([1], 2), "named": Named([1]), "queue": deque([[1]])}
KEPT |= {"table": pd.DataFrame({"o": pd.Series([None, 1], dtype=object)})}


def rows():
    """Return a list that is kept."""
    return KEPT["rows"]


def kept():
    """Return all that is kept."""
    return KEPT


def by_name():
    """Return what is kept as one that cannot be written shows it."""
    return MappingProxyType(KEPT)


def one_by_one():
    """Yield what is kept."""
    yield from KEPT["rows"]


def through():
    """Return what goes through what is kept."""
    return iter(KEPT["rows"])


def later():
    """Return functions, one of them in a dict."""
    return {"rows": lambda: KEPT["rows"]}


def with_default():
    """Return a dict that is filled with what is kept."""
    return defaultdict(rows)


async def in_time():
    """Return what is kept, to whoever awaits it."""
    return KEPT["rows"]


class Shelf(Entity):
    """Keeps what is no field."""

    CONSTANT = KEPT

    def rows(self):
        """Return a list that is kept."""
        return KEPT["rows"]

    @property
    def first(self):
        """What is kept first."""
        return KEPT["rows"][0]


class Store:
    """An object of the researcher's that answers with what it keeps."""

    def rows(self):
        """Return a list that is kept."""
        return KEPT["rows"]

    def __getitem__(self, name):
        return KEPT[name]

    def __iter__(self):
        return iter(KEPT.values())

    def __call__(self):
        return KEPT

    def __add__(self, other):
        return KEPT["rows"]


GIVERS = (rows, kept, by_name, one_by_one, through, later, with_default, in_time)
LEFT = """
rows().append(it)
rows()[0]['f'] = it
rows().clear()
kept()['rows'][0]['f'] = it
kept()['pairs'][0].append(it)
kept()['named'].items.append(it)
kept()['queue'][0].append(it)
kept().clear()
list(kept().values())[0].append(it)
by_name()['rows'].append(it)
[row for row in by_name().values()][0].append(it)
next(one_by_one())['f'] = it
next(through())['f'] = it
for row in through(): row['f'] = it
later()['rows']().append(it)
with_default()['x'].append(it)
sorted(rows(), key=str)[0]['f'] = it
max(rows(), key=len)['f'] = it
shelf.rows().append(it)
shelf.first['f'] = it
shelf.CONSTANT['rows'].append(it)
shelf.CONSTANT['pairs'][0].append(it)
store.rows().append(it)
store['rows'].append(it)
[part for part in store][0].append(it)
store()['rows'].append(it)
(store + 1).append(it)
[*rows(), *rows()][0]['f'] = it
(await in_time()).append(it)
""".strip().splitlines()


def keeping_world():
    world = World(seed=1)
    for give in GIVERS:
        world.inject(give.__name__, give)
    world.inject("store", Store())
    world.add("shelf", Shelf())
    world.add("ann", Shelf())
    world.add("bob", Shelf())
    return world


@pytest.mark.parametrize("it", ["lambda: 1", "5"])
@pytest.mark.parametrize("cell", LEFT)
def test_what_trusted_code_keeps_is_as_it_was_whatever_a_cell_does_with_what_it_was_handed(cell, it):
    world = keeping_world()
    before = repr(KEPT)
    world.execute(f"it = {it}\n{cell}", agent="ann")
    assert repr(KEPT) == before
    assert world.execute("print(rows())", agent="bob").output == "[{'name': 'ann'}]\n"


def test_code_that_a_cell_leaves_in_a_table_that_a_function_returns_is_taken_out():
    world = keeping_world()
    for cell in ("kept()['table'].loc[0, 'o'] = lambda: 1", "store['table'].loc[0, 'o'] = lambda: 1"):
        turn = world.execute(cell, agent="ann")
        assert turn.status == "blocked", turn
        assert list(KEPT["table"]["o"]) == [None, 1]


def test_what_a_function_makes_of_fields_holds_the_fields_themselves():
    world = World(seed=1)
    world.add("post", Post(waiting=[1]))
    world.inject("all_waiting", lambda: [world["post"].waiting])
    world.grant("ann", "post")
    assert world.execute("all_waiting()[0].append(2)", agent="ann").changes
    assert world["post"].waiting == [1, 2]
