"""Live objects as the plain data that templates work with: frames, figures, entities, arrays, times."""

from __future__ import annotations

import base64
import binascii
import datetime as dt
import math
from collections.abc import Mapping, Sequence, Set
from enum import Enum
from typing import Any

import numpy as np
import pandas as pd

from cave_sim.rendering.limits import MOST_COLUMNS, RenderError

MOST_DEPTH = 24
MOST_VALUES = 5_000_000
MOST_ID_CHARS = 200
DRAWN = ("scatter", "bar", "scattergl", None)
"""Types of traces that are drawn; plotly takes one that does not say its type for a scatter."""
PACKED = frozenset("i1 u1 i2 u2 i4 u4 f4 f8".split())
"""What plotly packs numbers of."""


class _Count:
    """How many more values there may be."""

    left = MOST_VALUES


def plain(value: Any) -> Any:
    """Return a value as plain data: dicts, lists, texts, finite numbers.

    A frame becomes ``{"columns": [...], "rows": [...]}``, a plotly figure (told by its ``to_plotly_json``) the chart
    that the templates draw, an entity its name.

    Raises:
        RenderError: it is too deep, too much, or of a kind that no document shows.
    """
    return _plain(value, 0, _Count())


def _plain(value: Any, depth: int, count: _Count) -> Any:
    kind = type(value)
    if kind is str or kind is int:  # nearly all there is, so it is asked first
        count.left -= 1
        return value
    if kind is float:
        count.left -= 1
        return value if math.isfinite(value) else None
    if kind is not list and kind is not dict:
        return _other(value, depth, count)
    _check(depth, count, len(value))
    depth += 1
    if kind is list:
        return [_plain(each, depth, count) for each in value]
    return {_key(key): _plain(each, depth, count) for key, each in value.items()}


def _other(value: Any, depth: int, count: _Count) -> Any:
    if value is None or isinstance(value, bool | str):
        count.left -= 1
        return str(value) if isinstance(value, str) and type(value) is not str else value
    if isinstance(value, int | float | np.integer | np.floating | np.bool_):
        return _number(value, count)
    _check(depth, count, value.size if isinstance(value, np.ndarray) else _length(value))
    return _container(value, depth + 1, count)


def _length(value: Any) -> int:
    """Return how many values something has, or as many as are too many where that is more than a number tells."""
    try:
        return len(value) if isinstance(value, Sequence | Mapping | Set) else 0
    except OverflowError:
        return MOST_VALUES + 1


def _check(depth: int, count: _Count, size: int) -> None:
    """Refuse what is too much before any of it is looked at."""
    if depth > MOST_DEPTH or size > count.left:
        raise RenderError("schema", f"data for a document is {MOST_DEPTH} deep and {MOST_VALUES:,} values at the most")


def _number(value: Any, count: _Count) -> Any:
    count.left -= 1
    number = value.item() if isinstance(value, np.generic) else value
    return None if isinstance(number, float) and not math.isfinite(number) else number


def _container(value: Any, depth: int, count: _Count) -> Any:
    match value:
        case pd.DataFrame():
            return frame_table(value, count)
        case pd.Series():
            return frame_table(value.to_frame(str(value.name or "value")), count)
        case np.ndarray():
            return _plain(value.tolist(), depth, count)
        case Mapping():
            return {_key(key): _plain(each, depth, count) for key, each in value.items()}
        case dt.datetime() | dt.date() | dt.time():
            return value.isoformat()
        case dt.timedelta():
            return str(value)
        case Enum():
            return _plain(value.value, depth, count)
        case Set():
            return [_plain(each, depth, count) for each in sorted(value, key=str)]
        case Sequence() if not isinstance(value, bytes | bytearray | memoryview):
            return [_plain(each, depth, count) for each in value]
    if hasattr(value, "to_plotly_json"):
        return chart_of(_plain(_figure_data(value), depth, count))
    name = getattr(value, "id", None)
    if isinstance(name, str) and len(name) <= MOST_ID_CHARS:
        return name
    raise RenderError(
        "schema", f"a {type(value).__name__} is nothing that a document shows: give its numbers and texts"
    )


def frame_table(frame: pd.DataFrame, count: _Count | None = None) -> dict[str, Any]:
    """Return a frame as a table, its index first where that has a name; what is missing is None."""
    count = count or _Count()
    if frame.index.names != [None]:
        frame = frame.reset_index()
    if frame.shape[1] > MOST_COLUMNS:
        raise RenderError("schema", f"a table has {MOST_COLUMNS:,} columns at the most, and this {frame.shape[1]:,}")
    count.left -= frame.size
    if count.left < 0:
        raise RenderError("schema", f"data for a document is {MOST_VALUES:,} values at the most")
    columns = [_column(frame.iloc[:, place]) for place in range(frame.shape[1])]
    return {"columns": [str(name) for name in frame.columns], "rows": list(map(list, zip(*columns, strict=True)))}


def _column(series: pd.Series) -> list[Any]:
    values: list[Any] = series.tolist()
    if series.dtype.kind in "biu":
        return values
    if series.dtype.kind == "f":
        return [value if math.isfinite(value) else None for value in values]
    return [None if gone else _cell(value) for value, gone in zip(values, series.isna(), strict=True)]


def _cell(value: Any) -> Any:
    return value if type(value) in (str, int, bool) else _plain(value, MOST_DEPTH, _Count())


def _key(key: Any) -> str:
    if isinstance(key, str | int | float | bool):
        return str(key)
    name = getattr(key, "id", None)
    if isinstance(name, str):
        return name
    raise RenderError("schema", f"a {type(key).__name__} is no key of data for a document; keys are texts")


def _figure_data(figure: Any) -> dict[str, Any]:
    try:
        data: dict[str, Any] = figure.to_plotly_json()
        layout = data.get("layout", {})
        traces = [
            {key: _unpacked(trace.get(key)) for key in ("type", "mode", "name", "x", "y")}
            for trace in data.get("data", ())
        ]
        return {"data": traces, "layout": {key: layout.get(key) for key in ("title", "xaxis", "yaxis")}}
    except (AttributeError, TypeError, ValueError) as error:
        raise RenderError("schema", f"this figure cannot be read: {error}") from None


def _unpacked(values: Any) -> Any:
    """Return the numbers that plotly has packed into a text, as it does with arrays and columns of frames."""
    if not (isinstance(values, Mapping) and "bdata" in values):
        return values
    dtype, data = str(values.get("dtype")), values["bdata"]
    if dtype not in PACKED or "shape" in values or not isinstance(data, str):
        raise ValueError(f"it has packed values that are no row of numbers, of type {dtype[:20]!r}")
    try:
        return np.frombuffer(base64.b64decode(data), f"<{dtype}")
    except (binascii.Error, ValueError):
        raise ValueError("its packed values are spoiled") from None


def _points(trace: Mapping[str, Any]) -> dict[str, Any]:
    """Return x and y of a trace. Along x yes and no are names, as plotly writes them; along y they are 1 and 0.

    A point without x is nowhere, and left out.
    """
    ys = trace.get("y") or []
    xs = trace.get("x") or list(range(len(ys)))
    if len(xs) == len(ys):
        there = [(x, y) for x, y in zip(xs, ys, strict=True) if x is not None]
        xs, ys = [x for x, _ in there], [y for _, y in there]
    return {
        "x": [str(x).lower() if isinstance(x, bool) else x for x in xs],
        "y": [int(y) if isinstance(y, bool) else y for y in ys],
    }


def chart_of(figure: Mapping[str, Any]) -> dict[str, Any]:
    """Return a plotly figure's lines, bars and points as a chart of ours; other traces are not drawn."""

    def title(part: Any) -> str:
        named = part.get("title") if isinstance(part, Mapping) else None
        return str(named.get("text") or "") if isinstance(named, Mapping) else str(named or "")

    traces = [each for each in figure["data"] if each.get("type") in DRAWN]
    if not traces:
        kinds = ", ".join(dict.fromkeys(str(each.get("type"))[:40] for each in figure["data"])) or "nothing"
        raise RenderError("schema", f"a document draws lines, points and bars; this figure has {kinds}: give a table")
    series = [
        {
            "name": str(trace.get("name") or f"series {place}"),
            "kind": "bar" if trace.get("type") == "bar" else "points" if trace.get("mode") == "markers" else "line",
            **_points(trace),
        }
        for place, trace in enumerate(traces, 1)
    ]
    layout = figure["layout"]
    axes = {f"{axis}_label": title(layout.get(f"{axis}axis") or {}) for axis in "xy"}
    return {"title": title(layout), **axes, "series": series}
