"""Reading a run. The file is data: opening one, even a stranger's, never runs code."""

from __future__ import annotations

import datetime as dt
import json
import os
import sqlite3
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from cave_sim.determinism.canonical_json import from_json
from cave_sim.diagnostics.attribute_hints import AttributeHints
from cave_sim.errors import JournalError, reason
from cave_sim.journal.asked_queries import held, wrong_query
from cave_sim.journal.lock import NO_LOCKS, has_locks
from cave_sim.journal.manifest_shape import expect_shape
from cave_sim.journal.no_run import no_run
from cave_sim.journal.opening import Opened, open_to_read
from cave_sim.journal.redaction import REDACTED
from cave_sim.journal.rows import (
    ChangeRow,
    StepRow,
    TurnRow,
    call_of_row,
    change_of_columns,
    effect_of_row,
    expect_status,
    from_text,
    turn_of_row,
)
from cave_sim.journal.tables import DATABASE
from cave_sim.journal.text_compression import DICTIONARY, register_plain
from cave_sim.loading.views import Viewed, view

if TYPE_CHECKING:
    import pandas as pd

TURNS = """
SELECT turn, step, agent, parent, kind, coalesce(code, ''), status, output, error, duration_s, usage
FROM turns LEFT JOIN cells ON cells.hash = turns.cell WHERE {where} ORDER BY turn
"""
CHANGES = """
SELECT turn, step, agent, kind, entity, path, op, old, new FROM changes JOIN turns USING (turn)
WHERE parent IS NULL AND {where} ORDER BY turn, position
"""
CALLS = """
SELECT run, step, agent, attempt, retry, hash, model, request, reply, error, reused
FROM calls WHERE {where} ORDER BY call
"""

EFFECTS = "SELECT step, ticket, agent, tool, arguments, status, result, error, reused FROM effects ORDER BY entry"

UNREADABLE = (
    sqlite3.Error,
    ValueError,
    TypeError,
    LookupError,
    AttributeError,
    ArithmeticError,
    RecursionError,
    MemoryError,
)
"""What comes of reading data that is not what it should be."""


LARGE_CHARS = 20_000
MEANT = {
    **dict.fromkeys(("state", "world", "at"), "World.restore(state_at(run, step)), from cave_sim.journal.rebuild"),
    **dict.fromkeys(("entities", "entity"), "entities_at(run, step), from cave_sim.journal.rebuild"),
    **{name: f"run.manifest[{name!r}]" for name in ("seed", "config", "simulation", "model", "tags", "notes")},
    "agents": "run.frame('panel'), or run.manifest['agents'] for their number",
    "log": "run.turns()",
    "events": "run.query('SELECT * FROM events')",
    "steps_run": "run.last_step",
    "report": "run.show() in a notebook, and the file report.html in its folder",
    **dict.fromkeys(("summary", "describe"), "run.frame('measures').describe()"),
    **dict.fromkeys(("results", "history", "datacollector"), "run.frame('measures'), or run.frame('panel')"),
    **dict.fromkeys(("to_csv", "to_parquet", "export"), "run.frame('measures').to_csv('measures.csv')"),
    "to_frame": "run.frame('measures')",
    **{name: f"cave_sim.replay.{name}.{name}(run.folder, ...)" for name in ("resume", "fork", "verify")},
}
"""What newcomers look for on a run, and where it is."""


def _decoded(text: str) -> Any:
    return _shared(text) if isinstance(text, str) and len(text) > LARGE_CHARS else from_json(text)


@lru_cache(8)
def _shared(text: str) -> Any:
    """Return what is large and the same in many runs, such as their map: all of them have one, which nobody writes."""
    return from_json(text)


class Run(AttributeHints, Viewed):
    """A run, opened for reading. Usable while it is still being written.

    Attributes:
        folder: the run's directory.
        manifest: what the run is: settings, versions, parents.
        follows: whether what is written from now on can be read; if not, open it again.
    """

    def __init__(self, folder: Path, opened: Opened) -> None:
        self.folder = folder
        self.follows: bool = opened.follows
        self._connection, self._patience = opened.connection, opened.patience
        self._most_bytes = opened.most_bytes
        with self.reading():
            register_plain(self._connection)
            rows = self.query("SELECT key, value FROM manifest WHERE key NOT IN ('seal', ?)", DICTIONARY)
            self.manifest: dict[str, Any] = {key: _decoded(value) for key, value in rows}
        expect_shape(self.manifest)

    def _attribute_hint(self, name: str) -> str:
        return f"; that is {MEANT[name]}" if name in MEANT else super()._attribute_hint(name)

    def __getitem__(self, wanted: object) -> NoReturn:
        raise TypeError(
            f"run[{wanted!r}]: a run has no items; what was done is run.turns(), who was how after each step"
            " run.frame('panel'), and the state after one step entities_at(run, step), from cave_sim.journal.rebuild"
        )

    def query(self, sql: str, *parameters: Any) -> list[tuple[Any, ...]]:
        """Return the rows of a query in SQL over the tables of docs/journal.md; ``plain(text)`` reads packed texts.

        Raises:
            JournalError: the query cannot be run, or its rows hold more than a machine may have room for.
        """
        with self.reading(), self._asked():
            self._patience.begin()
            return held(self._connection.execute(sql, parameters), self._most_bytes)

    def rows(self, sql: str, *parameters: Any) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a query one by one, where there may be too many to hold."""
        with self.reading(), self._asked():
            self._patience.begin()
            # What is left unread must not be closed by itself, perhaps after the run: a chain has no close().
            for row in chain(self._connection.execute(sql, parameters)):
                yield row
                self._patience.begin()

    @contextmanager
    def _asked(self) -> Iterator[None]:
        """Tell a query that cannot be run from a file that is damaged: it has all its tables."""
        try:
            yield
        except OverflowError:  # a number of whoever asks, and nothing that the file holds
            raise JournalError("the query cannot be run: a number in it is beyond those of any run") from None
        except sqlite3.DatabaseError as error:
            wrong = wrong_query(self._connection, error)
            if wrong is None:
                raise
            raise wrong from None

    def data(self, text: str | None) -> Any:
        """Return the plain data that a column holds as JSON; raises JournalError if it holds none."""
        try:
            return from_text(text)
        except Exception:
            with self.reading():  # told there as what it comes of; a context for each value would take twice as long
                raise

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Raise JournalError, in one line, for whatever comes of reading a damaged or hostile file."""
        try:
            yield
        except JournalError:
            raise
        except (RecursionError, MemoryError):
            raise JournalError(f"{self.folder} is damaged: it holds data that is too deep or too large") from None
        except UNREADABLE as error:
            raise JournalError(f"{self.folder} {_out_of_reach(error) or f'is damaged: {_first_line(error)}'}") from None

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """Read everything as it is at one moment, though another process may write the run on."""
        if self._connection.in_transaction:
            yield
            return
        self._connection.execute("BEGIN")
        try:
            yield
        finally:
            self._connection.rollback()

    def turns(
        self,
        agent: str | None = None,
        status: str | None = None,
        step: int | None = None,
        entity: str | None = None,
        between: tuple[int, int] | None = None,
    ) -> Iterator[TurnRow]:
        """Yield turns in order, all of them or those of one agent, status, step, or that changed one entity.

        With ``between``, only those behind the first of two turns and up to the second.
        Raises JournalError for what is no status.
        """
        expect_status(status)
        where, parameters = _where({"turns.agent": agent, "turns.status": status, "turns.step": step})
        if entity is not None:
            where += " AND turns.turn IN (SELECT turn FROM changes WHERE entity = ?)"
            parameters.append(entity)
        if between is not None:
            where += " AND turns.turn > ? AND turns.turn <= ?"
            parameters += between
        with self.reading():
            yield from map(turn_of_row, self.rows(TURNS.format(where=where), *parameters))

    def changes(
        self, entity: str | None = None, field: str | Collection[str] | None = None, op: str | None = None
    ) -> Iterator[ChangeRow]:
        """Yield changes in order: those that built the state, which leaves out what child turns repeat.

        All of them, or those of an entity, of a field or several and what is below them, or of one kind, such as
        ``create``.
        """
        where, parameters = _where({"changes.entity": entity, "changes.op": op})
        if field is not None:
            names = (field,) if isinstance(field, str) else tuple(field)
            any_of_them = " OR ".join(["changes.path = ? OR changes.path LIKE ?"] * len(names)) or "FALSE"
            where += f" AND ({any_of_them})"
            parameters += [text for name in names for text in (json.dumps([name]), json.dumps([name])[:-1] + ",%")]
        with self.reading():
            for turn, step, agent, kind, *columns in self.rows(CHANGES.format(where=where), *parameters):
                yield ChangeRow(turn, step, agent, kind, *change_of_columns(*columns))

    def steps(self) -> list[StepRow]:
        """Return every step that was committed."""
        return [StepRow(*row) for row in self.query("SELECT step, time_s, state_hash, hash FROM steps ORDER BY step")]

    def calls(self, agent: str | None = None, step: int | None = None) -> Iterator[dict[str, Any]]:
        """Yield model calls in order, as a :class:`~cave_sim.models.cassette.Cassette` takes them."""
        where, parameters = _where({"agent": agent, "step": step})
        with self.reading():
            for row in self.rows(CALLS.format(where=where), *parameters):
                yield call_of_row(row, self._text)

    def effects(self) -> list[dict[str, Any]]:
        """Return what was asked of tools with effects and what came of it, in the order in which it was noted.

        Each has the columns of the table; arguments and result as plain data. Older files have none.
        """
        with self.reading():
            if not self.query("SELECT 1 FROM sqlite_master WHERE name = 'effects'"):
                return []
            return [effect_of_row(row) for row in self.rows(EFFECTS)]

    def sessions(self, until: int | None = None) -> list[dict[str, Any]]:
        """Return the entries of the sessions' archive, up to a step; see :func:`cave_sim.session.archive.restore`.

        A run whose prompts were left out has none.
        """
        if REDACTED in self.manifest:
            return []
        sql = "SELECT about, plain(rows) FROM sessions WHERE step <= ? ORDER BY entry"
        with self.reading():
            rows = self.query(sql, self.last_step if until is None else until)
            return [{"about": from_json(about), "rows": from_json(entries)} for about, entries in rows]

    def private_data(self, step: int) -> dict[tuple[str, str], Any]:
        """Return what was kept beside the world up to a step, the latest by agent and kind."""
        with self.reading():
            rows = self.rows("SELECT agent, kind, data FROM kept WHERE step <= ? ORDER BY step", step)
            latest = {(agent, kind): data for agent, kind, data in rows}
            return {place: from_json(data) for place, data in latest.items()}

    @property
    def last_step(self) -> int:
        """The last step that was committed; -1 before the first."""
        return int(self.query("SELECT coalesce(max(step), -1) FROM steps")[0][0])

    def time_at(self, step: int) -> str:
        """Return what the world's clock shows in a step, as ISO text; ``step N`` where the manifest does not say."""
        try:
            start = dt.datetime.fromisoformat(self.manifest["start"])
            return (start + dt.timedelta(seconds=step * self.manifest["step_s"])).isoformat(timespec="minutes")
        except (KeyError, TypeError, ValueError, OverflowError):
            return f"step {step}"

    def measures(self) -> pd.DataFrame:
        """Return the measures, one row a step and one column each."""
        import pandas as pd  # most commands that read a run make no table

        rows = self.query("SELECT step, name, value FROM measures ORDER BY step")
        table = pd.DataFrame(rows, columns=["step", "name", "value"]).astype({"step": int, "value": float})
        return table.pivot(index="step", columns="name", values="value")

    def frame(self, name: str = "", **options: Any) -> pd.DataFrame:
        """Return one table of the run; :func:`cave_sim.history.dataframes.frame` says which there are."""
        table: pd.DataFrame = view("frame")(self, name, **options)
        return table

    def plot(self, *measures: str) -> Any:
        """Return a plotly figure of the measures over time, or of those named; raises MissingExtra without plotly."""
        return view("plot")(self, *measures)

    def show(self, height_px: int = 640) -> Viewed:
        """Return the report of the run as a page for a notebook; it asks no one for anything."""
        page: Viewed = view("page")(self, height_px)
        return page

    def __repr__(self) -> str:
        return f"<Run {self.folder.name}: {self.manifest.get('simulation', '?')}, to step {self.last_step}>"

    def _text(self, name: str) -> str:
        text = str(self.query("SELECT plain(text) FROM texts WHERE hash = ?", name)[0][0])
        return f"[left out: {name}]" if text == name else text

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def __enter__(self) -> Run:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


WAY_OUT = "; what is whole of it can be saved: cave-sim doctor"
"""How the message about a torn file goes on, with the run's folder and ``--repair``."""


def open_run(folder: str | Path) -> Run:
    """Open a run for reading.

    Raises:
        JournalError: there is no run in this folder, or its file is no journal.
    """
    if not isinstance(folder, str | os.PathLike):
        raise JournalError(f"open_run({folder!r}): takes the path of a run's folder, as 'runs/town_day-7'")
    folder = Path(folder)
    path = folder if folder.suffix == ".sqlite" else folder / DATABASE
    if not path.is_file():
        raise no_run(folder)
    try:
        opened = open_to_read(path)
    except OSError as error:
        raise JournalError(f"{path} cannot be opened: {reason(error)}") from None
    except sqlite3.Error as error:
        if "locked" in str(error) and not has_locks(path.parent):
            raise JournalError(f"{path} cannot be opened: {NO_LOCKS.format(folder=path.parent)}") from None
        if error.sqlite_errorcode & PRIMARY in OF_THE_MACHINE:
            raise JournalError(f"{path} cannot be opened: {_why_unopened(path) or error}") from None
        raise JournalError(f"{path} is no journal of a run: {error}{WAY_OUT} {path.parent} --repair") from None
    except JournalError as error:
        raise JournalError(f"{path} is no journal of a run: {error}") from None
    try:
        return Run(path.parent, opened)
    except JournalError as error:
        opened.connection.close()
        raise JournalError(f"{path} is no journal of a run: {error}") from None


PRIMARY = 0xFF
"""What of an error code of SQLite says of which kind it is."""
OF_THE_MACHINE = {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_FULL, sqlite3.SQLITE_PERM}
"""Kinds of errors that say nothing of what is in a file."""


def _why_unopened(path: Path) -> str:
    """Return why the system opens no file, which SQLite does not say; empty if it opens it now."""
    try:
        with path.open("rb"):
            return ""
    except OSError as error:
        return reason(error)


def _out_of_reach(error: Exception) -> str:
    """Return why an open file cannot be asked although nothing is wrong with it; empty if that is not so."""
    if not isinstance(error, sqlite3.ProgrammingError):
        return ""
    if "closed" in str(error):
        return "is closed: ask within `with open_run(...) as run:`, or open it again"
    return "was opened in another thread: each opens a run of its own" if "thread" in str(error) else ""


def _first_line(error: Exception) -> str:
    lines = str(error).splitlines() or [""]
    return f"{type(error).__name__}: {lines[0][:200]}"


def _where(conditions: dict[str, Any]) -> tuple[str, list[Any]]:
    given = {column: value for column, value in conditions.items() if value is not None}
    return " AND ".join([f"{column} = ?" for column in given] or ["1"]), list(given.values())
