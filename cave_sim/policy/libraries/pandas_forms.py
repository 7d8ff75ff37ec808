"""Tables in another form: as text, as an array, and in steps of time; each bounded by what it can come to."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from cave_sim.diagnostics.told_names import told_as
from cave_sim.errors import Blocked
from cave_sim.policy.libraries.addresses import without_addresses
from cave_sim.policy.libraries.array_texts import clean_texts
from cave_sim.policy.libraries.numpy_bounds import check_dtype
from cave_sim.policy.libraries.numpy_dates import check_cast, check_dates
from cave_sim.policy.libraries.pandas_clock import check_moments

MAX_ROWS = 5_000_000
MAX_TEXT_CHARS = 2_000_000
MAX_CELL_CHARS = 200
_OPTIONS = frozenset("columns header index na_rep max_rows max_cols justify float_format".split())
_NUMBER = re.compile(r"%[-+ #0]*\d{0,3}(\.\d{0,3})?[a-zA-Z]|\{:[-+ #0,]*\d{0,3}(\.\d{0,3})?[a-zA-Z%]?\}")


def writing_out(table: Any, _name: str) -> Callable[..., str]:
    """``to_string`` that returns a text, and writes no file."""

    def to_string(**options: Any) -> str:
        if set(options) - _OPTIONS:
            raise Blocked(f"to_string() takes {', '.join(sorted(_OPTIONS))}")
        _check_text(table, options)
        if callable(options.get("float_format")):
            options["float_format"] = _short(options["float_format"])
        with pd.option_context("display.max_colwidth", MAX_CELL_CHARS):
            return without_addresses(str(table.to_string(**options)))

    return to_string


def _check_text(table: Any, options: dict[str, Any]) -> None:
    """A column is as wide as its longest label or number, in every row."""
    check_number_format(options.get("float_format"), "to_string")
    labels = [*table.index, *(table.columns if isinstance(table, pd.DataFrame) else [table.name])]
    given = [options.get("na_rep", ""), *(header if isinstance(header := options.get("header"), list) else [])]
    if any(isinstance(label, str) and len(label) > MAX_CELL_CHARS for label in labels + given):
        raise Blocked(f"to_string: a label of more than {MAX_CELL_CHARS} characters")
    if table.size * 8 > MAX_TEXT_CHARS:
        raise Blocked(f"to_string: a text of more than {MAX_TEXT_CHARS:,} characters; take head() of it")


def check_number_format(pattern: Any, title: str) -> None:
    """Return if numbers may be written in a format; raises Blocked."""
    if isinstance(pattern, str) and not _NUMBER.fullmatch(pattern):
        raise Blocked(f"{title}: float_format={pattern[:40]!r}; write it as in '%.2f' or '{{:,.2f}}'")


def _short(function: Callable[[Any], str]) -> Callable[[Any], str]:
    return lambda number: function(number)[:MAX_CELL_CHARS]


def as_array(column: Any, _name: str) -> Callable[..., Any]:
    """``to_numpy`` as a copy, which is the cell's to write."""

    def to_numpy(dtype: Any = None, **options: Any) -> Any:
        kind = check_dtype(dtype, "to_numpy")
        check_cast(column, kind)
        if kind is None or kind.kind == "M":
            check_dates(list(options.values()))
        return clean_texts(np.array(column.to_numpy(kind, **options)))

    return to_numpy


def values(column: Any, _name: str) -> Any:
    """``values``, where pandas lends its own array for reading."""
    return column.values


_DAYS_AND_MORE = {"years", "months", "weeks", "days"}


def check_steps(start: Any, end: Any, rule: Any, times: int = 1) -> None:
    """Return if there are not too many steps between two moments, so many times; raises Blocked."""
    offset = pd.tseries.frequencies.to_offset(rule)
    if type(offset) is pd.DateOffset and not set(offset.kwds) <= _DAYS_AND_MORE:
        raise Blocked("steps of a pd.DateOffset are whole days; for less name them as in '15min'")
    least = getattr(offset, "nanos", None) if isinstance(offset, (pd.offsets.Tick, pd.offsets.Day)) else None
    least = abs(least or 3_600 * 10**9)  # offsets of the calendar are no shorter than hours of business
    if abs(pd.Timestamp(end) - pd.Timestamp(start)) / pd.Timedelta(1, "ns") / least * times > MAX_ROWS:
        raise Blocked(f"more than {MAX_ROWS:,} rows of {rule!r}; take longer steps")


def date_range(start: Any = None, end: Any = None, periods: int | None = None, freq: Any = None, **options: Any) -> Any:
    """``pd.date_range``, bounded, and without the time of the machine."""
    check_moments((start, end))
    if (periods or 0) > MAX_ROWS:
        raise Blocked(f"date_range: at most {MAX_ROWS:,} dates")
    if periods is None and start is not None and end is not None:
        check_steps(start, end, freq or "D")
    return pd.date_range(start, end, periods, freq, **options)


class Labels:
    """What a cell writes to as ``table.name = ...``: labels, and columns that are there."""

    __slots__ = ("_table",)

    def __init__(self, table: Any) -> None:
        object.__setattr__(self, "_table", table)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._check(name), name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._check(name), name, value)

    def _check(self, name: str) -> Any:
        table = self._table
        if isinstance(table, pd.Index):
            labels: tuple[str, ...] = ("name", "names")
        else:
            labels = ("index", "name") if isinstance(table, pd.Series) else ("index", "columns")
        is_column = isinstance(table, pd.DataFrame) and name in table.columns and not hasattr(pd.DataFrame, name)
        if name not in labels and not is_column:
            raise Blocked(f"{type(table).__name__}.{name} is not written by cells; write table[{name!r}] = ...")
        return table


told_as(Labels, "pandas.Index")
