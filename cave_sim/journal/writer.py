"""The journal of one run: every turn, every change, one transaction a step, each step chained to the one before.

What was committed survives ``kill -9``: SQLite writes ahead, and an unfinished step is simply not there. Model calls
cost money, so each is committed on its own as soon as it ends.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from operator import itemgetter
from pathlib import Path
from typing import Any, Self

from cave_sim.changes.turn import Turn
from cave_sim.determinism.canonical_json import from_json, to_json
from cave_sim.errors import JournalError
from cave_sim.journal.annotations import with_notes
from cave_sim.journal.hash_chain import chain, seal
from cave_sim.journal.journal_file import JournalFile
from cave_sim.journal.last_commit import LastCommit
from cave_sim.journal.no_run import no_run
from cave_sim.journal.opening import expect_our_format
from cave_sim.journal.redaction import REDACTED, expect_prompts
from cave_sim.journal.rows import (
    Row,
    data_of_reads,
    row_of_answer,
    row_of_call,
    row_of_turn,
    rows_of_changes,
)
from cave_sim.journal.table_seals import expect_sealed, resealed
from cave_sim.journal.tables import DATABASE
from cave_sim.journal.waiting_rows import WaitingRows
from cave_sim.journal.whole_commits import uninterrupted
from cave_sim.runtime.cell import cell_hash

CELLS_REMEMBERED = 4_096
NO_STEP = "step {step} could not be written to {{path}}: {{error}}. {safe}"


class Journal:
    """Writes one run; made by :meth:`begin` or :meth:`reopen`.

    Args:
        file: the run's, open.

    Attributes:
        folder, path: of the run, and of its file.
        file: as it is written.
    """

    def __init__(self, file: JournalFile) -> None:
        self.folder: Path = file.folder
        self.path: Path = file.path
        self.file = file
        self._last = self._written = LastCommit.of(file)
        self._waiting = WaitingRows()
        self._lost_a_step = False
        self._has_calls = self._has_acts = True  # there may be some of before
        self._turns: list[Turn] = []
        self._events: list[tuple[str, str]] = []
        self._sessions: list[tuple[str, ...]] = []
        self._to_keep: dict[tuple[str, str], str] = {}
        self._digests = {(agent, kind): _digest(text) for agent, kind, text in file.rows(KEPT)}
        self._cells: dict[str, str] = {}
        self._last_event = file.value("SELECT coalesce(max(entry), 0) FROM events")
        self._last_session = file.value("SELECT coalesce(max(entry), 0) FROM sessions")

    @classmethod
    def begin(cls, folder: str | Path, manifest: Mapping[str, Any]) -> Self:
        """Return the journal of a new run.

        Args:
            folder: the run's directory; made if missing.
            manifest: what the run is: settings, versions, parents. Kept in the file, and beside it as JSON.

        Raises:
            JournalError: the folder holds a run already, cannot be written, or another process writes it.
        """
        file = JournalFile(Path(folder))
        with file.released_on_error():
            file.begin(manifest)
            return cls(file)

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
        if not (Path(folder) / DATABASE).is_file():
            raise no_run(folder)
        file = JournalFile(Path(folder))
        with file.released_on_error():
            file.reopen()
            with file.writing("{path} cannot be continued: {error}"):
                if after is not None:
                    _drop_behind(file, after)
                expect_our_format(file.folder, file.value("SELECT value FROM manifest WHERE key = 'format'"))
                expect_prompts(file.folder, file.value("SELECT value FROM manifest WHERE key = ?", REDACTED))
                journal = cls(file)
                file.describe({"finished": False, "stopped": None})
        return journal

    @property
    def step(self) -> int | None:
        """The last step that was committed; None before the first."""
        return self._last.step

    @property
    def state_hash(self) -> str | None:
        """Digest of the state after the last step that was committed; None before the first."""
        return self._last.state_hash

    def describe(self, entries: Mapping[str, Any]) -> None:
        """Put entries into the manifest, also of a run that lacks its last step: it can be closed, and gone on with."""
        self.write_waiting()
        with self.file.writing("{path} cannot be written: {error}"):
            self.file.describe(entries)
        self.file.show_manifest()

    def annotate(self, notes: Iterable[Mapping[str, Any]]) -> None:
        """Put notes of people behind those that are in the manifest; see :mod:`cave_sim.journal.annotations`."""
        notes_text = self.file.value("SELECT value FROM manifest WHERE key = 'notes'")
        self.describe({"notes": with_notes({"notes": from_json(notes_text) if notes_text else []}, notes)})

    def add(self, turn: Turn) -> None:
        """Take a turn; it is written with its step, and what it read of others as an event."""
        self._turns.append(turn)
        if turn.reads:
            self.note("reads", data_of_reads(turn))

    def note(self, kind: str, data: Any) -> None:
        """Take an event: something that happened to the run, such as an observer that failed."""
        self._events.append((kind, json.dumps(data)))

    def keep(self, agent: str, kind: str, data: Any) -> None:
        """Take what is needed to go on and is no world state; it is written with the step if it changed.

        Args:
            agent: whose it is; empty for the run's own.
            kind: ``variables`` of its cells, ``agent`` for what it knows itself, ``budget``, ``variables_hash``.
            data: plain data; nothing is written for None before there was anything else.
        """
        if not data and (agent, kind) not in self._digests:
            return
        text = to_json(data).decode()
        digest = _digest(text)
        if self._digests.get((agent, kind)) != digest:
            self._digests[agent, kind] = digest
            self._to_keep[agent, kind] = text

    def add_session(self, news: Mapping[str, Any]) -> None:
        """Take what is new in a session, as its archive hands it out; it is written with the step."""
        about = news["about"]
        self._sessions.append((about["id"], about["agent"], to_json(about).decode(), to_json(news["rows"]).decode()))

    def add_call(self, call: Mapping[str, Any], reused: bool = False) -> None:
        """Write a model call now: whatever happens next, it is not paid for twice.

        Args:
            call: as :class:`~cave_sim.models.cassette.RecordingModel` hands it out.
            reused: whether another run had paid for it.
        """
        row, texts = row_of_call(call, reused)
        with self._writing("a model call could not be written to {path}: {error}"):
            self.file.insert("OR IGNORE INTO texts", list(texts.items()))
            self.file.insert("OR REPLACE INTO calls", [(None, *row)])
        self._has_calls = True

    def add_answers(self, answers: Iterable[Mapping[str, Any]]) -> None:
        """Write answers to a questionnaire now; one that was kept before is replaced.

        Args:
            answers: with the columns of the table; values are plain data.
        """
        rows = [row_of_answer(answer) for answer in answers]
        with self._writing("answers could not be written to {path}: {error}"):
            for survey, step in dict.fromkeys((row[0], row[1]) for row in rows):
                with resealed(self.file.rows, "answers", "survey = ? AND step = ?", survey, step):
                    self.file.insert("OR REPLACE INTO answers", [row for row in rows if row[:2] == (survey, step)])

    def note_effect(self, effect: Mapping[str, Any]) -> None:
        """Write now that an effect was begun, or what came of it: whatever happens next, it is not done twice.

        Args:
            effect: with the columns of the table but its number; arguments and result are plain data.
        """
        with self._writing("an effect could not be noted in {path}: {error}"):
            self.file.note_effect(effect)

    def receive(self, driver: str, acts: bytes, *, at_once: bool) -> None:
        """Write down now what a driver has had done since the last step, so that it can be done again after a crash.

        Args:
            driver: who.
            acts: what, in the driver's own form.
            at_once: whether as one simultaneous batch.
        """
        with self._writing("what a driver did could not be written to {path}: {error}"):
            last = self.file.value("SELECT coalesce(max(entry), 0) FROM inbox")
            with resealed(self.file.rows, "inbox", "entry > ?", last):
                self.file.insert("INTO inbox (driver, acts, at_once)", [(driver, acts, at_once)])
        self._has_acts = True

    def received(self) -> list[Row]:
        """Return what drivers had done since the last step: driver, acts, at_once; in its order.

        Raises:
            JournalError: that is not as it was written.
        """
        expect_sealed(self.file.rows, self.folder)
        return self.file.rows("SELECT driver, acts, at_once FROM inbox ORDER BY entry")

    @uninterrupted
    def commit(
        self, step: int, time_s: float, state_hash: str, measures: Mapping[str, float], state: bytes | None = None
    ) -> str:
        """Write everything since the last step in one transaction, for which Ctrl-C waits; returns the step's hash.

        Args:
            step: the step that ended.
            time_s: world time in seconds.
            state_hash: digest of the state after it.
            measures: name -> value at the end of the step.
            state: a snapshot, where one is due.
        """
        self._expect_no_gap()
        last = self._last
        rows: dict[str, Sequence[Row]] = {**self._turns_since_last_step(), "calls": self._new_calls(step)}
        turns: Sequence[Row] = rows["turns"]
        last_turn = turns[-1][0] if turns else last.last_turn
        last_call = rows["calls"][-1][0] if rows["calls"] else last.last_call
        step_hash = chain(last.hash, step, state_hash, turns, rows["changes"])
        rows |= self._other_rows(step, measures)
        snapshot = None if state is None else zlib.compress(state, 1)
        step_seal = seal(
            last.seal, (step_hash, time_s + 0.0, last_turn, last_call), [row[9] for row in turns], rows, snapshot
        )
        rows.pop("calls")  # they are in the file
        rows["snapshots"] = () if snapshot is None else [(step, snapshot)]
        rows["steps"] = [(step, time_s + 0.0, last_turn, state_hash, last.hash, step_hash, last_call, step_seal)]
        self._last = LastCommit(step, state_hash, step_hash, step_seal, last_turn, last_call)
        self._waiting.add(rows)
        if self._waiting.are_due or last.step is None or self._has_acts:
            self.write_waiting()
        return step_hash

    @contextmanager
    def several_at_once(self, within_s: float) -> Iterator[None]:
        """Write steps that are committed here in one transaction, where several end within so many seconds.

        A process that ends here loses no more than these and the step under way, and a run that is gone on with takes
        them again. Whatever else is written, such as a call that was paid for, is written behind them.
        """
        before_s = self._waiting.wait(within_s)
        try:
            yield
        finally:
            self._waiting.wait(before_s)
            self.write_waiting()

    @uninterrupted
    def write_waiting(self) -> None:
        """Write the steps that are committed, and not in the file yet.

        Raises:
            JournalError: they could not be written; the run lacks them.
        """
        first, rows = self._waiting.take()
        if first is None:
            return
        last, self._last, self._lost_a_step = self._last, self._written, True
        with self._nothing_left_of_a_first(), self.file.writing(NO_STEP.format(step=first, safe=self._safe())):
            for table, of_table in rows.items():
                self.file.insert(f"OR IGNORE INTO {table}" if table == "cells" else f"INTO {table}", of_table)
            if self._has_acts:
                self.file.execute("DELETE FROM inbox")  # it is in turns now
                self.file.execute("DELETE FROM table_seals WHERE name = 'inbox'")
        self._last = self._written = last
        self._lost_a_step = self._has_acts = False

    def drop_waiting(self) -> None:
        """Forget the steps that are committed, and not in the file yet, and those behind them: the run lacks them."""
        self._waiting.take()
        self.drop_step()
        self._last, self._lost_a_step = self._written, True

    def drop_step(self) -> None:
        """Forget what was taken since the last step; model calls are written already, and stay."""
        self._turns, self._events, self._sessions, self._to_keep = [], [], [], {}

    def close(self) -> None:
        """Finish the file: indexes, and no write-ahead log left beside it."""
        self.file.finish()

    def abandon(self) -> None:
        """Let go of the file as it is."""
        self.file.release()

    def _safe(self) -> str:
        return "There is no run" if self._last.step is None else "Everything before it is safe in the file"

    def _new_calls(self, step: int) -> Sequence[Row]:
        if not self._has_calls:
            return ()
        with self._nothing_left_of_a_first(), self._writing(NO_STEP.format(step=step, safe=self._safe())):
            self._lost_a_step = True
            calls = self.file.rows("SELECT * FROM calls WHERE call > ? ORDER BY call", self._last.last_call)
        self._has_calls = self._lost_a_step = False
        return calls

    @contextmanager
    def _nothing_left_of_a_first(self) -> Iterator[None]:
        """Take the run back if it cannot begin: without its first state there is nothing to go on from."""
        try:
            yield
        except JournalError:
            if self._last.step is None and not self.file.value("SELECT count(*) FROM calls"):  # those are paid for
                self.file.take_back()
            raise

    @contextmanager
    def _writing(self, failure: str) -> Iterator[None]:
        """Make one transaction of what happens here, unless a step is missing already; see :class:`JournalFile`."""
        self._expect_no_gap()
        self.write_waiting()
        with self.file.writing(failure):
            yield

    def _expect_no_gap(self) -> None:
        if self._lost_a_step:
            raise JournalError(f"{self.path} lacks a step that could not be written: close the run, and resume it")

    def _turns_since_last_step(self) -> dict[str, list[Row]]:
        """Return the rows of new cells, turns and changes."""
        recorded, self._turns = self._turns, []
        cells: dict[str, str] = {}
        turns = [row_of_turn(turn, self._cell(turn.code, cells) if turn.code else None) for turn in recorded]
        turns.sort(key=itemgetter(0))
        return {"cells": list(cells.items()), "turns": turns, "changes": rows_of_changes(*recorded)}

    def _cell(self, code: str, cells: dict[str, str]) -> str:
        """Return the hash of a cell; one that was not met lately is put among the cells to write."""
        name = self._cells.get(code)
        if name is None:
            name = cell_hash(code)
            cells[name] = code
            if len(self._cells) < CELLS_REMEMBERED:
                self._cells[code] = name
        return name

    def _other_rows(self, step: int, measures: Mapping[str, float]) -> dict[str, list[Row]]:
        """Return the rows of a step in the smaller tables."""
        of_measures = sorted([(step, name, value + 0.0) for name, value in measures.items()])
        if not (self._events or self._sessions or self._to_keep):  # as in most steps of most models
            return {"measures": of_measures}
        events, self._events = self._events, []
        sessions, self._sessions = self._sessions, []
        to_keep, self._to_keep = self._to_keep, {}
        first_event, first_session = self._last_event + 1, self._last_session + 1
        self._last_event += len(events)
        self._last_session += len(sessions)
        return {
            "events": [(entry, step, *event) for entry, event in enumerate(events, first_event)],
            "measures": of_measures,
            "sessions": [(entry, step, *session) for entry, session in enumerate(sessions, first_session)],
            "kept": [(step, agent, kind, to_keep[agent, kind]) for agent, kind in sorted(to_keep)],
        }


KEPT = "SELECT agent, kind, data FROM kept ORDER BY step"


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode(), digest_size=16).digest()


def _drop_behind(file: JournalFile, step: int) -> None:
    """Drop every later step. What follows the last commit are model calls, which are paid for: they stay."""
    last_turn = file.value("SELECT last_turn FROM steps WHERE step = ?", step)
    if last_turn is None:
        raise JournalError(f"{file.folder} cannot go on behind step {step}: it has no such step. Run it anew")
    for table in ("turns", "changes"):
        file.execute(f"DELETE FROM {table} WHERE turn > ?", last_turn)
    for table in ("steps", "snapshots", "events", "measures", "sessions", "kept"):
        file.execute(f"DELETE FROM {table} WHERE step > ?", step)
    with resealed(file.rows, "answers", "step > ?", step):
        file.execute("DELETE FROM answers WHERE step > ?", step)
