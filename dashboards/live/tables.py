"""The pages that are tables, all runs and the runs of a study, as a Dash application mounted beside the live page."""

from __future__ import annotations

import json
from collections import Counter
from importlib.resources import files
from typing import Any

import dash
from a2wsgi import WSGIMiddleware
from dash import Input, Output, dcc, html
from dash_ag_grid import AgGrid

from dashboards.live.library import Library
from dashboards.live.overview import run_title

PREFIX = "/tables/"
COLUMNS: list[dict[str, Any]] = [
    {"field": "run", "headerName": "Run", "cellRenderer": "markdown", "flex": 2, "minWidth": 160, "sort": "asc"},
    {"field": "status", "headerName": "Status", "width": 110},
    {"field": "simulation", "headerName": "Simulation", "width": 140},
    {"field": "seed", "headerName": "Seed", "type": "rightAligned", "width": 90},
    {"field": "model", "headerName": "Model", "width": 115},
    {"field": "steps", "headerName": "Steps", "type": "rightAligned", "width": 95},
    {"field": "turns", "headerName": "Turns", "type": "rightAligned", "width": 100},
    {"field": "refused", "headerName": "Refused", "type": "rightAligned", "width": 110},
    {"field": "spend", "headerName": "USD", "type": "rightAligned", "width": 90},
    {"field": "tags", "headerName": "Tags", "width": 90},
    {"field": "hash", "headerName": "State hash", "flex": 1, "minWidth": 120, "filter": False},
]


class Mounted(WSGIMiddleware):
    """A Dash application as ASGI, with the hashes of its inline scripts."""

    def __init__(self, app: dash.Dash) -> None:
        super().__init__(app.server, workers=4)
        self.script_hashes = [f"'{each}'" if not each.startswith("'") else each for each in app.csp_hashes()]


def tables_app(library: Library) -> Mounted:
    """Return the pages of runs and studies."""
    assets = str(files("dashboards") / "web")
    app = dash.Dash(
        __name__, requests_pathname_prefix=PREFIX, routes_pathname_prefix="/", title="Runs", assets_folder=assets,
        assets_ignore=r".*\.js$|index\.html", serve_locally=True, external_scripts=["/web/theme.js"], update_title="",
        suppress_callback_exceptions=True,
    )  # fmt: skip
    app.layout = lambda: html.Main([dcc.Location(id="address"), html.Div(id="shown")], className="tables")

    @app.callback(Output("shown", "children"), Input("address", "pathname"))
    def show(path: str | None) -> Any:
        return study(library) if str(path).rstrip("/").endswith("study") else runs(library)

    return Mounted(app)


def runs(library: Library) -> list[Any]:
    """Return the table of all runs."""
    rows = [_row(each) for each in library.listed()]
    grid = AgGrid(
        id="runs", rowData=rows, columnDefs=COLUMNS,
        defaultColDef={"filter": True, "sortable": True, "resizable": True},
        dashGridOptions={"domLayout": "autoHeight", "pagination": len(rows) > 100},
        csvExportParams={"fileName": "runs.csv"},
    )  # fmt: skip
    pages = {"Branches": "/branches", "Compare": "/compare", "Study": f"{PREFIX}study"}
    links = [html.A(name, href=address) for name, address in pages.items()]
    return [html.H1("Runs"), html.Nav(links), grid]


def _row(told: dict[str, Any]) -> dict[str, Any]:
    manifest = told.get("manifest") or {}
    counts = Counter(told.get("counts") or {})
    model = manifest.get("model")
    return {
        "run": f"[{told['run']}](/run/{told['run']})", "status": told["status"],
        "simulation": run_title(manifest) if manifest else "", "seed": manifest.get("seed"),
        "model": model.get("name") if isinstance(model, dict) else "scripted", "steps": told.get("steps"),
        "turns": told.get("turns"), "refused": counts.total() - counts["committed"] if counts else None,
        "spend": told.get("cost_usd"), "tags": ", ".join(manifest.get("tags") or []),
        "hash": (told.get("hash") or "")[:12],
    }  # fmt: skip


def study(library: Library) -> list[Any]:
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
    return [html.H1("Study"), html.Nav([html.A("Runs", href=PREFIX)]), grid]


