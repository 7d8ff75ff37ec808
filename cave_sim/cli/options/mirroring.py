"""``--mirror``: a copy of the run somewhere else, as it is being lived and when it is closed."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from cave_sim.errors import WorldError

if TYPE_CHECKING:
    from cave_sim.simulation.mirror import Mirror
    from cave_sim.simulation.runnable import Runnable


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the option."""
    parser.add_argument(
        "--mirror", metavar="URL", help="copy the run there as it is lived and at its end: s3://bucket/run"
    )


def mirror_of(options: argparse.Namespace) -> Mirror | None:
    """Return who copies the run; None if nobody is to.

    Raises:
        WorldError: the world is to live in another process.
        JournalError, MissingExtra: nothing here knows that kind of URL.
    """
    if options.mirror is None:
        return None
    if options.host == "ray":
        raise WorldError("--mirror copies a run that this process writes: use --host local or --host process")
    from cave_sim.simulation.mirror import Mirror

    return Mirror(options.mirror)


@contextmanager
def mirrored(simulation: Runnable, out: Path, mirror: Mirror | None) -> Iterator[None]:
    """Copy a run while the context lasts, and when it has been closed."""
    if mirror is not None:
        simulation.observers.append(mirror)
    yield
    if mirror is not None:
        from cave_sim.simulation.mirror import copy

        copy(out, mirror.url)
