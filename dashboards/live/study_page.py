"""The page of a study: how far it has come, its results so far with what one way of acting saves, and every trial."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import quote

import plotly.graph_objects as go
from dash import dcc, html
from dash_ag_grid import AgGrid
from plotly.subplots import make_subplots

from cave_sim.dashboards.live.library import Library
from cave_sim.dashboards.live.study import Progress, folders, progress
from cave_sim.experiment.scripted import RIGHT, WRONG
from cave_sim.experiment.statistics import ALL, savings, summarised, wilson
from cave_sim.experiment.study import TRIALS

COUNTS = {"steps": "Steps", "prompt_tokens": "Prompt tokens", "completion_tokens": "Reply tokens"}
HEADS = ("Group", "Paradigm", "Queries passed", "Success", "Tasks passed", *COUNTS.values())
INK = "#808893"  # of labels: read on light paper and on dark
BARS = ("#2f8fce", "#e69f00", "#009e73", "#cc79a7")
FIGURE_PX = 230
LOOK_AGAIN_MS = 2_000
THOUSANDS = {"function": "params.value == null ? '' : d3.format(',')(params.value)"}
EVERY_COLUMN = {"filter": True, "sortable": True, "resizable": True, "suppressHeaderFilterButton": True}
COLUMNS: list[dict[str, Any]] = [
    {"field": "task", "headerName": "Task", "cellRenderer": "markdown", "flex": 2, "minWidth": 160},
    {"field": "name", "headerName": "Task", "hide": True},
    {"field": "group", "headerName": "Group", "width": 110},
    {"field": "paradigm", "headerName": "Paradigm", "width": 108},
    {"field": "seed", "headerName": "Seed", "type": "rightAligned", "width": 90},
    {"field": "status", "headerName": "Status", "width": 105},
    {"field": "passed", "headerName": "Passed", "type": "rightAligned", "width": 95},
    *(
        {"field": key, "headerName": head, "type": "rightAligned", "width": 125, "valueFormatter": THOUSANDS}
        for key, head in COUNTS.items()
    ),
    {"field": "why", "headerName": "What was wrong", "flex": 2, "minWidth": 150},
]


def study_page(library: Library) -> list[Any]:
    """Return the page of the studies in a library's places; it brings itself up to date until all are done."""
    parts, rows, over = study_told(library)
    grid = AgGrid(
        id="trials", rowData=rows, columnDefs=COLUMNS, getRowId="params.data.id",
        defaultColDef=EVERY_COLUMN,
        dashGridOptions={"domLayout": "autoHeight", "pagination": len(rows) > 50, "paginationPageSize": 50},
        csvExportParams=saved("trials.csv", COLUMNS),
    )  # fmt: skip
    again = dcc.Interval(id="study-again", interval=look_again_ms(len(rows)), disabled=over)
    return [html.Div(parts, id="studies"), html.H2("Trials"), table_tools("trials"), grid, again]


def look_again_ms(rows: int) -> int:
    """Return how long a table waits before it is read anew: each row is a file to be opened."""
    return LOOK_AGAIN_MS + 20 * rows


def saved(name: str, columns: list[dict[str, Any]]) -> dict[str, Any]:
    """Return how a table is saved: plain names in place of the links to them."""
    return {"fileName": name, "columnKeys": [each["field"] for each in columns if each.get("cellRenderer") is None]}


def table_tools(grid: str) -> html.Div:
    """Return what searches a table and saves it as CSV; callbacks of the application listen to both."""
    search = dcc.Input(id=f"{grid}-search", type="search", placeholder=f"Search {grid}", debounce=0.2)
    save = html.Button("Save as CSV", id=f"{grid}-csv", className="quiet", type="button")
    return html.Div([search, save], className="filters")


def study_told(library: Library) -> tuple[list[Any], list[dict[str, Any]], bool]:
    """Return the head of the page, the rows of its trials, and whether all studies are done."""
    found = [progress(folder) for folder in folders(library.places)]
    runs = {folder: name for name, folder in library.folders().items()}
    rows = [_row(row, each.folder / TRIALS / row["trial"], runs) for each in found for row in each.rows]
    return [part for each in found for part in _told(each)], rows, all(each.is_over for each in found)


def _told(study: Progress) -> list[Any]:
    parts: list[Any] = [html.H2(study.title), html.P(_about(study), className="note"), _bar(study)]
    if not study.results:
        return [*parts, html.P("No trial is done yet: results appear here as they come.", className="empty")]
    table = summarised(study.results)
    bars = dcc.Graph(id=f"bars-{study.folder.name}", figure=_figure(table), style={"height": FIGURE_PX},
                     config={"displayModeBar": False, "responsive": True})  # fmt: skip
    told = [html.P(line, className="note") for line in savings(study.results)]
    return [*parts, bars, _table(table, scripted=study.about.get("model") in (RIGHT, WRONG)), *told]


def _about(study: Progress) -> str:
    told = study.about
    seeds = told.get("seeds") or []
    repeated = f"seeds {seeds[0]} to {seeds[-1]}" if len(seeds) > 1 else f"seed {seeds[0]}" if seeds else ""
    parts = [study.folder.name, f"model {told.get('model')}", repeated, f"tokens: {told.get('tokens')}"]
    return " · ".join(part for part in parts if part)


def _bar(study: Progress) -> html.P:
    done, all_of_it = len(study.results), len(study.rows)
    passed = sum(result.ok for result in study.results)
    running = sum(row.get("status") == "running" for row in study.rows)
    told = f" {done:,} of {all_of_it:,} trials done, {passed:,} passed" + (f", {running:,} running" if running else "")
    bar = html.Progress(value=str(done), max=str(max(1, all_of_it)), title="Trials done")
    return html.P([bar, told], id="progress")


def _row(row: dict[str, Any], folder: Path, runs: dict[Path, str]) -> dict[str, Any]:
    task, run = row.get("task", row["trial"]), runs.get(folder)
    return row | {"id": str(folder), "name": task, "task": f"[{task}](/run/{quote(run)})" if run else task}


def _table(table: Any, *, scripted: bool) -> html.Div:
    side = ["", "", *["number"] * len(HEADS)]
    rows = [html.Tr([html.Td(cell, className=side[at]) for at, cell in enumerate(_cells(row, scripted))])
            for row in table.to_dict("records")]  # fmt: skip
    head = html.Tr([html.Th(name, className=side[at], scope="col") for at, name in enumerate(HEADS)])
    return html.Div(html.Table([html.Thead(head), html.Tbody(rows)]), className="scroll")


def _cells(row: dict[str, Any], scripted: bool) -> list[str]:
    low, high = wilson(row["passed"], row["queries"])
    success = f"{100 * row['passed'] / row['queries']:.1f} %" + ("" if scripted else f" [{low:.0f}, {high:.0f}]")
    told = [row["group"], row["paradigm"], f"{row['passed']:,} of {row['queries']:,}", success]
    return [*told, f"{row['tasks_passed']:,} of {row['tasks']:,}", *(_spread(row, key) for key in COUNTS)]


def _spread(row: dict[str, Any], key: str) -> str:
    spread = row[f"{key}_spread"]
    return f"{row[key]:,.0f}" + (f" ± {spread:,.0f}" if spread > 0 else "")


def _figure(table: Any) -> go.Figure:
    """Return success and counts as bars, a group beside the other, a colour for each way of acting."""
    figure = make_subplots(rows=1, cols=4, subplot_titles=["Success, %", *COUNTS.values()])
    groups = table[table.group != ALL] if table.group.nunique() > 1 else table
    for rank, paradigm in enumerate(dict.fromkeys(groups.paradigm)):
        part = groups[groups.paradigm == paradigm]
        columns = [100 * part.passed / part.queries, *(part[key] for key in COUNTS)]
        for number, values in enumerate(columns):
            bar = go.Bar(x=part.group.tolist(), y=values.tolist(), name=paradigm, legendgroup=paradigm,
                         showlegend=not number, marker_color=BARS[rank % len(BARS)])  # fmt: skip
            figure.add_trace(bar, row=1, col=number + 1)
    figure.update_annotations(font_size=12)
    figure.update_yaxes(gridcolor="rgba(128,136,147,.25)", zeroline=False, nticks=4)
    return figure.update_layout(
        template="none", barmode="group", paper_bgcolor="rgba(0,0,0,0)", plot_bgcolor="rgba(0,0,0,0)",
        font={"color": INK, "size": 12, "family": "system-ui, sans-serif"}, margin={"l": 40, "r": 10, "t": 30, "b": 30},
        legend={"orientation": "h", "y": 1.3}, uirevision="kept",
    )  # fmt: skip
