"""Deferred rendering: data and a template become a document, by no model's effort (Gen-Pilot, §4)."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cave_sim.errors import reason
from cave_sim.rendering.block_functions import functions
from cave_sim.rendering.blocks import BLOCKS
from cave_sim.rendering.environment import guarded, rendered
from cave_sim.rendering.escaping import clean
from cave_sim.rendering.fragments import Fragments
from cave_sim.rendering.limits import Meter, RenderError
from cave_sim.rendering.registry import FORMATS, DocumentTemplate, TemplateRegistry
from cave_sim.rendering.schemas import checked
from cave_sim.rendering.shells import wrapped
from cave_sim.rendering.values import plain
from cave_sim.rendering.word import word_bytes

SUFFIXES = {"html": "html", "markdown": "md", "latex": "tex", "docx": "docx", "json": "json"}
FILE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_\-]{0,79}")


@dataclass(frozen=True, slots=True)
class RenderedDocument:
    """A document.

    Attributes:
        template: that it was made with.
        format: one of :data:`~cave_sim.rendering.registry.FORMATS`.
        title: of it.
        data: its bytes.
    """

    template: str
    format: str
    title: str
    data: bytes

    @property
    def sha256(self) -> str:
        """Digest of its bytes; the same data, template and format give the same."""
        return hashlib.sha256(self.data).hexdigest()

    @property
    def text(self) -> str:
        """It as text; a Word document has none."""
        return self.data.decode()


def render(
    template: str | DocumentTemplate, data: Any, format_: str = "html", registry: TemplateRegistry | None = None
) -> RenderedDocument:
    """Return the document that a template makes of data; nothing is read, written or kept.

    Args:
        template: the name of one, or itself.
        data: what its schema asks for; frames, series, plotly figures and entities are taken as they are.
        format_: html, markdown, latex, docx or json.
        registry: where templates are found by name; those that come along unless given.

    Raises:
        RenderError: the data does not fit, or the template did what it may not or took too much.
        MissingExtra: a Word document needs the extra ``documents``.
    """
    registry = registry or TemplateRegistry()
    if format_ not in FORMATS:
        raise _no_format(format_)
    chosen = template if isinstance(template, DocumentTemplate) else registry[template]
    values = checked(chosen.schema, plain(data), chosen.name)
    return guarded(lambda: _rendered(chosen, values, format_, Meter(registry.limits)))


def _no_format(format_: object) -> RenderError:
    return RenderError("template", f"there is no format {str(format_)[:40]!r}; there are {', '.join(FORMATS)}")


def _rendered(template: DocumentTemplate, values: Mapping[str, Any], format_: str, meter: Meter) -> RenderedDocument:
    title = str(values.get("title") or template.name)
    if format_ == "json":
        text = clean(json.dumps(values, ensure_ascii=False, indent=1, sort_keys=True)) + "\n"
        return RenderedDocument(template.name, format_, title, text.encode())
    fragments = Fragments(meter)
    blocks = functions(BLOCKS[format_](), meter, fragments)
    body = rendered(template.code(format_), format_, {"data": values}, blocks, meter)
    if format_ == "docx":
        return RenderedDocument(template.name, format_, title, word_bytes(body, title, meter))
    return RenderedDocument(template.name, format_, title, wrapped(body, title, format_, fragments).encode())


def document_path(folder: Path, name: str, format_: str) -> Path:
    """Return where a document lies; raises RenderError if its name would leave the folder, or for no such format."""
    if format_ not in FORMATS:
        raise _no_format(format_)
    if not isinstance(name, str) or not FILE_NAME.fullmatch(name):
        raise RenderError(
            "output", f"{str(name)[:80]!r}: a document's name is letters, digits, - and _, 80 at the most"
        )
    return folder / f"{name}.{SUFFIXES[format_]}"


def write_document(folder: Path, name: str, format_: str, data: bytes) -> Path:
    """Write a document whole or not at all, and return where it is; one with the same bytes is left alone.

    Args:
        folder: where documents of a run lie; made if it is not there. A link is not followed.
        name: without a suffix.
        format_: what says the suffix.
        data: its bytes.

    Raises:
        RenderError: the name would leave the folder, there is no such format, or the folder is none.
    """
    path = document_path(folder, name, format_)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if folder.is_symlink() or path.is_symlink():
            raise RenderError("output", f"{path}: a link is not written through")
        if path.is_file() and path.read_bytes() == data:
            return path
        fresh = folder / f".{path.name}.new"
        try:
            with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o644), "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            fresh.replace(path)
        finally:
            fresh.unlink(missing_ok=True)
    except OSError as error:
        raise RenderError("output", f"{path}: {reason(error)}") from None
    return path
