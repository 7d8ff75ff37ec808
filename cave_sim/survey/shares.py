"""Files of people and of shares of people, as CSV: each figure with its source, each mistake told by its line."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pandas as pd

from cave_sim.errors import WorldError
from cave_sim.files.given_files import given_text, why_unread

SHARE = re.compile(r"0*(\.\d+)?|1(\.0+)?|0(\.\d+)?")
ROUNDING = 0.005
"""By how much each share may be off, as printed figures are."""


def read_table(path: str | Path) -> tuple[list[str], list[dict[str, str]]]:
    """Return the columns of a CSV file, and its rows as texts by column.

    Raises:
        WorldError: it cannot be read, or has no rows; the text names the line.
    """
    try:
        reader = csv.DictReader(
            io.StringIO(given_text(path)), restval="", restkey="", strict=True, skipinitialspace=True
        )
        columns = [name.strip() for name in reader.fieldnames or ()]
        reader.fieldnames = columns
        rows = list(reader)
    except (OSError, ValueError, csv.Error) as error:
        reason = why_unread(error) if isinstance(error, OSError) else str(error)
        if isinstance(error, UnicodeDecodeError):
            reason = "it is not in UTF-8; save it as such"
        raise WorldError(f"{path} cannot be read as CSV: {reason}") from None
    if len(columns) == 1 and ";" in columns[0]:
        raise WorldError(f"{path} has semicolons between its columns, as some spreadsheets write: put commas there")
    if twice := [name for number, name in enumerate(columns) if name in columns[:number]]:
        raise WorldError(f"{path} has two columns {twice[0]!r}: leave one of them")
    if not columns or not rows:
        raise WorldError(f"{path} cannot be read as CSV: it has no line of people below a line of columns")
    for number, row in enumerate(rows, start=2):
        if "" in row:
            raise WorldError(f"{path}, line {number}: it has more cells than there are columns")
    return columns, rows


def read_shares(path: str | Path, of: str) -> pd.DataFrame:
    """Return a file of shares: what there are shares of, ``value``, ``share`` and ``source``, a row for each line.

    Args:
        path: a CSV file with these columns.
        of: the column that says what there are shares of: ``item`` of a questionnaire, ``variable`` of people.

    Raises:
        WorldError: it cannot be read, lacks a column or a source, or shares are none; the text names the line.
    """
    columns, rows = read_table(path)
    wanted = (of, "value", "share", "source")
    if missing := [name for name in wanted if name not in columns]:
        raise WorldError(f"{path} lacks the column {missing[0]!r}; it needs {', '.join(wanted)}")
    table = pd.DataFrame([{name: row[name].strip() for name in wanted} for row in rows])
    for number, row in enumerate(rows, start=2):
        if not row["source"].strip():
            raise WorldError(f"{path}, line {number}: source is empty: say where the figure comes from")
        if not SHARE.fullmatch(row["share"].strip()) or not row["share"].strip():
            raise WorldError(f"{path}, line {number}: share {row['share']!r} is no number from 0 to 1")
    expect_different(path, table, of)
    table["share"] = table["share"].astype(float)
    for name, shares in table.groupby(of, sort=False)["share"]:
        if abs(shares.sum() - 1) > ROUNDING * len(shares):
            raise WorldError(f"{path}: the shares of {name!r} sum to {shares.sum():g}, not to 1")
    return table


def expect_different(path: str | Path, table: pd.DataFrame, of: str) -> None:
    """Raise WorldError, with the line, if a value stands twice in a file of shares."""
    if (again := table.duplicated([of, "value"])).any():
        raise WorldError(f"{path}, line {int(again.argmax()) + 2}: this value of the {of} stands in an earlier line")
