"""Writing training data: runs in, a folder of examples with its card out; the folder is there whole, or not at all."""

from __future__ import annotations

import shutil
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from cave_sim.diagnostics.plurals import counted
from cave_sim.errors import CaveSimError, JournalError, WorldError, reason
from cave_sim.experiment.talk_judge import MOST
from cave_sim.files.given_files import sha256_of
from cave_sim.files.whole_files import unfinished
from cave_sim.journal.integrity import problems
from cave_sim.journal.lock import LOCK, Held, lock
from cave_sim.journal.reader import Run, open_run
from cave_sim.models.disclosure import Policy
from cave_sim.models.tokens import offline_counter
from cave_sim.training_data.candidates import Candidates
from cave_sim.training_data.card import card
from cave_sim.training_data.example import ROLES, SPLITS, Role, TrainingExample
from cave_sim.training_data.example_rules import ExampleRules
from cave_sim.training_data.examples import ExampleMaker
from cave_sim.training_data.manifest import (
    CARD,
    MANIFEST,
    SOURCES,
    Manifest,
    Settings,
    SourceLine,
    WrittenFile,
    place,
)
from cave_sim.training_data.mix import plan
from cave_sim.training_data.privacy import Privacy
from cave_sim.training_data.source import OWN_MODULE, Source, Unusable, opened
from cave_sim.training_data.tools_in_context import DistractorPool
from cave_sim.version import __version__, code_revision

CANDIDATES = "candidates.sqlite"


def write_training_data(
    runs: Sequence[Path], folder: Path, settings: Settings, note: Callable[[int, str], None] = lambda number, why: None
) -> Manifest:
    """Write what finished runs teach an executor and a tracker; returns what the folder says of itself.

    Args:
        runs: their folders; a run that gives nothing is counted, with why.
        folder: where to; it must not be there, or be empty.
        settings: what it is to be.
        note: is told how many runs were looked at, and of each that gives nothing, why.

    Raises:
        WorldError: the folder has something in it or cannot be written, or no run gives an example of the mix.
    """
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise WorldError(f"{folder}: there is something already; name a folder that is not there")
        with _only_writer(folder) as fresh:
            manifest = _written(runs, fresh, settings, note)
            if folder.exists():
                folder.rmdir()
            fresh.rename(folder)
            (folder / LOCK).unlink()
    except (OSError, sqlite3.Error) as error:
        why = reason(error) if isinstance(error, OSError) else error
        raise WorldError(f"{folder} cannot be written: {why}") from None
    return manifest


@contextmanager
def _only_writer(folder: Path) -> Iterator[Path]:
    """Give an empty folder beside the one that is to be written, in which nobody else writes; in the end it is gone."""
    fresh = unfinished(folder)
    fresh.mkdir(parents=True, exist_ok=True)
    try:
        writer_lock = lock(fresh)
    except Held:
        raise WorldError(f"{folder} is being written by another process; wait for it, or name another folder") from None
    except JournalError:
        shutil.rmtree(fresh, ignore_errors=True)
        raise WorldError(f"{folder} cannot be written: nothing more can be made beside it") from None
    with closing(writer_lock):
        try:
            for left in fresh.iterdir():  # of a process that was killed
                if left.name != LOCK:
                    left.unlink()
            yield fresh
        finally:
            shutil.rmtree(fresh, ignore_errors=True)


def _written(runs: Sequence[Path], fresh: Path, settings: Settings, note: Callable[[int, str], None]) -> Manifest:
    left_out: Counter[str] = Counter()
    usable, pool = _usable(runs, settings.least_rating, left_out, note)
    policy = Policy(private=(*Policy().private, *settings.private))
    count = offline_counter()
    maker = ExampleMaker(pool, settings, Privacy(policy), ExampleRules(settings, count), count)
    lost: Counter[str] = Counter()
    with Candidates(fresh / CANDIDATES, settings.seed) as candidates:
        lines: list[SourceLine] = []
        for done, run in enumerate(usable, 1):
            with open_run(run) as file:
                source = opened(file)
                models = _collect(maker, source, candidates, lost)
            if models:
                lines.append(_line(source, sorted(models)))
            note(len(runs) + done, "")
        candidates.split(settings.validation)
        files, short = _choose(candidates, settings, fresh)
    if not any(file.examples for file in files):
        raise WorldError(_nothing(lines, settings, left_out, lost))
    (fresh / SOURCES).write_text("".join(line.model_dump_json(exclude_none=True) + "\n" for line in lines), "utf-8")
    manifest = Manifest(
        cave_sim=__version__, code=code_revision(), counter=count.name, settings=settings, files=files,
        sources=len(lines), sources_sha256=sha256_of(fresh / SOURCES), runs_left_out=dict(sorted(left_out.items())),
        examples_left_out=dict(sorted(lost.items())), short=short,
    )  # fmt: skip
    (fresh / MANIFEST).write_text(manifest.model_dump_json(indent=1) + "\n", "utf-8")
    (fresh / CARD).write_text(card(fresh, manifest), "utf-8")
    return manifest


def _usable(
    runs: Sequence[Path], least_rating: int | None, left_out: Counter[str], note: Callable[[int, str], None]
) -> tuple[list[Path], DistractorPool]:
    """Return the runs that are sources, in an order of their own, each of them once; and the tools of all."""
    by_seal: dict[tuple[str, str], Path] = {}
    pool = DistractorPool()
    for done, run in enumerate(runs, 1):
        why = detail = ""
        try:
            with open_run(run) as file:
                _expect_whole(file)
                source = opened(file)
                _expect_rated(source, least_rating)
                pool.add(source.listings.values())
                if by_seal.setdefault((source.scenario, source.seal), run) is not run:
                    why = "it is one of the others"
        except Unusable as error:
            why = str(error)
        except CaveSimError as error:
            why, detail = "its file is damaged", str(error)
        if why:
            left_out[why] += 1
        note(done, f"{run}: left out: {detail or why}" if why else "")
    return [by_seal[key] for key in sorted(by_seal)], pool


def _expect_rated(source: Source, least: int | None) -> None:
    """Raise Unusable for a run that its judge finds unsuitable or rates too low, or that nobody rated and had to."""
    rating = source.rating
    if rating is not None and not rating.suitable:
        raise Unusable("its judge finds it unsuitable to learn from")
    if least is not None and rating is None:
        raise Unusable("nobody rated it: cave-sim run handset --set judge=true has a judge do so")
    if least is not None and rating is not None and rating.score < least:
        raise Unusable(f"its judge rated it below {least} of {MOST}")


def _expect_whole(run: Run) -> None:
    """Raise JournalError for a file that is not as it was written: its seal would name what nobody ran."""
    if (problem := next(problems(run), None)) is not None:
        raise JournalError(f"{run.folder} is damaged: {problem}")


def _collect(maker: ExampleMaker, source: Source, candidates: Candidates, lost: Counter[str]) -> set[str]:
    """Take the examples of a run; returns who wrote them."""
    models: set[str] = set()
    for example in maker.examples(source):
        if not isinstance(example, TrainingExample):
            lost[example.why] += 1
        elif candidates.add(example):
            models.add(example.origin.written_by)
        else:
            lost["another one says the same"] += 1
    return models


def _choose(candidates: Candidates, settings: Settings, fresh: Path) -> tuple[list[WrittenFile], list[str]]:
    files: list[WrittenFile] = []
    short: list[str] = []
    for role in ROLES:
        for split in SPLITS:
            share = settings.validation if split == "validation" else 1 - settings.validation
            total = None if settings.examples is None else round(settings.examples * share)
            kinds = settings.tracker_kinds if role == "tracker" else {}
            pools = candidates.pools(role, split)
            numbers, missing = plan(pools, settings.mix, kinds, total)
            short += [f"{place(role, split)}: {each}" for each in missing if split == "train" or pools]
            files.append(_write(fresh, role, split, candidates.take(role, split, numbers)))
        train, validation = (file.examples for file in files[-2:])
        if validation > 2 * settings.validation * (train + validation):
            aim = round((1 - settings.validation) * (train + validation))
            how_many = f"{train} of {aim}; a scenario goes whole to one side, and there are few"
            short.append(f"{place(role, 'train')}: {how_many}")
    return files, short


def _write(fresh: Path, role: Role, split: str, lines: Iterable[str]) -> WrittenFile:
    file = WrittenFile.model_construct(role=role, split=split)
    path = fresh / file.path
    path.parent.mkdir(exist_ok=True)
    number = 0
    with path.open("w", encoding="utf-8", newline="\n") as stream:
        for line in lines:
            stream.write(line)
            number += 1
    return WrittenFile.model_validate({"role": role, "split": split, "sha256": sha256_of(path), "examples": number})


def _line(source: Source, models: list[str]) -> SourceLine:
    manifest = source.run.manifest
    is_ours = all(OWN_MODULE.fullmatch(str(name)) for name in (manifest.get("module"), source.simulation))
    create = manifest.get("create") if is_ours else None
    if isinstance(create, dict) and any("/" in str(value) for value in create.values()):
        create = None  # of a file on somebody's machine
    return SourceLine(
        run=source.name, seal=source.seal, simulation=source.simulation, seed=source.seed, scenario=source.scenario,
        category=source.category, models=models, create=create if isinstance(create, dict) else None,
        rating=None if source.rating is None else source.rating.score, judge=source.judge or None,
    )  # fmt: skip


def _nothing(lines: Sequence[SourceLine], settings: Settings, left_out: Counter[str], lost: Counter[str]) -> str:
    """Return why there is no example at all, and what would help."""
    others = sorted({line.category for line in lines} - settings.mix.keys())
    if others:
        mix = ",".join(f"{name}={100 / len(others):g}" for name in others)
        return f"the runs are of {', '.join(others)}, of which the mix takes none: --mix {mix}"
    causes = [
        f"{counted(number, what)}: {why}"
        for what, counts in (("run", left_out), ("example", lost))
        for why, number in counts.items()
    ]
    return f"no run gives an example: {'; '.join(causes) or 'nothing in them was right'}"
