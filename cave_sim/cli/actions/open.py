"""``cave-sim open``: unpacking a bundle, and verifying what is in it."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from cave_sim.cli.actions import verify
from cave_sim.replay.bundle import unpack


def call(options: argparse.Namespace) -> int:
    """Print what was found; exit code 0 if the run is what it says, 1 if not. No model is asked."""
    if options.host is None and sys.platform.startswith("linux"):
        options.host = "process"  # whoever made it chose its cells
    with TemporaryDirectory(prefix="cave-sim-", ignore_cleanup_errors=True) as workshop:
        options.run = options.out or Path(workshop) / options.bundle.stem
        unpack(options.bundle, options.run)
        return verify.call(options)
