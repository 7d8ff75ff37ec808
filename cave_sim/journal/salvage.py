"""What can still be read of a damaged file, row by row, into a new one."""

from __future__ import annotations

import json
import sqlite3
import zlib
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from cave_sim.determinism.canonical_json import to_json
from cave_sim.journal.copying import copy_database
from cave_sim.journal.first_page import mended
from cave_sim.journal.hash_chain import text_hash
from cave_sim.journal.integrity import IN_ORDER
from cave_sim.journal.opening import Patience
from cave_sim.journal.rebuild import SNAPSHOT_BYTES, entities_of
from cave_sim.journal.sidecars import expect_harmless
from cave_sim.journal.text_compression import register_plain

ORDERS: dict[str, tuple[str, ...]] = {
    "manifest": ("key", "rowid", "rowid DESC"),
    "steps": ("step",),
    "cells": ("hash", "rowid", "rowid DESC"),
    "texts": ("hash", "rowid", "rowid DESC"),
    **{table: (order,) for table, order in IN_ORDER.items()},
    "kept": ("agent, kind, step", "agent DESC, kind DESC, step DESC"),
    "answers": ("survey, step, agent, item", "survey DESC, step DESC, agent DESC, item DESC"),
    "effects": ("entry",),
}
"""In which orders a table is read, each up to its first row that cannot be: steps need all before them, texts not.

Each is an order in which the table lies: to sort it, SQLite would read all of it before the first row.
"""
TEXTS = {"cells": "code", "texts": "plain(text)"}
LONGEST_S = 60.0


def salvage(path: Path, target: sqlite3.Connection) -> list[str]:
    """Copy every row that can be read of a run's file; texts that are not what they are called are left out.

    Args:
        path: of the damaged file; it is only read.
        target: an empty file with the tables of a run.

    Returns:
        The tables that could not be read as a whole.

    Raises:
        JournalError: a journal beside the file names files of others.
    """
    expect_harmless(path)
    with TemporaryDirectory(prefix="cave-sim-", ignore_cleanup_errors=True) as workshop:
        copied = Path(workshop) / path.name
        copy_database(path, copied.parent)
        target.execute("BEGIN")  # one transaction: each row by itself would wait for the disk
        unread = list(ORDERS)
        for _ in mended(copied):
            unread = _copy_all(copied, target)
            if _holds(target):
                break
    _drop_what_is_wrong(target)
    target.execute("COMMIT")
    return unread


def _copy_all(path: Path, target: sqlite3.Connection) -> list[str]:
    """Copy what can be read of all tables, and return those that could not be read as a whole."""
    unread = list(ORDERS)
    with closing(sqlite3.connect(path)) as torn, suppress(sqlite3.Error):
        Patience(torn, LONGEST_S)
        torn.text_factory = _text
        torn.execute("PRAGMA trusted_schema = OFF")
        torn.execute("PRAGMA writable_schema = ON")  # what is wrong with the schema itself is passed over
        for table, orders in ORDERS.items():
            whole = [_copy(torn, target, table, order) for order in orders]  # an index may lack rows, and not say so
            if any(whole):
                unread.remove(table)
    return unread


def _holds(target: sqlite3.Connection) -> bool:
    """Say whether something of a run was read: of a file whose first page is damaged, nothing is."""
    return all(target.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in ("steps", "turns", "changes"))


def write_beginning_anew(target: sqlite3.Connection) -> None:
    """Write what the first step created as its snapshot has it, for it holds the same; hashes tell whether it does."""
    with suppress(sqlite3.Error, zlib.error, ValueError, LookupError, TypeError):
        [packed] = target.execute("SELECT state FROM snapshots ORDER BY step LIMIT 1").fetchone()
        entities = entities_of(msgspec.json.decode(zlib.decompressobj().decompress(packed, SNAPSHOT_BYTES)))
        last_turn = "(SELECT min(last_turn) FROM steps)"
        target.executemany(
            f"UPDATE changes SET new = ? WHERE entity = ? AND op = 'create' AND turn <= {last_turn}",
            [(to_json(entity).decode(), name) for name, entity in entities.items()],
        )


def _copy(torn: sqlite3.Connection, target: sqlite3.Connection, table: str, order: str) -> bool:
    """Copy rows up to the first that cannot be read, and say whether all could."""
    with suppress(sqlite3.Error, OverflowError, UnicodeError):
        for row in torn.execute(f"SELECT * FROM {table} ORDER BY {order}"):
            marks = ", ".join("?" * len(row))
            with suppress(sqlite3.IntegrityError):
                target.execute(f"INSERT OR IGNORE INTO {table} VALUES ({marks})", row)
        return True
    return False


def _text(raw: bytes) -> str:
    """Return a column as text; what is none is replaced, and found out by its hash."""
    return raw.decode("utf-8", "replace")


def _drop_what_is_wrong(target: sqlite3.Connection) -> None:
    """Leave out what is not what its name or its form says."""
    for key, value in target.execute("SELECT key, value FROM manifest").fetchall():
        if not _is_json(value):
            target.execute("DELETE FROM manifest WHERE key = ?", (key,))
    with suppress(sqlite3.Error, ValueError, TypeError):
        register_plain(target)
    for table, column in TEXTS.items():
        for (name,) in target.execute(f"SELECT hash FROM {table}").fetchall():
            if not _is_called(target, table, column, name):
                target.execute(f"DELETE FROM {table} WHERE hash = ?", (name,))


def _is_called(target: sqlite3.Connection, table: str, column: str, name: str) -> bool:
    try:
        text = target.execute(f"SELECT {column} FROM {table} WHERE hash = ?", (name,)).fetchone()[0]
        return text_hash(text) == name or (table == "texts" and text == name)  # it was left out
    except (sqlite3.Error, TypeError, ValueError, AttributeError):
        return False


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (TypeError, ValueError, RecursionError):
        return False
    return True
