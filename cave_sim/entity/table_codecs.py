"""How tables of pandas live in a world, and columns of their own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from cave_sim.determinism.canonical_json import same_json
from cave_sim.entity.array_codec import WIDEST, array_restore, array_same, array_snapshot
from cave_sim.entity.codec import Codec
from cave_sim.errors import SchemaError

NULLABLE = ("boolean", *(f"{kind}{bits}" for kind in ("Int", "UInt") for bits in (8, 16, 32, 64)), "Float32", "Float64")
"""Types of columns that know numbers that are missing."""


def _column_snapshot(column: Any) -> Any:
    dtype = column.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        kinds = _column_snapshot(dtype.categories.to_series())
        return {"codes": column.cat.codes.tolist(), "categories": kinds, "ordered": bool(dtype.ordered)}
    if str(dtype) in NULLABLE:
        return {"items": [_cell(item) for item in column.tolist()], "dtype": str(dtype)}
    values = column.to_numpy()
    if values.dtype.kind in "biufmM":
        return array_snapshot(values)
    return {"items": [_cell(item) for item in values.tolist()], "dtype": str(dtype)}


def _cell(item: Any) -> Any:
    if isinstance(item, np.bool_ | np.integer | np.floating):  # a row of a table holds them
        item = item.item()
    if item is None or item is pd.NA or item is pd.NaT or (isinstance(item, float) and item != item):
        return None
    if type(item) in (str, int, float, bool):
        return item
    raise SchemaError(
        f"a table in the world may hold numbers, texts, booleans and dates without zones, not {type(item).__name__}; "
        "an agent's own variables keep any: inject it with agent=..., or make it plain"
    )


def _column_restore(data: Any) -> Any:
    if "codes" in data:
        kinds = _column_restore(data["categories"])
        kinds = pd.Index(kinds, dtype=object if kinds.dtype == object else None)
        codes = np.array([int(code) for code in data["codes"]], dtype=np.intp)
        return pd.Categorical.from_codes(codes, categories=kinds, ordered=bool(data["ordered"]))
    if "items" not in data:
        return array_restore(data)
    dtype = data["dtype"] if data["dtype"] in ("str", "string", "object", *NULLABLE) else "object"
    return (
        pd.array(data["items"], dtype=dtype)
        if dtype != "object"
        else np.array(data["items"] + [None], dtype=object)[:-1]
    )


def _column_names(table: Any) -> list[str | int]:
    """Return the names of columns; raises SchemaError for those that cannot be kept."""
    names: list[str | int] = table.columns.tolist()
    if not all(type(name) in (str, int) for name in names) or len(set(names)) < len(names):
        raise SchemaError("a table's columns need unique names that are texts or integers")
    return names


def _table_snapshot(table: Any) -> Any:
    named = {} if table.columns.name is None else {"columns_name": _cell(table.columns.name)}
    return {
        "columns": [[name, _column_snapshot(table[name])] for name in _column_names(table)],
        "index": _index_snapshot(table.index),
        "index_name": _cell(table.index.name),
        **named,
    }


def _series(values: Any, index: Any) -> Any:
    """Return a column; pandas must not guess a type for one that holds objects."""
    return pd.Series(values, index=index, dtype=object if values.dtype == object else None)


def _table_restore(data: Any) -> Any:
    index = _index_restore(data["index"]).rename(data["index_name"])
    columns = {name: _series(_column_restore(column), index) for name, column in data["columns"]}
    names = pd.Index(list(columns), name=data.get("columns_name"))
    return pd.DataFrame(columns, index=index, columns=names)


def _table_taken(table: Any) -> Any:
    """Return a table as it would come back from a file, so that a run that goes on has the very same one."""
    if type(table) is not pd.DataFrame or not all(map(_comes_back, table.dtypes)):
        return _table_restore(_table_snapshot(table))
    names = _column_names(table)
    taken = table.copy(deep=False)
    taken.attrs = {}
    taken.index = _index_restore(_index_snapshot(table.index)).rename(_cell(table.index.name))
    taken.columns = pd.Index(names, name=_cell(table.columns.name))
    return taken


def _comes_back(dtype: Any) -> bool:
    """Say whether columns of a type come back as they are, whatever is in them."""
    if dtype == "str":
        return True
    return isinstance(dtype, np.dtype) and dtype.kind in "biufmM" and dtype.itemsize <= WIDEST["f"]


def _series_snapshot(series: Any) -> Any:
    return {"name": _cell(series.name), "table": _table_snapshot(_series_table(series))}


def _series_restore(data: Any) -> Any:
    return _table_restore(data["table"])["value"].rename(data["name"])


def _index_snapshot(index: Any) -> Any:
    """A range stays one: what a cell is shown of ``table.idxmax()`` depends on it."""
    if type(index) is pd.RangeIndex:
        return {"range": [index.start, index.stop, index.step]}
    return _column_snapshot(index.to_series())


def _index_restore(data: Any) -> Any:
    if "range" in data:
        return pd.RangeIndex(*map(int, data["range"]))
    values = _column_restore(data)
    return pd.Index(values, dtype=object if values.dtype == object else None)


def _same_index(one: Any, other: Any) -> bool:
    """Say whether two indexes are the same; raises SchemaError where one holds what is no plain data."""
    named = [(type(index.name), _cell(index.name)) for index in (one, other)]
    if named[0] != named[1] or type(one) is not type(other):
        return False
    if _comes_back(one.dtype) and _comes_back(other.dtype):
        return bool(one.equals(other))
    return _same_items(one.to_series(), other.to_series())


def _table_patch(old: Any, new: Any) -> Any:
    """The columns that differ, if rows and names stayed; the whole new table otherwise."""
    if _plain_labels(old) == _plain_labels(new) and _same_index(old.index, new.index):
        changed = [name for name in new.columns if not _same_items(old[name], new[name])]
        return {"columns": [[name, _column_snapshot(new[name])] for name in changed]}
    return {"data": _table_snapshot(new)}


def _table_apply(old: Any, patch: Any) -> Any:
    if "data" in patch:
        return _table_restore(patch["data"])
    changed = old.copy()
    for name, column in patch["columns"]:
        changed[name] = _series(_column_restore(column), changed.index)
    return changed


def _series_table(series: Any) -> Any:
    return series.to_frame(name="value")


def _table_same(one: Any, other: Any) -> bool:
    """Say whether two tables are the same, down to the types of their items; no code of an item runs."""
    return (
        one.shape == other.shape
        and _plain_labels(one) == _plain_labels(other)
        and _same_index(one.index, other.index)
        and all(_same_items(one.iloc[:, at], other.iloc[:, at]) for at in range(one.shape[1]))
    )


def _series_same(one: Any, other: Any) -> bool:
    named = [(type(series.name), _cell(series.name)) for series in (one, other)]
    return named[0] == named[1] and _table_same(_series_table(one), _series_table(other))


def _plain_labels(table: Any) -> list[tuple[type, Any]]:
    return [(type(name), _cell(name)) for name in (table.columns.name, *table.columns.tolist())]


def _same_items(one: Any, other: Any) -> bool:
    """Say whether two columns of one dtype hold the same items; raises SchemaError where one is no plain data."""
    if _comes_back(one.dtype) and _comes_back(other.dtype):
        return (
            one.dtype == other.dtype
            and bool(one.equals(other))
            and (one.dtype.kind != "f" or array_same(one.to_numpy(), other.to_numpy()))
        )
    if one.dtype == object and other.dtype == object:
        mine, theirs = ([(type(item), _cell(item)) for item in column.tolist()] for column in (one, other))
        return mine == theirs
    return same_json(_column_snapshot(one), _column_snapshot(other))


TABLE_CODEC = Codec(
    "pandas DataFrame",
    pd.DataFrame,
    _table_snapshot,
    _table_restore,
    lambda table: table.copy(deep=False),
    _table_same,
    _table_patch,
    _table_apply,
    _table_taken,
)
SERIES_CODEC = Codec(
    "pandas Series",
    pd.Series,
    _series_snapshot,
    _series_restore,
    lambda series: series.copy(deep=False),
    _series_same,
    lambda _old, new: {"data": _series_snapshot(new)},
    lambda _old, patch: _series_restore(patch["data"]),
    lambda series: _series_restore(_series_snapshot(series)),
)
