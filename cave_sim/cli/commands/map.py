"""``cave-sim map``: a town's map of any place, from a file of OpenStreetMap."""

from __future__ import annotations

import argparse
from pathlib import Path

EPILOG = """\
Examples:
  cave-sim map helsinki.osm.pbf --box 24.92,60.16,24.96,60.18 --out town.json
  cave-sim run town_day --set map=town.json"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("file", type=Path, help="an .osm.pbf or .osm file, of Geofabrik say")
    parser.add_argument(
        "--box", type=box, metavar="W,S,E,N", help="west, south, east, north in degrees (default: all of the file)"
    )
    parser.add_argument("--name", default="", help="what the map is called (default: as the file is)")
    parser.add_argument("--out", type=Path, metavar="FILE", help="the map file (default: FILE.json, here)")


def box(text: str) -> tuple[float, float, float, float]:
    """Return the sides of a box.

    Raises:
        argparse.ArgumentTypeError: they are not four, no numbers, or the wrong way round.
    """
    try:
        west, south, east, north = map(float, text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r}: give west,south,east,north in degrees") from None
    if not (-180 <= west < east <= 180 and -90 <= south < north <= 90):
        raise argparse.ArgumentTypeError(f"{text!r}: west must be less than east, and south than north, in degrees")
    return west, south, east, north
