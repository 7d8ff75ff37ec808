"""Methods of tables that take a function or its name: functions of the cell, and names that compute, go through.

pandas calls any method by the name that it is given (``agg("to_csv")``), so names are looked up in a list; functions
are wrapped, so that it finds nothing in them but a call.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from cave_sim.errors import Blocked
from cave_sim.policy.libraries.numpy_bounds import MAX_PRODUCTS, check_items, check_matmul
from cave_sim.policy.libraries.object_bounds import EXPLODING, asking, check_named
from cave_sim.policy.libraries.one_thread import one_thread
from cave_sim.policy.libraries.pandas_clock import check_moment, check_zone

MAX_BINS = 100_000
AGGREGATES = frozenset("mean sum min max median count std var first last nunique size prod any all sem".split())
_TRANSFORMING = "cumsum cumprod cummax cummin cumcount rank shift diff pct_change ffill bfill"
TRANSFORMS = AGGREGATES | frozenset(_TRANSFORMING.split())
MAX_RANKED_STEPS = 10**8


def operation(wanted: Any, names: frozenset[str], title: str) -> Any:
    """Return what pandas is given to compute: a name of the list, a wrapped function, or lists and dicts of them."""
    if type(wanted) is str:
        if wanted not in names:
            raise Blocked(f"{title}: {wanted!r} is not for cells. By name there are: {', '.join(sorted(names))}")
        return wanted
    if type(wanted) is dict:
        return {key: operation(each, names, title) for key, each in wanted.items()}
    if type(wanted) in (list, tuple):
        return [operation(each, names, title) for each in wanted]
    if not callable(wanted):
        raise Blocked(f"{title}: takes a function or one of {', '.join(sorted(names))}")
    return _wrapped(wanted)


def _wrapped(function: Callable[..., Any]) -> Callable[..., Any]:
    """A plain function around the cell's, so that pandas finds nothing in it but a call and a name."""

    def call(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    name = getattr(function, "__name__", None)
    call.__name__ = name if type(name) is str else "function"
    return call


def aggregating(table: Any, name: str) -> Callable[..., Any]:
    """``agg``: of columns by name, by function, or ``total=("price", "sum")``."""

    def agg(func: Any = None, **columns: Any) -> Any:
        options = {key: columns.pop(key) for key in ("axis",) if key in columns}
        for new, pair in columns.items():
            if type(pair) is tuple and len(pair) == 2:
                columns[new] = (pair[0], operation(pair[1], AGGREGATES, name))
            else:
                columns[new] = operation(pair, AGGREGATES, name)
        check_named(table, [func, *(pair[1] if type(pair) is tuple else pair for pair in columns.values())])
        given = () if func is None else (operation(func, AGGREGATES, name),)
        return getattr(_own(table), name)(*given, **options, **columns)

    return agg


def applying(table: Any, name: str) -> Callable[..., Any]:
    """``apply`` and ``transform``; what the function writes into lands in a copy."""

    def apply(func: Any, axis: Any = 0, args: Any = (), **options: Any) -> Any:
        over = {"axis": axis} if isinstance(table, pd.DataFrame) else {}
        over |= {key: options.pop(key) for key in ("result_type", "include_groups") if key in options}
        if args or options:
            return getattr(_own(table), name)(_wrapped(lambda part: func(part, *args, **options)), **over)
        check_named(table, func)
        return getattr(_own(table), name)(operation(func, TRANSFORMS, name), **over)

    return apply


def _own(table: Any) -> Any:
    """pandas lends the function its own working parts of a table, but not of a copy's."""
    return table.copy() if isinstance(table, (pd.DataFrame, pd.Series)) else table


def filtering(groups: Any, _name: str) -> Callable[..., Any]:
    """``groupby(...).filter`` by a function."""
    return lambda func, dropna=True: groups.filter(_wrapped(func), dropna=dropna)


def combining(table: Any, _name: str) -> Callable[..., Any]:
    """``combine`` with another column or table, by a function."""
    return lambda other, func, fill_value=None: _own(table).combine(_own(other), _wrapped(func), fill_value)


def sliding(window: Any, _name: str) -> Callable[..., Any]:
    """``rolling(...).apply`` with a function, which gets a copy: ``raw=True`` would lend it the column's numbers."""
    return lambda func, raw=False: window.apply(_wrapped(lambda part: func(part.copy())), raw=bool(raw))


def counting(column: Any, _name: str) -> Callable[..., Any]:
    """``value_counts``, into a bounded number of bins."""

    def value_counts(*args: Any, **options: Any) -> Any:
        for value in (*args, *options.values()):
            check_bins(value)
        return column.value_counts(*args, **options)

    return value_counts


def check_bins(bins: Any) -> None:
    """Return if a column may be parted into so many bins; raises Blocked."""
    if isinstance(bins, (int, float, np.number)) and bins > MAX_BINS:
        raise Blocked(f"more than {MAX_BINS:,} bins")
    check_moment(bins)


def cut(column: Any, bins: Any, **options: Any) -> Any:
    """``pd.cut``."""
    check_bins(bins)
    return pd.cut(column, bins, **options)


def qcut(column: Any, q: Any, **options: Any) -> Any:
    """``pd.qcut``."""
    check_bins(q)
    return pd.qcut(column, q, **options)


def named_day(dates: Any, name: str) -> Callable[[], Any]:
    """``day_name`` and ``month_name`` in English, whatever languages the machine has."""
    return lambda: getattr(dates, name)()


def piping(table: Any, _name: str) -> Callable[..., Any]:
    """``table.pipe(function)`` is ``function(table)``."""
    return lambda function, *args, **kwargs: function(table, *args, **kwargs)


def pivoting(table: Any, _name: str) -> Callable[..., Any]:
    """``pivot_table`` with what ``agg`` may compute."""

    def pivot_table(*args: Any, **options: Any) -> Any:
        if len(args) > 3:
            raise Blocked("pivot_table: name what comes after index and columns, as in aggfunc='sum'")
        options["aggfunc"] = operation(options.get("aggfunc", "mean"), AGGREGATES, "pivot_table")
        return table.pivot_table(*args, **options)

    return pivot_table


def crosstab(
    index: Any, columns: Any, values: Any = None, rownames: Any = None, colnames: Any = None, aggfunc: Any = None,
    margins: bool = False, margins_name: str = "All", dropna: bool = True, normalize: Any = False,
) -> Any:  # fmt: skip
    """``pd.crosstab``, which counts, or computes what ``agg`` may."""
    wanted = None if aggfunc is None else operation(aggfunc, AGGREGATES, "crosstab")
    return pd.crosstab(index, columns, values, rownames, colnames, wanted, margins, margins_name, dropna, normalize)


def sampling(table: Any, _name: str) -> Callable[..., Any]:
    """``sample``, with a seed, or a generator of the agent's own."""

    def sample(*args: Any, **options: Any) -> Any:
        seed = options.get("random_state")
        if seed is None:
            raise Blocked("sample() without random_state draws from the clock; pass random_state=rng.randrange(2**32)")
        if hasattr(seed, "integers"):
            options["random_state"] = int(seed.integers(2**32))
        return table.sample(*args, **options)

    return sample


def repeating(column: Any, _name: str) -> Callable[..., Any]:
    """``repeat``, bounded by the rows that it comes to."""

    def repeat(repeats: Any) -> Any:
        check_items(len(column) * int(np.max(repeats, initial=0)), "repeat")
        return column.repeat(repeats)

    return repeat


def zoning(dates: Any, name: str) -> Callable[..., Any]:
    """``tz_localize`` and ``tz_convert``, to UTC and to distances from it."""

    def to_zone(tz: Any, **options: Any) -> Any:
        check_zone(tz)
        return getattr(dates, name)(tz, **options)

    return to_zone


def relating(table: Any, name: str) -> Callable[..., Any]:
    """``corr`` and ``cov`` of the columns of a table, each of which goes with each other through all rows."""

    def relate(*args: Any, **options: Any) -> Any:
        whole = getattr(table, "obj", table)
        ranked = "pearson" not in (options.get("method", args[0] if args else "pearson"),) and name == "corr"
        if whole.shape[0] * whole.shape[1] ** 2 > (MAX_RANKED_STEPS if ranked else MAX_PRODUCTS):
            raise Blocked(f"{name}(): too many columns and rows; take fewer columns, as with table[names].{name}()")
        compute = asking(table, name) if name in EXPLODING else getattr(table, name)
        return compute(*args, **options)

    return relate


def multiplying(table: Any, _name: str) -> Callable[..., Any]:
    """``dot``, bounded as ``@`` is."""

    def dot(other: Any) -> Any:
        check_matmul(table, other)
        with one_thread(table, other):
            return table.dot(other)

    return dot
