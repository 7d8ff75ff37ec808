"""``cave-sim training-data``: what finished runs teach an executor and a tracker, as files for fine-tuning."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from cave_sim.cli.options import json_output
from cave_sim.cli.options.progress import StatusLine
from cave_sim.diagnostics.plurals import counted
from cave_sim.errors import JournalError, WorldError
from cave_sim.history.run_list import runs_in
from cave_sim.journal.no_run import no_run
from cave_sim.training_data.card import shares
from cave_sim.training_data.chats import write_chats
from cave_sim.training_data.data_set import write_training_data
from cave_sim.training_data.manifest import CARD, SOURCES, Manifest, Settings, SourceLine
from cave_sim.training_data.mix import quotas

FAULTY = 1
LICENSE = re.compile(r"[A-Za-z0-9][A-Za-z0-9.+-]{0,40}")


def call(options: argparse.Namespace) -> int:
    """Write a folder of examples, or check one; the exit code is 1 if it has a fault."""
    if options.check is not None:
        return _check(options)
    if options.chats is not None:
        return _chats(options)
    if not options.runs or options.out is None:
        raise WorldError("name runs, and --out FOLDER for what they teach; or --check FOLDER")
    settings = Settings(
        seed=options.seed, mix=options.mix, tracker_kinds=options.tracker_kinds, tools=options.tools,
        validation=options.validation, most_tokens=options.most_tokens, examples=options.examples,
        least_rating=options.least_rating,
        private=[_pattern(each) for each in options.private], license=_license(options.license),
    )  # fmt: skip
    runs = _runs(options.runs)
    console, status = Console(stderr=True), StatusLine()
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("runs, twice", total=2 * len(runs))
        left_out: list[str] = []

        def note(count: int, why_left_out: str) -> None:
            progress.update(task, completed=count)
            if not console.is_terminal:
                status(f"{count} of {2 * len(runs)} runs, each twice")
            left_out.extend([why_left_out] if why_left_out else [])

        manifest = write_training_data(runs, options.out, settings, note)
    for reason in left_out:  # where all are, the error says why
        print(reason, file=sys.stderr)
    if options.json:
        json_output.show(manifest.model_dump())
    else:
        print("\n".join(_lines(manifest, options.out)))
    return 0


def _chats(options: argparse.Namespace) -> int:
    if options.out is None or options.runs:
        raise WorldError("--chats FOLDER takes --out FOLDER, where to, and no runs")
    written = write_chats(options.chats, options.out)
    if options.json:
        json_output.show(written)
    else:
        print("\n".join(f"{counted(number, 'chat'):>16}  {options.out / name}" for name, number in written.items()))
    return 0


def _runs(places: list[Path]) -> list[Path]:
    folders: dict[Path, Path] = {}
    for place in places:
        inside = list(runs_in(place))
        if not inside:
            raise no_run(place)
        folders |= {each.resolve(): each for each in inside}
    return list(folders.values())


def _lines(manifest: Manifest, folder: Path) -> list[str]:
    lines = [f"{counted(each.examples, 'example'):>16}  {folder / each.path}" for each in manifest.files]
    left = [f"{number:,} {why}" for why, number in manifest.examples_left_out.items()]
    lines.append(f"from {counted(manifest.sources, 'run')}; left out: {'; '.join(left) or 'nothing'}")
    runs = [f"{number:,}: {why}" for why, number in manifest.runs_left_out.items()]
    lines += [f"runs left out, {each}" for each in runs]
    lines += [f"too few in {each}" for each in manifest.short]
    if manifest.short:
        lines.append("nothing was repeated to fill that: more runs of these, or another --mix, do")
        lines += _fitting(manifest, folder)
    return [*lines, f"card: {folder / CARD}"]


def _fitting(manifest: Manifest, folder: Path) -> Iterator[str]:
    """Yield which categories no run is of, and the mix of those that there are."""
    mix = manifest.settings.mix
    sources = [SourceLine.model_validate_json(line) for line in (folder / SOURCES).read_bytes().splitlines()]
    there = {name: share for name, share in mix.items() if name in {each.category for each in sources}}
    if lacking := [name for name in mix if name not in there]:
        fitting = shares({name: float(share) for name, share in quotas(there, 100).items()})
        yield f"no run that gave examples is of {', '.join(lacking)}: --mix {fitting} asks for what there is"


def _pattern(text: str) -> str:
    try:
        re.compile(text)
    except re.error as error:
        raise WorldError(f"--private {text!r} is no pattern: {error}") from None
    return text


def _license(name: str | None) -> str | None:
    if name is not None and not LICENSE.fullmatch(name):
        raise WorldError(f"--license {name!r}: give its name, as data hubs have it: mit, apache-2.0, cc-by-4.0, other")
    return name


def _check(options: argparse.Namespace) -> int:
    from cave_sim.training_data.validator import faults

    if options.runs or options.out is not None:
        raise WorldError("--check looks at a folder that is written: without runs and without --out")
    if not options.check.is_dir():
        raise JournalError(f"--check {options.check}: there is no such folder")
    rows = []
    for fault in faults(options.check):
        rows.append(asdict(fault))
        if not options.json:
            print(fault)
    if options.json:
        json_output.show({"faults": rows})
    elif rows:
        print(f"{counted(len(rows), 'fault')} in {options.check}")
    else:
        print(f"{options.check} is as its card says")
    return FAULTY if rows else 0
