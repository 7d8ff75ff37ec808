"""The page of a study: its table and its bars in one file, which needs nothing else to be looked at."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path

import pandas as pd

from cave_sim.experiment.statistics import ALL, per_query, savings, summarised, wilson
from cave_sim.experiment.trial import Result
from cave_sim.extras import extra

with extra("dash", "the page of a study"):
    import plotly.graph_objects as go
    from plotly.subplots import make_subplots

PAGE = "study.html"
COLOURS = {"cave": "#2a9d8f", "codeact": "#e9a03b", "json": "#7a5195"}
PANELS = {
    "success": "success, %",
    "steps": "steps",
    "prompt_tokens": "prompt tokens",
    "completion_tokens": "completion tokens",
}
STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 1100px; margin: 2rem auto; padding: 0 1rem; color: #222 }
table { border-collapse: collapse; margin: 1rem 0 } th, td { padding: .25rem .7rem; border-bottom: 1px solid #ddd }
td { text-align: right } td:nth-child(-n+2), th { text-align: left } p.note { color: #555 }
"""


def write_page(out: Path, title: str, note: str, results: Sequence[Result], *, scripted: bool) -> Path:
    """Write the page of a study into its folder and return its path.

    Args:
        out: the folder.
        title: what was studied.
        note: by which model, in one or two sentences.
        results: what came of it.
        scripted: whether a script answered, so that success has no interval.
    """
    table = summarised(results)
    failures = per_query(results).query("not ok")
    parts = [
        f"<!doctype html><html lang=en><meta charset=utf-8><title>{escape(title)}</title><style>{STYLE}</style>",
        f"<h1>{escape(title)}</h1><p class=note>{escape(note)}</p>",
        _figure(table, scripted).to_html(full_html=False, include_plotlyjs=True),
        _table(table, scripted),
        "".join(f"<p>{escape(line)}</p>" for line in savings(results)),
        _failures(failures),
        "</html>",
    ]
    path = out / PAGE
    path.write_text("\n".join(parts), encoding="utf-8")
    return path


def _figure(table: pd.DataFrame, scripted: bool) -> go.Figure:
    figure = make_subplots(rows=2, cols=2, subplot_titles=list(PANELS.values()), vertical_spacing=0.14)
    groups = table[table.group != ALL] if table.group.nunique() > 1 else table
    for paradigm in dict.fromkeys(groups.paradigm):
        part = groups[groups.paradigm == paradigm]
        for number, name in enumerate(PANELS):
            values, error = _success(part, scripted) if name == "success" else _counts(part, name)
            bar = go.Bar(
                x=part.group, y=values, error_y=error, name=paradigm, legendgroup=paradigm, showlegend=not number,
                marker_color=COLOURS.get(paradigm),
            )  # fmt: skip
            figure.add_trace(bar, row=number // 2 + 1, col=number % 2 + 1)
    return figure.update_layout(template="plotly_white", barmode="group", height=640, margin={"t": 50, "b": 40})


def _success(part: pd.DataFrame, scripted: bool) -> tuple[list[float], dict[str, object] | None]:
    shares = [100 * passed / queries for passed, queries in zip(part.passed, part.queries, strict=True)]
    if scripted:
        return shares, None
    ends = [wilson(passed, queries) for passed, queries in zip(part.passed, part.queries, strict=True)]
    above = [high - share for share, (_, high) in zip(shares, ends, strict=True)]
    below = [share - low for share, (low, _) in zip(shares, ends, strict=True)]
    return shares, {"type": "data", "array": above, "arrayminus": below}


def _counts(part: pd.DataFrame, name: str) -> tuple[list[float], dict[str, object] | None]:
    spread = part[f"{name}_spread"].fillna(0.0)
    return part[name].tolist(), {"type": "data", "array": spread.tolist()} if spread.any() else None


def _table(table: pd.DataFrame, scripted: bool) -> str:
    names = ("group", "paradigm", "queries passed", "success %", "tasks passed", *(list(PANELS.values())[1:]))
    lines = []
    for row in table.to_dict("records"):
        low, high = wilson(row["passed"], row["queries"])
        interval = "" if scripted else f" [{low:.0f}, {high:.0f}]"
        cells = (
            escape(row["group"]), escape(row["paradigm"]), f"{row['passed']:,} of {row['queries']:,}",
            f"{100 * row['passed'] / row['queries']:.1f}{interval}", f"{row['tasks_passed']:,} of {row['tasks']:,}",
            *(f"{row[name]:,.0f}" for name in list(PANELS)[1:]),
        )  # fmt: skip
        lines.append("<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>")
    head = "".join(f"<th>{name}</th>" for name in names)
    return f"<table><tr>{head}</tr>{''.join(lines)}</table>"


def _failures(failures: pd.DataFrame) -> str:
    if failures.empty:
        return "<p>Every query passed.</p>"
    rows = "".join(
        f"<tr><td>{escape(row.task)}</td><td>{row.paradigm}</td><td>{row.query + 1}</td><td>{escape(row.why)}</td></tr>"
        for row in failures.head(200).itertuples()
    )
    return f"<h2>What failed</h2><table><tr><th>task</th><th>paradigm</th><th>query</th><th>why</th></tr>{rows}</table>"
