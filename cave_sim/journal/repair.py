"""What can be saved of a torn file: every step, from the first on, whose hash and seal still hold."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from cave_sim.errors import JournalError
from cave_sim.files.given_files import given_text
from cave_sim.journal.effect_answers import APPROVED, WAITING
from cave_sim.journal.hash_chain import manifest_seal
from cave_sim.journal.integrity import Steps, problems
from cave_sim.journal.lock import lock
from cave_sim.journal.no_run import no_run
from cave_sim.journal.reader import open_run
from cave_sim.journal.salvage import salvage, write_beginning_anew
from cave_sim.journal.table_seals import seal_anew
from cave_sim.journal.tables import DATABASE, INDEXES, MANIFEST, TABLES

TORN = "torn-"
BY_STEP = ("snapshots", "events", "measures", "sessions", "kept", "answers", "steps")


@dataclass(frozen=True, slots=True)
class Repair:
    """What a repair saved.

    Attributes:
        last_step: the last one that was saved; None if none was, and nothing was changed.
        torn: where the file lies as it was found.
        asked_again: how many requests people had approved that wait for them again.
        last_known: the last step that anything which could be read tells of; those behind the last saved are lost.
        unread: tables that could not be read as a whole.
    """

    last_step: int | None
    torn: Path
    asked_again: int = 0
    last_known: int | None = None
    unread: tuple[str, ...] = ()


def repair(folder: Path) -> Repair:
    """Put a file with the steps that hold in the place of a torn one, which is kept beside it.

    What was saved is whole: it was checked before it takes the place. If no step was, the file stays as it was.
    What people approved waits for them again: nobody can tell any more whether they did, nor of what arguments.

    Raises:
        JournalError: another process writes the run, there is none, or a journal beside it names files of others.
    """
    path = folder / DATABASE
    if not path.is_file():
        raise no_run(folder)
    with closing(lock(folder)), TemporaryDirectory(prefix="repairing-", dir=folder) as workshop:
        new = Path(workshop) / DATABASE
        with closing(sqlite3.connect(new, isolation_level=None)) as target:
            target.executescript(TABLES)
            unread = tuple(salvage(path, target))
            last_known = _last_known(target)
            _add_what_stands_beside(folder / MANIFEST, target)
            approved = "UPDATE effects SET status = ?, result = NULL WHERE status = ?"
            asked_again = target.execute(approved, (WAITING, APPROVED)).rowcount
            last_step = _cut_to_what_holds(Path(workshop), target)
        if last_step is None:
            return Repair(None, path, last_known=last_known, unread=unread)
        for leftover in folder.glob(f"{DATABASE}*"):
            leftover.replace(folder / f"{TORN}{leftover.name}")
        new.replace(path)
    return Repair(last_step, folder / f"{TORN}{DATABASE}", asked_again, last_known, unread)


def _last_known(target: sqlite3.Connection) -> int | None:
    """Return the last step that any row tells of; a step begins with its turns, and ends with its row in ``steps``."""
    told = (target.execute(f"SELECT max(step) FROM {table}").fetchone()[0] for table in ("turns", *BY_STEP))
    return max((step for step in told if isinstance(step, int)), default=None)


def _add_what_stands_beside(path: Path, target: sqlite3.Connection) -> None:
    """Take entries of the manifest that could not be read from the copy beside the file that is made for people."""
    with suppress(OSError, ValueError, RecursionError, AttributeError, sqlite3.Error):
        shown = json.loads(given_text(path))
        entries = [(key, json.dumps(value, ensure_ascii=False)) for key, value in shown.items()]
        target.executemany("INSERT OR IGNORE INTO manifest VALUES (?, ?)", entries)


def _cut_to_what_holds(workshop: Path, target: sqlite3.Connection) -> int | None:
    """Leave the steps before the first that does not hold, as often as the check of the whole file finds one."""
    if _last_that_holds(workshop, target)[0] is None:
        write_beginning_anew(target)
    last_step = _cut(target, *_last_that_holds(workshop, target))
    target.executescript(INDEXES)
    while last_step is not None and (step := _first_problem(workshop)) is not None:
        last_step = _cut(target, *_steps_before(target, step))
    return last_step


def _first_problem(workshop: Path) -> int | None:
    """Return the step of the first problem, 0 if it has none; None if all is well."""
    with open_run(workshop) as run:
        problem = next(problems(run), None)
    return None if problem is None else problem.step or 0


def _steps_before(target: sqlite3.Connection, step: int) -> tuple[int | None, int]:
    """Return the last step before another, and its last turn; None and 0 if there is none."""
    sql = "SELECT step, last_turn FROM steps WHERE step < ? ORDER BY step DESC LIMIT 1"
    return target.execute(sql, (step,)).fetchone() or (None, 0)


def _cut(target: sqlite3.Connection, last_step: int | None, last_turn: int) -> int | None:
    """Leave what belongs to the steps up to one, and the model calls behind them, which are paid for."""
    for table in ("turns", "changes"):
        target.execute(f"DELETE FROM {table} WHERE turn > ?", (last_turn,))
    for table in BY_STEP:
        target.execute(f"DELETE FROM {table} WHERE step > ?", (-1 if last_step is None else last_step,))
    seal_anew(lambda sql, *parameters: target.execute(sql, parameters).fetchall())
    target.execute("DELETE FROM cells WHERE hash NOT IN (SELECT cell FROM turns WHERE cell IS NOT NULL)")
    target.execute("DELETE FROM manifest WHERE key IN ('finished', 'steps', 'state_hash', 'seal')")
    seal = manifest_seal(target.execute("SELECT key, value FROM manifest").fetchall())
    target.execute("INSERT INTO manifest VALUES ('seal', ?)", (f'"{seal}"',))
    return last_step


def _last_that_holds(workshop: Path, target: sqlite3.Connection) -> tuple[int | None, int]:
    """Return the last step up to which all hashes and seals hold and no text is missing, and its last turn.

    None and 0 if none does. With this function end its queries: one that was broken off would keep the file locked.
    """
    last_step, last_turn = None, 0
    complete_until = _last_turn_with_its_cell(target)
    with open_run(workshop) as run:
        steps = Steps(run)
        with suppress(JournalError):
            for row in run.query("SELECT * FROM steps ORDER BY step"):
                if row[2] > complete_until or steps.check(row) is not None:
                    break
                last_step, last_turn = row[0], row[2]
    return last_step, last_turn


def _last_turn_with_its_cell(target: sqlite3.Connection) -> float:
    sql = "SELECT min(turn) FROM turns WHERE cell IS NOT NULL AND cell NOT IN (SELECT hash FROM cells)"
    first_without = target.execute(sql).fetchone()[0]
    return float("inf") if first_without is None else first_without - 1
