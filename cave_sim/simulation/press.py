"""The press of a world: documents that cells have rendered, and the files that they become once a step stands.

A cell calls ``render("newspaper", data)`` with live objects. The document is made there, by templates that can do
nothing else, and is state like any other: undone with its turn, journaled, hashed, the same on every host. Files are a
view of that state. They are written when the step was committed, only where a run keeps a folder, and each version
once: running the cells again comes to the same bytes, and a file that has them is left alone.
"""

from __future__ import annotations

import base64
import sys
import zlib
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from cave_sim.determinism.canonical_json import to_json
from cave_sim.entity.entity import Entity
from cave_sim.entity.field import field
from cave_sim.errors import Refused
from cave_sim.policy.guards import facade_type
from cave_sim.rendering.documents import SUFFIXES, RenderedDocument, document_path, render, write_document
from cave_sim.rendering.limits import RenderError, RenderLimits
from cave_sim.rendering.registry import FORMATS, TemplateRegistry
from cave_sim.simulation.observers import Observer, Watched
from cave_sim.world.tools import WorldBound
from cave_sim.world.world import World

PRESS, FOLDER = "press", "documents"
LIMITS = RenderLimits(steps=2_000_000, chars=12_000_000, cpu_s=4.0)
"""Less than a cell may take by itself."""
KEPT = 10
"""Of so many documents, the latest, the text is in the state; of older ones what they were, and their files."""
PACKED_FROM_CHARS = 64_000
PIECE_CHARS = 100_000


class Press(Entity):
    """Makes documents of data: `render("newspaper", data)`; `press.templates` lists what each template takes."""

    documents: dict[str, dict[str, Any]] = field({}, guarded=True, about="by name: template, format, title, size, text")
    own_templates: dict[str, dict[str, Any]] = field({}, guarded=True, about="templates that were registered here")

    @property
    def templates(self) -> dict[str, str]:
        """What there is to render with, and what each takes."""
        registry = _registry(to_json(dict(self.own_templates), sort=True))
        return {name: f"{registry[name].about} It takes {registry[name].to_data()['takes']}" for name in registry}

    def observe(self) -> dict[str, object]:
        """Return which documents there are; their texts are long."""
        return {"documents": {name: f"{each['title']} ({each['format']})" for name, each in self.documents.items()}}

    def make(self, template: str, data: Any, name: str = "", format: str = "html") -> str:  # noqa: A002
        """Render data, frames and figures in it: `press.make("data_report", {"title": "x", "tables": [df]})`."""
        step = self.world.clock.step
        name = name or f"{template}_{step}"
        try:
            document_path(Path(), name, format if format in SUFFIXES else "html")
            document = render(template, data, format, _registry(to_json(dict(self.own_templates), sort=True)))
        except RenderError as error:
            raise Refused(f"{template}: {error}") from None
        if sum(each["step"] == step for other, each in self.documents.items() if other != name) >= KEPT:
            raise Refused(f"{KEPT} documents in one step are enough; the next step takes more")
        self.documents.pop(name, None)
        self.documents[name] = _entry(document, step, str(self.world.actor or "world"))
        for other in [*self.documents][:-KEPT]:
            self.documents[other] = {**self.documents[other], "text": "", "packed": []}
        return f"{FOLDER}/{name}.{SUFFIXES[format]}: {document.title}, {len(document.data):,} bytes"

    def register(self, name: str, source: str, schema: dict[str, Any], about: str = "") -> str:
        """Add a template of one's own, with the JSON schema of its data: `press.register("card", "...", {...})`."""
        try:
            registered = TemplateRegistry(LIMITS).register(name, source, schema, about)
        except RenderError as error:
            raise Refused(f"{name}: {error}") from None
        self.own_templates[name] = {"source": source, "schema": schema, "about": about}
        return f"{name} takes {registered.to_data()['takes']}"


@facade_type
class RenderFunction(WorldBound):
    """Makes documents."""

    __slots__ = ("_world",)

    def __init__(self, world: Any = None) -> None:
        self._world = world

    def _bound_to(self, world: Any) -> RenderFunction:
        return RenderFunction(world)

    def __call__(self, template: str, data: Any, name: str = "", format: str = "html") -> str:  # noqa: A002
        """Render data by a template into a document of the run."""
        answer: str = self._world.undo_log.entities[PRESS].make(template, data, name, format)
        return answer

    def __repr__(self) -> str:
        return (
            'render(template, data, name="", format="html") makes a document; press.templates says what data each takes'
        )


class PrintsDocuments(Observer):
    """Writes the documents of a world into the folder of its run, after each step that was committed.

    One that cannot be written (the disk is full, say) holds up neither the run nor the others. It is tried again after
    each step while its text is in the state; the journal says so, and the end of the stretch tells whoever runs it.
    """

    def __init__(self) -> None:
        self._written: dict[str, str] = {}
        self._failed: dict[str, str] = {}

    def on_start(self, simulation: Watched, until: int) -> None:
        """Write what a process that ended had committed and not written."""
        self.on_step(simulation)

    def on_step(self, simulation: Watched) -> None:
        """Write what is new."""
        if simulation.journal is None or PRESS not in simulation.world:
            return
        for name, entry in simulation.world[PRESS].documents.items():
            if self._written.get(name) != entry["sha256"] and (data := content(entry)) is not None:
                self._write(simulation, name, entry, data)

    def on_end(self, simulation: Watched) -> None:
        """Say what could not be written."""
        for name, why in self._failed.items():
            print(f"the document {name} is not written: {why}. Its run has it, and resume writes it", file=sys.stderr)

    def _write(self, simulation: Watched, name: str, entry: Mapping[str, Any], data: bytes) -> None:
        try:
            write_document(Path(simulation.journal.folder) / FOLDER, name, entry["format"], data)
        except RenderError as error:
            if self._failed.get(name) != str(error):
                simulation.note("document_failed", {"document": name, "error": str(error)})
            self._failed[name] = str(error)
        else:
            self._written[name] = entry["sha256"]
            self._failed.pop(name, None)


def open_press(world: World, *, word: bool = False) -> Observer:
    """Give a world a press and its cells ``render``; returns the observer that writes the files.

    What rendering reads from disk is read here, because a sandboxed cell may not: all templates, and with ``word`` what
    Word documents need.
    """
    for format_ in FORMATS if word else ("html", "markdown", "latex", "json"):
        render("data_report", WARMING, format_)
    world.add(PRESS, Press())
    world.inject("render", RenderFunction())
    return PrintsDocuments()


SERIES: dict[str, Any] = {"name": "a", "kind": "line", "x": ["x"], "y": [1.0]}
WARMING: dict[str, Any] = {
    "title": "x",
    "findings": ["x"],
    "tables": [{"columns": ["x"], "rows": [["x"]], "caption": "x"}],
    "charts": [{"title": "x", "x_label": "x", "y_label": "x", "series": [SERIES, {**SERIES, "kind": "bar"}]}],
}


def content(entry: Mapping[str, Any]) -> bytes | None:
    """Return the bytes of a document in the state; None of an older one, of which only the file is left."""
    if entry["packed"]:
        return zlib.decompress(base64.b64decode("".join(entry["packed"])))
    return entry["text"].encode() if entry["text"] else None


def _entry(document: RenderedDocument, step: int, agent: str) -> dict[str, Any]:
    is_packed = document.format == "docx" or len(document.data) > PACKED_FROM_CHARS
    return {
        "template": document.template,
        "format": document.format,
        "title": document.title[:200],
        "bytes": len(document.data),
        "sha256": document.sha256,
        "step": step,
        "agent": agent,
        "text": "" if is_packed else document.text,
        "packed": _pieces(base64.b64encode(zlib.compress(document.data, 6)).decode()) if is_packed else [],
    }


def _pieces(text: str) -> list[str]:
    """Return a text in pieces, because one value of a field is not that long."""
    return [text[place : place + PIECE_CHARS] for place in range(0, len(text), PIECE_CHARS)]


@lru_cache(maxsize=8)
def _registry(own: bytes) -> TemplateRegistry:
    """Return the templates of a press, given those of its own as JSON."""
    registry = TemplateRegistry(LIMITS)
    for name, each in msgspec.json.decode(own).items():
        registry.register(name, each["source"], each["schema"], each["about"])
    return registry
