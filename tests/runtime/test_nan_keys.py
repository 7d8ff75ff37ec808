"""NaN equals nothing, itself neither: what holds several, as keys or in a set, holds as many in the next turn."""

import pytest

from cave_sim import World
from tests.policy import square

HOLDING = {
    "a dict": "x = {float('nan'): 1, float('nan'): 2, 1.0: 3}",
    "a dict of what a table had": "x = {v: n for n, v in enumerate(pd.Series([None, 2, None], dtype=float).tolist())}",
    "a set": "x = {float('nan'), float('nan'), 2.0}",
    "a set of what an array had": "x = set(np.array([np.nan, 1, np.nan]).tolist())",
    "a frozenset": "x = frozenset([float('nan'), float('nan'), 0])",
    "a frozenset in a dict": "x = {frozenset([float('nan')]): 1, frozenset([float('nan')]): 2}",
    "a Counter": "x = collections.Counter([float('nan'), float('nan'), 'a'])",
    "a defaultdict": "x = collections.defaultdict(list, {float('nan'): [1], float('nan'): [2]})",
    "an OrderedDict": "x = collections.OrderedDict([(float('nan'), 1), (float('nan'), 2)])",
    "tuples in a dict": "x = {(float('nan'), 'a'): 1, (float('nan'), 'a'): 2, (0.0, 'a'): 3}",
    "tuples in tuples in a set": "x = {((float('nan'),), 1), ((float('nan'),), 1)}",
    "beside numbers of numpy": "x = {np.float64('nan'): 1, float('nan'): 2, float('nan'): 3}",
}


@pytest.mark.parametrize("holding", HOLDING)
def test_what_holds_several_nans_holds_as_many_in_the_next_turns(holding):
    world = square.build()
    told = "print(len(x), list(x.values()) if hasattr(x, 'values') else sorted(map(str, x)))"
    first = world.execute(f"{HOLDING[holding]}\n{told}", agent="ann")
    assert first.committed, first.error
    assert not first.output.startswith("1 ")
    assert world.execute(told, agent="ann").output == first.output
    assert world.execute(f"y = [x]\n{told}", agent="ann").output == first.output
    again = World.restore(world.snapshot())
    assert again.variables_hash() == world.variables_hash()
    assert again.execute(told, agent="ann").output == first.output


def test_a_nan_is_found_by_the_variable_that_is_the_same_nan():
    world = square.build()
    world.execute("n = float('nan')\nx, y = {n: 1}, {n, 2.0}", agent="ann")
    assert world.execute("print(x.get(n), n in y, n in x)", agent="ann").output == "1 True True\n"
