"""What all figures of the report share: no frame, no background, the page's own greys, one clock."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

import plotly.graph_objects as go

from cave_sim.dashboards.palette import GRID, INK, MUTED
from cave_sim.dashboards.record import Record

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', sans-serif"
AXIS = {"gridcolor": GRID, "linecolor": GRID, "zeroline": False, "ticks": "", "fixedrange": True, "automargin": False}
CLOCK = [{"dtickrange": [None, 86_399_999], "value": "%H:%M"}, {"dtickrange": [86_400_000, None], "value": "%-d %b"}]


def calm_figure(traces: Iterable[Any], **layout: Any) -> go.Figure:
    """Return a figure without frame or background; colours are CSS variables until the page resolves them."""
    calm = {
        "template": "none",
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"family": FONT, "size": 12, "color": MUTED},
        "hoverlabel": {"bgcolor": "var(--card)", "bordercolor": GRID, "font": {"color": INK, "family": FONT}},
        "modebar": {"bgcolor": "rgba(0,0,0,0)", "color": MUTED, "activecolor": INK},
        "showlegend": False,
        "dragmode": False,
    }
    return go.Figure(list(traces), calm | layout)


def over_time(record: Record, traces: Iterable[Any], **layout: Any) -> go.Figure:
    """Return a figure whose x axis is the run's world time, the same in every figure of a page."""
    labels = record.frames.labels
    across = AXIS | {"type": "date", "range": [labels[0], labels[-1]], "showgrid": False, "nticks": 7}
    calm = {
        "xaxis": across | {"tickformatstops": CLOCK},
        "yaxis": AXIS | {"nticks": 4},
        "margin": {"l": 44, "r": 14, "t": 8, "b": 24},
        "hovermode": "x",
    }
    return calm_figure(traces, **(calm | layout))


def edges(record: Record) -> list[str]:
    """Return the frames' times and the time at which the last frame would end, for what is drawn as stretches."""
    times = record.frames.times
    length = times[-1] - times[-2] if len(times) > 1 else timedelta(seconds=1)
    return [*record.frames.labels, (times[-1] + length).isoformat()]
