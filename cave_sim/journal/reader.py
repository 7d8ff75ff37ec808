"""Reading a run. The file is data: opening one, even a stranger's, never runs code."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from cave_sim.errors import JournalError
from cave_sim.journal.store import DATABASE


@dataclass(frozen=True, slots=True)
class TurnRow:
    """One turn as the journal keeps it; the fields are those of :class:`cave_sim.Turn`."""

    turn: int
    step: int
    agent: str
    parent: int | None
    kind: str
    code: str
    status: str
    output: str
    error: str | None
    duration_s: float
    usage: dict[str, Any]


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """One change as the journal keeps it, with the step, agent and kind of its turn."""

    turn: int
    step: int
    agent: str
    kind: str
    entity: str
    path: tuple[Any, ...]
    op: str
    old: Any
    new: Any


@dataclass(frozen=True, slots=True)
class StepRow:
    """One step: world time, the digest of the state after it, and its place in the hash chain."""

    step: int
    time_s: float
    state_hash: str
    hash: str


class Run:
    """A run, opened for reading. Usable while it is still being written.

    Attributes:
        folder: the run's directory.
        manifest: what the run is: settings, versions, parents.
    """

    def __init__(self, folder: Path, connection: sqlite3.Connection) -> None:
        self.folder = folder
        self._connection = connection
        self.manifest: dict[str, Any] = {k: json.loads(v) for k, v in self.query("SELECT key, value FROM manifest")}

    def query(self, sql: str, *parameters: Any) -> list[tuple[Any, ...]]:
        """Return the rows of a query in plain SQL over the tables of docs/journal.md."""
        try:
            return self._connection.execute(sql, parameters).fetchall()
        except sqlite3.Error as error:
            raise JournalError(f"{self.folder}: {error}") from None

    def turns(
        self, agent: str | None = None, status: str | None = None, step: int | None = None, entity: str | None = None
    ) -> Iterator[TurnRow]:
        """Yield turns in order, all of them or those of one agent, status, step, or that changed one entity."""
        where, parameters = _where({"turns.agent": agent, "turns.status": status, "turns.step": step})
        if entity is not None:
            where += " AND turns.turn IN (SELECT turn FROM changes WHERE entity = ?)"
            parameters.append(entity)
        sql = (
            "SELECT turn, step, agent, parent, kind, coalesce(code, ''), status, output, error, duration_s, usage "
            f"FROM turns LEFT JOIN cells ON cells.hash = turns.cell WHERE {where} ORDER BY turn"
        )
        for row in self._connection.execute(sql, parameters):
            fields: list[Any] = [*row[:-1], _data(row[-1]) or {}]
            yield TurnRow(*fields)

    def changes(self, entity: str | None = None, field: str | None = None) -> Iterator[ChangeRow]:
        """Yield changes in order: those that built the state, which leaves out what child turns repeat."""
        where, parameters = _where({"changes.entity": entity})
        if field is not None:
            where += " AND (changes.path = ? OR changes.path LIKE ?)"
            parameters += [json.dumps([field]), json.dumps([field])[:-1] + ",%"]
        sql = (
            "SELECT turn, step, agent, kind, entity, path, op, old, new FROM changes JOIN turns USING (turn) "
            f"WHERE parent IS NULL AND {where} ORDER BY turn, position"
        )
        for row in self._connection.execute(sql, parameters):
            path, op, old, new = row[5:]
            fields: list[Any] = [*row[:5], tuple(json.loads(path)), op, _data(old), _data(new)]
            yield ChangeRow(*fields)

    def steps(self) -> list[StepRow]:
        """Return every step that was committed."""
        return [StepRow(*row) for row in self.query("SELECT step, time_s, state_hash, hash FROM steps ORDER BY step")]

    def measures(self) -> pd.DataFrame:
        """Return the measures, one row a step and one column each."""
        rows = self.query("SELECT step, name, value FROM measures ORDER BY step")
        table = pd.DataFrame(rows, columns=["step", "name", "value"])
        return table.pivot(index="step", columns="name", values="value")

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def __enter__(self) -> Run:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_run(folder: str | Path) -> Run:
    """Open a run for reading.

    Raises:
        JournalError: there is no run in this folder, or its file is no journal.
    """
    folder = Path(folder)
    path = folder if folder.suffix == ".sqlite" else folder / DATABASE
    if not path.is_file():
        raise JournalError(f"{folder} holds no run: there is no {DATABASE} in it")
    try:
        connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
    except sqlite3.Error as error:
        raise JournalError(f"{path} cannot be opened: {error}") from None
    try:
        return Run(path.parent, connection)
    except (json.JSONDecodeError, JournalError) as error:
        connection.close()
        raise JournalError(f"{path} is no journal of a run: {error}") from None


def _data(text: str | None) -> Any:
    return None if text is None else json.loads(text)


def _where(conditions: dict[str, Any]) -> tuple[str, list[Any]]:
    given = {column: value for column, value in conditions.items() if value is not None}
    return " AND ".join([f"{column} = ?" for column in given] or ["1"]), list(given.values())
