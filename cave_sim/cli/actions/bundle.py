"""``cave-sim bundle``: writing a run as one file."""

from __future__ import annotations

import argparse
from pathlib import Path

from cave_sim.cli.options import output_file
from cave_sim.replay.bundle import write_bundle


def call(options: argparse.Namespace) -> int:
    """Write it, and say where it is and how it is checked."""
    out = options.out or Path(f"{options.run.resolve().name}.cave")
    output_file.expect_place("--out", options.out)
    about = write_bundle(options.run, out, redacted=options.redact)
    if options.redact:
        print(f"{about['redacted']:,} texts of prompts are left out, and all rows of sessions; their hashes are there")
    print(f"{out}: {out.stat().st_size:,} bytes, up to step {about['last_step']}; to check it: cave-sim open {out}")
    return 0
