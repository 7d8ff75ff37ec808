"""The journal of one run: every turn, every change, one transaction a step, each step chained to the one before.

What was committed survives ``kill -9``: SQLite writes ahead, and an unfinished step is simply not there. Model calls
cost money, so each is committed on its own as soon as it ends.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Self

from cave_sim.canonical_json import to_json
from cave_sim.changes.turn import Turn
from cave_sim.errors import JournalError
from cave_sim.journal.hash_chain import GENESIS, chain, manifest_seal, seal
from cave_sim.journal.rows import Row, call_row, change_rows, turn_row
from cave_sim.journal.tables import FORMAT, INDEXES, TABLES, lock, statements
from cave_sim.runtime.cell import cell_hash

DATABASE = "run.sqlite"
MANIFEST = "manifest.json"
SHOWN_CHARS = 10_000
CELLS_REMEMBERED = 4_096


class Folder(str):
    """The folder of a run that is about to begin, and what its manifest is to say of how it was made.

    It passes through a simulation's ``create`` like any path, and both are in the file before the first step is.
    """

    manifest: dict[str, Any]

    def __new__(cls, path: str, manifest: Mapping[str, Any]) -> Folder:
        folder = super().__new__(cls, path)
        folder.manifest = dict(manifest)
        return folder


class Journal:
    """Writes one run.

    Args:
        folder: the run's directory; made if missing.
        manifest: what the run is: settings, versions, parents. Kept in the file, and beside it as JSON.

    Attributes:
        step: the last step that was committed; None before the first.

    Raises:
        JournalError: the folder holds a run already, cannot be written, or another process writes it.
    """

    step: int | None
    _previous: str
    _seal: str
    _last_turn: int
    _last_call: int

    def __init__(self, folder: str | Path, manifest: Mapping[str, Any]) -> None:
        self._attach(Path(folder))
        manifest = {**manifest, **(folder.manifest if isinstance(folder, Folder) else {})}
        try:
            self._write_ahead()
            with self._writing("{path} cannot be written: {error}. Choose a folder with --out"):
                if self._one("SELECT count(*) FROM sqlite_master"):
                    raise JournalError(
                        f"{self.folder} holds a run already; choose another folder with --out, or remove it"
                    )
                for statement in statements(TABLES):
                    self._connection.execute(statement)
                self._describe({"format": FORMAT, **manifest})
            self._show_manifest()
        except JournalError:
            self._let_go()
            raise

    @classmethod
    def reopen(cls, folder: str | Path, *, after: int | None = None) -> Self:
        """Return the journal of a run that ended, however it ended, to go on behind its last commit.

        Args:
            folder: of the run.
            after: the step to go on behind instead; later ones are dropped, but for model calls, which are paid for.

        Raises:
            JournalError: there is no run in this folder, it has no such step, it cannot be written, or another process
                writes it.
        """
        journal = cls.__new__(cls)
        if not (Path(folder) / DATABASE).is_file():
            raise JournalError(f"{folder} holds no run: there is no {DATABASE} in it")
        journal._attach(Path(folder))
        try:
            journal._write_ahead()
            with journal._writing("{path} cannot be continued: {error}"):
                if after is not None:
                    journal._drop_behind(after)
                journal._find_the_end()
                journal._describe({"finished": False})
        except JournalError:
            journal._let_go()
            raise
        return journal

    def describe(self, entries: Mapping[str, Any]) -> None:
        """Put entries into the manifest."""
        with self._writing("{path} cannot be written: {error}"):
            self._describe(entries)
        self._show_manifest()

    def add(self, turn: Turn) -> None:
        """Take a turn; it is written with its step."""
        self._turns.append(turn)

    def note(self, kind: str, data: Any) -> None:
        """Take an event: something that happened to the run, such as an observer that failed."""
        self._events.append((kind, json.dumps(data)))

    def keep(self, agent: str, kind: str, data: Any) -> None:
        """Take what is needed to go on and is no world state; it is written with the step if it changed.

        Args:
            agent: whose it is; empty for the run's own.
            kind: ``variables`` of its cells, ``agent`` for what it knows itself, ``budget``; ``lost`` lists variables
                that cannot be kept.
            data: plain data; nothing is written for None before there was anything else.
        """
        if not data and (agent, kind) not in self._kept:
            return
        text = to_json(data).decode()
        digest = hashlib.blake2b(text.encode(), digest_size=16).digest()
        if self._kept.get((agent, kind)) != digest:
            self._kept[agent, kind] = digest
            self._keeping[agent, kind] = text

    def add_session(self, news: Mapping[str, Any]) -> None:
        """Take what is new in a session, as its archive hands it out; it is written with the step."""
        about = news["about"]
        told = (about["id"], about["agent"], to_json(about).decode(), to_json(news["rows"]).decode())
        self._sessions.append(told)

    def add_call(self, call: Mapping[str, Any], reused: bool = False) -> None:
        """Write a model call now: whatever happens next, it is not paid for twice.

        Args:
            call: as :class:`~cave_sim.models.cassette.Recording` hands it out.
            reused: whether another run had paid for it.
        """
        row, texts = call_row(call, reused)
        with self._writing("a model call could not be written to {path}: {error}"):
            self._connection.executemany("INSERT OR IGNORE INTO texts VALUES (?, ?)", texts.items())
            self._connection.execute(f"INSERT OR REPLACE INTO calls VALUES (NULL, {_marks(len(row))})", row)

    def receive(self, driver: str, acts: bytes, *, at_once: bool) -> None:
        """Write down now what a driver has had done since the last step, so that it can be done again after a crash.

        Args:
            driver: who.
            acts: what, in the driver's own form.
            at_once: whether as one simultaneous batch.
        """
        with self._writing("what a driver did could not be written to {path}: {error}"):
            self._insert("INTO inbox (driver, acts, at_once)", [(driver, acts, at_once)])

    def received(self) -> list[tuple[str, bytes, int]]:
        """Return what drivers had done since the last step: driver, acts, at_once; in its order."""
        return self._connection.execute("SELECT driver, acts, at_once FROM inbox ORDER BY entry").fetchall()

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
        turns, changes, cells = self._told()
        last_turn = turns[-1][0] if turns else self._last_turn
        chained = chain(self._previous, step, state_hash, turns, changes)
        rows = self._beside(step, measures)
        snapshot = None if state is None else zlib.compress(state, 1)
        safe = "Everything before it is safe in the file"
        with self._writing(f"step {step} could not be written to {{path}}: {{error}}. {safe}"):
            self._lost_a_step = True
            rows["calls"] = self._rows("SELECT * FROM calls WHERE call > ? ORDER BY call", self._last_call)
            last_call = rows["calls"][-1][0] if rows["calls"] else self._last_call
            told = (chained, time_s + 0.0, last_turn, last_call)
            sealed = seal(self._seal, told, [row[9] for row in turns], rows, snapshot)
            self._insert("OR IGNORE INTO cells", cells)
            self._insert("INTO turns", turns)
            self._insert("INTO changes", changes)
            for table in ("events", "measures", "sessions", "kept"):
                self._insert(f"INTO {table}", rows[table])
            self._connection.execute("DELETE FROM inbox")  # it is in turns now
            if snapshot is not None:
                self._insert("INTO snapshots", [(step, snapshot)])
            row = (step, time_s + 0.0, last_turn, state_hash, self._previous, chained, last_call, sealed)
            self._insert("INTO steps", [row])
        self.step, self._previous, self._seal, self._lost_a_step = step, chained, sealed, False
        self._last_turn, self._last_call = last_turn, last_call
        return chained

    def close(self) -> None:
        """Finish the file: indexes, and no write-ahead log left beside it."""
        try:
            self._connection.executescript(INDEXES)
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            with suppress(sqlite3.OperationalError):  # somebody is reading it: it stays in WAL mode, and is whole
                self._connection.execute("PRAGMA journal_mode = DELETE")
        except sqlite3.Error as error:
            raise JournalError(f"{self.path} could not be closed: {error}") from None
        finally:
            self._let_go()

    def abandon(self) -> None:
        """Let go of the file as it is."""
        self._let_go()

    # ---- the file

    def _attach(self, folder: Path) -> None:
        """Take the folder, and begin with nothing to write."""
        self.folder, self.path = folder, folder / DATABASE
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise JournalError(f"{folder} cannot be written: {error}. Choose a folder with --out") from None
        self._lock = lock(folder)
        self._connection = sqlite3.connect(self.path, isolation_level=None)
        self.step = None
        self._lost_a_step = False
        self._turns: list[Turn] = []
        self._events: list[tuple[str, str]] = []
        self._sessions: list[tuple[str, ...]] = []
        self._keeping: dict[tuple[str, str], str] = {}
        self._kept: dict[tuple[str, str], bytes] = {}
        self._cells: dict[str, str] = {}
        self._previous = self._seal = GENESIS
        self._last_turn = self._last_call = self._last_event = self._last_session = 0

    def _drop_behind(self, step: int) -> None:
        last_turn = self._one(f"SELECT last_turn FROM steps WHERE step = {step:d}")
        if last_turn is None:
            raise JournalError(f"{self.folder} cannot go on behind step {step}: it has no such step. Run it anew")
        for table in ("turns", "changes"):
            self._connection.execute(f"DELETE FROM {table} WHERE turn > ?", (last_turn,))
        for table in ("steps", "snapshots", "events", "measures", "sessions", "kept"):
            self._connection.execute(f"DELETE FROM {table} WHERE step > ?", (step,))

    def _find_the_end(self) -> None:
        """Find where the run stopped. What follows the last commit are model calls that are paid for: they stay."""
        format_ = self._one("SELECT value FROM manifest WHERE key = 'format'")
        if format_ != str(FORMAT):
            raise JournalError(f"{self.folder} has format {format_}; this version continues format {FORMAT}")
        last = self._rows("SELECT step, last_turn, hash, last_call, seal FROM steps ORDER BY step DESC LIMIT 1")
        if last:
            self.step, self._last_turn, self._previous, self._last_call, self._seal = last[0]
        self._last_event = self._one("SELECT coalesce(max(entry), 0) FROM events")
        self._last_session = self._one("SELECT coalesce(max(entry), 0) FROM sessions")
        for agent, kind, text in self._rows("SELECT agent, kind, data FROM kept ORDER BY step"):
            self._kept[agent, kind] = hashlib.blake2b(text.encode(), digest_size=16).digest()

    def _write_ahead(self) -> None:
        with self._failing("{path} cannot be written: {error}. Choose a folder with --out"):
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = NORMAL")

    def _let_go(self) -> None:
        self._connection.close()
        self._lock.close()

    @contextmanager
    def _failing(self, told: str) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise JournalError(told.format(path=self.path, error=error)) from None

    @contextmanager
    def _writing(self, told: str) -> Iterator[None]:
        """Make one transaction of what happens here; ``told`` says what could not be written, and where."""
        if self._lost_a_step:
            raise JournalError(f"{self.path} lacks a step that could not be written: close the run, and resume it")
        with self._failing(told):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):  # SQLite has rolled back by itself when the disk is full
                    self._connection.execute("ROLLBACK")
                raise

    def _rows(self, sql: str, *parameters: Any) -> list[Row]:
        return self._connection.execute(sql, parameters).fetchall()

    def _one(self, sql: str) -> Any:
        row = self._connection.execute(sql).fetchone()
        return None if row is None else row[0]

    def _insert(self, into: str, rows: list[Row]) -> None:
        if rows:
            self._connection.executemany(f"INSERT {into} VALUES ({_marks(len(rows[0]))})", rows)

    # ---- what is written

    def _describe(self, entries: Mapping[str, Any]) -> None:
        rows = [(key, json.dumps(value, ensure_ascii=False)) for key, value in entries.items()]
        self._insert("OR REPLACE INTO manifest", rows)
        sealed = manifest_seal(self._rows("SELECT key, value FROM manifest"))
        self._insert("OR REPLACE INTO manifest", [("seal", json.dumps(sealed))])

    def _show_manifest(self) -> None:
        with self._failing("{path} cannot be written: {error}"):
            found = self._rows("SELECT key, value FROM manifest ORDER BY rowid")
            shown = {key: json.loads(value) for key, value in found if len(value) < SHOWN_CHARS and key != "seal"}
            text = json.dumps(shown, indent=2, ensure_ascii=False) + "\n"
            (self.folder / MANIFEST).write_text(text, encoding="utf-8")

    def _told(self) -> tuple[list[Row], list[Row], list[Row]]:
        """Return the rows of turns, changes and new cells since the last step."""
        told, self._turns = self._turns, []
        turns, changes, cells = [], [], {}
        for turn in told:
            name = None
            if turn.code:
                name = self._cells.get(turn.code)
                if name is None:
                    name = cell_hash(turn.code)
                    cells[name] = turn.code
                    if len(self._cells) < CELLS_REMEMBERED:
                        self._cells[turn.code] = name
            turns.append(turn_row(turn, name))
            changes += change_rows(turn)
        turns.sort(key=_first)
        return turns, changes, list(cells.items())

    def _beside(self, step: int, measures: Mapping[str, float]) -> dict[str, list[Row]]:
        """Return the rows of a step in the smaller tables."""
        events, self._events = self._events, []
        sessions, self._sessions = self._sessions, []
        keeping, self._keeping = self._keeping, {}
        first_event, first_session = self._last_event + 1, self._last_session + 1
        self._last_event += len(events)
        self._last_session += len(sessions)
        return {
            "events": [(entry, step, *told) for entry, told in enumerate(events, first_event)],
            "measures": sorted((step, name, value + 0.0) for name, value in measures.items()),
            "sessions": [(entry, step, *told) for entry, told in enumerate(sessions, first_session)],
            "kept": [(step, agent, kind, keeping[agent, kind]) for agent, kind in sorted(keeping)],
        }


def _first(row: Row) -> int:
    return int(row[0])


def _marks(count: int) -> str:
    return ", ".join("?" * count)
