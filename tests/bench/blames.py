"""What blame costs on a run of a million changes: a closed file with its indexes, and one still being written."""

import json
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from cave_sim import open_run
from cave_sim.history.blame import blame
from cave_sim.journal.tables import DATABASE, INDEXES, TABLES
from tests.bench.measure import medians_us, way
from tests.bench.table import Row, ratio, shown_us

TURNS, CHANGES_A_TURN, RESIDENTS = 100_000, 10, 1_000
ONE_PASS = "SELECT count(*) FROM changes WHERE entity = 'resident_7' AND new <> '0'"


def blames(repeats: int) -> Iterator[Row]:
    """Yield rows for the whole chain of a field (1,000 values of a million changes) and for its last value."""
    with tempfile.TemporaryDirectory() as folder:
        live = long_run(Path(folder) / "live")
        closed = with_indexes(live, Path(folder) / "closed")
        with open_run(closed) as indexed, open_run(live) as growing:
            names = {"blame": blame, "closed": indexed, "live": growing, "sql": ONE_PASS}
            costs = medians_us(
                {
                    "chain": way("blame(closed, 'resident_7.mood')", **names),
                    "last value": way("blame(closed, 'resident_7.mood', last=1)", **names),
                    "last value, live": way("blame(live, 'resident_7.mood', last=1)", **names),
                    "one pass over the changes": way("live.query(sql)", **names),
                },
                calls=1,
                repeats=min(repeats, 5),
            )
    yield Row("chain of 1,000 values in a million", shown_us(costs["chain"]), "", costs["chain"] / 1000, 300, "ms")
    yield Row("last value of them", shown_us(costs["last value"]), "", costs["last value"] / 1000, 25, "ms")
    yield ratio("last value, file without indexes", costs, "last value, live", "one pass over the changes", 6)


def with_indexes(run: Path, folder: Path) -> Path:
    """Copy a run into a folder, with the indexes of one that is closed, and return that folder."""
    shutil.copytree(run, folder)
    with closing(sqlite3.connect(folder / DATABASE)) as file:
        file.executescript(INDEXES)
    return folder


def long_run(folder: Path) -> Path:
    """Write a run of 100,000 turns with ten changes each by the documented tables, and return its folder."""
    folder.mkdir()
    with closing(sqlite3.connect(folder / DATABASE)) as file:
        file.executescript(TABLES)
        manifest = {"start": "2012-06-01T06:00", "step_s": 600}
        file.executemany("INSERT INTO manifest VALUES (?, ?)", [(key, json.dumps(manifest[key])) for key in manifest])
        file.execute("INSERT INTO cells VALUES ('cell', 'for each in team_of_mine:\n    each.mood = hour / 24')")
        row = "INSERT INTO turns VALUES (?, ?, ?, NULL, 'cell', 'cell', 'committed', '', NULL, 0.001, NULL)"
        file.executemany(row, ((turn, turn // 700, f"resident_{turn % RESIDENTS}") for turn in range(TURNS)))
        file.executemany("INSERT INTO changes VALUES (?, ?, ?, ?, 'set', ?, ?)", changes())
        file.commit()
    return folder


def changes() -> Iterator[tuple[object, ...]]:
    """Yield the rows: each turn writes the mood of ten residents."""
    for turn in range(TURNS):
        for position in range(CHANGES_A_TURN):
            name = f"resident_{(turn * CHANGES_A_TURN + position) % RESIDENTS}"
            yield turn, position, name, '["mood"]', f"{turn / TURNS}", f"{(turn + 1) / TURNS}"
