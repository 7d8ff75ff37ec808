"""Making the file of a run smaller: prompts and sessions are packed, snapshots that a few others can stand for go.

It is written in the order of steps, not table by table: one that is cut off afterwards still has its first steps.

Turns, changes, cells, measures, events and calls stay plain text, and every hash and seal goes on holding: a text is
named and sealed by what it says, not by how it is kept, and a snapshot leaves the digest by which its step's seal
covers it.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from cave_sim.errors import JournalError
from cave_sim.journal.hash_chain import manifest_seal, snapshot_digest
from cave_sim.journal.lock import lock
from cave_sim.journal.sidecars import expect_harmless
from cave_sim.journal.step_order import write_in_order_of_steps
from cave_sim.journal.tables import DATABASE
from cave_sim.journal.text_compression import DICTIONARY, dictionary_entry, register_plain

PACKED = {"texts": "text", "sessions": "rows"}
"""Where long texts that repeat each other are: table -> column."""
SAMPLES = 12
"""How many texts of each column the dictionary is made of."""
DICTIONARY_BYTES = 32_768
"""As much as zlib looks back."""
SNAPSHOTS_APART = 10
"""One snapshot in so many stays, and the last."""

SAMPLE = """
SELECT {column} FROM (SELECT {column}, row_number() OVER (ORDER BY {column}) AS place FROM {table})
WHERE place % (SELECT 1 + count(*) / ? FROM {table}) = 0
"""
THIN_OUT = """
UPDATE snapshots SET state = digest(state) WHERE step IN (
    SELECT step FROM (
        SELECT step, row_number() OVER (ORDER BY step) AS place, count(*) OVER () AS places FROM snapshots
    ) WHERE place % ? <> 1 AND place < places
)
"""


@dataclass(frozen=True, slots=True)
class Compaction:
    """The size of the file before and after, in bytes."""

    before_bytes: int
    after_bytes: int


def compact(folder: Path) -> Compaction:
    """Make the file of a run smaller, whether it has ended or is to be gone on with; doing it again is harmless.

    The run must be whole: look at :func:`cave_sim.journal.integrity.problems` first. Killed at any moment, the file is
    either as it was, or packed.

    Raises:
        JournalError: another process writes or reads the run, or the file cannot be written.
    """
    path = folder / DATABASE
    expect_harmless(path)
    with closing(lock(folder)), closing(sqlite3.connect(path, isolation_level=None)) as file:
        try:
            file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            before = path.stat().st_size
            file.execute("BEGIN EXCLUSIVE")
            _pack(file)
            _thin_out(file)
            file.execute("COMMIT")
            write_in_order_of_steps(file, path)
            file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        except sqlite3.Error as error:
            raise JournalError(f"{path} cannot be compacted: {error}") from None
    return Compaction(before, path.stat().st_size)


def _pack(file: sqlite3.Connection) -> None:
    if not file.execute("SELECT 1 FROM manifest WHERE key = ?", (DICTIONARY,)).fetchone():
        _add_dictionary(file)
    file.create_function("pack", 1, register_plain(file).pack, deterministic=True)
    for table, column in PACKED.items():
        file.execute(f"UPDATE {table} SET {column} = pack({column}) WHERE typeof({column}) = 'text'")


def _add_dictionary(file: sqlite3.Connection) -> None:
    """Make a dictionary of pieces of texts from all over, if there is any text."""
    share = DICTIONARY_BYTES // len(PACKED)
    pieces = [_pieces(file, table, column, share) for table, column in PACKED.items()]
    if any(pieces):
        file.execute("INSERT INTO manifest VALUES (?, ?)", dictionary_entry(b"".join(pieces)))
        seal = manifest_seal(file.execute("SELECT key, value FROM manifest").fetchall())
        file.execute("UPDATE manifest SET value = ? WHERE key = 'seal'", (f'"{seal}"',))


def _pieces(file: sqlite3.Connection, table: str, column: str, share: int) -> bytes:
    """Return so many bytes of what a column says, in pieces of equal length, in alphabetical order."""
    samples = [text.encode() for (text,) in file.execute(SAMPLE.format(table=table, column=column), (SAMPLES,))]
    return b"".join(text[: share // len(samples)] for text in samples)


def _thin_out(file: sqlite3.Connection) -> None:
    file.create_function("digest", 1, snapshot_digest, deterministic=True)
    file.execute(THIN_OUT, (SNAPSHOTS_APART,))
