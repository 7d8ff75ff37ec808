"""``cave-sim tag``: words to find a run by."""

from __future__ import annotations

import argparse
from pathlib import Path

from cave_sim.cli.options import json_output

EPILOG = """\
Examples:
  cave-sim tag runs/town_day-7 pilot rainy --remove draft
  cave-sim list runs --tag pilot"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("run", type=Path, help="folder of the run")
    parser.add_argument("words", nargs="*", metavar="WORD", help="tags to add; none shows those that there are")
    parser.add_argument("--remove", action="append", default=[], metavar="WORD", help="a tag to take away")
    json_output.add_argument(parser, "the run's tags")


def call(options: argparse.Namespace) -> int:
    """Print the tags that the run has then."""
    from cave_sim.journal.annotations import annotate  # help waits for none of what writing a run needs
    from cave_sim.journal.reader import open_run

    if options.words or options.remove:
        tags = annotate(options.run, tags=options.words, untag=options.remove)["tags"]
    else:
        with open_run(options.run) as run:
            tags = list(run.manifest.get("tags") or ())
    if options.json:
        json_output.show({"run": str(options.run), "tags": tags})
    else:
        print(f"{options.run}: {', '.join(tags) or 'no tags'}")
    return 0
