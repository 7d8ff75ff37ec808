"""Arrays and columns of Python's own objects: what is small is computed as Python does it, what explodes is refused."""

import numpy as np
import pandas as pd
import pytest

from tests.policy import square

NUMBERS = {"a": [1, 2, 3], "b": [2**70, 3, 1], "c": [2**9_000, 1, 2], "floats": [0.5, 2.0], "texts": ["ab", "c"]}
MADE = """
a, b, c, floats, texts = (
    np.array(each, dtype=object)
    for each in ([1, 2, 3], [2**70, 3, 1], [2**9_000, 1, 2], [0.5, 2.0], ["ab", "c"])
)
"""
HARMLESS = """
a * a
a * b
(c * 2)[0].bit_length()
b ** 3
2 ** a
a ** a
floats ** 2
b << 4
texts * 3
texts * a[:2]
a % 2
b.prod()
b.cumprod()
a.cumsum()
a.var()
a.dot(b)
a @ b
(c @ a).bit_length()
np.multiply(a, b)
np.power(b, 5)
np.square(b)
np.prod([2 ** 70, 3])
np.prod(b)
np.left_shift(a, 3)
np.polyval(a, 2)
np.vander(a, 3)
np.outer(a, b)
np.multiply.reduce(a)
np.add.accumulate(b)
np.maximum.reduce(b)
np.linalg.matrix_power(np.array([[1, 1], [1, 0]], dtype=object), 60)
pd.Series(a) * 2
pd.Series(a) ** 2
pd.Series(b).mul(3)
pd.Series(b).pow(2)
pd.Series(b).prod()
pd.Series(a).cumprod()
pd.Series(a).agg("prod")
pd.Series(a).groupby([0, 0, 1]).prod()
pd.DataFrame({"n": b, "m": a}) * 2
pd.Series(texts) * 2
""".strip().splitlines()
EXPLODING = """
c * c * c
c ** 3
a ** 100_000
2 ** (a * 10_000)
a << 100_000
texts * 10 ** 8
texts * np.array([10 ** 8, 1], dtype=object)
texts * np.array([10 ** 8, 1])
np.array([["ab"]], dtype=object) * 10 ** 8
np.array(["%99999999d"], dtype=object) % 1
np.array(["%*d"], dtype=object) % (5, 1)
np.mod(np.array(["%99999999d"], dtype=object), 1)
np.array([2 ** 9_000] * 3, dtype=object).prod()
np.array([2 ** 9_000] * 3, dtype=object).cumprod()
np.prod([2 ** 9_000] * 3)
np.multiply.reduce([2 ** 9_000] * 3)
np.multiply.accumulate(np.array([2 ** 9_000] * 3, dtype=object))
np.power.outer(c, [10, 20])
np.array(["x" * 1_000] * 20_000, dtype=object).cumsum()
np.add.accumulate(np.array(["x" * 1_000] * 20_000, dtype=object))
c.reshape(3, 1) @ c.reshape(1, 3) @ c.reshape(3, 1)
np.dot(np.dot(c.reshape(3, 1), c.reshape(1, 3)), c)
np.linalg.matrix_power(np.array([[2 ** 70]], dtype=object), 10 ** 6)
np.vander(np.array([2 ** 70], dtype=object), 1_000)
np.polyval([1] * 1_000, 2 ** 70)
np.var(np.array([2 ** 15, 2 ** 9_990, 1], dtype=object) * 2 ** 9_000)
pd.Series(c).mul(c).mul(c)
pd.Series(c).pow(3)
pd.Series(a).rpow(2 ** 9_000).pow(4)
pd.Series(c).groupby([0, 0, 0]).agg("prod") ** 3
pd.Series([2 ** 9_000] * 3, dtype=object).prod()
pd.Series([2 ** 9_000] * 3, dtype=object).cumprod()
pd.Series([2 ** 9_000] * 3, dtype=object).agg("prod")
pd.Series([2 ** 9_000] * 3, dtype=object).agg(["sum", "prod"])
pd.Series([2 ** 9_000] * 3, dtype=object).transform("cumprod")
pd.DataFrame({"n": [2 ** 9_000] * 3}, dtype=object).agg({"n": "prod"})
pd.DataFrame({"n": [2 ** 9_000] * 3}, dtype=object).agg({"n": ["sum", "prod"]})
pd.DataFrame({"n": [2 ** 9_000] * 3}, dtype=object).agg(all=("n", "prod"))
pd.Series([2 ** 9_000] * 3, dtype=object).apply("prod")
pd.Series([2 ** 9_000] * 3, dtype=object).apply(["sum", "prod"])
pd.DataFrame({"n": [2 ** 9_000] * 3}, dtype=object).apply("cumprod")
pd.DataFrame({"n": [2 ** 9_000] * 3}, dtype=object).apply({"n": "prod"})
pd.DataFrame({"n": [2 ** 9_000] * 3}, dtype=object).transform({"n": ["cumsum", "cumprod"]})
pd.Series([2 ** 9_000] * 3, dtype=object).groupby([0, 0, 0]).agg("prod")
pd.Series([2 ** 9_000] * 3, dtype=object).groupby([0, 0, 0]).agg(all="prod")
pd.Series([2 ** 9_000] * 3, dtype=object).groupby([0, 0, 0]).transform("cumprod")
pd.DataFrame({"n": [2 ** 9_000] * 3, "k": 1}, dtype=object).groupby("k").agg({"n": "prod"})
pd.DataFrame({"n": [2 ** 9_000] * 3, "k": 1}, dtype=object).groupby("k").agg(all=("n", "prod"))
pd.DataFrame({"n": [2 ** 9_000] * 3, "k": 1}, dtype=object).groupby("k").transform("prod")
pd.Series([2 ** 9_000] * 3, dtype=object).groupby([0, 0, 0]).prod()
pd.Series([2 ** 9_000] * 3, dtype=object).groupby([0, 0, 0]).cumprod()
pd.DataFrame({"n": c}) * pd.DataFrame({"n": c}) * 2 ** 9_000
pd.Series(["ab"]) * 10 ** 9
pd.Series(["%99999999d"], dtype=object).mod(1)
""".strip().splitlines()


@pytest.fixture(scope="module")
def arrays():
    return {name: np.array(values, dtype=object) for name, values in NUMBERS.items()}


@pytest.fixture(scope="module")
def world():
    return square.build(deadline_s=30)


@pytest.mark.parametrize("computed", HARMLESS)
def test_what_is_small_is_computed_as_python_does_it(computed, world, arrays):
    turn = world.execute(f"{MADE}\nshown = repr({computed})\ndel a, b, c, floats, texts", agent="ann")
    assert (turn.status, turn.error) == ("committed", None)
    assert world.retrieve("shown", agent="ann") == repr(eval(computed, {"np": np, "pd": pd, **arrays}))


@pytest.mark.parametrize("computed", EXPLODING)
def test_what_explodes_is_refused_with_the_way_out(computed, world):
    turn = world.execute(f"{MADE}\nfound = len(str(type({computed})))", agent="ann")
    assert turn.status == "blocked", turn
    assert "more than" in turn.error or "wider than" in turn.error or "a width taken" in turn.error


def test_what_is_exploded_step_by_step_is_refused_at_the_step_that_goes_too_far(world):
    for step in (
        "c = c * c",
        "c *= c",
        "c = c @ c.reshape(3, 1)",
        "c = np.multiply(c, c)",
        "c = c ** 2",
    ):
        cell = f"{MADE}\nfor n in range(60):\n    {step}\n    c = np.array([*list(c), 1, 2][:3], dtype=object)"
        assert world.execute(cell, agent="ann").status == "blocked", step
