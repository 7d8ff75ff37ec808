"""What ``pd`` offers beside tables and columns: what makes, joins and parts them, indexes, dates and settings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from cave_sim.errors import Blocked
from cave_sim.policy.libraries.array_texts import clean_texts, with_clean_texts
from cave_sim.policy.libraries.null_context import NullContext
from cave_sim.policy.libraries.numpy_bounds import check_dtype, check_items
from cave_sim.policy.libraries.pandas_api import AGGREGATES, operation
from cave_sim.policy.libraries.pandas_clock import check_moments
from cave_sim.policy.libraries.pandas_forms import MAX_ROWS, check_steps
from cave_sim.policy.libraries.pandas_grouping import Grouper
from cave_sim.policy.libraries.pandas_offsets import date_offset


def dummies(data: Any, *args: Any, **options: Any) -> Any:
    """``pd.get_dummies``, bounded by how many different texts there are."""
    columns = [data] if not isinstance(data, pd.DataFrame) else [data.iloc[:, at] for at in range(data.shape[1])]
    for column in columns:
        series = pd.Series(column)
        if not pd.api.types.is_numeric_dtype(series) or options.get("columns") is not None:
            check_items(len(series) * series.nunique(), "get_dummies")
    return pd.get_dummies(data, *args, **options)


def pivot_table(table: Any, *args: Any, **options: Any) -> Any:
    """``pd.pivot_table``, with what ``agg`` may compute."""
    if len(args) > 3 or not isinstance(table, pd.DataFrame):
        raise Blocked("pivot_table: a table, and by name what comes after index and columns, as in aggfunc='sum'")
    options["aggfunc"] = operation(options.get("aggfunc", "mean"), AGGREGATES, "pivot_table")
    return pd.pivot_table(table, *args, **options)


def _range(make: Callable[..., Any], title: str) -> Callable[..., Any]:
    def ranging(start: Any = None, end: Any = None, periods: Any = None, freq: Any = None, **options: Any) -> Any:
        check_moments((start, end, freq, *options.values()))
        if (periods or 0) > MAX_ROWS:
            raise Blocked(f"{title}: at most {MAX_ROWS:,} items")
        if periods is None and start is not None and end is not None:
            _check_range(start, end, freq or "D")
        return make(start, end, periods, **({} if freq is None else {"freq": freq}), **options)

    ranging.__name__ = title
    return ranging


def _check_range(start: Any, end: Any, freq: Any) -> None:
    if isinstance(start, (str, pd.Timedelta)) and _as_span(start) is not None:
        if abs(pd.Timedelta(end) - pd.Timedelta(start)) / pd.Timedelta(freq) > MAX_ROWS:
            raise Blocked(f"more than {MAX_ROWS:,} rows of {freq!r}; take longer steps")
        return
    first, last = (each.to_timestamp() if isinstance(each, pd.Period) else each for each in (start, end))
    check_steps(first, last, freq)


def _as_span(value: Any) -> Any:
    try:
        return pd.Timedelta(value)
    except ValueError:
        return None


def _period_range(start: Any = None, end: Any = None, periods: Any = None, freq: Any = None, name: Any = None) -> Any:
    """``pd.period_range``: no step is shorter than a second."""
    check_moments((start, end, freq))
    if periods is None:
        first, last = (pd.Period(each, freq) for each in (start, end))
        check_items(abs(last.ordinal - first.ordinal), "period_range", MAX_ROWS)
    else:
        check_items(periods, "period_range", MAX_ROWS)
    return pd.period_range(start, end, periods, freq, name)


def interval_range(
    start: Any = None, end: Any = None, periods: Any = None, freq: Any = None, name: Any = None, closed: str = "right"
) -> Any:
    """``pd.interval_range``, of numbers and of moments."""
    check_moments((start, end, freq))
    if periods is not None:
        check_items(periods, "interval_range", MAX_ROWS)
    elif pd.api.types.is_number(start) and pd.api.types.is_number(end):
        check_items(abs(end - start) / abs(freq or 1), "interval_range", MAX_ROWS)
    elif start is not None and end is not None:
        _check_range(start, end, freq or "D")
    return pd.interval_range(start, end, periods, freq, name, closed)


def period(*args: Any, **options: Any) -> Any:
    """``pd.Period``."""
    check_moments((*args, *options.values()))
    return pd.Period(*args, **options)


def period_index(data: Any = None, *, freq: Any = None, name: Any = None) -> Any:
    """``pd.PeriodIndex``."""
    check_moments((data, freq))
    if not isinstance(data, (pd.DatetimeIndex, pd.PeriodIndex)):
        data = [period(each, freq) for each in data]
    return pd.PeriodIndex(data, freq=freq, name=name)


def range_index(*bounds: int, name: Any = None) -> Any:
    """``pd.RangeIndex``."""
    check_items(len(range(*bounds)), "RangeIndex", MAX_ROWS)
    return pd.RangeIndex(*bounds, name=name)


class MultiIndex:
    """``pd.MultiIndex`` in a cell: made of levels and codes, tuples, arrays, a table or every combination."""

    __slots__ = ()

    def __new__(cls, levels: Any, codes: Any, names: Any = None) -> Any:
        """Return the index whose rows are told by where their labels stand in the levels."""
        return pd.MultiIndex(levels, codes, names=names)

    @staticmethod
    def from_product(iterables: Any, names: Any = None) -> Any:
        """Return the index of every combination."""
        levels = [list(each) for each in iterables]
        check_items(int(np.prod([len(level) for level in levels], dtype=object)), "from_product", MAX_ROWS)
        return pd.MultiIndex.from_product(levels, names=names)

    @staticmethod
    def from_tuples(tuples: Any, names: Any = None) -> Any:
        """Return the index of tuples."""
        return pd.MultiIndex.from_tuples(list(tuples), names=names)

    @staticmethod
    def from_arrays(arrays: Any, names: Any = None) -> Any:
        """Return the index of one array for each level."""
        return pd.MultiIndex.from_arrays(arrays, names=names)

    @staticmethod
    def from_frame(df: Any, names: Any = None) -> Any:
        """Return the index of a table's rows."""
        return pd.MultiIndex.from_frame(df, names=names)


def extension_array(data: Any, dtype: Any = None) -> Any:
    """``pd.array``."""
    if isinstance(dtype, (type, np.dtype)):
        check_dtype(dtype, "pd.array")
    check_moments((data,))
    column = pd.array(data, dtype=dtype)
    return pd.array(clean_texts(column.to_numpy())) if getattr(column.dtype, "kind", "") == "U" else column


def named_agg(column: Any, aggfunc: Any) -> tuple[Any, Any]:
    """``pd.NamedAgg``."""
    return column, aggfunc


class Options:
    """``pd.options``: how tables are displayed is the same for all cells, so settings do nothing."""

    __slots__ = ()

    def __getattr__(self, _name: str) -> Options:
        return self

    def __setattr__(self, _name: str, _value: Any) -> None:
        """Do nothing."""


def option_context(*_: Any) -> NullContext:
    """``pd.option_context``, which does nothing."""
    return NullContext()


def _set_option(*_: Any) -> None:
    """Do nothing: tables are displayed the same for all cells."""


def json_normalize(data: Any, *args: Any, **options: Any) -> Any:
    """``pd.json_normalize``."""
    if len(str(options.get("sep", "."))) > 20:
        raise Blocked("json_normalize: sep is short")
    return pd.json_normalize(data, *args, **options)


_PLAIN = (
    "merge_asof merge_ordered melt wide_to_long factorize unique Index CategoricalIndex DatetimeIndex TimedeltaIndex "
    "IntervalIndex Categorical CategoricalDtype Interval IndexSlice infer_freq StringDtype Int8Dtype Int16Dtype "
    "Int32Dtype Int64Dtype UInt8Dtype UInt16Dtype UInt32Dtype UInt64Dtype Float32Dtype Float64Dtype BooleanDtype "
    "from_dummies"
)
_CHECKS = (
    "is_numeric_dtype is_string_dtype is_bool_dtype is_integer_dtype is_float_dtype is_object_dtype "
    "is_datetime64_any_dtype is_list_like is_scalar is_number is_timedelta64_dtype is_dict_like"
)
FUNCTIONS: dict[str, Any] = {
    **{name: getattr(pd, name) for name in _PLAIN.split()},
    **{name: with_clean_texts(getattr(pd, name)) for name in ("merge", "merge_asof", "merge_ordered", "wide_to_long")},
    "get_dummies": with_clean_texts(dummies),
    "pivot_table": pivot_table,
    "bdate_range": _range(pd.bdate_range, "bdate_range"),
    "interval_range": interval_range,
    "timedelta_range": _range(pd.timedelta_range, "timedelta_range"),
    "period_range": _period_range,
    "Period": period,
    "PeriodIndex": period_index,
    "RangeIndex": range_index,
    "MultiIndex": MultiIndex,
    "Grouper": Grouper,
    "NamedAgg": named_agg,
    "DateOffset": date_offset,
    "array": extension_array,
    "json_normalize": with_clean_texts(json_normalize),
    "set_option": _set_option,
    "reset_option": _set_option,
    "option_context": option_context,
    "options": Options(),
}


def union_categoricals(to_union: Any, sort_categories: bool = False, ignore_order: bool = False) -> Any:
    """``union_categoricals``, of columns of categories."""
    columns = list(to_union)
    if not all(isinstance(each, (pd.Categorical, pd.CategoricalIndex, pd.Series)) for each in columns):
        raise TypeError("union_categoricals takes a list of columns of categories")
    check_items(sum(len(each) for each in columns), "union_categoricals", MAX_ROWS)
    return pd.api.types.union_categoricals(columns, bool(sort_categories), bool(ignore_order))


CHECKS: dict[str, Any] = {
    **{name: getattr(pd.api.types, name) for name in (*_CHECKS.split(), "CategoricalDtype")},
    "union_categoricals": union_categoricals,
}
TESTING: dict[str, Any] = {
    name: getattr(pd.testing, name) for name in ("assert_frame_equal", "assert_series_equal", "assert_index_equal")
}
