"""Plots of a study for notebooks, by plotly: bands over time, every trial at the end, differences with intervals.

They show what the report shows, in its colours, which can be told apart by those who see few (Okabe and Ito 2008).
"""

from __future__ import annotations

from typing import Any

import pandas as pd

from cave_sim.analysis.trials import Trials, bands, contrasts, estimates, expect_trials
from cave_sim.analysis.wording import with_unit
from cave_sim.loading.extras import extra

PALETTE = ("#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7", "#56b4e9", "#5a626e", "#b8ac08")
HEIGHT_PX, COLUMNS = 300, 2
BAND_OPACITY = 0.18


def plot_over_time(trials: Trials, *measures: str) -> Any:
    """Return small multiples, a panel for each measure: means over seeds with their 95 % bands, a line for each arm.

    Args:
        trials: of the study.
        measures: which ones; all unless given.

    Raises:
        MissingExtra: plotly is not installed.
    """
    expect_trials(trials)
    names = measures or tuple(trials.measures)
    figure = _panels([_title(trials, name) for name in names])
    for at, name in enumerate(names):
        table = bands(trials, name)
        for rank, arm in enumerate(trials.arms()):
            rows = table[table["arm"] == arm.label]
            colour = PALETTE[rank % len(PALETTE)]
            place = {"row": at // COLUMNS + 1, "col": at % COLUMNS + 1}
            known = rows[rows["n"] > 1]
            if len(known):
                low, high = (known[end].fillna(known["mean"]) for end in ("low", "high"))  # alike in all: a line
                around = [*known["step"], *known["step"][::-1]], [*high, *low[::-1]]
                style = {"fill": "toself", "fillcolor": colour, "opacity": BAND_OPACITY, "line_width": 0}
                figure.add_scatter(x=around[0], y=around[1], hoverinfo="skip", showlegend=False, **style, **place)
            line = {"line_color": colour, "name": arm.label, "legendgroup": arm.label, "showlegend": at == 0}
            figure.add_scatter(x=rows["step"], y=rows["mean"], mode="lines", **line, **place)
    return figure


def plot_at_the_end(trials: Trials, *measures: str) -> Any:
    """Return a panel for each measure: the last value of every trial, and the mean of each arm with its interval.

    The arguments are those of :func:`plot_over_time`.
    """
    expect_trials(trials)
    names = measures or tuple(trials.measures)
    figure, means = _panels([_title(trials, name) for name in names]), estimates(trials)
    for at, name in enumerate(names):
        place = {"row": at // COLUMNS + 1, "col": at % COLUMNS + 1, "showlegend": False}
        for rank, arm in enumerate(trials.arms()):
            values, colour = trials.of(arm)[name], PALETTE[rank % len(PALETTE)]
            points = {
                "mode": "markers",
                "marker": {"color": colour, "opacity": 0.35},
                "hovertext": trials.of(arm)["seed"],
            }
            figure.add_scatter(x=values, y=[arm.label] * len(values), **points, **place)
            row = means[(means["measure"] == name) & (means["arm"] == arm.label)].iloc[0]
            figure.add_scatter(**_interval(row, arm.label, colour), **place)
    return figure


def plot_differences(trials: Trials, *measures: str) -> Any:
    """Return a panel for each measure: by how much each arm differs from its reference, with 95 % intervals.

    The arguments are those of :func:`plot_over_time`.
    """
    expect_trials(trials)
    names = measures or tuple(trials.measures)
    figure, table = _panels([_title(trials, name) for name in names]), contrasts(trials)
    labels = [arm.label for arm in trials.arms()]
    for at, name in enumerate(names):
        row, col = at // COLUMNS + 1, at % COLUMNS + 1
        figure.add_vline(x=0, line_dash="dash", line_color="#8a929c", row=row, col=col)
        for _, gap in table[table["measure"] == name].iterrows():
            colour = PALETTE[labels.index(gap["arm"]) % len(PALETTE)]
            figure.add_scatter(
                **_interval(gap, f"{gap['arm']} less {gap['reference']}", colour), row=row, col=col, showlegend=False
            )
    return figure


def _panels(titles: list[str]) -> Any:
    with extra("lab", "a plot"):
        from plotly.subplots import make_subplots
    rows = -(-len(titles) // COLUMNS)
    figure = make_subplots(rows, min(COLUMNS, len(titles)), subplot_titles=titles)
    figure.update_layout(
        height=HEIGHT_PX * rows,
        paper_bgcolor="rgba(0,0,0,0)",  # on a page of either theme
        plot_bgcolor="rgba(0,0,0,0)",
        font_color="#808892",
        margin={"l": 50, "r": 20, "t": 40, "b": 40},
        legend={"orientation": "h", "y": -0.1},
    )
    for axes in (figure.update_xaxes, figure.update_yaxes):
        axes(gridcolor="rgba(128,136,146,0.2)", zeroline=False)
    return figure


def _interval(row: pd.Series, label: str, colour: str) -> dict[str, Any]:
    """Return a mean with its interval as plotly takes it; without one where there is none."""
    reach = {"type": "data", "array": [row["high"] - row["mean"]], "arrayminus": [row["mean"] - row["low"]]}
    marker = {"mode": "markers", "marker": {"color": colour, "size": 10}, "name": label}
    drawn = {"x": [row["mean"]], "y": [label], **marker}
    return drawn | ({"error_x": {**reach, "color": colour, "thickness": 2.5}} if pd.notna(row["low"]) else {})


def _title(trials: Trials, name: str) -> str:
    words = trials.measures[name]
    return with_unit(words.get("label") or name, words.get("unit"))
