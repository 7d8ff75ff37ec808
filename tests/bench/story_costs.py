"""What shorter prompts cost: tokens and outcomes of the stories under two checkouts, paired over seeds.

    git worktree add ../before 53e9f76^
    python -m tests.bench.story_costs live before.jsonl --tree ../before --seeds 501-513
    python -m tests.bench.story_costs live now.jsonl --seeds 501-513
    python -m tests.bench.story_costs compare before.jsonl now.jsonl

``live`` adds a line for each story and seed that the file lacks, so it goes on where it was stopped. Minds are
scripted: the table shows what they make of what they are told, and nothing about any real model.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, get_args

import pandas as pd

from cave_sim.analysis.statistics import paired_difference
from cave_sim.analysis.wording import figure
from cave_sim.models.base import Context
from tests.bench import story_run
from tests.bench.story_run import SETTINGS

Lives = dict[str, pd.DataFrame]
"""Story -> a frame with a row for each seed, and measures as columns."""


def live(file: Path, tree: Path, stories: Sequence[str], seeds: Sequence[int], switches: Sequence[str] = ()) -> None:
    """Live what the file lacks under a checkout, each story in a process of its own.

    Args:
        file: a line of JSON for each story and seed.
        tree: root of the checkout.
        stories: which.
        seeds: which.
        switches: further arguments of :mod:`tests.bench.story_run`.

    Raises:
        ValueError: a story could not be lived; what was lived before it is kept.
    """
    rows = rows_of(file) if file.exists() else []
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = {(row["story"], row["seed"]) for row in rows}
    for seed in seeds:
        for story in stories:
            if (story, seed) in done:
                continue
            command = [sys.executable, "-P", story_run.__file__, story, str(seed), *switches]
            environment = {**os.environ, "PYTHONPATH": str(tree)}
            run = subprocess.run(command, env=environment, cwd=tree, capture_output=True, text=True, check=False)
            if run.returncode:
                raise ValueError(f"{story}, seed {seed}, under {tree}: {(run.stderr.splitlines() or ['?'])[-1]}")
            with file.open("a") as lines:
                lines.write(json.dumps({"story": story, "seed": seed, **json.loads(run.stdout)}) + "\n")
            print(f"{story}, seed {seed}", file=sys.stderr, flush=True)


def rows_of(file: Path) -> list[dict[str, Any]]:
    """Return the lines of a file, but for a last one that was cut off."""
    lines = file.read_text().splitlines(keepends=True)
    return [json.loads(line) for line in lines if line.endswith("\n")]


def lives_of(file: Path) -> Lives:
    """Return what was lived, by story."""
    return {
        str(story): rows.drop(columns="story").set_index("seed").dropna(axis="columns", how="all")
        for story, rows in pd.DataFrame(rows_of(file)).groupby("story")
    }


def table(before: Lives, now: Lives) -> Iterator[str]:
    """Yield the rows of a table: means over the seeds that both have, paired differences with 95 % intervals."""
    yield "| story (seeds) | what | before | now | difference |"
    yield "| --- | --- | --- | --- | --- |"
    for story in [story for story in SETTINGS if story in before and story in now]:
        one, other = before[story], now[story]
        seeds = one.index.intersection(other.index)
        for measure in [name for name in one.columns if name in other.columns]:
            was, is_ = one.loc[seeds, measure], other.loc[seeds, measure]
            gap = paired_difference(is_, was)
            half = (gap.high - gap.low) / 2
            told = figure(gap.mean, half, "+") + (f" ± {figure(half, half)}" if gap.has_interval else "")
            yield f"| `{story}` ({len(seeds)}) | {measure} | {was.mean():,.1f} | {is_.mean():,.1f} | {told} |"


def main(arguments: Sequence[str] | None = None) -> None:
    """Live stories, or compare what was lived."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    lives = commands.add_parser("live", help="live stories and keep their numbers")
    lives.add_argument("file", type=Path, help="a .jsonl file; what it has is not lived again")
    lives.add_argument("--tree", type=Path, default=Path.cwd(), help="root of a checkout; by default this one")
    lives.add_argument("--stories", nargs="+", choices=SETTINGS, default=list(SETTINGS))
    lives.add_argument("--whole", action="store_true", help="show scripts all that the world shows their agents")
    lives.add_argument("--context", choices=get_args(Context), help="how much of what was said requests repeat")
    lives.add_argument("--seeds", type=_seeds, required=True, help="such as 501-513")
    compares = commands.add_parser("compare", help="print the table of two files")
    compares.add_argument("before", type=Path)
    compares.add_argument("now", type=Path)
    options = parser.parse_args(arguments)
    try:
        if options.command == "live":
            switches = [*["--whole"] * options.whole, *(["--context", options.context] if options.context else [])]
            live(options.file, options.tree.resolve(), options.stories, options.seeds, switches)
        else:
            print("\n".join(table(lives_of(options.before), lives_of(options.now))))
    except (ValueError, KeyError, OSError) as error:
        parser.exit(1, f"{error}\n")


def _seeds(text: str) -> range:
    first, _, last = text.partition("-")
    try:
        seeds = range(int(first), int(last or first) + 1)
    except ValueError:
        seeds = range(0)
    if not seeds:
        raise argparse.ArgumentTypeError(f"{text!r} is no range of seeds such as 501-513")
    return seeds


if __name__ == "__main__":
    main()
