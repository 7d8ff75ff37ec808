"""Queries of whoever reads a run: what is wrong with the query, not the file, and no answer that fills a machine."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import Any

from cave_sim.diagnostics.plurals import counted
from cave_sim.errors import JournalError
from cave_sim.journal.confinement import MAY_BE_ASKED

CORE = {"manifest", "steps", "turns", "changes", "snapshots", "measures"}
"""Tables without which a file is no run, of whatever format."""
_TOO_BIG = "string or blob too big"
_OF_THE_QUERY = (
    *("near ", "no such", "incomplete input", "unrecognized token", "attempt to write", "wrong number of"),
    *("not authorized", "authorization denied", "access to ", _TOO_BIG),
)
"""How SQLite begins to say that it is a query that is wrong."""


def wrong_query(connection: sqlite3.Connection, error: sqlite3.DatabaseError) -> JournalError | None:
    """Return what is wrong with a query; None if it is the file."""
    if not isinstance(error, sqlite3.ProgrammingError) and not str(error).startswith(_OF_THE_QUERY):
        return None
    there = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if not there >= CORE:
        return None
    if str(error) == _TOO_BIG:
        most_bytes = connection.getlimit(sqlite3.SQLITE_LIMIT_LENGTH)
        return JournalError(f"the query cannot be run: a value of it has more than {most_bytes / 1e6:,.0f} MB")
    return JournalError(
        f"the query cannot be run: {str(error).rstrip('.')}. A run has the tables {', '.join(sorted(there))},"
        f" and is only read: {MAY_BE_ASKED}"
    )


def held(found: Iterable[tuple[Any, ...]], most_bytes: int) -> list[tuple[Any, ...]]:
    """Return rows, if there is room for their texts.

    Raises:
        JournalError: they come to more than so many bytes.
    """
    rows, held_bytes = [], 0
    for row in found:
        rows.append(row)
        for value in row:
            if value.__class__ is str or value.__class__ is bytes:
                held_bytes += len(value)
        if held_bytes > most_bytes:
            raise JournalError(
                f"the query cannot be run: its first {counted(len(rows), 'row')} hold more than "
                f"{most_bytes / 1e6:,.0f} MB; ask for less, or read them one by one with run.rows(sql)"
            )
    return rows
