"""The journal of one run: every turn, every change, one transaction a step, each step chained to the one before.

What was committed survives ``kill -9``: SQLite writes ahead, and an unfinished step is simply not there.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from cave_sim.digest import to_json
from cave_sim.errors import JournalError
from cave_sim.journal.schema import FORMAT, INDEXES, TABLES
from cave_sim.runtime.cell import cell_hash
from cave_sim.turn import Turn

DATABASE = "run.sqlite"
MANIFEST = "manifest.json"
GENESIS = "0" * 64


class Journal:
    """Writes one run.

    Args:
        folder: the run's directory; made if missing.
        manifest: what the run is: settings, versions, parents. Kept in the file, and beside it as JSON.

    Raises:
        JournalError: the folder holds a run already, or cannot be written.
    """

    def __init__(self, folder: str | Path, manifest: Mapping[str, Any]) -> None:
        self.folder = Path(folder)
        self.path = self.folder / DATABASE
        if self.path.exists():
            raise JournalError(f"{self.folder} holds a run already; choose another folder with --out, or remove it")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(self.path, isolation_level=None)
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = NORMAL")
            self._connection.executescript(TABLES)
        except (OSError, sqlite3.Error) as error:
            raise JournalError(f"{self.folder} cannot be written: {error}. Choose a folder with --out") from None
        self._turns: list[Turn] = []
        self._events: list[tuple[str, Any]] = []
        self._cells: dict[str, str] = {}
        self._previous = GENESIS
        self.describe({"format": FORMAT, **manifest})

    def describe(self, entries: Mapping[str, Any]) -> None:
        """Put entries into the manifest."""
        rows = [(key, json.dumps(value, ensure_ascii=False)) for key, value in entries.items()]
        self._write("INSERT OR REPLACE INTO manifest VALUES (?, ?)", rows)
        found = dict(self._connection.execute("SELECT key, value FROM manifest"))
        shown = {key: json.loads(value) for key, value in found.items() if len(value) < 10_000}
        (self.folder / MANIFEST).write_text(json.dumps(shown, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")

    def add(self, turn: Turn) -> None:
        """Take a turn; it is written with its step."""
        self._turns.append(turn)

    def note(self, kind: str, data: Any) -> None:
        """Take an event: something that happened to the run, such as an observer that failed."""
        self._events.append((kind, data))

    def commit(
        self, step: int, time_s: float, state_hash: str, measures: Mapping[str, float], state: bytes | None = None
    ) -> str:
        """Write everything since the last step in one transaction; returns the step's hash.

        Args:
            step: the step that ended.
            time_s: world time in seconds.
            state_hash: digest of the state after it.
            measures: name -> value at the end of the step.
            state: a snapshot, where one is due.
        """
        turns, self._turns = self._turns, []
        events, self._events = self._events, []
        rows, changes, cells = self._rows(turns)
        chained = chain(self._previous, step, state_hash, rows, changes)
        try:
            self._connection.execute("BEGIN")
            self._connection.executemany("INSERT OR IGNORE INTO cells VALUES (?, ?)", cells)
            self._connection.executemany("INSERT INTO turns VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
            self._connection.executemany("INSERT INTO changes VALUES (?, ?, ?, ?, ?, ?, ?)", changes)
            self._connection.executemany(
                "INSERT INTO events (step, kind, data) VALUES (?, ?, ?)",
                [(step, kind, json.dumps(data)) for kind, data in events],
            )
            self._connection.executemany(
                "INSERT INTO measures VALUES (?, ?, ?)", [(step, n, v) for n, v in measures.items()]
            )
            if state is not None:
                self._connection.execute("INSERT INTO snapshots VALUES (?, ?)", (step, zlib.compress(state, 1)))
            last_turn = rows[-1][0] if rows else self._last_turn()
            self._connection.execute(
                "INSERT INTO steps VALUES (?, ?, ?, ?, ?, ?)",
                (step, time_s, last_turn, state_hash, self._previous, chained),
            )
            self._connection.execute("COMMIT")
        except sqlite3.Error as error:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise JournalError(
                f"step {step} could not be written to {self.path}: {error}. Everything before it is safe in the file"
            ) from None
        self._previous = chained
        return chained

    def close(self) -> None:
        """Finish the file: indexes, and no write-ahead log left beside it."""
        try:
            self._connection.executescript(INDEXES)
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            self._connection.execute("PRAGMA journal_mode = DELETE")
        except sqlite3.Error as error:
            raise JournalError(f"{self.path} could not be closed: {error}") from None
        finally:
            self._connection.close()

    def _rows(self, turns: list[Turn]) -> tuple[list[tuple[Any, ...]], list[tuple[Any, ...]], list[tuple[str, str]]]:
        rows, changes, cells = [], [], {}
        for turn in turns:
            name = None
            if turn.code:
                name = self._cells.get(turn.code)
                if name is None:
                    name = cell_hash(turn.code)
                    cells[name] = turn.code
                    if len(self._cells) < 4_096:
                        self._cells[turn.code] = name
            usage = to_json(turn.usage).decode() if turn.usage else None
            rows.append(
                (
                    turn.id,
                    turn.step,
                    turn.agent,
                    turn.parent,
                    turn.kind,
                    name,
                    turn.status,
                    turn.output,
                    turn.error,
                    turn.duration_s,
                    usage,
                )
            )
            for position, (entity, path, op, old, new) in enumerate(turn.changes):
                changes.append((turn.id, position, entity, _text(path), op, _text(old), _text(new)))
        rows.sort(key=_first)
        return rows, changes, list(cells.items())

    def _last_turn(self) -> int:
        return int(self._connection.execute("SELECT coalesce(max(turn), 0) FROM turns").fetchone()[0])

    def _write(self, sql: str, rows: Iterable[tuple[Any, ...]]) -> None:
        try:
            self._connection.execute("BEGIN")
            self._connection.executemany(sql, rows)
            self._connection.execute("COMMIT")
        except sqlite3.Error as error:
            raise JournalError(f"{self.path} cannot be written: {error}") from None


def chain(
    previous: str, step: int, state_hash: str, rows: list[tuple[Any, ...]], changes: list[tuple[Any, ...]]
) -> str:
    """Return the hash of a step: over the one before, the state, and every turn and change but wall-clock times."""
    digest = hashlib.sha256(f"{previous}\n{step}\n{state_hash}\n".encode())
    digest.update(to_json([[*row[:9], row[10]] for row in rows]))
    digest.update(to_json(sorted(changes, key=_place)))
    return digest.hexdigest()


def _place(row: tuple[Any, ...]) -> tuple[int, int]:
    return row[0], row[1]


def _first(row: tuple[Any, ...]) -> int:
    return int(row[0])


def _text(data: Any) -> str | None:
    return None if data is None else to_json(data).decode()
