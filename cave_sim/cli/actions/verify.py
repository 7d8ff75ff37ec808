"""``cave-sim verify``: check a run's file, then run its cells again."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from cave_sim.cli.options import hosts, trust
from cave_sim.cli.options.progress import through
from cave_sim.diagnostics.plurals import counted
from cave_sim.errors import JournalError
from cave_sim.experiment.runner import ABOUT, TRIALS
from cave_sim.journal.no_run import runs_in
from cave_sim.journal.reader import open_run
from cave_sim.journal.redaction import REDACTED
from cave_sim.journal.tallies import step_range
from cave_sim.replay.verify import Verdict, verify


def call(options: argparse.Namespace) -> int:
    """Print what was found of a run, or of each trial of a study; exit code 0 if all is what it says, 1 if not."""
    trials = sorted(runs_in(options.run / TRIALS)) if (options.run / ABOUT).is_file() else []
    found = _found_of_trials(options, trials) if trials else _found(options)
    if options.json:
        print(json.dumps(found, ensure_ascii=False))
    return 0 if found["holds"] else 1


def _found_of_trials(options: argparse.Namespace, trials: Sequence[Path]) -> dict[str, Any]:
    """Return what was found of each trial as plain data, and print it where no JSON is asked for."""
    found: dict[str, dict[str, Any]] = {}
    for folder in trials:
        if not options.json:
            print(f"{folder.name}: ", end="")
        try:
            found[folder.name] = _found(argparse.Namespace(**{**vars(options), "run": folder}))
        except JournalError as error:  # of a file that cannot be read; the others can
            found[folder.name] = {"holds": False, "error": str(error)}
            if not options.json:
                print(error)
    hold = sum(each["holds"] for each in found.values())
    if not options.json:
        print(f"{hold} of {counted(len(trials), 'trial')} {'holds' if hold == 1 else 'hold'}")
    return {"holds": hold == len(trials), "trials": found}


def _found(options: argparse.Namespace) -> dict[str, Any]:
    """Return what was found of a run as plain data, and print it where no JSON is asked for."""
    verdict = _verdict(options)
    if not options.json:
        _print(verdict, options)
    return {**asdict(verdict), "holds": verdict.holds}


def _verdict(options: argparse.Namespace) -> Verdict:
    """Return what was found of a run."""
    recipe = None if options.file_only else trust.trusted(options).without_model()
    place = (
        None if recipe is None else hosts.placed(recipe, options.host or hosts.recorded(options.run), options.require)
    )
    with open_run(options.run) as run, through(run, "verifying") as progress:
        return verify(run, None if recipe is None else recipe.make, place, progress)


def steps_of(folder: Path) -> str:
    """Return which steps a run has, in words."""
    with open_run(folder) as run:
        return step_range(run)


def is_redacted(folder: Path) -> bool:
    """Say whether the prompts of a run were left out."""
    with open_run(folder) as run:
        return REDACTED in run.manifest


def _print(verdict: Verdict, options: argparse.Namespace) -> None:
    for problem in verdict.problems:
        print(problem)
    if verdict.difference is not None:
        print(f"run again, {verdict.difference}")
    if verdict.why:
        print(f"because {verdict.why}")
    if verdict.holds:
        behind = "" if verdict.by_file is None else f" behind step {verdict.by_file}"
        again = "" if options.file_only else f", and every cell{behind} came out the same when it was run again"
        steps = steps_of(options.run)
        print(f"{steps} {'hold' if steps.startswith('steps') else 'holds'}: hashes, seals and states agree{again}")
        if is_redacted(options.run):
            print("the texts of prompts were left out when it was handed on; their hashes stand in for them")
        if verdict.by_file is not None and not options.file_only:
            print(
                f"cells up to step {verdict.by_file} ran on entities that lacked a field: only the file tells of them"
            )
