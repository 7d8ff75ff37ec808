"""All examples before any is chosen, in a file of their own, so that a thousand runs take no more memory than one."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Self

from cave_sim.determinism.random_streams import draw
from cave_sim.training_data.example import Role, Split, TrainingExample

TABLES = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
CREATE TABLE candidates (
  role TEXT, said TEXT, category TEXT, kind TEXT, scenario TEXT, rank INTEGER, line TEXT, split TEXT, taken INTEGER,
  UNIQUE (role, said)
);
"""
INDEX = "CREATE INDEX places ON candidates (role, split, category, kind, rank)"
TAKE = """
UPDATE candidates SET taken = 1 WHERE rowid IN (
  SELECT rowid FROM candidates WHERE role = ? AND split = ? AND category = ? AND kind = ? ORDER BY rank LIMIT ?
)
"""


class Candidates:
    """Examples of which some will be taken.

    Args:
        path: of a file that is made, and lasts no longer than this.
        seed: which are taken, and what goes to validation, follow from it, whatever order they come in.
    """

    def __init__(self, path: Path, seed: int) -> None:
        self._path, self._seed = path, seed
        path.unlink(missing_ok=True)
        self._file = sqlite3.connect(path)
        self._file.executescript(TABLES)

    def add(self, example: TrainingExample) -> bool:
        """Take an example; returns whether none says the same already."""
        rank = draw(self._seed, "rank", example.id) >> 1
        row = (example.role, example.said_id, example.category, example.kind, example.origin.scenario, rank)
        sql = "INSERT OR IGNORE INTO candidates VALUES (?, ?, ?, ?, ?, ?, ?, NULL, 0)"
        return self._file.execute(sql, (*row, example.to_line())).rowcount == 1

    def split(self, validation: float) -> None:
        """Send a share of each category's scenarios to validation, and all of their examples with them."""
        self._file.execute(INDEX)
        self._file.execute("UPDATE candidates SET split = 'train'")
        places = self._file.execute("SELECT DISTINCT category, scenario FROM candidates").fetchall()
        for category in sorted({each for each, _ in places}):
            scenarios = [scenario for each, scenario in places if each == category]
            scenarios.sort(key=lambda scenario: draw(self._seed, "split", scenario))
            number = round(len(scenarios) * validation)
            number = max(number, 1) if validation and len(scenarios) > 1 else number
            for scenario in scenarios[: min(number, len(scenarios) - 1)]:
                sql = "UPDATE candidates SET split = 'validation' WHERE scenario = ?"
                self._file.execute(sql, (scenario,))

    def pools(self, role: Role, split: Split) -> dict[tuple[str, str], int]:
        """Return (category, kind) -> how many there are."""
        sql = "SELECT category, kind, count(*) FROM candidates WHERE role = ? AND split = ? GROUP BY 1, 2 ORDER BY 1, 2"
        return {(category, kind): number for category, kind, number in self._file.execute(sql, (role, split))}

    def take(self, role: Role, split: Split, numbers: Mapping[tuple[str, str], int]) -> Iterator[str]:
        """Yield the lines of so many of each category and kind, mixed."""
        for (category, kind), number in numbers.items():
            self._file.execute(TAKE, (role, split, category, kind, number))
        sql = "SELECT line FROM candidates WHERE taken AND role = ? AND split = ? ORDER BY rank"
        for (line,) in self._file.execute(sql, (role, split)):
            yield line

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()
        self._path.unlink(missing_ok=True)
