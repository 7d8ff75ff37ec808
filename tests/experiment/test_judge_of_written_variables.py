"""What those who have no objects write as data is judged by what it holds, in whatever way a table may be written."""

import numpy as np
import pytest

from cave_sim.experiment.task import Variable, call, rounds
from cave_sim.experiment.variable_store import VariableStore
from cave_sim.simulations.studies._object import Basket, Kettle
from tests.experiment.fed_judges import played

RAINY = ["mon", "tue", "wed", "thu"]
INCOME = [7.5, 8.0, 10.0, 8.0]
ROWS = [["N", 3, 2.5, 7.5], ["S", 8, 1.0, 8.0], ["N", 5, 2.0, 10.0], ["S", 2, 4.0, 8.0]]
COLUMNS = ["shop", "units", "price", "income"]
RECORDS = [dict(zip(COLUMNS, row, strict=True)) for row in ROWS]
BY_COLUMN = {name: [row[name] for row in RECORDS] for name in COLUMNS}
CASES = {
    ("table_columns", 0, "sales"): (
        {
            "as it is read": {"columns": COLUMNS, "rows": ROWS},
            "by rows": RECORDS,
            "by columns": BY_COLUMN,
            "with whole prices": {**BY_COLUMN, "price": [2.5, 1, 2, 4], "income": [7.5, 8, 10, 8]},
        },
        {
            "rows alone": ROWS,
            "a row less": RECORDS[1:],
            "in another order": RECORDS[::-1],
            "columns in another order": dict(list(BY_COLUMN.items())[::-1]),
            "a column in capitals": {**BY_COLUMN, "income": INCOME, "INCOME": INCOME},
            "units as fractions": {**BY_COLUMN, "units": [3.0, 8.0, 5.0, 2.0]},
            "a little off": {**BY_COLUMN, "income": [7.5, 8.0, 10.0, 8.001]},
            "numbers as texts": {**BY_COLUMN, "income": list(map(str, INCOME))},
            "a gap": {**BY_COLUMN, "income": [7.5, 8.0, 10.0, None]},
        },
    ),
    ("table_columns", 2, "earned"): (
        {"a fraction": 26.0, "without a point": 26},
        {"off": 26.1, "a text": "26.0", "in a list": [26.0], "a yes": True, "with a name": {"earned": 26.0}},
    ),
    ("array_shape", 2, "sums"): (
        {"as arrays are read": {"shape": [2], "values": [3, 12]}, "a list": [3, 12]},
        {
            "of another shape": {"shape": [2, 1], "values": [3, 12]},
            "a shape as a text": {"shape": "[2]", "values": [3, 12]},
            "nested": [[3, 12]],
            "a column": [[3], [12]],
            "fractions": [3.0, 12.0],
            "texts": ["3", "12"],
            "in another order": [12, 3],
            "an item more": [3, 12, 0],
            "by place": {"0": 3, "1": 12},
        },
    ),
    ("array_stacks", 1, "means"): (
        {"a list": [1.5, 3.5, 1.0, 2.0], "with whole ones": [1.5, 3.5, 1, 2]},
        {"a yes": [1.5, 3.5, True, 2.0], "a gap": [1.5, 3.5, None, 2.0], "rounded": [2, 4, 1, 2]},
    ),
    ("series_scaling", 0, "rain"): (
        {
            "as it is read": {"index": RAINY, "values": [8.0, 0.0, 19.0, 3.0]},
            "by labels": dict(zip(RAINY, [8, 0, 19, 3], strict=True)),
        },
        {
            "without labels": [8.0, 0.0, 19.0, 3.0],
            "in another order": dict(zip(RAINY[::-1], [3.0, 19.0, 0.0, 8.0], strict=True)),
            "with labels swapped": dict(zip(RAINY[::-1], [8.0, 0.0, 19.0, 3.0], strict=True)),
        },
    ),
    ("kettle_tea", 1, "kettle"): (
        {"what changes": {"is_on": True, "celsius": 100}, "all": {"litres": 1.5, "celsius": 100, "is_on": True}},
        {
            "a part of no kettle": {"is_on": True, "celsius": 100, "Celsius": 100},
            "a number for a yes": {"is_on": 1, "celsius": 100},
            "a fraction": {"is_on": True, "celsius": 100.0},
        },
    ),
}


def written(case, value):
    """Return whether a query is right once one variable is written, by who calls functions."""
    task, number, name = case
    return played("stateful_types", task, number, rounds([call("write_variable", name=name, value=value)]))[0].ok


@pytest.mark.long(cases=0)
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[2]} {case[1]}")
def test_what_is_written_as_data_is_judged_by_what_it_holds(case):
    right, wrong = CASES[case]
    assert [how for how, value in right.items() if not written(case, value)] == []
    assert [how for how, value in wrong.items() if written(case, value)] == []


def test_what_is_no_part_of_an_object_or_of_another_shape_is_refused_with_what_there_is():
    store = VariableStore({"kettle": Variable(Kettle()), "grid": Variable(np.arange(6))})
    with pytest.raises(KeyError, match="'kettle' has no 'Celsius'; there are: litres, celsius, is_on"):
        store.write_variable("kettle", {"litres": 1.0, "Celsius": 100})
    assert store.read_variable("kettle")["litres"] == 0.0
    with pytest.raises(ValueError, match=r"the values are of shape \[6\], not \[2, 3\]"):
        store.write_variable("grid", {"shape": [2, 3], "values": [0, 1, 2, 3, 4, 5]})


def test_what_was_written_is_a_copy():
    store, written = VariableStore({"basket": Variable(Basket())}), {"counts": {"tea": 1}}
    store.write_variable("basket", written)
    written["counts"]["tea"] = 2
    assert store.read_variable("basket")["counts"] == {"tea": 1}
