"""Variables that share objects through others are one component, however long the chain: each object stays one."""

from random import Random

import pytest

from cave_sim.runtime.graph.node import UnionFind
from tests.policy import square


@pytest.mark.parametrize("seed", range(40))
def test_whatever_is_joined_stays_joined(seed):
    random, roots, groups = Random(seed), UnionFind(), []
    for number in range(12):
        roots.add()
        groups.append({number})
    for _ in range(14):
        one, other = random.sample(range(12), 2)
        roots.join(one, other)
        joined = groups[one] | groups[other]
        for each in joined:
            groups[each] = joined
        assert [roots.find(number) for number in range(12)] == [min(group) for group in groups]


@pytest.mark.parametrize("names", ["ABC", "CBA", "BCA", "CAB"])
def test_a_member_that_gets_a_name_is_the_member_of_its_enum(names):
    one, two, three = names
    made = "".join(f"class {name}(Enum):\n    X = 1\n" for name in names)
    cells = [f"from enum import Enum\n{made}kept = [{one}.X, {three}.X, {two}.X]", f"b = {one}.X"]
    world = square.build()
    assert all(world.execute(cell, agent="ann").committed for cell in cells)
    assert (
        world.execute(f"b is {one}.X, b is kept[0], kept[1] is {three}.X", agent="ann").output == "(True, True, True)"
    )


def test_a_list_in_lists_of_lists_stays_one():
    world = square.build()
    cells = ["c, b, a = [3], [2], [1]\nkept = [c, a, b]", "first = kept[0]\nz = [first, kept]", "c.append(4)"]
    assert all(world.execute(cell, agent="ann").committed for cell in cells)
    assert (
        world.execute("first, z[0] is c, z[1] is kept, kept[1] is a", agent="ann").output
        == "([3, 4], True, True, True)"
    )
