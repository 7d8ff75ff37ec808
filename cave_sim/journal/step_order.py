"""Writing a run's file anew as the run wrote it: step by step, so that one that is cut off has its first steps."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from cave_sim.journal.tables import INDEXES, TABLES, statements

BEFORE = """
SELECT step, last_turn, last_call, lag(last_turn, 1, 0) OVER (ORDER BY step), lag(last_call, 1, 0) OVER (ORDER BY step)
FROM run.steps ORDER BY step
"""
OF_STEP = {
    "cells": "hash IN (SELECT cell FROM run.turns WHERE turn > :turn AND turn <= :last_turn) ORDER BY rowid",
    "turns": "turn > :turn AND turn <= :last_turn ORDER BY turn",
    "changes": "turn > :turn AND turn <= :last_turn ORDER BY turn, position",
    "texts": "rowid <= :last_call * (SELECT max(rowid) FROM run.texts) / (SELECT max(call) FROM run.calls)"
    " AND rowid > :call * (SELECT max(rowid) FROM run.texts) / (SELECT max(call) FROM run.calls) ORDER BY rowid",
    "calls": "call > :call AND call <= :last_call ORDER BY call",
    **dict.fromkeys(("snapshots", "measures", "effects", "steps"), "step = :step"),
}
"""Table -> which of its rows belong to a step. Texts came in the order of the calls that first used them, about."""
SORTED_FIRST = ("events", "sessions", "kept", "answers")
"""Tables without an index by step: they are sorted by it once, and not searched through for each step."""


def write_in_order_of_steps(file: sqlite3.Connection, path: Path) -> None:
    """Let a file say the same in another order, in one transaction; nobody may write the run meanwhile.

    Args:
        file: a connection to it, in no transaction.
        path: where it is.

    Raises:
        sqlite3.Error: it cannot be read or written; it is as it was.
    """
    with (
        TemporaryDirectory(prefix="compacting-", dir=path.parent) as workshop,
        closing(sqlite3.connect(Path(workshop) / path.name, isolation_level=None)) as ordered,
    ):
        ordered.execute("PRAGMA synchronous = OFF")
        ordered.execute("ATTACH ? AS run", (str(path),))
        ordered.execute("BEGIN")
        _copy(ordered)
        ordered.execute("COMMIT")
        ordered.execute("DETACH run")
        ordered.backup(file)


def _copy(target: sqlite3.Connection) -> None:
    there = {name for (name,) in target.execute("SELECT name FROM run.sqlite_master")}
    tables = {sql.split()[2]: sql for sql in statements(TABLES)}
    tables = {name: sql for name, sql in tables.items() if name in there}
    for sql in tables.values():
        target.execute(sql)
    target.execute("INSERT INTO main.manifest SELECT * FROM run.manifest ORDER BY rowid")
    sources = {table: (f"run.{table}", rows) for table, rows in OF_STEP.items() if table in tables}
    for table in filter(tables.__contains__, SORTED_FIRST):
        target.execute(f"CREATE TEMP TABLE sorted_{table} AS SELECT * FROM run.{table} ORDER BY step")
        target.execute(f"CREATE INDEX temp.{table}_by_step ON sorted_{table} (step)")
        sources[table] = f"temp.sorted_{table}", "step = :step ORDER BY rowid"
    sources["steps"] = sources.pop("steps")  # a step is there when all that belongs to it is
    for step, last_turn, last_call, turn, call in target.execute(BEFORE).fetchall():
        bounds = {"step": step, "turn": turn, "last_turn": last_turn, "call": call, "last_call": last_call}
        for table, (source, rows) in sources.items():
            target.execute(f"INSERT OR IGNORE INTO main.{table} SELECT * FROM {source} WHERE {rows}", bounds)
    for table in tables:  # what belongs to no step, such as calls of one that was broken off
        target.execute(f"INSERT OR IGNORE INTO main.{table} SELECT * FROM run.{table}")
    for sql in statements(INDEXES):
        if sql.split()[5] in there:
            target.execute(sql)
