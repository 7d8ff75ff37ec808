"""What a variable holds is kept by a name of the scope only if that name stands for this very object."""

import pandas as pd

from cave_sim import Entity, World


class Well(Entity):
    """Holds water."""


class Model:
    """Stands for an estimator of a library."""

    def __init__(self, weights):
        self.weights = weights


def test_an_object_in_the_place_in_memory_of_a_table_that_is_gone_is_kept_as_itself():
    world = World(seed=1)
    world.inject("table", pd.DataFrame({"a": [1, 2, 3]}))
    world.inject("Model", Model)
    world.execute("first = table.a.sum()\nmodel = Model([1])", agent="ann")
    for _ in range(150):
        assert world.execute("size = len(table)", agent="bob").committed
        assert world.execute("model = Model([1])\nrows = [Model([2]) for _ in range(20)]", agent="ann").committed
        kept = world.interpreter.namespace("ann").data
        assert not [name for name, value in kept.items() if "table" in str(value)]


def test_a_class_that_cells_see_since_others_left_is_kept_by_its_name():
    world = World(seed=1)
    for name in ("one", "two"):
        world.add(name, Well())
    world.inject("Model", Model)
    assert world.execute("kind = Model", agent="ann").committed
    world.remove("one")
    world.inject("Other", type("Other", (Model,), {"__module__": __name__}))
    assert world.execute("kind = Other", agent="ann").committed
    assert world.interpreter.namespace("ann").data["kind"] == {"$name": ["Other"]}
