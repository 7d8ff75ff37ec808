"""The form of a figure that a tool drew: what it shows, as plotly itself writes it."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from cave_sim.policy.libraries.json_text import is_figure
from cave_sim.runtime.graph.errors import Malformed
from cave_sim.runtime.graph.node import Form


def _make_figure(content: Any, reader: Any) -> Any:
    try:
        return import_module("plotly.graph_objects").Figure(reader.read(content))
    except (ImportError, ValueError, TypeError) as error:
        raise Malformed(f"a figure that plotly cannot draw: {error}") from None


FIGURE = Form("$figure", lambda figure, see: see(figure.to_plotly_json()), _make_figure)

__all__ = ["FIGURE", "is_figure"]
