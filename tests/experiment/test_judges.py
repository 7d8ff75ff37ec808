"""The judges of tasks about the state of a world: one thing that is not as it must be, of whatever kind, fails."""

from dataclasses import replace

import pytest

from cave_sim import Entity
from cave_sim.experiment.scripted import Player
from cave_sim.experiment.study import find
from cave_sim.experiment.task import Query, Task
from cave_sim.experiment.trial import Trial


class Shelf(Entity):
    """Has a field of each kind."""

    count: int = 0
    share: float = 0.5
    open: bool = False
    label: str = "tea"
    items: list[str] = ["a", "b"]  # noqa: RUF012  # a field
    prices: dict[str, int] = {"tea": 3}  # noqa: RUF012  # a field


def build(world):
    world.add("shelf", Shelf())
    world.add("other", Shelf())
    world.grant("assistant", "shelf", "other")


RIGHT = """
shelf.count = 2
shelf.share = 0.1 + 0.2
shelf.open = True
shelf.label = "coffee"
shelf.items = ["a", "b", "c"]
shelf.prices = {"tea": 3, "coffee": 4}
total = 7
names = ["x", "y"]
""".strip()
CORRUPTIONS = {
    "a number one off": "shelf.count = 3",
    "a fraction slightly off": "shelf.share = 0.3001",
    "a truth": "shelf.open = False",
    "a text in another case": "shelf.label = 'Coffee'",
    "an item less": "shelf.items = ['a', 'b']",
    "an item twice": "shelf.items.append('c')",
    "items in another order": "shelf.items = ['c', 'b', 'a']",
    "a key more": "shelf.prices['milk'] = 1",
    "a key less": "shelf.prices = {'coffee': 4}",
    "a value": "shelf.prices['tea'] = 4",
    "another entity": "other.count = 1",
    "a list of another one": "other.items.append('c')",
    "the type of what is delivered": "total = 7.0",
    "a number as a text": "total = '7'",
    "a list as a tuple": "names = tuple(names)",
    "nothing delivered": "del total",
}
HARMLESS = {
    "the order of keys": "shelf.prices = {'coffee': 4, 'tea': 3}",
    "a variable of its own": "scratch = 5",
    "rounding": "shelf.share = 0.3",
    "done and undone": "other.count = 1\nother.count = 0",
}
EXPECTED = {
    "shelf.count": 2, "shelf.share": 0.3, "shelf.open": True, "shelf.label": "coffee",
    "shelf.items": ["a", "b", "c"], "shelf.prices": {"coffee": 4, "tea": 3}, "total": 7, "names": ["x", "y"],
}  # fmt: skip


def judged(more):
    query = Query("Fill the shelf.", EXPECTED, cave=f"{RIGHT}\n{more}".strip())
    task = Task("shelf", "shelves", (query,), build=build)
    return Trial(task, find("bank_account")[1]["cave"], seed=7, llm=Player(task, "cave")).run()[0]


@pytest.mark.parametrize("more", ["", *HARMLESS.values()], ids=["as it is", *HARMLESS])
def test_what_is_right_passes(more):
    assert judged(more).why == ""


@pytest.mark.parametrize("more", CORRUPTIONS.values(), ids=CORRUPTIONS)
def test_what_is_wrong_in_one_place_fails_and_the_place_is_told(more):
    outcome = judged(more)
    assert not outcome.ok
    path = more.split("=")[0].split("[")[0].replace("del ", "").replace(".append('c')", "").strip()
    assert path in outcome.why
    assert [place for kind, places in outcome.slips.items() if kind != "done" for place in places] == [path]


DATA = {task.name: task for task in find("data_tasks")[0].tasks(7)}
SPOILT = {
    "a row less": "result = result[1:]",
    "a row twice": "result.append(result[0])",
    "a column less": "for row in result:\n    del row['volume']",
    "a column more": "result[0]['week'] = 1",
    "rows in another order": "result = result[::-1]",
    "a number off": "result[0]['close'] += 0.01",
    "a number as a text": "result[0]['close'] = str(result[0]['close'])",
    "a text with a space more": "result[0]['date'] = result[0]['date'] + ' '",
    "rows as lists": "result = [list(row.values()) for row in result]",
    "columns of lists": "result = {name: [row[name] for row in result] for name in result[0]}",
    "a tuple of rows": "result = tuple(result)",
    "how many": "result = len(result)",
    "none": "result = None",
}


@pytest.mark.parametrize("spoil", SPOILT.values(), ids=SPOILT)
def test_rows_that_were_fetched_are_judged_exactly(spoil):
    task = DATA["one_week"]
    (query,) = task.queries
    spoilt = replace(query, cave=f"{query.cells('cave')[-1]}\n{spoil}")
    task = replace(task, queries=(spoilt,))
    trial = Trial(task, find("data_tasks")[1]["cave"], seed=7, llm=Player(task, "cave"))
    assert not trial.run()[0].ok
    assert not [row.text for row in trial.agent.session.rows.since(0) if row.kind == "error"]


VARIABLES = {task.name: task for task in find("stateful_types")[0].tasks(7)}
OTHERWISE = {
    "table_columns": (
        "sales = sales.to_dict()", "sales = sales.iloc[:-1]", "sales = sales.astype(object)",
        "sales = sales.iloc[::-1]",
        "sales = sales[list(sales.columns)[::-1]]", "sales = sales.set_axis(range(1, len(sales) + 1))",
        "sales = sales.rename_axis('n')", "sales = sales.assign(more=1)",
    ),
    "series_scaling": (
        "rain = rain.tolist()", "rain = rain.rename('r')", "rain = rain.to_frame()", "rain = rain.astype('float32')",
        "rain = rain.set_axis(range(1, len(rain) + 1))", "rain = rain.iloc[:-1]",
    ),
    "array_shape": (
        "grid = grid.tolist()", "grid = grid + 0j", "grid = grid.reshape(-1, 1)", "grid = grid[:-1]", "grid = grid + 1",
    ),
    "tags": ("tags = sorted(tags)", "tags = tags | {'more'}", "tags = frozenset(tags)"),
    "stock": ("stock = list(stock.items())", "stock = dict(list(stock.items())[1:])", "stock = {**stock, 'more': 1}"),
    "counter": ("counter = float(counter)", "counter = str(counter)", "counter = [counter]"),
}  # fmt: skip


def as_variable(name, *more):
    """Return the outcome of a task's first query by its right script, and then by more, of which nothing fails."""
    task = VARIABLES[name]
    query = replace(task.queries[0], cave=(*task.queries[0].cells("cave"), *more))
    task = replace(task, queries=(query,))
    trial = Trial(task, find("stateful_types")[1]["cave"], seed=7, llm=Player(task, "cave"))
    (outcome,) = trial.run()
    assert not [row.text for row in trial.agent.session.rows.since(0) if row.kind == "error"]
    return outcome


@pytest.mark.parametrize("name", OTHERWISE)
def test_a_variable_is_of_the_type_the_labels_and_the_order_that_it_is_to_be_of(name):
    assert as_variable(name).ok
    assert [more for more in OTHERWISE[name] if as_variable(name, more).ok] == []


@pytest.mark.parametrize(
    ("paradigm", "told"),
    [
        ("cave", "result is missing: no cell left a variable of that name"),
        ("codeact", 'result is missing: neither a variable nor a line of JSON such as {"result": …} delivers it'),
    ],
)
@pytest.mark.parametrize("judged_by", ["value", "check"])
def test_what_was_not_delivered_is_named_with_how_it_is_delivered(judged_by, paradigm, told):
    right = {"check": lambda after: after["result"] == 3} if judged_by == "check" else {"expect": {"result": 3}}
    task = Task("sum", "sums", (Query("1 + 2, as `result`.", cave="answer = 3", **right),))
    (outcome,) = Trial(task, find("data_tasks")[1][paradigm], seed=7, llm=Player(task, paradigm)).run()
    assert outcome.why == told
