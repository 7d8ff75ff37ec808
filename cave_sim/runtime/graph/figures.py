"""The form of a figure, and of a trace that is in none yet: what it shows, as plotly itself writes it."""

from __future__ import annotations

import base64
import math
from importlib import import_module
from typing import Any

import numpy as np

from cave_sim.entity.values import check_scalar, plain_scalar
from cave_sim.errors import SchemaError
from cave_sim.policy.libraries.drawing import GRAPH_OBJECTS
from cave_sim.runtime.graph.errors import Malformed
from cave_sim.runtime.graph.node import Form, See

_ARRAY, _OBJECTS, _NUMBER = "$array", "$objects", "$number"
"""Keys of what JSON has no form for; a key of a figure's own that begins like them has one more sign in front."""
_GRID = "_grid_ref"
"""Where plotly notes, in a figure, its rows and columns of subplots; it has no other name for it."""
_CONTENT = {"data": "_data", "layout": "_layout"}
"""Where it has what is drawn: what it tells of it by ``to_dict`` are arrays as texts, of which it makes none again."""


def _shown(part: Any) -> Any:
    """Return a part of a figure as JSON; arrays say of which type they are."""
    if isinstance(part, np.ndarray) and part.dtype.kind in "biuf":  # as bytes: numbers that are none have no JSON
        data = base64.b64encode(np.ascontiguousarray(part).tobytes()).decode("ascii")
        return {_ARRAY: [part.dtype.str, list(part.shape), data]}
    if isinstance(part, np.ndarray) and part.dtype.kind == "O" and part.ndim == 1:
        return {_OBJECTS: [_shown(item) for item in part.tolist()]}
    if isinstance(part, dict):
        return {_key(str(key)): _shown(item) for key, item in part.items()}
    if isinstance(part, (list, tuple, np.ndarray)):
        return [_shown(item) for item in part]
    if isinstance(part, np.datetime64):
        return str(part)
    part = plain_scalar(part)
    if type(part) is float and not math.isfinite(part):  # as what is not there in a column
        return {_NUMBER: repr(part)}
    if part is None or check_scalar(part):
        return part
    if hasattr(part, "isoformat"):
        return part.isoformat()
    raise SchemaError(f"a figure that shows a {type(part).__name__} cannot be kept: draw it from plain data")


def _key(name: str) -> str:
    return f"${name}" if name.startswith("$") else name


def _drawn(part: Any) -> Any:
    if isinstance(part, dict) and part.keys() == {_ARRAY}:
        dtype, shape, data = part[_ARRAY]
        if (kind := np.dtype(str(dtype))).kind not in "biuf":
            raise Malformed("a figure with an array of something else than numbers")
        return np.frombuffer(base64.b64decode(data), kind).reshape([int(size) for size in shape]).copy()
    if isinstance(part, dict) and part.keys() == {_NUMBER}:
        return float(part[_NUMBER])
    if isinstance(part, dict) and part.keys() == {_OBJECTS}:
        drawn = np.empty(len(part[_OBJECTS]), dtype=object)
        for place, item in enumerate(part[_OBJECTS]):  # one by one: of lists numpy would make rows
            drawn[place] = _drawn(item)
        return drawn
    if isinstance(part, dict):
        return {key.removeprefix("$"): _drawn(item) for key, item in part.items()}
    return [_drawn(item) for item in part] if isinstance(part, list) else part


def _write_figure(figure: Any, _see: See | None = None) -> Any:
    grid = vars(figure)[_GRID]
    written = {"$json": _shown({key: vars(figure)[place] for key, place in _CONTENT.items()})}
    if figure.frames:
        written["$json"]["frames"] = _shown([frame.to_plotly_json() for frame in figure.frames])
    return written if grid is None else written | {"$grid": _shown(grid)}


def _make_figure(content: Any, _reader: Any) -> Any:
    try:
        figure = import_module("plotly.graph_objects").Figure(_drawn(content["$json"]))
        vars(figure)[_GRID] = _grid(content.get("$grid"))
        return figure
    except (ImportError, ValueError, TypeError, KeyError) as error:
        raise Malformed(f"a figure that plotly cannot draw: {error}") from None


def _grid(rows: Any) -> Any:
    """Return where rows and columns of subplots lie, by which plotly adds to one of them."""
    if rows is None:
        return None
    cell = import_module("plotly._subplots").SubplotRef
    return tuple(
        tuple(each and tuple(cell(kind, tuple(keys), more) for kind, keys, more in each) for each in row)
        for row in rows
    )


def _write_part(part: Any, _see: See) -> Any:
    if part.parent is not None or type(part).__name__ not in GRAPH_OBJECTS:
        raise SchemaError("a part of a figure is kept with its figure: keep that, and look at the part again")
    return [type(part).__name__, _shown({k: v for k, v in part.to_plotly_json().items() if k != "type"})]


def _make_part(content: Any, _reader: Any) -> Any:
    name, shown = content
    if name not in GRAPH_OBJECTS:
        raise Malformed(f"{str(name)[:40]!r} is no part of a figure")
    try:
        return getattr(import_module("plotly.graph_objects"), name)(**_drawn(shown))
    except (ImportError, ValueError, TypeError, KeyError) as error:
        raise Malformed(f"a part of a figure that plotly cannot draw: {error}") from None


def load_parts() -> None:
    """Load what showing a figure and reading it back take: plotly loads that when it is first used.

    A sandboxed process may read no file by then, and a variable that holds a figure would be gone.
    """
    graphs = import_module("plotly.graph_objects")
    drawn = graphs.Figure([graphs.Scatter(x=[0], y=[0])], {"title": {"text": ""}})
    repr(_make_figure({"$json": _shown(drawn.to_plotly_json())}, None)), drawn.to_json()
    _make_figure(_write_figure(import_module("plotly.subplots").make_subplots(2, 2)), None)
    table = {"x": [0, 1], "c": ["a", "b"]}
    import_module("plotly.express").histogram(table, x="x", color="c", marginal="box").to_json()


FIGURE = Form("$figure", _write_figure, _make_figure)
PART = Form("$part", _write_part, _make_part)
