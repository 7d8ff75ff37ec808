"""Texts that are data, made harmless in a format: what they say is shown, and never obeyed."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from unicodedata import normalize

from markupsafe import Markup, escape

CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]|[\ud800-\udfff]")
"""What no format of ours may hold; the marks between the blocks of a Word document are among them."""
_TURNING = re.compile("[\u202a-\u202e\u2066-\u2069]")
"""What makes all that stands behind it on a line run the other way; letters that run so need none of it."""
LATEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "`": r"\textasciigrave{}",
}
_LATEX = str.maketrans(LATEX)
LONGEST_WORD = 24
"""Letters that any column has room for."""
_LATEX_PLAIN = re.compile(rf"[A-Za-z0-9][A-Za-z0-9 .,:;()+-]{{0,{LONGEST_WORD - 1}}}").fullmatch
"""Says of most cells of a table that LaTeX shows them as they are."""
_LATEX_SHORT = re.compile(rf"[A-Za-z0-9][ -~]{{0,{LONGEST_WORD - 1}}}").fullmatch
"""Says of most others that nothing is to be cleaned, no word to be broken, and no option begun."""
MAY_BREAK = r"\allowbreak{}"
_LONG_WORD = re.compile(rf"(\S{{{LONGEST_WORD + 1},}})")
_PIECE = re.compile(r"\S{1,12}[\u0300-\u036f\u200d\ufe0e\ufe0f]*")
_EMPTY_LINES = re.compile(r"\n\s*\n")
_MARKDOWN = {sign: f"\\{sign}" for sign in "\\`*_[]{}>|~$"} | {"<": "&lt;", "&": "&amp;", "\n": " ", "\r": " "}
_MARKED = str.maketrans(_MARKDOWN)
_LINE_START = re.compile(r"(\s*)([#+=-]|\d+(?=[.)]))")


def clean(text: str) -> str:
    """Return a text without control characters, halves of characters, and signs that turn what stands behind them."""
    if type(text) is str and text.isprintable():  # none of them is
        return text
    return upright(CONTROLS.sub("", text))


def upright(text: str) -> str:
    """Return a text without signs that turn round what stands behind them: a name could reverse a sentence."""
    return text if text.isascii() else _TURNING.sub("", text)


def html(text: str) -> str:
    """Return a text as HTML shows it, in elements and in attributes."""
    return str(escape(clean(text)))


def latex(text: str) -> str:
    """Return a text as LaTeX shows it: a word that is longer than a line may be broken, without a hyphen."""
    if _LATEX_PLAIN(text):
        return text
    if _LATEX_SHORT(text):
        return text.translate(_LATEX)
    line = _latex(text)
    if len(line) <= LONGEST_WORD or not _LONG_WORD.search(line):
        return _no_option(line)
    parts = _LONG_WORD.split(normalize("NFC", clean(text)))  # words at odd places
    return _no_option(
        "".join(
            MAY_BREAK.join(map(_latex, _PIECE.findall(part))) if at % 2 else _latex(part)
            for at, part in enumerate(parts)
        )
    )


def latex_line(text: str) -> str:
    """Return a text as LaTeX shows it, with no word broken; an empty line would begin a paragraph: there is none."""
    return _no_option(_latex(text))


def _no_option(line: str) -> str:
    """Return a text that no command before it takes for its option, such as the end of a row of a table."""
    return f"{{}}{line}" if line.lstrip().startswith(("[", "*")) else line


def _latex(text: str) -> str:
    cleaned = normalize("NFC", clean(text))
    return (_EMPTY_LINES.sub("\n", cleaned) if "\n" in cleaned else cleaned).translate(_LATEX)


def markdown(text: str) -> str:
    """Return a text as Markdown shows it, on one line of its own or within one."""
    marked = markdown_within(text)
    begin = _LINE_START.match(marked)
    if begin is None:
        return marked
    sign = f"{begin[2]}\\" if begin[2].isdigit() else f"\\{begin[2]}"  # a list's number is escaped at its point
    return f"{begin[1]}{sign}{marked[begin.end() :]}"


def markdown_within(text: str) -> str:
    """Return a text as Markdown shows it where it does not begin a line."""
    return clean(text).translate(_MARKED)


def plain(text: str) -> str:
    """Return a text as it is."""
    return clean(text)


ESCAPES: dict[str, Callable[[str], str]] = {"html": html, "latex": latex, "markdown": markdown, "docx": plain}
SAFE = Markup
"""The type of what is escaped already, in whatever format."""


def column_texts(table: Mapping[str, Any], escape: Callable[[str], str]) -> list[list[str]]:
    """Return the cells of a table as they are written, by column: most columns are of texts or of numbers alone."""
    return [_shown(column, escape) for column in zip(*table["rows"], strict=True)] or [[] for _ in table["columns"]]


def _shown(cells: Sequence[Any], escape: Callable[[str], str]) -> list[str]:
    kinds = set(map(type, cells))
    if kinds <= {str}:
        return list(map(escape, cells))
    if kinds.isdisjoint((str, type(None))):
        return list(map(str, cells))  # a number has nothing that were to be escaped
    return [escape(cell) if type(cell) is str else shown_cell(cell) for cell in cells]


def shown_cell(cell: Any) -> str:
    """Return a cell of a table as a text that is not escaped yet."""
    return "" if cell is None else str(cell)
