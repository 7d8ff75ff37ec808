"""The least that a journal of a Mesa model takes: what changed is found, hashed and written, and nothing else is done.

No entities, no undo log, no checks, no hash chain, no measures beside the collector's: a loop by hand, to tell how much
of a world's cost any program in Python has that keeps what changed in SQLite and a digest of the state.
"""

import hashlib
import sqlite3
from array import array
from collections.abc import Callable
from operator import attrgetter
from pathlib import Path
from time import monotonic
from typing import Any

import mesa
import msgspec

from cave_sim.mesa_models.counterpart_classes import Attributes
from cave_sim.mesa_models.simulation import COMMIT_WITHIN_S
from cave_sim.mesa_models.spaces import space_of

encode = msgspec.json.Encoder().encode
TABLES = (
    "CREATE TABLE changes (turn INTEGER, position INTEGER, entity, path, op, old, new, PRIMARY KEY (turn, position))",
    "CREATE TABLE steps (step INTEGER PRIMARY KEY, hash TEXT)",
)


class LeastJournal:
    """Writes down what became of a model in each step.

    Args:
        model: just made.
        file: of the database; made.
        with_agents: whether fields of its agents are kept, or what its data collector reports alone.
    """

    def __init__(self, model: mesa.Model, file: Path, with_agents: bool) -> None:
        self._model, self._with_agents, self._space = model, with_agents, space_of(model)
        self._database = sqlite3.connect(file, isolation_level=None)
        for statement in ("PRAGMA journal_mode = WAL", "PRAGMA synchronous = NORMAL", *TABLES):
            self._database.execute(statement)
        self._readers: dict[type, tuple[tuple[str, ...], Callable[[Any], Any]]] = {}
        self._held: dict[Any, tuple[str, Any]] = {}
        self._parts: dict[Any, int] = {}
        self._root = self._step = 0
        self._rows: list[tuple[Any, ...]] = []
        self._steps: list[tuple[int, str]] = []
        self._written_s = monotonic()
        self.write()

    def write(self) -> None:
        """Write down a step."""
        self._step += 1
        rows: list[tuple[Any, ...]] = []
        for agent in self._model.agents if self._with_agents else ():
            fields, read = self._readers.get(type(agent)) or self._reader(agent)
            now = read(agent)
            was = self._held.get(agent)
            if was is None:
                self._keep(agent, f"agent_{agent.unique_id}", now)
            elif now != was[1]:
                for field, old, new in zip(fields, was[1], now, strict=True):
                    if old != new:
                        rows.append((self._step, len(rows), was[0], field, "set", str(old), str(new)))
                self._keep(agent, was[0], now)
        self._commit(rows)

    def _reader(self, agent: Any) -> tuple[tuple[str, ...], Callable[[Any], Any]]:
        told = Attributes.of([agent])
        names = [attribute for _, attribute in (*told.stored, *told.asked)]
        values, space = attrgetter("unique_id", *names), self._space

        def read(agent: Any) -> tuple[Any, ...]:
            return (*values(agent), space.place_of(agent) if space else None)

        found = self._readers[type(agent)] = ("unique_id", *names, "place"), read
        return found

    def _keep(self, agent: Any, name: str, now: Any) -> None:
        self._held[agent] = name, now
        part = int.from_bytes(hashlib.sha256(encode((name, *map(str, now)))).digest(), "big")
        self._root += part - self._parts.get(agent, 0)
        self._parts[agent] = part

    def _commit(self, rows: list[tuple[Any, ...]]) -> None:
        _, numbers, rest = self._model.random.getstate()
        text = hashlib.sha256(repr((self._root % 2**256, rest)).encode())
        text.update(array("L", numbers).tobytes())
        self._rows += rows
        self._steps.append((self._step, text.hexdigest()))
        if monotonic() - self._written_s >= COMMIT_WITHIN_S:
            self.flush()

    def flush(self) -> None:
        """Write what waits."""
        self._database.execute("BEGIN IMMEDIATE")
        self._database.executemany("INSERT INTO changes VALUES (?, ?, ?, ?, ?, ?, ?)", self._rows)
        self._database.executemany("INSERT INTO steps VALUES (?, ?)", self._steps)
        self._database.execute("COMMIT")
        self._rows, self._steps, self._written_s = [], [], monotonic()

    def close(self) -> None:
        """Let go of the file."""
        self._database.close()
