"""The runs of the shards of a sharded run: what is done in a city is in the journals of its districts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from cave_sim.journal.reader import Run, open_run
from cave_sim.journal.tables import DATABASE

SHARD = "district-"
"""What the name of a shard's folder begins with; its number follows."""


def shard_folders(folder: Path) -> list[Path]:
    """Return the folders of a sharded run's shards by their numbers; none for any other run, or of another name."""
    numbered = ((path.parent.name.removeprefix(SHARD), path.parent) for path in folder.glob(f"{SHARD}*/{DATABASE}"))
    return [path for _, path in sorted((int(number), path) for number, path in numbered if number.isdecimal())]


@contextmanager
def open_shards(folder: Path) -> Iterator[list[Run]]:
    """Open the runs of a sharded run's shards, in order; none for any other run."""
    with ExitStack() as opened:
        yield [opened.enter_context(open_run(path)) for path in shard_folders(folder)]
