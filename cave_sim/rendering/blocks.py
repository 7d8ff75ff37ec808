"""What documents are made of, in each format: headings, paragraphs, lists, tables, charts. Templates call them.

One template serves all formats, because it says what there is and not how that is written.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Protocol
from urllib.parse import quote

from markupsafe import escape

from cave_sim.rendering import escaping
from cave_sim.rendering.chart_svg import chart_svg
from cave_sim.rendering.latex_blocks import LatexBlocks

MARK = "\x1e"
"""Stands around each block of a Word document; no text of data can hold it."""
PARAGRAPHS = re.compile(r"\n\s*\n|\r\s*\r")
BACKTICKS = re.compile("`+")
ADDRESS_SIGNS = ":/?#@!$&'*+,;=%~"
"""What an address may hold in Markdown as it is."""
CELL, ROW = "\x1c", "\x1d"


class Blocks(Protocol):
    """The blocks of one format. What they are given is data, and is escaped; what they return is not escaped again."""

    def heading(self, text: Any, level: int = 1) -> str:
        """A heading; 1 is that of the whole document."""

    def paragraph(self, text: Any) -> str:
        """A paragraph."""

    def items(self, texts: Sequence[Any]) -> str:
        """A list."""

    def table(self, table: Mapping[str, Any]) -> str:
        """A table of ``columns`` and ``rows``."""

    def chart(self, chart: Mapping[str, Any]) -> str:
        """A figure with axes."""

    def code(self, text: Any) -> str:
        """Text as it was typed."""

    def link(self, text: Any, url: Any) -> str:
        """A link to a place in the web."""


class HtmlBlocks:
    """HTML, as the body of a page."""

    def heading(self, text: Any, level: int = 1) -> str:
        return f"<h{level}>{escaping.html(text)}</h{level}>\n"

    def paragraph(self, text: Any) -> str:
        return "".join(f"<p>{escaping.html(each)}</p>\n" for each in text.split("\n\n") if each.strip())

    def items(self, texts: Sequence[Any]) -> str:
        return "<ul>\n" + "".join(f"<li>{escaping.html(text)}</li>\n" for text in texts) + "</ul>\n"

    def table(self, table: Mapping[str, Any]) -> str:
        head = "".join(f'<th scope="col">{escaping.html(name)}</th>' for name in table["columns"])
        rows = f"<tr><td>{_html_rows(table['rows'])}</td></tr>\n" if table["rows"] else ""
        caption = f"<caption>{escaping.html(table['caption'])}</caption>" if table.get("caption") else ""
        body = f"<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody>"
        return f'<div class="scroll"><table>{caption}{body}</table></div>\n'

    def chart(self, chart: Mapping[str, Any]) -> str:
        return f"<figure>{chart_svg(chart)}</figure>\n"

    def code(self, text: Any) -> str:
        return f"<pre>{escaping.html(text)}</pre>\n"

    def link(self, text: Any, url: Any) -> str:
        return f'<a href="{escaping.html(url)}" rel="noreferrer">{escaping.html(text)}</a>'


class MarkdownBlocks:
    """Markdown with the tables of GitHub."""

    def heading(self, text: Any, level: int = 1) -> str:
        return f"{'#' * level} {escaping.markdown_within(text.strip())}\n\n"

    def paragraph(self, text: Any) -> str:
        parts = filter(None, map(str.strip, PARAGRAPHS.split(text)))
        return "".join(f"{escaping.markdown(each)}\n\n" for each in parts)

    def items(self, texts: Sequence[Any]) -> str:
        return "".join(f"- {escaping.markdown(text.strip())}\n" for text in texts) + "\n"

    def table(self, table: Mapping[str, Any]) -> str:
        head = map(escaping.markdown_within, table["columns"])
        columns = escaping.column_texts(table, escaping.markdown_within)
        cells = [head, ["---"] * len(columns), *zip(*columns, strict=True)]
        caption = f"{escaping.markdown(table['caption'])}\n\n" if table.get("caption") else ""
        return caption + "".join(f"| {' | '.join(line)} |\n" for line in cells) + "\n"

    def chart(self, chart: Mapping[str, Any]) -> str:
        from base64 import b64encode

        picture = b64encode(chart_svg(chart).encode()).decode()
        return f"![{escaping.markdown(chart.get('title') or 'figure')}](data:image/svg+xml;base64,{picture})\n\n"

    def code(self, text: Any) -> str:
        fence = "`" * max(3, 1 + max(map(len, BACKTICKS.findall(text)), default=0))
        lines = "".join(f"{line}\n" for line in escaping.clean(text).splitlines())
        return f"\n{fence}\n{lines}{fence}\n\n"

    def link(self, text: Any, url: Any) -> str:
        return f"[{escaping.markdown(text)}]({quote(escaping.clean(url), safe=ADDRESS_SIGNS)})"


class WordBlocks:
    """Blocks as records, of which :mod:`cave_sim.rendering.word` makes a Word document."""

    def heading(self, text: Any, level: int = 1) -> str:
        return self._record("heading", text=text, level=level)

    def paragraph(self, text: Any) -> str:
        return "".join(self._record("paragraph", text=each) for each in text.split("\n\n") if each.strip())

    def items(self, texts: Sequence[Any]) -> str:
        return self._record("items", texts=list(texts))

    def table(self, table: Mapping[str, Any]) -> str:
        return self._record("table", **table)

    def chart(self, chart: Mapping[str, Any]) -> str:
        return self._record("chart", **chart)

    def code(self, text: Any) -> str:
        return self._record("code", text=text)

    def link(self, text: Any, url: Any) -> str:
        return f"{escaping.clean(text)} ({escaping.clean(url)})"

    def _record(self, kind: str, **values: Any) -> str:
        return f"{MARK}{json.dumps({'kind': kind, **values}, ensure_ascii=True)}{MARK}"


BLOCKS: dict[str, type[Blocks]] = {
    "html": HtmlBlocks,
    "markdown": MarkdownBlocks,
    "latex": LatexBlocks,
    "docx": WordBlocks,
}


def _html_rows(rows: Sequence[Sequence[Any]]) -> str:
    """Return rows as HTML, escaped all at once: cells and rows are joined by marks that no escaped text holds."""
    joined = ROW.join([CELL.join(["" if cell is None else str(cell) for cell in row]) for row in rows])
    if joined.count(ROW) != len(rows) - 1 or joined.count(CELL) != len(rows) * (len(rows[0]) - 1):
        # a cell holds such a mark itself
        joined = ROW.join([CELL.join([escaping.clean(escaping.shown_cell(cell)) for cell in row]) for row in rows])
    return str(escape(joined)).replace(CELL, "</td><td>").replace(ROW, "</td></tr>\n<tr><td>")
