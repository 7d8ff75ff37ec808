"""``cave-sim map``: imports a place as a map file, whole or not at all."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from cave_sim.cli.options import output_file
from cave_sim.errors import WorldError
from cave_sim.files.whole_files import write_whole
from cave_sim.loading.entry_points import MAPS, named

Box = tuple[float, float, float, float]


def call(options: argparse.Namespace) -> int:
    """Write the map file and say what is in it."""
    if not options.file.is_file():
        raise WorldError(f"{options.file}: there is no such file; Geofabrik and others offer extracts of OpenStreetMap")
    out = options.out or Path(f"{options.file.name.partition('.')[0]}.json")
    output_file.expect_place("--out", out)
    town = write_map(options.file, options.box, options.name, out)
    counts = f"{len(town['nodes']):,} corners of streets, {len(town['places']):,} places"
    print(f"{out}: {counts}, {len(town['buildings']):,} buildings")
    print(f"cave-sim run town_day --set map={out} lives there; its data are under the {town['licence']}")
    return 0


def write_map(file: Path, box: Box | None, name: str, out: Path) -> dict[str, Any]:
    """Write the map file of a place and return what is in it.

    Raises:
        MissingExtra: what reads such files is not installed.
        WorldError: the file cannot be read, or has no streets in the box.
    """
    town: dict[str, Any] = named(MAPS, "openstreetmap")(file, box, name)
    write_whole(out, json.dumps(town, ensure_ascii=False, separators=(",", ":")) + "\n")
    return town
