"""``cave-sim branches``: the tree of runs that were forked from each other."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from cave_sim.history.branches import branches, tree_lines

EPILOG = "Example: cave-sim branches runs/town_day-7"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("run", type=Path, help="folder of a run; its branches are looked for beside it")
    parser.add_argument("--all", action="store_true", help="draw every tree in the folder, not only this run's")
    parser.add_argument("--json", action="store_true", help="print one JSON array")


def call(options: argparse.Namespace) -> int:
    """Print the trees."""
    trees = branches(options.run)
    shown = trees if options.all else trees[:1]
    if options.json:
        print(json.dumps([tree.to_data() for tree in shown]))
    else:
        print("\n".join(line for tree in shown for line in tree_lines(tree, options.run.resolve().name)))
    return 0
