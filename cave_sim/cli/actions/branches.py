"""``cave-sim branches``: the tree of runs that were forked from each other."""

from __future__ import annotations

import argparse
import json

from cave_sim.history.branches import branches, tree_lines
from cave_sim.journal.tables import DATABASE


def call(options: argparse.Namespace) -> int:
    """Print the trees."""
    trees = branches(options.run)
    is_run = (options.run / DATABASE).is_file()
    shown = trees if options.all or not is_run else trees[:1]
    if options.json:
        print(json.dumps([tree.to_data() for tree in shown]))
    else:
        print(
            "\n".join(line for tree in shown for line in tree_lines(tree, options.run.resolve().name if is_run else ""))
        )
    return 0
