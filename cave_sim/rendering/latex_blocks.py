"""The blocks of LaTeX documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cave_sim.rendering import escaping
from cave_sim.rendering.chart_svg import COLOURS

LINE_CHARS = 84
"""So many letters fit on a line."""
LABEL_CHARS = 160
"""A label is one line, and TeX knows no line that is longer than six metres."""
PGF_LABELS = {"title": "title", "xlabel": "x_label", "ylabel": "y_label"}


class LatexBlocks:
    """LaTeX, as the body of a document that has longtable and pgfplots."""

    LEVELS: tuple[str, ...] = ("section*", "subsection*", "subsubsection*", "paragraph*", "paragraph*", "paragraph*")

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
        columns = escaping.column_texts(table, escaping.latex)
        rows = "".join([f"{' & '.join(line)} \\\\\n" for line in zip(*columns, strict=True)])
        caption = f"{escaping.latex(table['caption'])}\n\n" if table.get("caption") else ""
        body = f"{head} \\\\\n\\hline\n\\endhead\n{rows}"
        stand = _latex_columns(table["columns"], columns)
        return f"{caption}\\begin{{longtable}}{{{stand}}}\n{body}\\end{{longtable}}\n\n"

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


def _latex_columns(names: Sequence[str], columns: Sequence[Sequence[str]]) -> str:
    """Return how the columns of a table stand: as wide as they are while all of them fit on a page, else in shares."""
    widths = [max([len(name), *map(len, cells)]) for name, cells in zip(names, columns, strict=True)]
    if sum(widths) > LINE_CHARS:
        widths = [max(map(_width, [name, *cells])) for name, cells in zip(names, columns, strict=True)]
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
