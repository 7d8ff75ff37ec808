"""``cave-sim doctor``: how large a run is, whether its file is whole; without a run, how well cells are held here."""

from __future__ import annotations

import argparse
from itertools import islice
from pathlib import Path

from cave_sim.errors import JournalError
from cave_sim.hosts.process.host import probe_here
from cave_sim.journal.compaction import compact
from cave_sim.journal.integrity import problems
from cave_sim.journal.reader import Run, open_run
from cave_sim.journal.repair import repair
from cave_sim.journal.tables import DATABASE
from cave_sim.journal.tallies import bytes_by_table, cell_count, change_count, step_range

EPILOG = "Example: cave-sim doctor runs/town_day-7 --repair"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("run", type=Path, nargs="?", help="folder of the run; none for this machine's isolation level")
    parser.add_argument("--compact", action="store_true", help="make the file smaller, if it is whole")
    parser.add_argument("--repair", action="store_true", help="save every step that holds, if the file is torn")


def call(options: argparse.Namespace) -> int:
    """Report, and repair if asked to; exit code 0 if the file is whole in the end."""
    if options.run is None:
        print(probe_here())
        return 0
    found = _examine(options.run)
    for problem in found:
        print(problem)
    if not found:
        if options.compact:
            _compact(options.run)
        return 0
    if not options.repair:
        print(f"what is whole of it can be saved: cave-sim doctor {options.run} --repair")
        return 1
    saved = repair(options.run)
    if saved.last_step is None:
        print(f"no step could be saved; the file is as it was. To begin again: remove {options.run}, and run it anew")
        return 1
    print(
        f"saved everything up to step {saved.last_step}; the file as it was is {saved.torn}. "
        f"To go on: cave-sim resume {options.run}"
    )
    return 0


def _compact(folder: Path) -> None:
    """Make the file smaller, and say how much."""
    saved = compact(folder)
    with open_run(folder) as run:
        told = report(run)[1]
    print(f"compacted: {1 - saved.after_bytes / saved.before_bytes:.0%} less; {told}")


def _examine(folder: Path) -> list[str]:
    """Print sizes, and return what is wrong."""
    try:
        with open_run(folder) as run:
            for line in report(run):
                print(line)
            return [str(problem) for problem in islice(problems(run), 5)]
    except JournalError as error:
        if not (folder / DATABASE).is_file():
            raise
        return [str(error)]


def report(run: Run) -> list[str]:
    """Return how large a run is and what takes the room, in lines."""
    size = sum(path.stat().st_size for path in run.folder.glob(f"{DATABASE}*"))
    turns, changes = cell_count(run), change_count(run)
    lines = [f"{run.folder}: {step_range(run)}, {turns:,} cells, {changes:,} changes"]
    each = f", {size / turns:,.0f} bytes a cell" if turns else ""
    lines.append(f"size: {size:,} bytes{each}")
    return [*lines, *(f"  {share:4.0%} {name}" for name, share in _shares(run, size))]


def _shares(run: Run, size: int) -> list[tuple[str, float]]:
    """Return what takes more than a hundredth of the room, where this SQLite can say."""
    return [(name, taken / size) for name, taken in bytes_by_table(run).items() if taken * 100 > size]
