"""``plotly`` in a cell: figures that are drawn from plain data and kept as what they show.

plotly draws; what it is given are numbers, texts, dates, tables and lists of them, and what comes back is its own
figure, which is kept, retrieved and shown as one that a tool drew. Nothing of it writes a file or opens a window.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from cave_sim.errors import Blocked
from cave_sim.loading.extras import extra
from cave_sim.policy.libraries.late import load
from cave_sim.policy.libraries.module_proxy import ModuleProxy
from cave_sim.policy.libraries.plain_data import NO_SHAPE, Screen
from cave_sim.policy.libraries.toy_data import TABLES

_TRACES = (
    "Bar Box Candlestick Contour Funnel Heatmap Histogram Histogram2d Indicator Layout Ohlc Pie Sankey Scatter "
    "Scatter3d Scattergl Scatterpolar Sunburst Surface Table Treemap Violin Waterfall"
)
_CHARTS = (
    "area bar bar_polar box choropleth density_contour density_heatmap ecdf funnel histogram imshow line line_polar "
    "pie scatter scatter_3d scatter_matrix scatter_polar strip sunburst timeline treemap violin"
)
_READ = frozenset("data layout frames to_dict to_plotly_json to_json".split())
_CALLED = frozenset(
    "add_annotation add_bar add_box add_heatmap add_histogram add_hline add_hrect add_pie add_scatter add_shape "
    "add_trace add_traces add_violin add_vline add_vrect update_annotations update_coloraxes update_layout "
    "update_shapes update_traces update_xaxes update_yaxes".split()
)
_REACHING = frozenset(
    "write_html write_image write_json to_html to_image full_figure_for_development for_each_trace "
    "on_change on_click on_hover on_selection batch_update batch_animate".split()
)
FIGURES = _REACHING | {"show"}
"""What figures have that cells do not get as it is: a field of that name is no reason to read it unguarded."""


def is_figure(kind: Any) -> bool:
    """Say whether a class is one of plotly's figures. plotly is not loaded for it."""
    plotly = sys.modules.get("plotly.basedatatypes")
    return plotly is not None and issubclass(kind, plotly.BaseFigure)


def is_part(kind: Any) -> bool:
    """Say whether a class is one of plotly's parts of figures, such as a trace. plotly is not loaded for it."""
    plotly = sys.modules.get("plotly.basedatatypes")
    return plotly is not None and issubclass(kind, plotly.BasePlotlyType)


def drawn(kind: Any) -> frozenset[str]:
    """Return what may be read on a class of plotly's; nothing of any other. plotly is not loaded for it."""
    if is_figure(kind):
        return _READ | _CALLED
    if not is_part(kind):
        return frozenset()
    numbered = (f"{name}{n}" for name in ("xaxis", "yaxis") for n in range(2, 10))
    return frozenset((*kind._valid_props, *numbered, "to_plotly_json")) - _REACHING


def of_figure(figure: Any, name: str, print_: Callable[..., None]) -> Any:
    """Return an attribute of a figure as cells get it: a method takes plain data, and ``show`` prints what is drawn.

    Raises:
        Blocked: it is there, but not for cells.
    """
    if name in _READ:
        return getattr(figure, name)
    if name in _CALLED:
        return _taking_plain_data(f"figure.{name}", lambda: getattr(figure, name))
    if name == "show":
        return lambda *_args, **_options: print_(figure)
    if hasattr(figure, name):
        raise Blocked(f"{type(figure).__name__}.{name} is not for cells; the figure itself is what is kept and shown")
    raise AttributeError(f"a figure has no attribute {name!r}; of its own there are data and layout")


def _taking_plain_data(title: str, find: Callable[[], Callable[..., Any]]) -> Callable[..., Any]:
    """Return a function of plotly's that is given plain data, and found when it is called."""

    def call(*args: Any, **options: Any) -> Any:
        if "trendline" in options:
            raise Blocked(f"{title}: trendline= is not for cells; compute one by np.polyfit, and add it as a line")
        screen = Screen(title, "draw a sample, or a summary", _shown)
        plain = [screen.pass_through(each) for each in args]
        named = {key: screen.pass_through(value) for key, value in options.items()}
        with extra("plots", "to draw"):
            return find()(*plain, **named)

    call.__name__ = call.__qualname__ = title.rpartition(".")[2]
    return call


def _shown(value: Any) -> Any:
    """Return a figure, or a part of one, as plain data."""
    return value.to_plotly_json() if is_figure(type(value)) or is_part(type(value)) else NO_SHAPE


def _of(module: str, name: str) -> Callable[..., Any]:
    return _taking_plain_data(f"{module}.{name}", lambda: getattr(load(module), name))


GRAPH_OBJECTS = {name: _of("plotly.graph_objects", name) for name in f"Figure {_TRACES}".split()}
"""What ``plotly.graph_objects`` offers."""
PLOTLY: dict[str, dict[str, Any]] = {
    "express": {name: _of("plotly.express", name) for name in _CHARTS.split()}
    | {"data": ModuleProxy("plotly.express.data", TABLES)},
    "graph_objects": GRAPH_OBJECTS,
    "graph_objs": GRAPH_OBJECTS,
    "subplots": {"make_subplots": _of("plotly.subplots", "make_subplots")},
}
"""What ``plotly`` offers, by module."""
