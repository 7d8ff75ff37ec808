"""The seals of tables whose rows come between steps, where no step's seal covers them.

Rows of these tables come, are replaced, and go one by one: a request to a tool is noted before and after it is done,
people answer when they like. So the seal of such a table is the sum of the digests of its rows, modulo 2^256, as the
state hash is that of entities: it is brought up to date by what changed, however many rows there are.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from cave_sim.determinism.canonical_json import to_json
from cave_sim.errors import JournalError

BETWEEN_STEPS = ("answers", "effects", "inbox")
"""The tables that have such a seal; one without rows needs none."""
_MODULUS = 1 << 256
_BROKEN = "rows in {table} were changed, added or taken away: the seal of the table does not hold"

Query = Callable[..., Iterable[tuple[Any, ...]]]
"""Runs a statement in SQL, which is given with its parameters one by one, and returns its rows."""


@contextmanager
def resealed(query: Query, table: str, where: str, *parameters: Any) -> Iterator[None]:
    """Bring the seal of a table up to date by what becomes here of some rows, within a transaction.

    Args:
        query: runs a statement on the run's file.
        table: one of :data:`BETWEEN_STEPS`.
        where: in SQL, which rows are written, replaced or deleted.
        parameters: of that.
    """
    rows = f"SELECT * FROM {table} WHERE {where}"
    before = _sum(query(rows, *parameters))
    yield
    seal = _number(_recorded(query, table)) - before + _sum(query(rows, *parameters))
    query("INSERT OR REPLACE INTO table_seals VALUES (?, ?)", table, f"{seal % _MODULUS:064x}")


def seal_anew(query: Query) -> None:
    """Seal all these tables as they are now, whatever was said of them."""
    query("DELETE FROM table_seals")
    for table in BETWEEN_STEPS:
        query("INSERT INTO table_seals VALUES (?, ?)", table, f"{_sum(query(f'SELECT * FROM {table}')):064x}")


def broken_seals(query: Query) -> Iterator[str]:
    """Yield, in words, which of these tables are not as they were written."""
    there = {name for (name,) in query("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if "table_seals" in there:
        marks = ", ".join("?" * len(BETWEEN_STEPS))
        if list(query(f"SELECT 1 FROM table_seals WHERE name NOT IN ({marks})", *BETWEEN_STEPS)):
            yield "there are seals of tables that have none"
    for table in BETWEEN_STEPS:
        recorded = _recorded(query, table) if "table_seals" in there else ""
        if table in there and _sum(query(f"SELECT * FROM {table}")) != _number(recorded):
            yield _BROKEN.format(table=table)


def expect_sealed(query: Query, folder: Path) -> None:
    """Refuse a run in which such a table is not as it was written: nothing is done that only a forged row asks for.

    Raises:
        JournalError: so it is.
    """
    for problem in broken_seals(query):
        raise JournalError(f"{folder} is damaged: {problem}")


def _recorded(query: Query, table: str) -> Any:
    seals = list(query("SELECT seal FROM table_seals WHERE name = ?", table))
    return seals[0][0] if seals else ""


def _number(seal: Any) -> int:
    """Return what a seal comes to: 0 where there is none, and what no sum is where it is none."""
    if seal == "":
        return 0
    return int(seal, 16) if isinstance(seal, str) and re.fullmatch("[0-9a-f]{64}", seal) else -1


def _sum(rows: Iterable[tuple[Any, ...]]) -> int:
    return sum(int.from_bytes(_digest(row)) for row in rows) % _MODULUS


def _digest(row: tuple[Any, ...]) -> bytes:
    """Return the digest of a row. Bytes, and fractions where only a stranger wrote any, stand in it marked as such."""
    values = [
        {"bytes": value.hex()} if isinstance(value, bytes) else [repr(value)] if isinstance(value, float) else value
        for value in row
    ]
    return hashlib.sha256(to_json(values)).digest()
