"""The judge of a study that is about types: what is right passes, and what only looks like it does not."""

from collections import OrderedDict, deque, namedtuple
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from cave_sim.experiment.comparison import exact, same
from cave_sim.experiment.scripted import Player
from cave_sim.experiment.study import find
from cave_sim.experiment.trial import Trial

CORRUPTIONS = {
    bool: ["{} = int({})"],
    int: ["{} = float({})", "{} = str({})"],
    float: ["{} = np.float32({})", "{} = str({})"],
    str: ["{} = [{}]"],
    list: ["{} = tuple({})", "{} = np.array({})", "{} = dict(enumerate({}))"],
    tuple: ["{} = list({})"],
    set: ["{} = sorted({})", "{} = frozenset({})"],
    dict: [
        "{} = list({}.items())",
        "{} = pd.Series({}, dtype='object')",
        "{} = {{str(k) + '_': v for k, v in {}.items()}}",
    ],
    np.ndarray: [
        "{} = {}.tolist()",
        "{} = {}.astype('float32')",
        "{} = {}.reshape(-1, 1, 1)",
        "{} = dict(enumerate({}.tolist()))",
    ],
    pd.Series: [
        "{} = {}.rename('values')",
        "{} = {}.astype('object')",
        "{}.index = range(7, 7 + len({}))",
        "{} = {}.to_dict()",
        "{} = {}.to_frame()",
    ],
    pd.DataFrame: [
        "{} = {}.to_dict('list')",
        "{}.index = range(7, 7 + len({}))",
        "{} = {}.reset_index()",
        "{} = {}[{}.columns[::-1]]",
        "{} = {}.astype('object')",
        "{} = {}.to_numpy()",
    ],
}  # fmt: skip


def cases():
    """Yield every last query of a task of types or of many variables with each corruption of what it leaves."""
    for study in ("stateful_types", "multi_variable"):
        for task in find(study)[0].tasks(7):
            if task.group == "object":
                continue
            for name, value in task.queries[-1].expect.items():
                for corruption in CORRUPTIONS.get(type(value), ()):
                    if "[::-1]" not in corruption or value.shape[1] > 1:
                        yield task, corruption.replace("{}", name).replace("{{", "{").replace("}}", "}")


def judged(task, cell=""):
    *before, last = task.queries
    cells = last.cells("cave")
    task = replace(task, queries=(*before, replace(last, cave=(*cells[:-1], f"{cells[-1]}\n{cell}"))))
    paradigm = find("stateful_types")[1]["cave"]
    return Trial(task, paradigm, seed=7, llm=Player(task, "cave")).run()[-1]


@pytest.mark.long
def test_what_only_looks_right_does_not_pass():
    tried, passed = 0, []
    for task, cell in list(cases())[::5]:  # every fifth is as good a sample of kinds and tasks as all of them
        tried += 1
        if judged(task, cell).ok:
            passed.append((task.name, cell))
    assert tried > 80
    assert not passed


def frame(**changes):
    table = pd.DataFrame({"a": [1, 2], "b": [1.5, None], "c": ["x", "y"], "d": pd.to_datetime(["2020-01-01", None])})
    return table.assign(**changes)


class Slotted:
    __slots__ = ("share",)

    def __init__(self, share):
        self.share = share


class Closed:
    def __init__(self, hidden):
        self._hidden = hidden


Point, Pair = namedtuple("Point", "x y"), namedtuple("Point", "x z")  # the latter's name is meant


def categories(*items, **more):
    return pd.Series(pd.Categorical(items, **more))


EQUAL = [
    ({np.int64(1): "a", (np.str_("b"), 2): "c"}, {1: "a", ("b", 2): "c"}),
    ({9.999999999999, 9.5}, {10.0, 9.5}),
    (deque([0.1 + 0.2]), deque([0.3])),
    (0.1 + 0.2 + 1j, 0.3 + 1j),
    (np.array([0.1 + 0.2 + 1j]), np.array([0.3 + 1j])),
    (Slotted(0.1 + 0.2), Slotted(0.3)),
    (Closed(1), Closed(1)),
    (categories("x", "y"), categories("x", "y")),
    (np.int64(3), 3),
    (np.float64(0.1) * 3, 0.3),
    ({"b": 1, "a": 2}, {"a": 2, "b": 1}),
    ({3, 1}, {1, 3}),
    (pd.DataFrame({"a": [1, 2]}), pd.DataFrame({"a": [1, 2]}, index=[0, 1])),
    (frame(), frame(b=[1.5 + 1e-12, None])),
]
UNEQUAL = [
    (Slotted(0.5), Slotted(0.25)),
    (Closed(1), Closed(2)),
    (Point(1, 2), Pair(1, 2)),
    (OrderedDict(a=1, b=2), OrderedDict(b=2, a=1)),
    (deque([1], maxlen=3), deque([1])),
    (categories("x", "y"), categories("x", "y", categories=["x", "y", "z"])),
    (categories("x", "y"), categories("x", "y", ordered=True)),
    (0.1 + 1j, 0.2 + 1j),
    ({1: "a"}, {1.0: "a"}),
    (1, True),
    ({1: "a"}, {"1": "a"}),
    ([1], (1,)),
    ({1}, frozenset({1})),
    (np.array([1, 2]), np.array([1, 2], dtype="int32")),
    (np.array(["a"], dtype=object), np.array(["a"])),
    (frame(), frame(b=[1.5, 0.0])),
    (frame(), frame()[["a", "c", "b", "d"]]),
    (frame(), frame().iloc[::-1]),
    (frame(), frame(c=pd.Categorical(["x", "y"]))),
    (frame(), frame(d=["2020-01-01", None])),
    (pd.Series([1], name="a"), pd.Series([1])),
    (pd.Series([1], index=["x"]), pd.Series([1], index=["y"])),
    (frame().set_index(["a", "c"]), frame().set_index(["c", "a"])),
]


@pytest.mark.parametrize(("one", "other"), EQUAL)
def test_what_is_the_same_is_told_as_the_same(one, other):
    assert same(exact(one), exact(other))


@pytest.mark.parametrize(("one", "other"), UNEQUAL)
def test_what_differs_in_type_label_or_order_is_told_apart(one, other):
    assert not same(exact(one), exact(other))
