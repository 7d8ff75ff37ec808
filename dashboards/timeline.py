"""Who did what when: one row a resident, and for a crowd everyone stacked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from cave_sim.dashboards.figures import AXIS, edges, over_time
from cave_sim.dashboards.motion import stretches
from cave_sim.dashboards.palette import activity_colours, plain
from cave_sim.dashboards.record import Codes, Record

ROWS_SHOWN = 60
ROW_PX = 18
NAME_LETTERS = 22


def timeline(record: Record) -> go.Figure:
    """Return residents x time coloured by activity, in the order in which they first changed theirs; at most 60."""
    codes, words = record.activities
    order = sorted(range(min(len(codes), ROWS_SHOWN)), key=lambda row: (_first_change(codes[row]), row))
    people = [record.residents[row] for row in order]
    heat = go.Heatmap(
        x=edges(record),
        y=list(range(len(people))),
        z=np.where(codes[order] < 0, np.nan, codes[order]),
        zmin=-0.5,
        zmax=len(words) - 0.5,
        colorscale=_flat_steps(activity_colours(words)),
        showscale=False,
        ygap=3,
        text=[_spoken(record, codes[row], person.title) for row, person in zip(order, people, strict=True)],
        hovertemplate="%{text}<extra></extra>",
    )
    rows = AXIS | {"autorange": "reversed", "showgrid": False, "tickfont": {"size": 11}}
    names = {"tickvals": list(range(len(people))), "ticktext": [plain(_shortened(person.title)) for person in people]}
    height = 40 + ROW_PX * len(people)
    return over_time(record, [heat], yaxis=rows | names, margin=_margin(record), height=height, hovermode="closest")


def crowd(record: Record) -> go.Figure:
    """Return how many residents do what over time, stacked."""
    codes, words = record.activities
    areas = [
        go.Scatter(
            x=record.frames.labels,
            y=(codes == index).sum(axis=0).astype(np.int32),
            name=plain(activity),
            stackgroup="everyone",
            mode="lines",
            line={"width": 0, "shape": "hv"},
            fillcolor=colour,
        )
        for index, (activity, colour) in enumerate(activity_colours(words).items())
    ]
    return over_time(record, areas, margin=_margin(record), hovermode="x unified")


def _margin(record: Record) -> dict[str, int]:
    """Return margins that leave the names their room, so that both figures share their time axis."""
    shown = [_shortened(person.title) for person in record.residents[:ROWS_SHOWN]]
    return {"l": 22 + round(6.2 * max(map(len, shown), default=0)), "r": 12, "t": 8, "b": 28}


def _first_change(row: Codes) -> int:
    changed = np.flatnonzero(row != row[0])
    return int(changed[0]) if changed.size else len(row)


def _shortened(title: str) -> str:
    return title if len(title) <= NAME_LETTERS else title[: NAME_LETTERS - 1] + "…"


def _spoken(record: Record, row: Codes, person: str) -> list[str]:
    """Return a hover text per frame: who, what, from when until when."""
    clock, words, spoken = record.frames.clock, record.activities[1], [""] * len(row)
    for code in np.unique(row[row >= 0]):
        for first, last in stretches(row == code):
            until = clock(min(last + 1, len(row) - 1))
            text = f"<b>{plain(person)}</b><br>{plain(words[code])}, {clock(first)}–{until}"
            spoken[first : last + 1] = [text] * (last + 1 - first)
    return spoken


def _flat_steps(colours: Mapping[str, str]) -> Sequence[tuple[float, str]]:
    """Return a colour scale without gradients, one step an activity."""
    share = 1 / len(colours)
    return [
        edge
        for index, colour in enumerate(colours.values())
        for edge in ((index * share, colour), ((index + 1) * share, colour))
    ]
