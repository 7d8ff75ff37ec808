"""The page's panels in their order, and the figures they need."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import plotly.graph_objects as go

from cave_sim.dashboards.charts import Chart, charts, turns
from cave_sim.dashboards.elements import Html, dot, element, joined, legend
from cave_sim.dashboards.feed import feed
from cave_sim.dashboards.ground import founded, ground, key
from cave_sim.dashboards.palette import MUTED, STATUS, activity_colours, count
from cave_sim.dashboards.record import Record
from cave_sim.dashboards.tables import tables
from cave_sim.dashboards.timeline import ROWS_SHOWN, crowd, timeline

KEYS = {"space": "play", "← →": "step", "shift": "ten steps", "/": "find", "t": "theme"}


def embedded(data: Any) -> str:
    """Return JSON that may stand inside a script element whatever texts it holds."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


class Page:
    """The report's HTML, panel by panel; figures are collected as panels name them."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self._figures: dict[str, str] = {}

    def drawn(self) -> str:
        """Return the figures that the panels so far have named, as one JSON object."""
        return "{" + ",".join(f'"{name}":{figure}' for name, figure in self._figures.items()) + "}"

    def title(self) -> Html:
        """Return the simulation's name in words."""
        manifest = self.record.manifest
        name = (manifest.get("config") or {}).get("simulation") or manifest.get("simulation", "run")
        return joined(str(name).replace("_", " ").capitalize())

    def when(self) -> Html:
        """Return where the run took place, and from when to when in world time."""
        times = self.record.frames.times
        first, last = times[0], times[-1]
        where = (self.record.manifest.get("map") or {}).get("name")
        return joined(
            f"{where}, " if where else "",
            f"{_moment(first)} to ",
            f"{last:%H:%M}" if first.date() == last.date() else _moment(last),
        )

    def facts(self) -> Html:
        """Return the header's list: residents, steps, seed, turns by status, the last state's hash."""
        record = self.record
        hashes = record.run.query("SELECT state_hash FROM steps ORDER BY step DESC LIMIT 1")
        final = str(hashes[0][0]) if hashes else ""
        facts = {
            "Residents": f"{len(record.residents):,}" if record.residents else "",
            "Steps": _steps(record),
            "Seed": str(record.manifest.get("seed", "")),
            "Turns": self._statuses(),
            "State hash": element("span", final[:16], class_="hash", title=final) if final else "",
        }
        shown = (element("div", element("dt", term), element("dd", fact)) for term, fact in facts.items() if fact)
        return element("dl", *shown, class_="facts")

    def weather(self) -> Html:
        """Return the banner of the shown moment's weather, which the page fills in; an empty one without weather."""
        if self.record.weather is None:
            return element("div")
        icon = element("svg", element("use", href="#sun"), aria_hidden="true")
        return element("div", icon, element("div", element("b"), element("span")), class_="weather")

    def body(self) -> Html:
        """Return all panels, top to bottom."""
        return joined(
            self._stage(),
            self._timeline(),
            self._cards("The day in numbers", "day", charts(self.record)),
            self._cards("Turns", "turns", turns(self.record)),
            tables(self.record),
        )

    def footer(self) -> Html:
        """Return who made the page, whose map it shows, and its keys."""
        made = f"cave_sim {self.record.manifest.get('cave_sim', '')}".strip()
        said = " · ".join(text for text in (made, self._credit()) if text)
        keys = [element("span", element("kbd", key), f" {meaning}") for key, meaning in KEYS.items()]
        return element("footer", element("span", said), element("div", *keys, class_="keys"))

    def _credit(self) -> str:
        return str((self.record.manifest.get("map") or {}).get("attribution") or "")

    def _statuses(self) -> Html:
        sql = "SELECT status, count(*) FROM turns WHERE kind = 'cell' GROUP BY status ORDER BY 2 DESC"
        parts = [
            element("span", dot(STATUS.get(status, MUTED)), element("b", f"{number:,}"), f" {status}")
            for status, number in self.record.run.query(sql)
        ]
        return element("span", *parts, class_="statuses") if parts else Html()

    def _figure(self, name: str, figure: go.Figure, height_px: int | None = None) -> Html:
        self._figures[name] = str(figure.to_json()).replace("<", "\\u003c")
        return element("div", class_="figure", id=name, style=f"height:{height_px}px" if height_px else None)

    def _stage(self) -> Html:
        """Return the map and what stands beside it; without a map, what stands beside it takes its room."""
        beside = joined(self._now(), self._person(), feed(self.record))
        if self.record.axes is None:
            return element("div", beside, class_="aside") if beside else beside
        panels = (
            [self._map(self.record.axes), element("div", beside, class_="side")]
            if beside
            else [self._map(self.record.axes)]
        )
        return element("section", *panels, class_="split" if beside else "split alone")

    def _map(self, axes: tuple[str, str]) -> Html:
        return element(
            "div",
            self._figure("map", ground(self.record, axes)),
            element("canvas", id="people", role="img", aria_label="Residents on the map"),
            key(founded(self.record)),
            element("span", self._credit(), class_="credit"),
            class_="card stage",
        )

    def _now(self) -> Html:
        """Return the list of activities; the page fills in how many do each at the shown moment."""
        if not self.record.residents:
            return Html()
        rows = [
            element(
                "li", element("span", activity), element("i"), element("span", class_="number"), style=f"--c:{colour}"
            )
            for activity, colour in activity_colours(self.record.activities[1]).items()
        ]
        return element("section", element("h2", "At this moment"), element("ol", *rows), class_="card now")

    def _person(self) -> Html:
        """Return the place where the page describes one resident."""
        if not self.record.residents:
            return Html()
        names = element("datalist", *(element("option", born.title) for born in self.record.residents), id="residents")
        asked = {
            "id": "who",
            "list": "residents",
            "placeholder": "Find a resident",
            "aria_label": "Find a resident (/)",
        }
        shown = [element("input", **asked), names, element("p", class_="does"), element("dl")]
        return element("section", *shown, class_="card person")

    def _timeline(self) -> Html:
        """Return everyone's day; of a crowd, all stacked above the first sixty."""
        record = self.record
        if not record.residents or not record.activities[1]:
            return Html()
        note, panels = count(len(record.residents), "resident"), [legend(activity_colours(record.activities[1]))]
        if len(record.residents) > ROWS_SHOWN:
            note = f"All {len(record.residents):,} residents stacked, and the first {ROWS_SHOWN} one by one"
            panels.append(self._figure("crowd", crowd(record), height_px=240))
        rows = timeline(record)
        panels.append(self._figure("timeline", rows, rows.layout.height))
        head = (
            element("h2", "Who did what"),
            element("span", f"{note}, in the order of their first move", class_="note"),
        )
        return element("section", element("header", *head), element("div", *panels, class_="card wide"))

    def _cards(self, title: str, name: str, shown: Sequence[Chart]) -> Html:
        if not shown:
            return Html()
        cards = [self._card(f"{name}-{index}", chart) for index, chart in enumerate(shown)]
        return element("section", element("header", element("h2", title)), element("div", *cards, class_="grid"))

    def _card(self, name: str, chart: Chart) -> Html:
        head = [element("h3", chart.title)]
        if any(trace.meta == "main" for trace in chart.figure.data):
            head.append(element("output", " ", element("small", chart.unit)))
        figure = self._figure(name, chart.figure)
        return element("article", element("header", *head), legend(chart.legend), figure, class_="card chart")


def _steps(record: Record) -> str:
    """Return how many steps of what length, and how many of them the page shows if not all."""
    step_s, shown = float(record.manifest.get("step_s") or 0), len(record.frames) - 1
    length = f"{step_s / 60:g} min" if step_s >= 60 else f"{step_s:g} s"
    told = f"{record.step_count:,} × {length}" if step_s else f"{record.step_count:,}"
    return told if shown >= record.step_count else f"{told}, {shown:,} shown"


def _moment(time: datetime) -> str:
    return f"{time:%A} {time.day} {time:%B %Y, %H:%M}"
