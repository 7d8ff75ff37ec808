"""Tables as texts and back: CSV, JSON, HTML and Markdown, no file in between, and no longer than what they show."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import pandas as pd

from cave_sim.entity.values import plain_copy
from cave_sim.errors import Blocked
from cave_sim.policy.libraries.addresses import without_addresses
from cave_sim.policy.libraries.formats import checked_directives
from cave_sim.policy.libraries.latex_tables import latex
from cave_sim.policy.libraries.pandas_forms import MAX_CELL_CHARS, MAX_TEXT_CHARS, check_number_format

MAX_TEXT_FILE_CHARS = 5_000_000
MAX_INDENT = 16
_PLAIN = (str, int, float, bool, type(None), pd.Timestamp, pd.Timedelta, pd.Period, pd.Interval, np.generic)
_OPTIONS = {
    "to_csv": "index sep header columns na_rep float_format date_format index_label decimal",
    "to_json": "orient date_format date_unit double_precision indent index force_ascii lines",
    "to_html": "index header columns na_rep border max_rows max_cols justify float_format",
    "to_markdown": "index",
    "to_latex": "columns header index index_names na_rep float_format decimal column_format escape caption label "
    "position",
}
_TEXTS = (
    "na_rep", "sep", "index_label", "decimal", "justify", "header", "column_format", "caption", "label", "position"
)  # fmt: skip
_ORIENTS = (None, "records", "split", "index", "columns", "values", "table")


class StringIO(io.StringIO):
    """``io.StringIO`` in a cell: a text of bounded length that is written and read as a file is."""

    def __init__(self, initial_value: str = "", newline: str | None = "\n") -> None:
        super().__init__(_short_enough(initial_value), newline)

    def write(self, text: str, /) -> int:
        """Write a text."""
        if len(text) + self.tell() > MAX_TEXT_FILE_CHARS:
            raise Blocked(f"StringIO holds at most {MAX_TEXT_FILE_CHARS:,} characters")
        return super().write(text)

    def truncate(self, size: int | None = None, /) -> int:
        """Cut the text off, here or at a place."""
        return super().truncate(size)

    def writelines(self, lines: Iterable[str], /) -> None:  # type: ignore[override]
        """Write several texts."""
        for line in lines:
            self.write(line)

    def __exit__(self, *_: object) -> None:
        """Leave a ``with`` statement; the text stays to be read, and so to be kept."""

    def kept_as(self) -> list[Any]:
        """Return what it is made of: the text and the place in it; nothing once it is closed."""
        return [] if self.closed else [self.getvalue(), self.tell()]

    @classmethod
    def made_of(cls, parts: list[Any]) -> StringIO:
        """Return one of such parts; raises ValueError or TypeError if they are none."""
        if not parts:
            buffer = cls()
            buffer.close()
            return buffer
        text, at = parts
        buffer = cls(text)
        buffer.seek(at)
        return buffer


def _short_enough(text: Any) -> Any:
    if isinstance(text, str) and len(text) > MAX_TEXT_FILE_CHARS:
        raise Blocked(f"StringIO holds at most {MAX_TEXT_FILE_CHARS:,} characters")
    return text


def writing_text(table: Any, name: str) -> Callable[..., str | None]:
    """``to_csv``, ``to_json``, ``to_html``, ``to_markdown`` and ``to_latex``, which return the text."""

    def write(into: Any = None, **options: Any) -> str | None:
        for place in ("path_or_buf", "buf"):
            into = options.pop(place, into)
        if into is not None and type(into) is not StringIO:
            raise Blocked(f"{name}() writes no file: leave the path out, and it returns the text")
        text = _as_text(table, name, options)
        if into is None:
            return text
        into.write(text)
        return None

    return write


def _as_text(table: Any, name: str, options: dict[str, Any]) -> str:
    known = _OPTIONS[name].split()
    if set(options) - set(known):
        raise Blocked(f"{name}() takes {', '.join(known)}")
    if table.size * 8 > MAX_TEXT_CHARS:
        raise Blocked(f"{name}: a text of more than {MAX_TEXT_CHARS:,} characters; take head() of it")
    _check_options(name, options)
    if name == "to_markdown":
        return without_addresses(_markdown(table, **options))
    if name == "to_latex":
        return without_addresses(latex(table, **options))
    if name == "to_json":
        _check_plain(table)
    if name == "to_html":
        table = table.to_frame() if isinstance(table, pd.Series) else table
        with pd.option_context("display.max_colwidth", MAX_CELL_CHARS):
            return without_addresses(str(table.to_html(**options)))
    return without_addresses(str(getattr(table, name)(**options)))


def _check_options(name: str, options: dict[str, Any]) -> None:
    check_number_format(options.get("float_format"), name)
    if name != "to_json":
        checked_directives(options.get("date_format"))
    if options.get("orient") not in _ORIENTS or not 0 <= (options.get("indent") or 0) <= MAX_INDENT:
        raise Blocked(f"to_json: orient is one of {', '.join(map(str, _ORIENTS))}; indent at most {MAX_INDENT}")
    for option in _TEXTS:
        texts = given if isinstance(given := options.get(option), (list, tuple)) else (given,)
        if any(isinstance(each, str) and len(each) > MAX_CELL_CHARS for each in texts):
            raise Blocked(f"{name}: {option} of more than {MAX_CELL_CHARS} characters")


def _check_plain(table: Any) -> None:
    """What is written as JSON is plain data: of an object pandas would write out every attribute that it has."""
    columns = [table] if isinstance(table, pd.Series) else [table.iloc[:, at] for at in range(table.shape[1])]
    labels = [table.name] if isinstance(table, pd.Series) else [table.columns, *table.columns.names]
    for part in (*columns, table.index, *table.index.names, *labels):
        for item in _objects(part):
            if not isinstance(item, _PLAIN):
                plain_copy(item)


def _objects(part: Any) -> Iterable[Any]:
    if isinstance(part, pd.MultiIndex):
        return [item for level in part.levels for item in _objects(level)]
    if isinstance(part, (pd.Series, pd.Index)):
        categories = part.cat.categories if isinstance(part, pd.Series) and part.dtype == "category" else part
        return categories.tolist() if categories.dtype == object else ()
    return (part,)


def _markdown(table: Any, *, index: bool = True) -> str:
    table = table.to_frame() if isinstance(table, pd.Series) else table
    if index:
        table = table.reset_index(names="") if not isinstance(table.index, pd.MultiIndex) else table.reset_index()
    rows = [[_shown(item) for item in row] for row in table.itertuples(index=False, name=None)]
    titles = [str(name) for name in table.columns]
    numeric = [pd.api.types.is_numeric_dtype(dtype) for dtype in table.dtypes]
    widths = [max([3, len(title), *(len(row[at]) for row in rows)]) for at, title in enumerate(titles)]
    if sum(widths) * (len(rows) + 2) > MAX_TEXT_CHARS:
        raise Blocked(f"to_markdown: a text of more than {MAX_TEXT_CHARS:,} characters")

    def line(cells: list[str]) -> str:
        padded = (
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(cells, widths, numeric, strict=True)
        )
        return f"| {' | '.join(padded)} |"

    rule = [
        f"{'-' * (width + 1)}:" if right else f":{'-' * (width + 1)}"
        for width, right in zip(widths, numeric, strict=True)
    ]
    return "\n".join([line(titles), f"|{'|'.join(rule)}|", *map(line, rows)])


def _shown(item: Any) -> str:
    return f"{item:g}" if isinstance(item, float) else str(item).replace("|", "\\|").replace("\n", " ")


def describing(table: Any, print_: Callable[..., None]) -> Callable[..., None]:
    """``table.info()``, without the memory that the table takes on this machine; printed, or written to a StringIO."""

    def info(
        verbose: Any = None, buf: Any = None, max_cols: Any = None, memory_usage: Any = None, show_counts: Any = None
    ) -> None:
        given = {"verbose": verbose, "max_cols": max_cols, "memory_usage": memory_usage, "show_counts": show_counts}
        if any(type(each) not in (bool, int, str, type(None)) for each in given.values()):
            raise Blocked("info() takes plain values")
        if buf is not None and type(buf) is not StringIO:
            raise Blocked("info() writes no file: leave buf out, or give it a StringIO")
        text = io.StringIO()
        table.info(buf=text, **{**given, "memory_usage": False})
        summary = without_addresses(text.getvalue().rstrip("\n"))
        if buf is None:
            print_(summary, end="" if memory_usage is False else "\n")  # as pandas does
        else:
            buf.write(summary if memory_usage is False else f"{summary}\n")

    return info


_READ_CSV = (
    "sep header names index_col usecols dtype parse_dates na_values keep_default_na nrows skiprows decimal thousands "
    "comment quotechar dayfirst skipinitialspace true_values false_values date_format delimiter"
).split()


def read_csv(source: Any, **options: Any) -> Any:
    """``pd.read_csv`` of a text: ``pd.read_csv(StringIO(text))``."""
    if set(options) - set(_READ_CSV):
        raise Blocked(f"read_csv takes {', '.join(_READ_CSV)}")
    for option in ("usecols", "skiprows", "date_format"):
        if callable(options.get(option)):
            raise Blocked(f"read_csv: {option} is no function here")
    if len(str(options.get("sep", options.get("delimiter", ",")))) > 1 and options.get("sep") != r"\s+":
        raise Blocked("read_csv: sep is one character, or r'\\s+'")
    return pd.read_csv(io.StringIO(_text_of(source, "read_csv")), **options)


def read_json(source: Any, orient: str | None = None, *, lines: bool = False) -> Any:
    """``pd.read_json`` of a text: ``pd.read_json(StringIO(text))``; dates stay texts."""
    return pd.read_json(
        io.StringIO(_text_of(source, "read_json")),
        orient=orient,
        lines=lines,
        convert_dates=False,
    )


def _text_of(source: Any, name: str) -> str:
    if type(source) is not StringIO:
        raise Blocked(f"pd.{name} reads no file: there is nothing outside to read; give it io.StringIO(text)")
    return source.read()


IO = {"StringIO": StringIO}
READERS: dict[str, Callable[..., Any]] = {"read_csv": read_csv, "read_json": read_json}
"""What of ``io`` and pandas reads and writes texts."""
