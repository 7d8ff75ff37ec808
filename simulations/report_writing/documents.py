"""The four documents of the paper, made up from a seed: as data, and as a model would write them out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from cave_sim.capacity.costs import Document
from cave_sim.capacity.multipliers import word_program
from cave_sim.determinism.random_streams import RandomStream
from cave_sim.models.tokens import ESTIMATE
from cave_sim.rendering.documents import render
from cave_sim.rendering.shells import LETTERS

WORDS = """the a of to and model agent result shows that each token context window output study method paper claim table
section finds we measure compare under strong weak cost clear likely small large first second report""".split()
KINDS = ("evaluation", "api", "minutes", "data")
FORMATS = {"evaluation": "python_docx", "api": "html", "minutes": "markdown", "data": "latex"}
"""As in the paper: a Word document by python-docx, a page, notes, a report with tables and figures."""
TABLE_ROWS = 60


@dataclass(frozen=True)
class WritingTask:
    """One document that is to be written.

    Attributes:
        kind: one of the four.
        template: by which it is rendered.
        data: of the template, whole.
        written: the data as the model has to write it: tables and charts that are live objects are named, as "@name".
        objects: these live objects, by their names.
    """

    kind: str
    template: str
    data: Mapping[str, Any]
    written: Mapping[str, Any]
    objects: Mapping[str, Any]

    @property
    def outright(self) -> str:
        """The document in its format, as a model writes it outright."""
        if FORMATS[self.kind] == "python_docx":
            return word_program(self.template, self.data)
        return render(self.template, self.data, FORMATS[self.kind]).text.replace(LETTERS, "")  # no model writes these

    @property
    def as_json(self) -> str:
        """The data as the model writes it."""
        return json.dumps(self.written, separators=(",", ":"))

    @property
    def sizes(self) -> Document:
        """What it takes, measured: the content is its plain text."""
        plain = max(1, ESTIMATE(json.dumps(self.written)) * 4 // 5)
        return Document(plain, ESTIMATE(self.outright) / plain, ESTIMATE(self.as_json) / plain)


@cache
def task(kind: str, seed: int) -> WritingTask:
    """Return one of the four documents; the same seed gives the same."""
    rng = RandomStream(seed, "report_writing", kind)
    make = {"evaluation": _evaluation, "api": _api, "minutes": _minutes, "data": _data}[kind]
    return make(rng)


def _text(rng: Any, words: int) -> str:
    return " ".join(WORDS[rng.randrange(len(WORDS))] for _ in range(words)).capitalize() + "."


def _evaluation(rng: Any) -> WritingTask:
    """An evaluation of nine papers."""
    results = []
    for number in range(1, 10):
        rows = [[f"criterion {place}", rng.randrange(1, 6), _text(rng, 4)] for place in range(1, 13)]
        table = {"columns": ["criterion", "score", "why"], "rows": rows}
        points = [_text(rng, 8) for _ in range(4)]
        results.append({"heading": f"Paper {number}", "text": _text(rng, 200), "points": points, "tables": [table]})
    data = {"title": "Nine papers", "question": _text(rng, 12), "method": _text(rng, 60), "results": results}
    return WritingTask("evaluation", "study_report", data, data, {})


def _api(rng: Any) -> WritingTask:
    """The reference of 42 endpoints; their signatures are a live object, and what they are for is written."""
    endpoints = []
    for number in range(42):
        parameters = [
            {"name": f"p{place}", "type": "string", "about": _text(rng, 6), "required": place < 2} for place in range(5)
        ]
        about = {"method": "GET", "about": _text(rng, 25), "returns": _text(rng, 8)}
        endpoints.append({"name": f"/things/{number}", **about, "parameters": parameters})
    about_each = {each["name"]: each["about"] for each in endpoints}
    written = {"title": "An interface", "about": about_each}
    live = [{**each, "about": ""} for each in endpoints]
    return WritingTask(
        "api", "api_reference", {"title": "An interface", "endpoints": endpoints}, written, {"endpoints": live}
    )


def _minutes(rng: Any) -> WritingTask:
    """The minutes of two hours."""
    topics = [
        {"heading": _text(rng, 4), "text": _text(rng, 120), "points": [_text(rng, 12) for _ in range(5)]}
        for _ in range(12)
    ]
    actions = [{"who": f"person {place}", "what": _text(rng, 10)} for place in range(12)]
    present = [f"person {place}" for place in range(8)]
    data = {"title": "A meeting", "date": "Monday", "present": present, "topics": topics, "actions": actions}
    return WritingTask("minutes", "minutes", data, data, {})


def _data(rng: Any) -> WritingTask:
    """A report with 15 tables and 8 charts, which are live objects."""
    objects: dict[str, Any] = {}
    for number in range(15):
        rows = [[f"group {row}", *(rng.randrange(10_000) for _ in range(4))] for row in range(TABLE_ROWS)]
        objects[f"table_{number}"] = {"columns": ["group", "a", "b", "c", "d"], "rows": rows}
    for number in range(8):
        line = {"name": "level", "x": list(range(40)), "y": [rng.randrange(100) for _ in range(40)]}
        objects[f"chart_{number}"] = {"title": f"chart {number}", "series": [line]}
    findings = [_text(rng, 20) for _ in range(20)]
    sections = [{"heading": _text(rng, 5), "text": _text(rng, 110)} for _ in range(8)]
    written = {
        "title": "What was measured",
        "summary": _text(rng, 60),
        "findings": findings,
        "sections": sections,
        "tables": [f"@{name}" for name in objects if name.startswith("table")],
        "charts": [f"@{name}" for name in objects if name.startswith("chart")],
    }
    return WritingTask("data", "data_report", filled(written, objects), written, objects)


def filled(written: Mapping[str, Any], objects: Mapping[str, Any]) -> dict[str, Any]:
    """Return data in which the names of live objects are the objects."""
    return {
        key: [objects.get(each[1:], each) if isinstance(each, str) and each[:1] == "@" else each for each in value]
        if isinstance(value, list)
        else value
        for key, value in written.items()
    }
