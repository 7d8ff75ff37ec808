"""What trusted code hands to cells has no order that another process would not have: its plain sets are read sorted."""

import pytest

from cave_sim import Entity, World, field
from cave_sim.entity.handed_sets import handed

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


def test_what_holds_no_set_is_handed_over_as_it_is_and_cycles_end():
    plain, loop = [1, {"a": (2, [])}], [set(MIXED)]
    loop.append(loop)
    wide = [set(MIXED)]
    for _ in range(60):
        wide = [wide, wide]
    assert handed(plain) is plain
    assert repr(handed(loop)[0]) == "{1, 8}"
    assert handed(wide) is wide  # too deep to be data
