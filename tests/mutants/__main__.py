"""Make every mistake of the list, one at a time, and say which of them no test notices.

``make mutants ARGS="--only resumed"`` makes those alone whose name or file has the word. What was found is kept in
``.mutants/`` and holds until the code with the mistake or its tests change, so a run that was broken off goes on.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from tests.mutants.listed import MUTANTS
from tests.mutants.mutant import ROOT, Mutant
from tests.mutants.run import Copy, import_heavy, timed

RESULTS = ROOT / ".mutants" / "results.json"
MOST_UNEXPLAINED = 0.05
"""Share of all mutants that may survive without an excuse."""

_copy: Copy


def main() -> int:
    """Run what is asked for; the exit code is 1 if too many survive, if one
    can no longer be made, or if the tests fail without any mistake."""
    options = _options()
    asked = [each for each in MUTANTS if options.only in f"{each.name} {each.where} {each.places()}"]
    stale = [each for each in asked if each.is_stale()]
    wanted = [each for each in asked if each not in stale]
    if options.list:
        print("\n".join(f"{each.file()}: {each.name}" for each in wanted))
    for each in stale:
        print(f"stale: {each.name}: what it changes is not in {each.where} exactly once", file=sys.stderr)
    if options.list:
        return int(bool(stale))
    import_heavy()
    results = {} if options.again or not RESULTS.exists() else json.loads(RESULTS.read_text())
    left = [each for each in wanted if each.digest() not in results]
    if left and not _healthy(left, options):
        return 1
    with tempfile.TemporaryDirectory() as folder:
        _make_all(left, results, Path(folder), options)
    return _report(wanted, stale, results)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make mutants", description=__doc__)
    parser.add_argument("--only", default="", metavar="WORD", help="those whose name or file has this word")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="how many at once (default: 2)")
    parser.add_argument("--limit-s", type=float, default=180.0, metavar="S", help="for the tests of one (default: 180)")
    parser.add_argument("--again", action="store_true", help="forget what was found before")
    parser.add_argument("--list", action="store_true", help="name them, and make none")
    return parser.parse_args()


def _healthy(mutants: list[Mutant], options: argparse.Namespace) -> bool:
    """Say whether the tests pass without any mistake; otherwise they would kill everything."""
    tests = tuple(sorted({test for mutant in mutants for test in mutant.tests}))
    print(f"{len(tests)} files of tests, first without any mistake ...", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        outcome, words = Copy(Path(folder) / "tree").tested(tests, options.limit_s * len(tests), options.jobs)
    if outcome != "survived":
        print(f"the tests fail without any mistake:\n{words}", file=sys.stderr)
    return outcome == "survived"


def _make_all(left: list[Mutant], results: dict[str, list[object]], folder: Path, options: argparse.Namespace) -> None:
    RESULTS.parent.mkdir(exist_ok=True)
    pool = ProcessPoolExecutor(options.jobs, get_context("fork"), _begin, (folder,))
    with pool:
        done = pool.map(_make, left, [options.limit_s] * len(left))
        for number, (mutant, (outcome, words, took_s)) in enumerate(zip(left, done, strict=True), 1):
            results[mutant.digest()] = [outcome, words]
            RESULTS.write_text(json.dumps(results))
            print(f"{number:4d}/{len(left)}  {outcome:8}  {mutant.name}  ({took_s:.1f} s)", flush=True)


def _begin(folder: Path) -> None:
    """Give a worker a tree of its own."""
    global _copy
    _copy = Copy(Path(tempfile.mkdtemp(dir=folder)) / "tree")


def _make(mutant: Mutant, limit_s: float) -> tuple[str, str, float]:
    return timed(_copy, mutant, limit_s)


def _report(wanted: list[Mutant], stale: list[Mutant], results: dict[str, list[object]]) -> int:
    outcomes = {mutant: results[mutant.digest()] for mutant in wanted}
    survivors = [mutant for mutant, (outcome, _) in outcomes.items() if outcome != "killed"]
    unexplained = [mutant for mutant in survivors if not mutant.excuse]
    for mutant in survivors:
        outcome, words = outcomes[mutant]
        print(f"\n{outcome}: {mutant.name} ({mutant.file()})\n  {mutant.excuse or words or 'no test notices'}")
    excused = len(survivors) - len(unexplained)
    killed = len(wanted) - len(survivors)
    told = (
        f"{killed} killed, {excused} survive with a reason, {len(unexplained)} without, {len(stale)} could not be made"
    )
    print(f"\n{len(wanted) + len(stale)} mutants: {told}")
    return int(bool(stale) or len(unexplained) > MOST_UNEXPLAINED * len(wanted))


if __name__ == "__main__":
    sys.exit(main())
