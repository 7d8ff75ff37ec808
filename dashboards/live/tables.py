"""The pages that are tables, all runs and the runs of a study, as a Dash application mounted beside the live page."""

from __future__ import annotations

import json
from collections import Counter
from importlib.resources import files
from typing import Any
from urllib.parse import quote

import dash
from a2wsgi import WSGIMiddleware
from dash import Input, Output, dcc, html
from dash_ag_grid import AgGrid

from cave_sim.dashboards.live import study_page
from cave_sim.dashboards.live.library import Library
from cave_sim.dashboards.live.overview import run_title
from cave_sim.dashboards.live.study import folders
from cave_sim.dashboards.live.study_page import EVERY_COLUMN, THOUSANDS, look_again_ms, saved, table_tools

PREFIX = "/tables/"
COLUMNS: list[dict[str, Any]] = [
    {"field": "run", "headerName": "Run", "cellRenderer": "markdown", "flex": 3, "minWidth": 170, "sort": "asc"},
    {"field": "name", "headerName": "Run", "hide": True},
    {"field": "status", "headerName": "Status", "width": 105},
    {"field": "simulation", "headerName": "Simulation", "flex": 2, "minWidth": 130},
    {"field": "seed", "headerName": "Seed", "type": "rightAligned", "width": 80},
    {"field": "model", "headerName": "Model", "flex": 1, "minWidth": 105},
    *({"field": field, "headerName": name, "type": "rightAligned", "width": 95, "valueFormatter": THOUSANDS}
      for field, name in (("steps", "Steps"), ("turns", "Turns"), ("refused", "Refused"))),
    {"field": "spend", "headerName": "USD", "type": "rightAligned", "width": 85},
    {"field": "tags", "headerName": "Tags", "flex": 1, "minWidth": 90},
    {"field": "hash", "headerName": "State hash", "width": 140},
]  # fmt: skip


class Mounted(WSGIMiddleware):
    """A Dash application as ASGI, with the hashes of its inline scripts."""

    def __init__(self, app: dash.Dash) -> None:
        super().__init__(app.server, workers=4)
        self.script_hashes = [f"'{each}'" if not each.startswith("'") else each for each in app.csp_hashes()]


def tables_app(library: Library) -> Mounted:
    """Return the pages of runs and studies."""
    assets = str(files("cave_sim.dashboards") / "web")
    app = dash.Dash(
        __name__, requests_pathname_prefix=PREFIX, routes_pathname_prefix="/", title="Runs", assets_folder=assets,
        assets_ignore=r".*\.js$|index\.html", serve_locally=True, external_scripts=["/web/theme.js"], update_title="",
        suppress_callback_exceptions=True,
    )  # fmt: skip
    app.layout = lambda: html.Main([dcc.Location(id="address"), html.Div(id="shown")], className="tables")

    @app.callback(Output("shown", "children"), Input("address", "pathname"))
    def show(path: str | None) -> Any:
        return study(library) if str(path).rstrip("/").endswith("study") else runs(library)

    @app.callback(Output("runs", "rowData"), Input("runs-again", "n_intervals"), prevent_initial_call=True)
    def runs_again(_: int) -> Any:
        return [_row(each) for each in library.listed()]

    told = Output("studies", "children"), Output("trials", "rowData"), Output("study-again", "disabled")

    @app.callback(*told, Input("study-again", "n_intervals"), prevent_initial_call=True)
    def study_again(_: int) -> Any:
        return study_page.study_told(library)

    later = {"prevent_initial_call": True}
    for grid in ("runs", "trials"):
        app.callback(Output(grid, "exportDataAsCsv"), Input(f"{grid}-csv", "n_clicks"), **later)(bool)
        app.callback(Output(grid, "dashGridOptions"), Input(f"{grid}-search", "value"), **later)(_sought)
    return Mounted(app)


def _sought(text: str | None) -> Any:
    options = dash.Patch()
    options["quickFilterText"] = text or ""
    return options


def _head(title: str) -> list[Any]:
    pages = {"Runs": PREFIX, "Branches": "/branches", "Compare": "/compare", "Study": f"{PREFIX}study"}
    return [html.Nav([html.A(name, href=address) for name, address in pages.items()]), html.H1(title)]


def runs(library: Library) -> list[Any]:
    """Return the table of all runs; it brings itself up to date."""
    rows = [_row(each) for each in library.listed()]
    if not rows:
        return [*_head("Runs"), html.P("There is no run here yet. cave-sim run town_day makes one.", className="empty")]
    grid = AgGrid(
        id="runs", rowData=rows, columnDefs=COLUMNS, getRowId="params.data.run",
        defaultColDef=EVERY_COLUMN,
        dashGridOptions={"domLayout": "autoHeight", "pagination": len(rows) > 100},
        csvExportParams=saved("runs.csv", COLUMNS),
    )  # fmt: skip
    return [*_head("Runs"), table_tools("runs"), grid, dcc.Interval(id="runs-again", interval=look_again_ms(len(rows)))]


def _row(told: dict[str, Any]) -> dict[str, Any]:
    manifest = told.get("manifest") or {}
    counts = Counter(told.get("counts") or {})
    return {
        "run": f"[{told['run']}](/run/{quote(told['run'])})", "name": told["run"], "status": told["status"],
        "simulation": run_title(manifest) if manifest else "", "seed": manifest.get("seed"),
        "model": told.get("model"), "steps": told.get("steps"),
        "turns": told.get("turns"), "refused": counts.total() - counts["committed"] if counts else None,
        "spend": told.get("cost_usd"), "tags": ", ".join(manifest.get("tags") or []),
        "hash": (told.get("hash") or "")[:12],
    }  # fmt: skip


def study(library: Library) -> list[Any]:
    """Return the studies in a library's places; where there is none, its runs grouped by their settings."""
    return [*_head("Study"), *(study_page.study_page(library) if folders(library.places) else sweep(library))]


def sweep(library: Library) -> list[Any]:
    """Return runs that differ in their settings, grouped by simulation: a row a setting, how many seeds are done."""
    groups: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for each in library.listed():
        manifest = each.get("manifest") or {}
        made = manifest.get("create") or manifest.get("config") or {}
        settings = {key: value for key, value in sorted(made.items()) if key not in ("seed", "out")}
        groups.setdefault((run_title(manifest), json.dumps(settings)), []).append(each)
    rows = [
        {"simulation": name, "settings": settings, "runs": len(found),
         "finished": sum(each["status"] == "finished" for each in found),
         "seeds": ", ".join(str((each.get("manifest") or {}).get("seed")) for each in found)}
        for (name, settings), found in groups.items()
    ]  # fmt: skip
    columns = [{"field": key, "headerName": key.capitalize(), "flex": 2 if key == "settings" else 1} for key in
               ("simulation", "settings", "runs", "finished", "seeds")]  # fmt: skip
    grid = AgGrid(id="study", rowData=rows, columnDefs=columns,
                  dashGridOptions={"domLayout": "autoHeight", })  # fmt: skip
    return [html.P("No study lies here: these are the runs, by what they were made with.", className="note"), grid]
