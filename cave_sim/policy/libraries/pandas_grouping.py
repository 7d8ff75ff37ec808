"""Tables in groups of time and in moving windows, bounded by the rows that these can come to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd

from cave_sim.errors import Blocked
from cave_sim.policy.libraries.pandas_clock import check_moments
from cave_sim.policy.libraries.pandas_forms import check_steps

_METHODS = ("linear", "time", "index", "values", "pad", "ffill", "bfill")


class Grouper:
    """``pd.Grouper`` in a cell: says by which column or level, and in which steps of time, a table is grouped."""

    __slots__ = ("_options",)

    def __init__(
        self, key: Any = None, level: Any = None, freq: Any = None, *, closed: Any = None, label: Any = None,
        sort: bool = False, dropna: bool = True, origin: Any = "start_day", offset: Any = None,
    ) -> None:  # fmt: skip
        check_moments((origin, offset))
        self._options = {"key": key, "level": level, "freq": freq, "sort": bool(sort), "dropna": bool(dropna)}
        self._options |= {name: value for name, value in (("closed", closed), ("label", label)) if value is not None}
        self._options |= {"origin": origin, "offset": offset} if freq is not None else {}

    def made_for(self, table: Any) -> Any:
        """Return what pandas groups a table by; raises Blocked where that were too many groups."""
        key, level, freq = (self._options[name] for name in ("key", "level", "freq"))
        if freq is not None and len(table):
            dates = table[key] if key is not None else table.index.get_level_values(0 if level is None else level)
            check_steps(dates.min(), dates.max(), freq)
        return pd.Grouper(**self._options)


def grouping(table: Any, _name: str) -> Callable[..., Any]:
    """``groupby``, by columns, functions, levels and :class:`Grouper`."""

    def groupby(by: Any = None, **options: Any) -> Any:
        if isinstance(by, Grouper):
            by = by.made_for(table)
        elif isinstance(by, list):
            by = [each.made_for(table) if isinstance(each, Grouper) else each for each in by]
        return table.groupby(by, **options)

    return groupby


def resampling(table: Any, _name: str) -> Callable[..., Any]:
    """``resample("MS")``, bounded by the rows that it can come to."""

    def resample(
        rule: Any, *, on: Any = None, level: Any = None, closed: Any = None, label: Any = None,
        origin: Any = "start_day", offset: Any = None,
    ) -> Any:  # fmt: skip
        check_moments((origin, offset))
        if len(table):
            dates = table[on] if on is not None else table.index.get_level_values(0 if level is None else level)
            check_steps(dates.min(), dates.max(), rule)
        return table.resample(rule, on=on, level=level, closed=closed, label=label, origin=origin, offset=offset)

    return resample


def stepping(table: Any, _name: str) -> Callable[..., Any]:
    """``asfreq("D")``, bounded by the rows that it comes to."""

    def asfreq(freq: Any, method: Any = None, *, fill_value: Any = None) -> Any:
        if len(table):
            first, last = table.index.min(), table.index.max()
            if isinstance(first, pd.Period):
                first, last = first.to_timestamp(), last.to_timestamp()
            check_steps(first, last, freq)
        return table.asfreq(freq, method=method, fill_value=fill_value)

    return asfreq


def stepping_on(resampled: Any, _name: str) -> Callable[..., Any]:
    """``resample("D").asfreq()``, whose steps were counted as it was resampled."""
    return lambda fill_value=None: resampled.asfreq(fill_value)


def resampling_groups(grouped: Any, _name: str) -> Callable[..., Any]:
    """``groupby(...).resample("MS")``, bounded by the rows that all groups can come to."""

    def resample(rule: Any, *, on: Any = None, closed: Any = None, label: Any = None) -> Any:
        table = grouped.obj
        if len(table):
            dates = table.index if on is None else table[on]
            check_steps(dates.min(), dates.max(), rule, grouped.ngroups)
        given = {"on": on, "closed": closed, "label": label}
        options = {name: value for name, value in given.items() if value is not None}
        return grouped.resample(rule, **options)

    return resample


def interpolating(table: Any, _name: str) -> Callable[..., Any]:
    """``interpolate`` along lines."""

    def interpolate(method: str = "linear", **options: Any) -> Any:
        if method not in _METHODS or set(options) - {"axis", "limit", "limit_direction", "limit_area"}:
            raise Blocked(f"interpolate: method is one of {', '.join(_METHODS)}")
        return table.interpolate(method, **options)

    return interpolate


def weighing(table: Any, _name: str) -> Callable[..., Any]:
    """``ewm``."""

    def ewm(com: Any = None, span: Any = None, halflife: Any = None, alpha: Any = None, **options: Any) -> Any:
        if set(options) - {"min_periods", "adjust", "ignore_na"}:
            raise Blocked("ewm takes com, span, halflife or alpha; min_periods, adjust, ignore_na")
        return table.ewm(com=com, span=span, halflife=halflife, alpha=alpha, **options)

    return ewm
