"""What a run's file says about itself: pages, digests, seals, and changes that add up. Nothing of it is executed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from cave_sim.errors import JournalError
from cave_sim.journal.hash_chain import DIGEST_BYTES, GENESIS, SEALED, Row, chain, manifest_seal, seal, text_hash
from cave_sim.journal.opening import expect_our_format
from cave_sim.journal.queries import snapshot_sizes
from cave_sim.journal.reader import Run
from cave_sim.journal.rebuild import entities_of, folded, snapshot, state_hash
from cave_sim.journal.redaction import REDACTED
from cave_sim.journal.table_seals import broken_seals

IN_ORDER = {
    "turns": "turn",
    "changes": "turn, position",
    "snapshots": "step",
    "events": "entry",
    "measures": "step, name",
    "calls": "call",
    "sessions": "entry",
    "kept": "step, agent, kind",
}
"""Tables whose rows belong to steps, and the order in which the steps took them."""


COLUMNS = {"sessions": "entry, step, session, agent, about, plain(rows)"}
"""What is sealed of a table, where its texts may be packed."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that is not as it was written.

    Attributes:
        what: in words.
        step: in which step; None where it is none's.
    """

    what: str
    step: int | None = None

    def __str__(self) -> str:
        return self.what if self.step is None else f"step {self.step}: {self.what}"


def problems(run: Run) -> Iterator[Problem]:
    """Yield what is wrong with a run's file, the gravest first.

    A file that cannot be read at all is one problem; nothing is raised. One that is written on meanwhile is looked at
    as it is at the beginning.
    """
    try:
        with run.reading(), run.at_once():
            expect_our_format(run.folder, run.manifest.get("format"))
            for check in (_pages, _manifest, _texts, _seals, _between_steps, _states):
                with run.reading():
                    yield from check(run)
    except JournalError as error:
        yield Problem(str(error))


def _pages(run: Run) -> Iterator[Problem]:
    verdicts = [str(verdict) for (verdict,) in run.query("PRAGMA integrity_check(3)")]
    if verdicts != ["ok"]:
        yield Problem(f"SQLite finds the file damaged: {'; '.join(verdicts)}")


def _manifest(run: Run) -> Iterator[Problem]:
    rows = run.query("SELECT key, value FROM manifest")
    if dict(rows).get("seal") != f'"{manifest_seal(rows)}"':
        yield Problem("the manifest was changed: its seal does not hold")


def _texts(run: Run) -> Iterator[Problem]:
    for table, column in (("cells", "code"), ("texts", "plain(text)")):
        for name, text in run.rows(f"SELECT hash, {column} FROM {table}"):
            if text_hash(text) != name and not (table == "texts" and text == name and REDACTED in run.manifest):
                yield Problem(f"{table}: the text kept as {name} is another")
                return
    lost = run.query("SELECT turn FROM turns WHERE cell IS NOT NULL AND cell NOT IN (SELECT hash FROM cells) LIMIT 1")
    if lost:
        yield Problem(f"the cell of turn {lost[0][0]} is missing")
    if run.query("SELECT 1 FROM cells WHERE hash NOT IN (SELECT cell FROM turns WHERE cell IS NOT NULL) LIMIT 1"):
        yield Problem("there is a cell that no turn ran")
    for _call in run.calls():
        pass  # each is put together from its texts


def _seals(run: Run) -> Iterator[Problem]:
    """Compute hash and seal of every step anew, and yield the first step whose own do not hold."""
    steps = Steps(run)
    for problem in map(steps.check, run.query("SELECT * FROM steps ORDER BY step")):
        if problem is not None:
            yield problem
            return
    left = [table for table, rows in steps.tables.items() if table != "calls" and rows.is_left]
    if left:
        yield Problem(f"there are rows in {', '.join(left)} that belong to no step")


def _between_steps(run: Run) -> Iterator[Problem]:
    yield from map(Problem, broken_seals(run.rows))


class Steps:
    """Goes through the rows of all tables at once, step by step, so that no more than one step is in memory."""

    def __init__(self, run: Run) -> None:
        self.tables: dict[str, _Rows] = {
            table: _Rows(run.rows(f"SELECT {COLUMNS.get(table, '*')} FROM {table} ORDER BY {order}"), _place_in(table))
            for table, order in IN_ORDER.items()
        }
        self.hash: str = GENESIS
        self.seal: str = GENESIS

    def take(self, step: int, last_turn: int, last_call: int) -> dict[str, list[Row]]:
        """Return the rows of the next step by table."""
        bounds = {"turns": last_turn, "changes": last_turn, "calls": last_call}
        return {table: rows.until(bounds.get(table, step)) for table, rows in self.tables.items()}

    def check(self, row: Row) -> Problem | None:
        """Take the rows of the next step; return what is wrong with them, or None."""
        step, time_s, last_turn, state, previous, recorded_hash, last_call, recorded_seal = row
        rows = self.take(step, last_turn, last_call)
        if previous != self.hash:
            return Problem("it does not follow the step before: its `previous` is another hash", step)
        turns = rows["turns"]
        self.hash = chain(previous, step, state, turns, rows["changes"])
        if self.hash != recorded_hash:
            span = f" (turns {turns[0][0]} to {turns[-1][0]})" if turns else ""
            return Problem(f"its turns or changes{span} are not those that were written: the hash does not hold", step)
        packed = rows["snapshots"][0][1] if rows["snapshots"] else None
        sealed = {table: rows[table] for table in SEALED}
        summary = (recorded_hash, time_s, last_turn, last_call)
        seal_now = partial(seal, self.seal, summary, [turn[9] for turn in turns], sealed, packed)
        self.seal = seal_now()
        if self.seal != recorded_seal and rows["sessions"]:
            self.seal = seal_now(of_session=str)  # before their digest was sealed, they were
        if self.seal != recorded_seal:
            tables = ", ".join(SEALED)
            return Problem(f"times, or rows in {tables}, or its snapshot were changed: its seal is broken", step)
        return None


class _Rows:
    """The rows of a table, taken in order."""

    def __init__(self, rows: Iterator[Row], place: Callable[[Row], int]) -> None:
        self._rows, self._place = rows, place
        self._next = next(rows, None)

    @property
    def is_left(self) -> bool:
        """Whether there are more rows."""
        return self._next is not None

    def until(self, bound: int) -> list[Row]:
        """Return the next rows whose place is not behind a bound."""
        rows = []
        while self._next is not None and self._place(self._next) <= bound:
            rows.append(self._next)
            self._next = next(self._rows, None)
        return rows


def _place_in(table: str) -> Callable[[Row], int]:
    column = 1 if table in ("events", "sessions") else 0

    def place(row: Row) -> int:
        number: Any = row[column]
        return int(number)

    return place


def _states(run: Run) -> Iterator[Problem]:
    """Fold every change from nothing: what was recorded must add up to each state that was recorded."""
    sizes = snapshot_sizes(run)
    whole = {step for step, size in sizes.items() if size != DIGEST_BYTES}
    first = next(iter(sizes), None)
    if first is not None and first not in whole:
        yield Problem("its snapshot, the first of the run, is gone", first)
    for step, recorded, folds in folded(run):
        if recorded != folds:
            yield Problem("its changes do not add up to the state that was recorded", step)
            return
        if step in whole and state_hash(entities_of(snapshot(run, step))) != recorded:
            yield Problem("its snapshot is of another state", step)
            return
