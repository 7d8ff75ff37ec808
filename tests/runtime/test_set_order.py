"""A set among variables is written in one order, wherever its items lie and in whatever order they came in."""

import pytest

from tests.policy import square

MANY = 12
MADE = {
    "entities": "each = lambda n: world[f'c{n}']",
    "sets of entities": "each = lambda n: frozenset({world[f'c{n}'], me})",
    "entities and numbers": "each = lambda n: (world[f'c{n}'], n % 3, 'met')",
    "entities within each other": "each = lambda n: ('met', (frozenset({(world[f'c{n}'],)}), None))",
    "named tuples": "from collections import namedtuple\nP = namedtuple('P', 'a b')\neach = lambda n: P(str(n), me)",
    "methods of entities": "each = lambda n: world[f'c{n}'].cheer",
    "patterns": "import re\neach = lambda n: re.compile(f'a{n}')",
    "identifiers": "import uuid\neach = lambda n: uuid.UUID(int=n * 7**30)",
    "partials": "from functools import partial\neach = lambda n: partial(max, n, key=len)",
    "getters": "import operator\neach = lambda n: operator.itemgetter(str(n), 2)",
    "errors": "each = lambda n: ValueError(str(n))",
    "periods": "each = lambda n: pd.Period('2024-01', freq='M') + n",
    "members": "from enum import Enum\n"
    "class E(Enum):\n" + "\n".join(f"    M{n} = 'm{n}'" for n in range(12)) + "\neach = lambda n: E[f'M{n}']",
    "modules and what they hold": "all_ = [math, json, re, random, np.sum, np.max, len, sum, int, str, Citizen, Shop]\n"
    "each = lambda n: all_[n]",
    "long patterns": "import re\neach = lambda n: re.compile('a' * 300 + str(n))",
    "long texts": "each = lambda n: (me, 'a' * 5_000 + str(n))",
    "large numbers": "from fractions import Fraction\neach = lambda n: (me, 2**4_000 + n, Fraction(n, 2**4_000 + 1))",
    "of every kind": "each = lambda n: [n, str(n), (n, me), world[f'c{n}'], frozenset({n, me}), me.cheer][n % 6]",
}
TOLD_APART = "a set of several {} objects has no order that repeats; keep a list of them"


def hash_after(*cells):
    world = square.build()
    for number in range(MANY):
        world.add(f"c{number}", square.Citizen())
    for cell in cells:
        turn = world.execute(cell, agent="ann")
        assert turn.status == "committed", (cell, turn.error)
    return world.variables_hash()


@pytest.mark.parametrize("kind", MADE)
def test_it_is_the_same_in_whatever_order_it_was_filled(kind):
    forth, back = (
        hash_after("import re", MADE[kind], f"found = {{each(n) for n in {order}}}\ndel each")
        for order in (f"range({MANY})", f"reversed(range({MANY}))")
    )
    assert forth == back


@pytest.mark.parametrize(
    ("cell", "name"),
    [
        ("found = {lambda: 1, lambda: 2}", "function"),
        ("def make():\n    class A: pass\n    return A\nfound = {make(), make()}", "type"),
        ("class E:\n    def f(self): pass\n    def __repr__(self): print(1)\nfound = {E().f, E().f}", "method"),
        (
            "class E:\n    def __repr__(self): print('late')\nfound = {OSError(E()), OSError(E())}",
            "OSError",
        ),
    ],
)
def test_what_nothing_tells_apart_is_refused_and_asked_nothing(cell, name):
    turn = square.build().execute(cell, agent="ann")
    assert (turn.status, turn.output) == ("failed", "")
    assert turn.error == f"CannotBeKept: found: {TOLD_APART.format(name)}"


@pytest.mark.long
@pytest.mark.parametrize(
    "cell",
    {
        "functions of a module": "found = {len, max, print}",
        "what is shared over and over": "from functools import partial\nrow = (1,) * 3_000\nrows = (row,) * 3_000\n"
        "found = {partial(print, (rows,) * 3_000), partial(print, 1)}",
        "a long text in each of many": "from functools import partial\ntext = 'x' * 3_000_000\n"
        "found = {partial(print, text, n) for n in range(1_000)}",
        "many sets of what they share": "from functools import partial\nrow = tuple(range(3_000))\n"
        "found = [{partial(print, row, n), partial(print, row, -1)} for n in range(1_000)]",
        "an array of objects": "from functools import partial\nclass E:\n    def __repr__(self): print('late')\n"
        "found = {partial(print, np.array([E()], dtype=object)), partial(print, 1)}",
    }.values(),
)
def test_no_more_is_looked_at_than_is_done_in_moments_and_no_code_of_a_cell_runs(cell):
    world = square.build()
    turn = world.execute(cell, agent="ann")
    assert turn.output == ""
    assert turn.committed or "sets whose items have more than 500,000 parts; keep lists of them" in turn.error
    assert world.execute("found = 1", agent="ann").committed
