"""Tables as LaTeX, written as pandas writes them, without the templates that it needs for that."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pandas as pd

from cave_sim.errors import Blocked
from cave_sim.policy.libraries.pandas_forms import MAX_CELL_CHARS, MAX_TEXT_CHARS

PLACES = 6
"""Behind the point of a float, where no format is given."""
_SPECIAL = re.compile(r"[&%$#_{}]|[\\~^] ?")
_COMMANDS = {"\\": "\\textbackslash ", "~": "\\textasciitilde ", "^": "\\textasciicircum "}


def latex(
    table: Any,
    *,
    columns: Any = None,
    header: bool | list[str] = True,
    index: bool = True,
    index_names: bool = True,
    na_rep: str = "NaN",
    float_format: str | Callable[[float], str] | None = None,
    decimal: str = ".",
    column_format: str | None = None,
    escape: bool = False,
    caption: str | tuple[str, str] | None = None,
    label: str | None = None,
    position: str | None = None,
) -> str:
    """Return a table as ``DataFrame.to_latex`` does.

    Raises:
        Blocked: its index or its columns are of several levels, or the text would be too long.
    """
    table = table.to_frame() if isinstance(table, pd.Series) else table
    table = table if columns is None else table[[name for name in table.columns if name in columns]]
    if isinstance(table.index, pd.MultiIndex) or isinstance(table.columns, pd.MultiIndex):
        raise Blocked("to_latex: rows and columns of one level; take reset_index() first")
    if isinstance(header, list) and len(header) != table.shape[1]:
        raise ValueError(f"Writing {table.shape[1]} cols but got {len(header)} aliases")

    def shown(item: Any) -> str:
        if pd.isna(item) is True:
            return na_rep
        if isinstance(item, (float, complex)):
            return _of_number(item, float_format).replace(".", decimal)
        text = str(item)[:MAX_CELL_CHARS]
        return _escaped(text) if escape and isinstance(item, str) else text

    def lines() -> Iterator[str]:
        yield "\\toprule"
        if header is not False:
            corner = shown(name) if (name := table.columns.name) is not None and index_names else ""
            titles = header if isinstance(header, list) else [shown(each) for each in table.columns]
            yield _row([corner] if index else [], titles)
        if index and index_names and (name := table.index.name) is not None:
            yield _row([shown(name)], [""] * table.shape[1])
        yield "\\midrule"
        for first, row in zip(table.index, table.itertuples(index=False, name=None), strict=True):
            yield _row([shown(first)] if index else [], map(shown, row))
        yield "\\bottomrule"

    sides = ("r" if pd.api.types.is_numeric_dtype(each) else "l" for each in table.dtypes)
    form = column_format or "l" * index + "".join(sides)
    text = "\n".join([f"\\begin{{tabular}}{{{form}}}", *_bounded(lines()), "\\end{tabular}", ""])
    if caption is None and label is None and position is None:
        return text
    return _floating(text, caption, label, position)


def _floating(text: str, caption: str | tuple[str, str] | None, label: str | None, position: str | None) -> str:
    long, short = caption if isinstance(caption, tuple) else (caption, None)
    lines = ["\\begin{table}" + (f"[{position}]" if position else "")]
    if long:
        lines.append(f"\\caption{f'[{short}]' if short else ''}{{{long}}}")
    if label:
        lines.append(f"\\label{{{label}}}")
    return "\n".join([*lines, f"{text}\\end{{table}}", ""])


def _row(first: list[str], rest: Iterable[str]) -> str:
    return f"{' & '.join([*first, *rest])} \\\\"


def _bounded(lines: Iterable[str]) -> Iterator[str]:
    written = 0
    for line in lines:
        written += len(line)
        if written > MAX_TEXT_CHARS:
            raise Blocked(f"to_latex: a text of more than {MAX_TEXT_CHARS:,} characters; take head() of it")
        yield line


def _of_number(number: Any, float_format: str | Callable[[float], str] | None) -> str:
    if float_format is None:
        return f"{number:.{PLACES}f}"
    text = float_format % number if isinstance(float_format, str) else float_format(number)
    return str(text)[:MAX_CELL_CHARS]


def _escaped(text: str) -> str:
    """Return a text as LaTeX sets it letter by letter; a command swallows the space behind it."""

    def write(match: re.Match[str]) -> str:
        command = _COMMANDS.get(match[0][0])
        return f"\\{match[0]}" if command is None else command + "\\space " * (len(match[0]) - 1)

    return _SPECIAL.sub(write, text)
