"""The runs of the shards of a sharded run: what is done in a city is in the journals of its districts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from cave_sim.journal.reader import Run, open_run
from cave_sim.journal.tables import DATABASE


def shard_folders(folder: Path) -> list[Path]:
    """Return the folders of a sharded run's shards, in order; none for any other run."""
    found = [path.parent for path in folder.glob(f"district-*/{DATABASE}")]
    return sorted(found, key=lambda path: int(path.name.rpartition("-")[2] or 0))


@contextmanager
def open_shards(folder: Path) -> Iterator[list[Run]]:
    """Open the runs of a sharded run's shards, in order; none for any other run."""
    with ExitStack() as opened:
        yield [opened.enter_context(open_run(path)) for path in shard_folders(folder)]
