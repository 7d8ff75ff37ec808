"""The page of a difference: two runs, one above the other, on one axis of time, and what differs between them."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import plotly.graph_objects as go
from plotly.offline import get_plotlyjs
from plotly.subplots import make_subplots

from cave_sim import Run
from cave_sim.dashboards.elements import Html, element, joined
from cave_sim.dashboards.palette import plain, split_unit
from cave_sim.history.diff import Difference
from cave_sim.history.target import shown

STATUS = {
    "committed": "#0072B2", "failed": "#E69F00", "blocked": "#D55E00", "conflict": "#CC79A7", "timeout": "#F0E442",
}  # fmt: skip
ONE, OTHER, INK, GRID = "#0072B2", "#D55E00", "#444", "rgba(128,128,128,0.2)"
AGENTS_SHOWN, FIELDS_SHOWN, CODE_LETTERS = 60, 500, 200
STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 75rem; padding: 0 1rem; color: #222; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; padding: .25rem .75rem .25rem 0; }
td { border-top: 1px solid #ddd; vertical-align: top; overflow-wrap: anywhere; }
pre { margin: 0; white-space: pre-wrap; }
"""


def write_diff_page(one: Run, other: Run, found: Difference, path: Path) -> Path:
    """Write the page of a difference and return where it is; it opens from disk and asks no one for anything.

    Args:
        one: a run.
        other: another.
        found: what `cave_sim.history.diff.diff` returned for them.
        path: the HTML file to write.
    """
    names = (one.folder.name, other.folder.name)
    body = joined(
        element("h1", f"{names[0]} and {names[1]}"),
        element("p", _verdict(found)),
        element("h2", "Two timelines"),
        _drawn("timelines", timelines(one, other, found)),
        *_measures(one, other, names),
        *_table("Where they part", ("", *names), _turns(found)),
        *_table(f"What differs after step {found.at}", ("", *names), _fields(found)),
        *_table("What they cost", ("", *names), [(name, f"{a:,g}", f"{b:,g}") for name, (a, b) in found.costs.items()]),
    )
    title = element("title", f"{names[0]} and {names[1]}")
    assets = Html(f"<style>{STYLE}</style><script>{get_plotlyjs()}</script>")
    head = joined(Html('<meta charset="utf-8">'), title, assets)
    page = Html(f"<!DOCTYPE html>\n{element('html', element('head', head), element('body', body), lang='en')}")
    path.write_text(page, encoding="utf-8")
    return path


def timelines(one: Run, other: Run, found: Difference) -> go.Figure:
    """Return the turns of both runs over world time, a row an agent, and a line where the runs part."""
    agents = _agents(one, other)
    figure = make_subplots(
        rows=2, shared_xaxes=True, vertical_spacing=0.06,
        subplot_titles=[plain(run.folder.name) for run in (one, other)],
    )  # fmt: skip
    for row, run in enumerate((one, other), 1):
        for status in STATUS:
            figure.add_trace(_turns_of(run, status, agents, row == 1), row=row, col=1)
        figure.update_yaxes(categoryorder="array", categoryarray=agents[::-1], gridcolor=GRID, row=row, col=1)
    if found.parted is not None:
        figure.add_vline(x=_time(one, found.parted.step), line={"color": INK, "dash": "dot", "width": 1})
    return _laid_out(figure, 160 + 2 * 18 * len(agents))


def _turns_of(run: Run, status: str, agents: list[str], in_legend: bool) -> go.Scatter:
    rows = [turn for turn in run.turns(status=status) if turn.kind == "cell" and turn.agent in agents]
    return go.Scatter(
        x=[_time(run, turn.step) for turn in rows],
        y=[turn.agent for turn in rows],
        text=[plain(turn.code[:CODE_LETTERS]).replace("\n", "<br>") for turn in rows],
        name=status,
        legendgroup=status,
        showlegend=in_legend and bool(rows),
        mode="markers",
        marker={"color": STATUS[status], "size": 7},
        hovertemplate="<b>%{y}</b> %{x|%H:%M}<br>%{text}<extra></extra>",
    )


def _agents(one: Run, other: Run) -> list[str]:
    """Return those who acted in either run, by name; of a crowd, the first."""
    sql = "SELECT DISTINCT agent FROM turns WHERE kind = 'cell'"
    return sorted({agent for run in (one, other) for (agent,) in run.query(sql)})[:AGENTS_SHOWN]


def _measures(one: Run, other: Run, names: tuple[str, str]) -> list[Html]:
    """Return a chart of both lines for each measure that is not the same in both runs."""
    left, right = one.measures(), other.measures()
    charts = []
    for number, name in enumerate(column for column in left.columns if column in right.columns):
        common = left.index.intersection(right.index)
        if left[name][common].equals(right[name][common]):
            continue
        figure = go.Figure()
        for run, table, label, colour in ((one, left, names[0], ONE), (other, right, names[1], OTHER)):
            times = [_time(run, step) for step in table.index]
            figure.add_trace(go.Scatter(x=times, y=table[name].tolist(), name=plain(label), line={"color": colour}))
        words, unit = split_unit(name)
        drawn = _drawn(f"measure-{number}", _laid_out(figure, 240))
        charts += [element("h2", f"{words}, {unit}" if unit else words), drawn]
    return charts


def _verdict(found: Difference) -> str:
    if found.parted is None:
        return f"The same up to step {found.until}."
    state = "" if found.state_parted is None else f", their states after step {found.state_parted}"
    return f"They part in step {found.parted.step}{state}."


def _turns(found: Difference) -> list[tuple[Any, ...]]:
    if found.parted is None:
        return []
    turns = (found.parted.one, found.parted.other)
    told: list[tuple[Any, ...]] = [
        (name, *("" if turn is None else str(getattr(turn, name) or "") for turn in turns))
        for name in ("turn", "agent", "status", "output", "error")
    ]
    return [*told, ("cell", *(element("pre", "" if turn is None else turn.code) for turn in turns))]


def _fields(found: Difference) -> list[tuple[Any, ...]]:
    rows = [
        (f"{entity}.{field}", shown(one, 200), shown(other, 200))
        for entity, fields in found.fields.items()
        for field, (one, other) in fields.items()
    ]
    more = [(f"and {len(rows) - FIELDS_SHOWN} more", "", "")] if len(rows) > FIELDS_SHOWN else []
    return rows[:FIELDS_SHOWN] + more


def _table(title: str, head: tuple[str, ...], rows: list[tuple[Any, ...]]) -> list[Html]:
    if not rows:
        return []
    lines = [element("tr", *(element("th", cell) for cell in head))]
    lines += [element("tr", *(element("td", cell) for cell in row)) for row in rows]
    return [element("h2", title), element("table", *lines)]


def _drawn(name: str, figure: go.Figure) -> Html:
    data = str(figure.to_json()).replace("<", "\\u003c")
    script = f"(f => Plotly.newPlot('{name}', f.data, f.layout, {{responsive: true, displayModeBar: false}}))({data})"
    return joined(element("div", id=name), Html(f"<script>{script}</script>"))


def _laid_out(figure: go.Figure, height_px: int) -> go.Figure:
    figure.update_xaxes(gridcolor=GRID)
    return figure.update_layout(
        height=height_px, template="none", hovermode="closest", font={"color": INK},
        legend={"orientation": "h", "x": 1, "xanchor": "right", "y": 1, "yanchor": "bottom"},
        margin={"l": 140, "r": 16, "t": 28, "b": 40}, paper_bgcolor="rgba(0,0,0,0)", plot_bgcolor="rgba(0,0,0,0)",
    )  # fmt: skip


def _time(run: Run, step: int) -> str:
    start = datetime.fromisoformat(str(run.manifest.get("start", "2000-01-01T00:00")))
    return (start + timedelta(seconds=step * float(run.manifest.get("step_s") or 0))).isoformat()
