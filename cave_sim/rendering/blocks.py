"""What documents are made of, in each format: headings, paragraphs, lists, tables, charts. Templates call them.

One template serves all formats, because it says what there is and not how that is written.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol
from urllib.parse import quote

from markupsafe import escape

from cave_sim.rendering import escaping
from cave_sim.rendering.chart_svg import COLOURS, chart_svg
from cave_sim.rendering.escaping import SAFE
from cave_sim.rendering.fragments import Fragments
from cave_sim.rendering.limits import Meter, RenderError
from cave_sim.rendering.schemas import Chart, CheckedTable, DataTable, checked

MARK = "\x1e"
"""Stands around each block of a Word document; no text of data can hold it."""
PARAGRAPHS = re.compile(r"\n\s*\n|\r\s*\r")
BACKTICKS = re.compile("`+")
ADDRESS_SIGNS = ":/?#@!$&'*+,;=%~"
"""What an address may hold in Markdown as it is."""
CELL, ROW = "\x1c", "\x1d"
SCHEMES = ("http://", "https://", "mailto:")


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


def functions(blocks: Blocks, meter: Meter, fragments: Fragments) -> dict[str, Callable[..., Any]]:
    """Return the blocks as functions of a template.

    Args:
        blocks: of the format.
        meter: counts what they take.
        fragments: keeps apart what they make and no template may.
    """

    def table(table: Any) -> SAFE:
        found = _table(table)
        meter.step(len(found["rows"]) + 1)
        return SAFE(blocks.table(found))

    def items(texts: Any) -> SAFE:
        return SAFE(blocks.items([str(text) for text in meter.counted(_list(texts))]))

    def chart(chart: Any) -> SAFE:
        found = _chart(chart)
        meter.step(sum(len(one["x"]) for one in found["series"]))
        return apart(blocks.chart(found))

    def heading(text: Any, level: int = 1) -> SAFE:
        return SAFE(blocks.heading(_text(text), min(6, max(1, int(level)))))

    def paragraph(text: Any) -> SAFE:
        return SAFE(blocks.paragraph(_text(text)))

    def code(text: Any) -> SAFE:
        return apart(blocks.code(_text(text)))

    def link(text: Any, url: Any) -> SAFE:
        address = _text(url).strip()
        if not address.lower().startswith(SCHEMES):
            return paragraph(text)
        return SAFE(blocks.link(_text(text), address))

    def apart(made: str) -> SAFE:
        return SAFE(made) if isinstance(blocks, WordBlocks) else fragments.keep(made)

    named = (heading, paragraph, items, table, chart, code, link)
    return {function.__name__: function for function in named}


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
        lines = [table["columns"], ["---"] * len(table["columns"]), *table["rows"]]
        rule = 1
        cells = [
            map(str, line) if place == rule else [_cell(cell, escaping.markdown_within) for cell in line]
            for place, line in enumerate(lines)
        ]
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


class LatexBlocks:
    """LaTeX, as the body of a document that has longtable and pgfplots."""

    LEVELS = ("section*", "subsection*", "subsubsection*", "paragraph*", "paragraph*", "paragraph*")

    def heading(self, text: Any, level: int = 1) -> str:
        return f"\\{self.LEVELS[level - 1]}{{{escaping.latex(text)}}}\n\n"

    def paragraph(self, text: Any) -> str:
        return "".join(f"{escaping.latex(each)}\n\n" for each in text.split("\n\n") if each.strip())

    def items(self, texts: Sequence[Any]) -> str:
        if not texts:
            return ""
        lines = "".join(f"\\item {{}}{escaping.latex(text)}\n" for text in texts)
        return f"\\begin{{itemize}}\n{lines}\\end{{itemize}}\n\n"

    def table(self, table: Mapping[str, Any]) -> str:
        head = " & ".join(f"\\textbf{{{escaping.latex(name)}}}" for name in table["columns"])
        lines = [[_cell(cell, escaping.latex) for cell in row] for row in table["rows"]]
        rows = "".join([f"{' & '.join(line)} \\\\\n" for line in lines])
        caption = f"{escaping.latex(table['caption'])}\n\n" if table.get("caption") else ""
        body = f"{head} \\\\\n\\hline\n\\endhead\n{rows}"
        return (
            f"{caption}\\begin{{longtable}}{{{_latex_columns(table['columns'], lines)}}}\n{body}\\end{{longtable}}\n\n"
        )

    def chart(self, chart: Mapping[str, Any]) -> str:
        words = list(dict.fromkeys(x for one in chart["series"] for x in one["x"] if isinstance(x, str)))
        places = {word: place for place, word in enumerate(words)}
        ticks = ",".join(_label(word).replace(",", "{,}") for word in words)
        axis = [f"{key}={{{_label(chart.get(name) or '')}}}" for key, name in PGF_LABELS.items()]
        if words:
            axis.append(f"xtick={{{','.join(map(str, range(len(words))))}}},xticklabels={{{ticks}}}")
        plots = "".join(_pgf_plot(one, places, place) for place, one in enumerate(chart["series"]))
        options = ",".join([*axis, "legend pos=outer north east"])
        return f"\\begin{{tikzpicture}}\n\\begin{{axis}}[{options}]\n{plots}\\end{{axis}}\n\\end{{tikzpicture}}\n\n"

    def code(self, text: Any) -> str:
        lines = (escaping.latex(line) or "~" for line in escaping.clean(text).splitlines())
        return "".join(f"\\noindent\\texttt{{{line}}}\\\\\n" for line in lines) + "\n"

    def link(self, text: Any, url: Any) -> str:
        return f"{escaping.latex(text)} ({escaping.latex(url)})"


LINE_CHARS = 84
"""So many letters fit on a line."""
LABEL_CHARS = 160
"""A label is one line, and TeX knows no line that is longer than six metres."""
PGF_LABELS = {"title": "title", "xlabel": "x_label", "ylabel": "y_label"}


def _latex_columns(names: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    """Return how the columns of a table stand: as wide as they are while all of them fit on a page, else in shares."""
    widths = [max([len(name), *map(len, cells)]) for name, *cells in zip(names, *lines, strict=True)]
    if sum(widths) > LINE_CHARS:
        widths = [max(map(_width, column)) for column in zip(names, *lines, strict=True)]
    if sum(widths) + 2 * len(widths) <= LINE_CHARS:
        return "l" * len(widths)
    shown = [min(width, LINE_CHARS) for width in widths]
    room = 0.98 - 0.03 * len(widths)
    return "".join(f"p{{{max(0.02, room * width / sum(shown)):.3f}\\linewidth}}" for width in shown)


def _width(cell: str) -> int:
    return len(cell) - len(escaping.MAY_BREAK) * cell.count(escaping.MAY_BREAK)


def _label(text: str) -> str:
    return escaping.latex_line(text[:LABEL_CHARS])


def _pgf_plot(one: Mapping[str, Any], places: Mapping[str, int], place: int) -> str:
    kind = {"bar": "ybar", "points": "only marks"}.get(one["kind"], "mark=none")
    points = "".join(
        f"({places[x] if isinstance(x, str) else x},{y})"
        for x, y in zip(one["x"], one["y"], strict=True)
        if y is not None
    )
    colour = COLOURS[place % len(COLOURS)].lstrip("#").upper()
    named = f"\\addlegendentry{{{_label(one['name'])}}}\n" if one["name"] else ""
    define = f"\\definecolor{{series{place}}}{{HTML}}{{{colour}}}\n"
    return f"{define}\\addplot+[{kind},color=series{place}] coordinates {{{points}}};\n{named}"


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
        clean = [[escaping.clean(_shown(cell)) for cell in row] for row in rows]  # a cell holds such a mark itself
        joined = ROW.join(map(CELL.join, clean))
    return str(escape(joined)).replace(CELL, "</td><td>").replace(ROW, "</td></tr>\n<tr><td>")


def _cell(cell: Any, escape: Callable[[str], str]) -> str:
    """Return a cell of a table as it is written; a number has nothing that were to be escaped."""
    return escape(cell) if type(cell) is str else _shown(cell)


def _shown(cell: Any) -> str:
    return "" if cell is None else str(cell)


def _table(value: Any) -> Mapping[str, Any]:
    if isinstance(value, CheckedTable):
        return value
    if not isinstance(value, Mapping) or not {"columns", "rows"} <= value.keys():
        raise RenderError("template", "table() takes a table: columns and rows")
    return checked(DataTable, {key: value[key] for key in ("columns", "rows", "caption") if key in value}, "table()")


def _chart(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping) or "series" not in value:
        raise RenderError("template", "chart() takes a chart: title, labels and series")
    return checked(Chart, value, "chart()")


def _text(value: Any) -> str:
    if isinstance(value, str | int | float):
        return str(value)
    if value is None:
        return ""
    raise RenderError("template", f"this block takes a text, not a {type(value).__name__}")


def _list(value: Any) -> Sequence[Any]:
    if not isinstance(value, list | tuple):
        raise RenderError("template", f"items() takes a list, not a {type(value).__name__}")
    return value
