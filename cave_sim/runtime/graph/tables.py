"""Forms of pandas tables, columns and indexes, with their dtypes: texts, categories, periods, time zones, objects."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from cave_sim.entity.zones import read_zone, write_zone
from cave_sim.errors import SchemaError
from cave_sim.runtime.graph.arrays import make_array, write_array
from cave_sim.runtime.graph.errors import Malformed
from cave_sim.runtime.graph.node import Form, See

_MASKED = ("boolean", "Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64", "Float32", "Float64")


def _write_values(values: Any, see: See) -> Any:
    """Return the form of a column's values: ``values`` is what ``.array`` of a column or an index gives."""
    dtype = values.dtype
    if isinstance(dtype, pd.StringDtype):  # first, as one of the two that hold texts is an array of numpy's, too
        texts = [None if pd.isna(text) else see(text) for text in values.to_numpy(object)]
        return {"texts": texts, "missing": "nan" if dtype.na_value is not pd.NA else "NA", "storage": dtype.storage}
    if isinstance(dtype, np.dtype) or isinstance(values, pd.arrays.NumpyExtensionArray):
        return {"array": write_array(np.asarray(values), see)}
    if isinstance(dtype, pd.CategoricalDtype):
        codes = write_array(values.codes, see)
        categories = write_index(values.categories, see)
        return {"codes": codes, "categories": categories, "ordered": bool(values.ordered)}
    if isinstance(dtype, pd.DatetimeTZDtype):
        instants = values.tz_convert("UTC").tz_localize(None).to_numpy()
        return {"instants": write_array(instants, see), "zone": write_zone(dtype.tz)}
    if isinstance(dtype, pd.IntervalDtype):
        return {
            "left": _write_values(values.left.array, see),
            "right": _write_values(values.right.array, see),
            "closed": values.closed,
        }
    if isinstance(dtype, pd.PeriodDtype):
        return {
            "ordinals": write_array(values.asi8, see),
            "every": str(dtype).removeprefix("period[").removesuffix("]"),
        }
    if str(dtype) in _MASKED:
        mask = np.asarray(values.isna())
        plain = np.where(mask, np.zeros(1, dtype.numpy_dtype), values.to_numpy(dtype.numpy_dtype, na_value=0))
        return {"masked": write_array(plain, see), "mask": write_array(mask, see), "dtype": str(dtype)}
    raise SchemaError(f"a table with a column of dtype {dtype} cannot be kept")


def _read_values(data: Any, reader: Any) -> Any:
    if "array" in data:
        return make_array(data["array"], reader)
    if "codes" in data:
        dtype = pd.CategoricalDtype(read_index(data["categories"], reader), bool(data["ordered"]))
        return pd.Categorical.from_codes(make_array(data["codes"], reader), dtype=dtype)
    if "instants" in data:
        instants = pd.DatetimeIndex(make_array(data["instants"], reader))
        return instants.tz_localize("UTC").tz_convert(read_zone(data["zone"])).array
    if "closed" in data:
        ends = [_read_values(data[end], reader) for end in ("left", "right")]
        return pd.arrays.IntervalArray.from_arrays(*ends, closed=str(data["closed"]))
    if "ordinals" in data:
        return pd.PeriodIndex.from_ordinals(make_array(data["ordinals"], reader), freq=str(data["every"])).array
    if "masked" in data:
        if data["dtype"] not in _MASKED:
            raise Malformed("a column of no dtype that is kept")
        values = pd.array(make_array(data["masked"], reader), dtype=data["dtype"])
        values[make_array(data["mask"], reader)] = pd.NA
        return values
    if not all(text is None or type(text) is str for text in data["texts"]):
        raise Malformed("a column of texts with something else")
    missing = np.nan if data["missing"] == "nan" else pd.NA
    return pd.array(data["texts"], dtype=pd.StringDtype(str(data["storage"]), na_value=missing))


def write_index(index: Any, see: See) -> Any:
    """Return the form of the labels of rows or columns."""
    names = [see(name) for name in index.names]
    if type(index) is pd.RangeIndex:
        return {"range": [index.start, index.stop, index.step], "names": names}
    if isinstance(index, pd.MultiIndex):
        levels = [write_index(level, see) for level in index.levels]
        return {"levels": levels, "codes": [[int(code) for code in codes] for codes in index.codes], "names": names}
    data = {"values": _write_values(index.array, see), "names": names}
    if isinstance(index, (pd.DatetimeIndex, pd.TimedeltaIndex)) and index.freq is not None:
        data["every"] = index.freqstr if _is_told(index.freq) else see(index.freq)
    return data


def _is_told(step: Any) -> bool:
    """Say whether a step of time can be made again from its name, as one with holidays cannot."""
    try:
        return bool(pd.tseries.frequencies.to_offset(step.freqstr) == step)
    except ValueError:
        return False


def read_index(data: Any, reader: Any) -> Any:
    """Return the labels that a form stands for."""
    names = [reader.read(name) for name in data["names"]]
    if "range" in data:
        return pd.RangeIndex(*map(int, data["range"]), name=names[0])
    if "levels" in data:
        levels = [read_index(level, reader) for level in data["levels"]]
        return pd.MultiIndex(levels=levels, codes=data["codes"], names=names)
    values = _read_values(data["values"], reader)
    index = pd.Index(values, dtype=values.dtype, name=names[0])
    if "every" in data:
        step = data["every"]
        index.freq = step if type(step) is str else reader.read(step)
    return index


def _write_table(table: Any, see: See) -> Any:
    return {
        "columns": write_index(table.columns, see),
        "index": write_index(table.index, see),
        "values": [_write_values(table.iloc[:, at].array, see) for at in range(table.shape[1])],
    }


def _read_table(data: Any, reader: Any) -> Any:
    columns, index = read_index(data["columns"], reader), read_index(data["index"], reader)
    series = {at: _column(values, index, None, reader) for at, values in enumerate(data["values"])}
    table = pd.DataFrame(series, index=index, columns=range(len(series)))
    table.columns = columns
    return table


def _column(data: Any, index: Any, name: Any, reader: Any) -> Any:
    values = _read_values(data, reader)
    return pd.Series(values, index=index, dtype=values.dtype, name=name)


def _write_series(series: Any, see: See) -> Any:
    return {
        "name": see(series.name),
        "index": write_index(series.index, see),
        "values": _write_values(series.array, see),
    }


def _read_series(data: Any, reader: Any) -> Any:
    return _column(data["values"], read_index(data["index"], reader), reader.read(data["name"]), reader)


TABLE = Form("$frame", _write_table, _read_table)
SERIES = Form("$series", _write_series, _read_series)
INDEX = Form("$index", write_index, read_index)
VALUES = Form("$values", _write_values, _read_values)
