"""``cave-sim open``: unpacking a bundle, and verifying what is in it."""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from cave_sim.cli.actions import verify
from cave_sim.errors import CaveSimError, JournalError
from cave_sim.journal.tables import DATABASE
from cave_sim.replay.bundle import unpack


def call(options: argparse.Namespace) -> int:
    """Print what was found; exit code 0 if the run is what it says, 1 if not. No model is asked."""
    if options.host is None and sys.platform.startswith("linux"):
        options.host = "process"  # whoever made it chose its cells
    with TemporaryDirectory(prefix="cave-sim-", ignore_cleanup_errors=True) as workshop:
        options.run = options.out or Path(workshop) / options.bundle.stem
        unpack(options.bundle, options.run)
        try:
            return verify.call(options)
        except CaveSimError as error:
            if options.out:
                raise
            raise JournalError(_without_the_folder(str(error), options.run, options.bundle)) from None


def _without_the_folder(text: str, folder: Path, bundle: Path) -> str:
    """Return what is told of a folder that will be gone when it is read, and how to have one that stays."""
    text = text.replace(str(folder / DATABASE), str(bundle))
    if str(folder) not in text:
        return text
    return f"{text.replace(str(folder), 'RUN')}; to have that RUN: cave-sim open {shlex.quote(str(bundle))} --out RUN"
