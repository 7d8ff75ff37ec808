"""The judges of tasks about the state of a world: one thing that is not as it must be, of whatever kind, fails."""

from dataclasses import replace

import pytest

from cave_sim import Entity
from cave_sim.experiment.scripted import Player
from cave_sim.experiment.study import find
from cave_sim.experiment.task import Query, Task
from cave_sim.experiment.trial import Trial
from cave_sim.simulations.studies.data_tasks import shows


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
    assert not spoilt_data("one_week", spoil).ok


NUMBERS = {
    "as a text": "result = str(result)",
    "in a list": "result = [result]",
    "one off in its last digit": "result = round(result + 0.0001, 4)",
    "not rounded": "result = result + 0.00004",
    "without digits": "result = round(result)",
    "a percentage": "result = 100 * result",
    "of lower precision": "import numpy as np\nresult = np.float32(result)",
}


@pytest.mark.parametrize("spoil", NUMBERS.values(), ids=NUMBERS)
def test_numbers_are_judged_with_their_type_and_to_their_last_digit(spoil):
    assert not spoilt_data("volatility", spoil).ok


def test_a_number_that_is_not_rounded_fails_where_it_is_large_too():
    """Of about 55, the fifth digit behind the point is less than what floats may differ by."""
    query = DATA["mean_close"].queries[0]
    as_it_is = query.cells("cave")[-1].rpartition("\n")[0]
    for code, ok in ((f"{as_it_is}\nresult = round(result, 4)", True), (as_it_is, False)):
        task = replace(DATA["mean_close"], queries=(replace(query, cave=code),))
        (outcome,) = Trial(task, find("data_tasks")[1]["cave"], seed=7, llm=Player(task, "cave")).run()
        assert outcome.ok == ok, code


@pytest.mark.parametrize("spoil", ["result = float(result)", "result = str(result)", "result = result + 0.00001"])
def test_a_whole_number_is_one(spoil):
    assert not spoilt_data("streak", spoil).ok


def spoilt_data(name, spoil):
    """Return the outcome of a data task by its right script and a line that spoils what it delivers."""
    (query,) = DATA[name].queries
    task = replace(DATA[name], queries=(replace(query, cave=f"{query.cells('cave')[-1]}\n{spoil}"),))
    trial = Trial(task, find("data_tasks")[1]["cave"], seed=7, llm=Player(task, "cave"))
    (outcome,) = trial.run()
    assert not [row.text for row in trial.agent.session.rows.since(0) if row.kind == "error"]
    return outcome


LINES = {"a": [1.5, 2.0001], "b": [1, 2]}
DRAWN_WRONG = {
    "another title": {"layout": {"title": {"text": "t"}}},
    "one off in its last digit": {"y": [1.5, 2.0002]},
    "numbers as texts": {"y": ["1.5", "2.0001"]},
    "a value missing": {"y": [1.5, None]},
    "places as texts": {"x": ["1", "2"]},
    "a place less": {"x": [1]},
    "dots in place of a line": {"mode": "markers"},
    "bars in place of a line": {"type": "bar"},
    "a line that is not to be seen": {"visible": False},
    "a line to be seen once somebody asks for it": {"visible": "legendonly"},
    "another name": {"name": "c"},
    "the same line twice": {"name": "b", "y": [1, 2]},
}


@pytest.mark.parametrize("wrong", [{}, *DRAWN_WRONG.values()], ids=["as it is", *DRAWN_WRONG])
def test_a_chart_is_judged_by_its_title_and_by_each_line_that_is_to_be_seen(wrong):
    first = {"type": "scatter", "mode": "lines", "name": "a", "x": [1, 2], "y": LINES["a"]}
    if wrong.get("type") == "bar":
        del first["mode"]
    second = {"type": "scatter", "name": "b", "x": (1, 2), "y": (1.0, 2)}
    drawn = {"data": [first | {key: each for key, each in wrong.items() if key != "layout"}, second]}
    layout = wrong.get("layout", {"title": {"text": "T"}})
    assert shows({**drawn, "layout": layout}, "T", [1, 2], LINES) == (not wrong)


def test_a_line_more_than_were_asked_for_is_wrong():
    lines = [{"name": name, "x": [1, 2], "y": y} for name, y in LINES.items()]
    chart = {"data": lines, "layout": {"title": {"text": "T"}}}
    assert shows(chart, "T", [1, 2], LINES)
    assert not shows({**chart, "data": [*lines, lines[0]]}, "T", [1, 2], LINES)


@pytest.mark.parametrize("off", [1, 0.01, 0.00001])
def test_a_large_value_in_a_chart_that_is_a_little_off_is_wrong(off):
    chart = {"data": [{"name": "volume", "x": [2020], "y": [5_000_000 + off]}], "layout": {"title": {"text": "T"}}}
    assert not shows(chart, "T", [2020], {"volume": [5_000_000]})
    chart["data"][0]["y"] = [5_000_000]
    assert shows(chart, "T", [2020], {"volume": [5_000_000]})


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


SAME_PARTS = """
old = basket


class Basket:
    def __init__(self):
        self.counts, self.prices, self.discount = dict(old.counts), dict(old.prices), old.discount


basket = Basket()
"""


def test_an_object_of_another_class_is_another_one_even_of_that_name_and_with_those_parts():
    assert as_variable("basket_swap", "import copy\nbasket = copy.deepcopy(basket)").ok
    assert "basket.__class__" in as_variable("basket_swap", SAME_PARTS).why


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
