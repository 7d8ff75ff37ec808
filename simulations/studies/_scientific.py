"""Scientific types: tables, series and arrays, filtered, sorted, reshaped and joined."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from cave_sim.experiment.task import Query, Task, Variable

Turn = tuple[str, str, dict[str, Any]] | tuple[str, str, dict[str, Any], str]


def _task(name: str, make: Callable[[], dict[str, Any]], *turns: Turn) -> Task:
    """Return a task; each turn is what is asked, the right cell, the values after it, and a wrong cell if need be."""
    queries = tuple(Query(text, after, cave=code, wrong="".join(wrong)) for text, code, after, *wrong in turns)
    return Task(name, "scientific", queries, variables=lambda: {k: Variable(v) for k, v in make().items()})


def _table(_labels: list[int] | None = None, **columns: list[Any]) -> pd.DataFrame:
    """Return a table; its rows are labelled 0, 1, 2 ... unless others are given."""
    return pd.DataFrame(columns, index=_labels)


def _sales() -> dict[str, Any]:
    return {"sales": _table(shop=["N", "S", "N", "S"], units=[3, 8, 5, 2], price=[2.5, 1.0, 2.0, 4.0])}


def _people() -> dict[str, Any]:
    return {"people": _table(name=["Ia", "Jo", "Ka"], age=[41, 29, 35])}


def _rain() -> dict[str, Any]:
    return {"rain": pd.Series([4.0, 0.0, 9.5, 1.5], index=["mon", "tue", "wed", "thu"])}


def _grid() -> dict[str, Any]:
    return {"grid": np.arange(6)}


def _pair() -> dict[str, Any]:
    return {"left": np.array([[1, 2], [3, 4]]), "right": np.array([[2, 0], [1, 3]])}


TASKS = [
    _task(
        "table_columns", _sales,
        ("Add a column 'income' to sales: units times price.", "sales['income'] = sales['units'] * sales['price']",
         {"sales": _table(shop=["N", "S", "N", "S"], units=[3, 8, 5, 2], price=[2.5, 1.0, 2.0, 4.0],
                          income=[7.5, 8.0, 10.0, 8.0])}),
        ("Keep only rows with an income of 8 or more, each under its old label.", "sales = sales[sales['income'] >= 8]",
         {"sales": _table([1, 2, 3], shop=["S", "N", "S"], units=[8, 5, 2], price=[1.0, 2.0, 4.0],
                          income=[8.0, 10.0, 8.0])}),
        ("Keep the sum of the incomes in a variable earned.", "earned = sales['income'].sum()", {"earned": 26.0},
         "earned = sales['units'].sum()"),
    ),
    _task(
        "table_sorting", _sales,
        ("Sort sales by price, the dearest first; rows keep their labels.",
         "sales = sales.sort_values('price', ascending=False)",
         {"sales": _table([3, 0, 2, 1], shop=["S", "N", "N", "S"], units=[2, 3, 5, 8], price=[4.0, 2.5, 2.0, 1.0])}),
        ("Drop the column 'shop'.", "sales = sales.drop(columns='shop')",
         {"sales": _table([3, 0, 2, 1], units=[2, 3, 5, 8], price=[4.0, 2.5, 2.0, 1.0])}),
        ("Call the column 'units' 'count' instead.", "sales = sales.rename(columns={'units': 'count'})",
         {"sales": _table([3, 0, 2, 1], count=[2, 3, 5, 8], price=[4.0, 2.5, 2.0, 1.0])}),
    ),
    _task(
        "table_grouping", _sales,
        ("Replace sales by the sum of the units of each shop: columns 'shop' and 'units', by name.",
         "sales = sales.groupby('shop', as_index=False)['units'].sum()",
         {"sales": _table(shop=["N", "S"], units=[8, 10])}),
        ("Add a column 'share': each one's units over all units, rounded to 3 digits.",
         "sales['share'] = (sales['units'] / sales['units'].sum()).round(3)",
         {"sales": _table(shop=["N", "S"], units=[8, 10], share=[0.444, 0.556])}),
        ("Keep the name of the shop with more units in a variable leader.",
         "leader = sales.sort_values('units')['shop'].tolist()[-1]", {"leader": "S"}),
    ),
    _task(
        "table_joining", lambda: _people() | {"towns": _table(name=["Ka", "Ia"], town=["Lahti", "Pori"])},
        ("Join people with towns by name, only those who are in both, in the order of people; keep it as joined.",
         "joined = people.merge(towns, on='name')",
         {"joined": _table(name=["Ia", "Ka"], age=[41, 35], town=["Pori", "Lahti"])}, "joined = people"),
        ("In joined everybody is a year older.", "joined['age'] += 1",
         {"joined": _table(name=["Ia", "Ka"], age=[42, 36], town=["Pori", "Lahti"])}),
        ("Add a row to joined: 'Mo', 50, 'Salo'; label the rows anew from 0.",
         ("more = pd.DataFrame({'name': ['Mo'], 'age': [50], 'town': ['Salo']})\n"
          "joined = pd.concat([joined, more], ignore_index=True)"),
         {"joined": _table(name=["Ia", "Ka", "Mo"], age=[42, 36, 50], town=["Pori", "Lahti", "Salo"])}),
    ),
    _task(
        "table_pivot", lambda: {"long": _table(day=["a", "a", "b", "b"], kind=["x", "y", "x", "y"], n=[1, 2, 3, 4])},
        ("Pivot long into wide: one row for each day, a column for each kind after the column day, filled with n.",
         ("x, y = (long[long['kind'] == each]['n'].tolist() for each in ('x', 'y'))\n"
          "wide = pd.DataFrame({'day': ['a', 'b'], 'x': x, 'y': y})"),
         {"wide": _table(day=["a", "b"], x=[1, 3], y=[2, 4])}),
        ("Add a column 'all' to wide: x plus y.", "wide['all'] = wide['x'] + wide['y']",
         {"wide": _table(day=["a", "b"], x=[1, 3], y=[2, 4], all=[3, 7])}),
        ("Keep the largest value of 'all' in a variable top.", "top = int(wide['all'].max())", {"top": 7},
         "top = int(wide['all'].min())"),
    ),
    _task(
        "table_gaps", lambda: {"log": _table(hour=[1, 2, 3, 4], volts=[3.0, None, 5.0, None])},
        ("Fill the gaps in volts of log with 4.0.", "log['volts'] = log['volts'].fillna(4.0)",
         {"log": _table(hour=[1, 2, 3, 4], volts=[3.0, 4.0, 5.0, 4.0])}),
        ("Add a column 'rise': the difference to the row before, 0.0 in the first.",
         "log['rise'] = log['volts'].diff().fillna(0.0)",
         {"log": _table(hour=[1, 2, 3, 4], volts=[3.0, 4.0, 5.0, 4.0], rise=[0.0, 1.0, 1.0, -1.0])}),
        ("Keep only the rows in which volts rose, each under its old label.", "log = log[log['rise'] > 0]",
         {"log": _table([1, 2], hour=[2, 3], volts=[4.0, 5.0], rise=[1.0, 1.0])}),
    ),
    _task(
        "series_scaling", _rain,
        ("Double every value of rain.", "rain = rain * 2",
         {"rain": pd.Series([8.0, 0.0, 19.0, 3.0], index=["mon", "tue", "wed", "thu"])}),
        ("Add 'fri' with 6.0 at the end.", "rain['fri'] = 6.0",
         {"rain": pd.Series([8.0, 0.0, 19.0, 3.0, 6.0], index=["mon", "tue", "wed", "thu", "fri"])}),
        ("Keep only the days with more than 5.", "rain = rain[rain > 5]",
         {"rain": pd.Series([8.0, 19.0, 6.0], index=["mon", "wed", "fri"])}, "rain = rain[rain < 5]"),
    ),
    _task(
        "series_running", _rain,
        ("Replace rain by its running sum.", "rain = rain.cumsum()",
         {"rain": pd.Series([4.0, 4.0, 13.5, 15.0], index=["mon", "tue", "wed", "thu"])}),
        ("Take 4 off every value.", "rain = rain - 4",
         {"rain": pd.Series([0.0, 0.0, 9.5, 11.0], index=["mon", "tue", "wed", "thu"])}),
        ("Sort it, the largest first.", "rain = rain.sort_values(ascending=False, kind='stable')",
         {"rain": pd.Series([11.0, 9.5, 0.0, 0.0], index=["thu", "wed", "mon", "tue"])}),
    ),
    _task(
        "series_and_table", lambda: _rain() | {"diary": _table(day=["mon", "tue", "wed", "thu"])},
        ("Put the values of rain into a column 'mm' of diary.", "diary['mm'] = rain.tolist()",
         {"diary": _table(day=["mon", "tue", "wed", "thu"], mm=[4.0, 0.0, 9.5, 1.5])}),
        ("Add a column 'wet': whether mm is above 1.", "diary['wet'] = diary['mm'] > 1",
         {"diary": _table(day=["mon", "tue", "wed", "thu"], mm=[4.0, 0.0, 9.5, 1.5], wet=[True, False, True, True])},
         "diary['wet'] = diary['mm'] < 1"),
        ("Keep the number of wet days in a variable wet_days.", "wet_days = int(diary['wet'].sum())", {"wet_days": 3},
         "wet_days = len(diary)"),
    ),
    _task(
        "array_shape", _grid,
        ("Make grid two rows of three.", "grid = grid.reshape(2, 3)", {"grid": np.array([[0, 1, 2], [3, 4, 5]])}),
        ("Swap rows and columns.", "grid = grid.T", {"grid": np.array([[0, 3], [1, 4], [2, 5]])}),
        ("Keep the sums of its columns in an array sums.", "sums = grid.sum(axis=0)", {"sums": np.array([3, 12])}),
    ),
    _task(
        "array_masks", _grid,
        ("Square every element of grid.", "grid = grid ** 2", {"grid": np.array([0, 1, 4, 9, 16, 25])}),
        ("Set those above 10 to 10.", "grid = np.minimum(grid, 10)", {"grid": np.array([0, 1, 4, 9, 10, 10])}),
        ("Keep only even elements.", "grid = grid[grid % 2 == 0]", {"grid": np.array([0, 4, 10, 10])}),
    ),
    _task(
        "array_products", _pair,
        ("Keep the matrix product of left and right as product.", "product = left @ right",
         {"product": np.array([[4, 6], [10, 12]])}, "product = left * right"),
        ("Take 2 off each element of product.", "product = product - 2", {"product": np.array([[2, 4], [8, 10]])}),
        ("Keep the sum of its diagonal in a variable trace, as an int.", "trace = int(product[0, 0] + product[1, 1])",
         {"trace": 12}),
    ),
    _task(
        "array_stacks", _pair,
        ("Stack right below left and keep it as tall.", "tall = np.concatenate([left, right])",
         {"tall": np.array([[1, 2], [3, 4], [2, 0], [1, 3]])}, "tall = np.concatenate([right, left])"),
        ("Keep the mean of each row of tall in an array means.", "means = tall.mean(axis=1)",
         {"means": np.array([1.5, 3.5, 1.0, 2.0])}),
        ("Sort each column of tall by itself.", "tall = np.sort(tall, axis=0)",
         {"tall": np.array([[1, 0], [1, 2], [2, 3], [3, 4]])}),
    ),
    _task(
        "array_to_table", lambda: {"samples": np.array([[2.0, 4.0], [6.0, 8.0], [1.0, 3.0]])},
        ("Normalise samples: divide all of it by its largest element.", "samples = samples / samples.max()",
         {"samples": np.array([[0.25, 0.5], [0.75, 1.0], [0.125, 0.375]])}, "samples = samples / samples.min()"),
        ("Make a table frame of it with the columns 'low' and 'high'.",
         "frame = pd.DataFrame({'low': samples[:, 0], 'high': samples[:, 1]})",
         {"frame": _table(low=[0.25, 0.75, 0.125], high=[0.5, 1.0, 0.375])}),
        ("Add a column 'span' to frame: high less low.", "frame['span'] = frame['high'] - frame['low']",
         {"frame": _table(low=[0.25, 0.75, 0.125], high=[0.5, 1.0, 0.375], span=[0.25, 0.25, 0.25])}),
    ),
]  # fmt: skip
