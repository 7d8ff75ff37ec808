"""Format multipliers, measured: how many tokens a format takes for each token of the text that it shows."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from cave_sim.capacity.costs import Document
from cave_sim.errors import WorldError
from cave_sim.models.tokens import TokenCounter, offline_counter
from cave_sim.rendering.block_functions import functions
from cave_sim.rendering.blocks import MARK, WordBlocks
from cave_sim.rendering.documents import render
from cave_sim.rendering.environment import rendered
from cave_sim.rendering.fragments import Fragments
from cave_sim.rendering.limits import Meter
from cave_sim.rendering.registry import built_in
from cave_sim.rendering.schemas import checked
from cave_sim.rendering.values import plain

_ROWS = [["herring", 340, "up"], ["perch", 1_250, "down"], ["bread", 290, "as before"], ["coffee", 180, "up"]]
SAMPLE: Mapping[str, Any] = {
    "title": "What the market cost in June",
    "summary": "Prices on the square rose a little. Fish was dearer than in May, because the boats stayed in the"
    " harbour for nine days; bread and coffee did as they always do.",
    "findings": ["Herring rose by a tenth.", "Perch fell, as it does when holidays begin.", "Coffee rose by a cent."],
    "sections": [
        {
            "heading": "How it was counted",
            "text": "Every stall was visited on each Monday before noon. What had no price was asked for.",
            "points": ["four goods", "eleven stalls", "five Mondays"],
        }
    ],
    "tables": [{"columns": ["good", "price", "change"], "rows": _ROWS, "caption": "Prices, in cents"}],
}
"""Prose, lists and a small table, as reports have them."""


def multipliers(
    template: str = "data_report", data: Any = SAMPLE, counter: TokenCounter | None = None
) -> dict[str, float]:
    """Return the multiplier of each format for a document, by its name.

    ``json`` is that of the data as a model would write it, compact; ``python_docx`` that of a program which makes the
    Word document; ``raw`` is 1. They differ by document and by tokenizer: measure what you write.

    Args:
        template: of the document.
        data: of the document.
        counter: counts tokens; the best that there is unless given.
    """
    count = counter or offline_counter()
    values = checked(built_in()[template].schema, plain(data), template)
    raw = max(1, count("\n".join(_texts(values))))
    written = {
        "raw": raw,
        "markdown": count(render(template, data, "markdown").text),
        "json": count(json.dumps(_without_defaults(values), ensure_ascii=False, separators=(",", ":"))),
        "html": count(render(template, data, "html").text.partition("<main>")[2].partition("</main>")[0]),
        "latex": count(render(template, data, "latex").text.partition("\\begin{document}")[2]),
        "python_docx": count(word_program(template, data)),
    }
    return {name: tokens / raw for name, tokens in written.items()}


@cache
def usual_multipliers() -> Mapping[str, float]:
    """Return the multipliers of the sample, measured here."""
    return multipliers()


def document_of(content_tokens: int, format_: str, **options: Any) -> Document:
    """Return a document of so much content in a format, with the multipliers that are measured here.

    Raises:
        WorldError: there is no such format, or no such document.
    """
    measured = usual_multipliers()
    if format_ not in measured:
        raise WorldError(f"there is no format {format_!r}; there are {', '.join(measured)}")
    return Document(content_tokens, measured[format_], measured["json"], **options)


def word_program(template: str, data: Any) -> str:
    """Return the program that a model writes who makes a document with python-docx."""
    definition = built_in()[template]
    values = checked(definition.schema, plain(data), template)
    meter = Meter()
    records = rendered(
        definition.code("docx"), "docx", {"data": values}, functions(WordBlocks(), meter, Fragments(meter)), meter
    )
    lines = ["from docx import Document", "", "document = Document()"]
    for part in records.split(MARK)[1::2]:
        lines += _lines(json.loads(part))
    return "\n".join([*lines, 'document.save("document.docx")'])


def _lines(record: Mapping[str, Any]) -> Iterator[str]:
    match record["kind"]:
        case "heading":
            yield f"document.add_heading({record['text']!r}, level={record['level'] - 1})"
        case "items":
            for text in record["texts"]:
                yield f'document.add_paragraph({text!r}, style="List Bullet")'
        case "table":
            yield f'table = document.add_table(rows=1, cols={len(record["columns"])}, style="Table Grid")'
            for place, name in enumerate(record["columns"]):
                yield f"table.rows[0].cells[{place}].text = {name!r}"
            for row in record["rows"]:
                yield "cells = table.add_row().cells"
                for place, cell in enumerate(row):
                    yield f"cells[{place}].text = {'' if cell is None else str(cell)!r}"
        case "chart":
            yield f"document.add_picture({record['title'] + '.png'!r})"
        case _:
            yield f"document.add_paragraph({record['text']!r})"


def _texts(value: Any) -> Iterator[str]:
    """Yield what a reader sees of data."""
    if isinstance(value, Mapping):
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each)
    elif value not in (None, "", True, False):
        yield str(value)


def _without_defaults(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _without_defaults(each) for key, each in value.items() if each not in ("", [], None)}
    return [_without_defaults(each) for each in value] if isinstance(value, list) else value
