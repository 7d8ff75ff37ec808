"""``cave-sim film``: a run as an animated picture, drawn without a browser."""

from __future__ import annotations

import argparse

from cave_sim.cli.options import output_file
from cave_sim.errors import WorldError
from cave_sim.journal.reader import open_run
from cave_sim.loading.entry_points import DASHBOARDS, named
from cave_sim.loading.extras import extra

WIDEST = 1920


def call(options: argparse.Namespace) -> int:
    """Write the film and say how long and how large it is."""
    if options.width > WIDEST:
        raise WorldError(f"--width {options.width}: films are up to {WIDEST} pixels wide")
    output_file.expect_place("film", options.out)
    with extra("film", "a film"):
        write = named(DASHBOARDS, "film")
    with open_run(options.run) as run:
        shape = {"every": options.every, "width": options.width, "fps": float(options.fps)}
        frames = write(run, options.out, first=options.first, last=options.last, **shape)
    kilobytes = options.out.stat().st_size / 1000
    print(f"{options.out}: {frames} frames, {frames / options.fps:.1f} s, {kilobytes:,.0f} kB")
    return 0
