"""The form of a figure that a tool drew: what it shows, as plotly itself writes it."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from cave_sim.entity.values import check_scalar, plain_scalar
from cave_sim.errors import SchemaError
from cave_sim.runtime.graph.errors import Malformed
from cave_sim.runtime.graph.node import Form

DRAWING = "plotly.graph_objs"
"""What draws figures: loaded whole where tools draw, since it loads each part of a figure when that is first used."""
_ARRAY = "array"


def _shown(part: Any) -> Any:
    """Return a part of a figure as JSON; arrays say of which type they are."""
    if isinstance(part, np.ndarray) and part.dtype.kind in "biuf":
        return {_ARRAY: [part.dtype.str, [_shown(item) for item in part.tolist()]]}
    if isinstance(part, dict):
        return {str(key): _shown(item) for key, item in part.items()}
    if isinstance(part, (list, tuple, np.ndarray)):
        return [_shown(item) for item in part]
    part = plain_scalar(part)
    if part is None or check_scalar(part):
        return part
    if hasattr(part, "isoformat"):
        return part.isoformat()
    raise SchemaError(f"a figure that shows a {type(part).__name__} cannot be kept: draw it from plain data")


def _drawn(part: Any) -> Any:
    if isinstance(part, dict) and part.keys() == {_ARRAY}:
        dtype, items = part[_ARRAY]
        return np.array(items, dtype=np.dtype(str(dtype)))
    if isinstance(part, dict):
        return {key: _drawn(item) for key, item in part.items()}
    return [_drawn(item) for item in part] if isinstance(part, list) else part


def _make_figure(content: Any, _reader: Any) -> Any:
    try:
        return import_module("plotly.graph_objects").Figure(_drawn(content["$json"]))
    except (ImportError, ValueError, TypeError, KeyError) as error:
        raise Malformed(f"a figure that plotly cannot draw: {error}") from None


def load_parts() -> None:
    """Load what showing a figure and reading it back take: plotly loads that when it is first used.

    A sandboxed process may read no file by then, and a variable that holds a figure would be gone.
    """
    graphs = import_module("plotly.graph_objects")
    drawn = graphs.Figure([graphs.Scatter(x=[0], y=[0])], {"title": {"text": ""}})
    repr(_make_figure({"$json": _shown(drawn.to_plotly_json())}, None)), drawn.to_json()


FIGURE = Form("$figure", lambda figure, _see: {"$json": _shown(figure.to_plotly_json())}, _make_figure)
