"""Measures over time as plotly figures, one small plot for each, because their units differ."""

from __future__ import annotations

from typing import Any

import pandas as pd

from cave_sim import Run, WorldError
from cave_sim.errors import did_you_mean
from cave_sim.loading.extras import extra

HEIGHT_PX = 150


def plot(shown: Any, *measures: str) -> Any:
    """Return the measures of a run or a simulation over time, all of them or those named.

    Raises:
        MissingExtra: plotly is not installed.
        WorldError: it took none, or none of that name.
    """
    with extra("lab", "a plot"):
        from plotly.subplots import make_subplots
    table = shown.measures() if isinstance(shown, Run) else _taken(shown)
    for name in measures:
        if name not in table:
            hint = did_you_mean(name, table.columns)
            raise WorldError(f"nothing was measured as {name!r}.{hint} There are: {', '.join(table.columns)}")
    names = list(measures or table.columns)
    if not names:
        raise WorldError("nothing was measured: give the simulation measures, such as measures={'people': len}")
    figure = make_subplots(rows=len(names), shared_xaxes=True, vertical_spacing=0.3 / len(names), subplot_titles=names)
    for row, name in enumerate(names, start=1):
        figure.add_scatter(x=list(table.index), y=list(table[name]), name=name, mode="lines", row=row, col=1)
    figure.update_xaxes(title_text="step", row=len(names), col=1)
    figure.update_layout(showlegend=False, height=90 + HEIGHT_PX * len(names), margin={"t": 30, "b": 40})
    return figure


def _taken(simulation: Any) -> pd.DataFrame:
    """Return what a simulation measured since it was made; a later start than step 0 is a resumed one's."""
    table = pd.DataFrame(simulation.datacollector.model_vars)
    table.index += simulation.world.clock.step + 1 - len(table)
    return table
