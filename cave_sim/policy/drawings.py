"""What cells may read of a plotly figure: what is drawn, and nothing that shows it or writes it to a file."""

from __future__ import annotations

import sys
from typing import Any

_FIGURE = frozenset(
    "data layout frames to_dict to_plotly_json to_json update_layout update_traces update_xaxes update_yaxes".split()
)
FIGURES = frozenset(
    "show write_html write_image write_json to_html to_image full_figure_for_development for_each_trace "
    "on_change on_click on_hover on_selection batch_update batch_animate".split()
)
"""What figures have that is not for cells: an entity's field of that name is no reason to read it unguarded."""


def drawn(kind: Any) -> frozenset[str]:
    """Return what may be read on a class of plotly's; nothing of any other. plotly is not loaded for it."""
    plotly = sys.modules.get("plotly.basedatatypes")
    if plotly is None:
        return frozenset()
    if issubclass(kind, plotly.BaseFigure):
        return _FIGURE
    if not issubclass(kind, plotly.BasePlotlyType):
        return frozenset()
    numbered = (f"{name}{n}" for name in ("xaxis", "yaxis") for n in range(2, 10))
    return frozenset((*kind._valid_props, *numbered, "to_plotly_json")) - FIGURES
