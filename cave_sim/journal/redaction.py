"""Leaving out of a run's file what its models were asked: hashes stand in for it, and every step's hash and seal hold.

A text of a prompt is named by its hash already, and a session's rows are sealed by their digest, so either can go. What
models answered, what cells did and what the world was stays: by that the run is run again.
"""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

from cave_sim.errors import JournalError
from cave_sim.journal.hash_chain import manifest_seal, rows_digest, text_hash
from cave_sim.journal.table_seals import seal_anew
from cave_sim.journal.text_compression import DICTIONARY, register_plain

REDACTED = "redacted"
"""The entry of the manifest that says how many texts were left out, and of which other entries."""
OF_PROMPTS = ("prompts", "prompts_of", DICTIONARY)
"""Entries of the manifest that hold texts of prompts; the dictionary is made of pieces of them."""
_MARKS = ", ".join("?" * len(OF_PROMPTS))


def redact(file: sqlite3.Connection) -> int:
    """Leave out every text of a prompt and every row of a session, for good; returns how many texts there were.

    Args:
        file: the database of a run, open for writing; nobody else reads it.
    """
    if mark := file.execute("SELECT value FROM manifest WHERE key = ?", (REDACTED,)).fetchone():
        return int(json.loads(mark[0])["texts"])
    register_plain(file)
    file.create_function("rows_digest", 1, rows_digest, deterministic=True)
    file.create_function("text_hash", 1, text_hash, deterministic=True)
    with file:
        ((count,),) = file.execute("SELECT count(*) FROM texts").fetchall()
        file.execute("UPDATE texts SET text = hash")
        file.execute("UPDATE sessions SET rows = rows_digest(plain(rows))")
        if file.execute("SELECT 1 FROM sqlite_master WHERE name = 'answers'").fetchone():
            file.execute("UPDATE answers SET question = text_hash(question)")
            if file.execute("SELECT 1 FROM sqlite_master WHERE name = 'table_seals'").fetchone():
                seal_anew(lambda sql, *parameters: file.execute(sql, parameters).fetchall())
        _redact_manifest(file, count)
    file.execute("VACUUM")  # what was left out stands in free pages until then
    return int(count)


def _redact_manifest(file: sqlite3.Connection, texts: int) -> None:
    """Leave out the texts of its own that a run was begun with; only here is a new seal made, as by compaction."""
    entries = file.execute(f"SELECT key, value FROM manifest WHERE key IN ({_MARKS})", OF_PROMPTS).fetchall()
    left_out = {key: text_hash(value) for key, value in entries if key != DICTIONARY}
    file.execute(f"DELETE FROM manifest WHERE key IN ({_MARKS})", OF_PROMPTS)
    mark = json.dumps({"texts": texts, **left_out})
    file.execute("INSERT OR REPLACE INTO manifest VALUES (?, ?)", (REDACTED, mark))
    seal = manifest_seal(file.execute("SELECT key, value FROM manifest").fetchall())
    file.execute("UPDATE manifest SET value = ? WHERE key = 'seal'", (f'"{seal}"',))


def expect_prompts(folder: Path, redacted: object) -> None:
    """Refuse a run whose prompts were left out, where they are needed.

    Args:
        folder: of the run.
        redacted: as its manifest has it.

    Raises:
        JournalError: they were left out.
    """
    if redacted is not None:
        raise JournalError(
            f"{folder}: what its models were asked was left out when it was handed on (--redact), with what they"
            " remembered: it can be read, verified and compared, but not gone on with, branched, or learned from"
        )
