"""The report of a run: one HTML file made from its journal, which opens from disk and asks no one for anything."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from string import Template

from plotly.offline import get_plotlyjs

from cave_sim import Run
from cave_sim.dashboards.motion import motion
from cave_sim.dashboards.page import Page, embedded
from cave_sim.dashboards.record import Record

SCRIPTS = ("store.js", "figures.js", "map.js", "people.js", "player.js", "feed.js", "keys.js")


def write_report(run: Run, path: Path | None = None) -> Path:
    """Write the report of a run and return where it is.

    Args:
        run: what `cave_sim.open_run` returns; it is only read.
        path: the HTML file to write; `report.html` in the run's folder if not given.
    """
    path = path or run.folder / "report.html"
    path.write_text(report_html(Record(run)), encoding="utf-8")
    return path


def report_html(record: Record) -> str:
    """Return the whole page. Panels for which a run has no data are left out."""
    page = Page(record)
    parts = {
        "title": page.title(),
        "when": page.when(),
        "facts": page.facts(),
        "weather": page.weather(),
        "last": len(record.frames) - 1,
        "body": page.body(),
        "footer": page.footer(),
        "figures": page.drawn(),
        "run": embedded(motion(record)),
        "symbols": _asset("symbols.svg", "web"),
        "css": _asset("tokens.css", "web") + _asset("page.css"),
        "script": "\n".join(map(_asset, SCRIPTS)),
        "plotly": get_plotlyjs(),
    }
    return Template(_asset("page.html")).substitute(parts)


def _asset(name: str, folder: str = "assets") -> str:
    return (files("cave_sim.dashboards") / folder / name).read_text(encoding="utf-8")
