"""A run as one file: to be handed on, and checked by whoever gets it.

A bundle is a ZIP file of two members: the run's database, whole and by itself, and ``bundle.json``, which says what it
is. A stranger's bundle is data: only these two are unpacked, by us and under names of ours, within limits.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sqlite3
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from cave_sim.determinism.canonical_json import from_json
from cave_sim.diagnostics.plurals import counted
from cave_sim.errors import JournalError, reason
from cave_sim.files.given_files import expect_file, sha256_of, why_unread
from cave_sim.files.whole_files import clear_away, in_place_of, unfinished
from cave_sim.journal.integrity import problems
from cave_sim.journal.opening import open_to_read
from cave_sim.journal.reader import open_run
from cave_sim.journal.redaction import redact
from cave_sim.journal.tables import DATABASE

ABOUT = "bundle.json"
FORMAT = 1
MOST_BYTES = 4 * 2**30
"""How large the database of a bundle may be, unpacked."""
MOST_RATIO = 200
"""How many times larger than packed; runs come to some 20."""
ABOUT_BYTES = 65_536
_CHUNK = 1 << 20
_SIZE = ("page_count", "page_size")
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_SAID = ("simulation", "cave_sim", "seed", "python")


def write_bundle(folder: Path, out: Path, *, redacted: bool = False) -> dict[str, Any]:
    """Write a run as one file; returns what the file says of itself.

    Args:
        folder: of the run; it is only read, and may go on meanwhile.
        out: the file; it must not be there yet.
        redacted: leave out what models were asked, and what was said in sessions; hashes stand in for it.

    Raises:
        JournalError: there is no run, it lies in several files, the bundle cannot be written, or the run is not as it
            was written, so that what is left of it could not be checked.
    """
    if os.path.lexists(out):
        raise JournalError(f"{out} is there already; choose another file with --out, or remove it")
    with open_run(folder) as run:
        manifest, last_step = run.manifest, run.last_step
    if any(folder.glob(f"*/{DATABASE}")):
        raise JournalError(f"{folder} lies in several files, one for each district; bundle one of them")
    with TemporaryDirectory(prefix="cave-sim-") as workshop:
        database = Path(workshop) / DATABASE
        _copy(folder / DATABASE, database)
        entries = {"redacted": _redact(folder, database)} if redacted else {}
        about = {
            "format": FORMAT,
            "sha256": sha256_of(database),
            "bytes": database.stat().st_size,
            "last_step": last_step,
            **entries,
            **{key: manifest[key] for key in _SAID if key in manifest},
        }
        try:
            with in_place_of(out) as fresh, zipfile.ZipFile(fresh, "x", zipfile.ZIP_DEFLATED) as packed:
                packed.writestr(ABOUT, json.dumps(about, indent=2, ensure_ascii=False))
                packed.write(database, DATABASE)
        except OSError as error:
            raise JournalError(f"{out} cannot be written: {reason(error)}. Choose a file with --out") from None
    return about


def unpack(bundle: Path, folder: Path) -> dict[str, Any]:
    """Unpack a bundle into a folder that is made for it; returns what the file says of itself.

    Nothing in it is run or imported, and nothing is written but the run's database.

    Raises:
        JournalError: it is no bundle, it is damaged, or it would become too large.
    """
    if Path(bundle).is_dir():
        raise JournalError(f"{bundle} is a folder, not a bundle; a run is checked by: cave-sim verify {bundle}")
    try:
        expect_file(Path(bundle))
        with zipfile.ZipFile(bundle) as packed:
            members = _members(bundle, packed)
            about = _about(bundle, packed)
            with _made_whole(folder) as fresh:
                digest = _extract(bundle, packed, members[DATABASE], fresh / DATABASE)
                if digest != about["sha256"]:
                    raise JournalError(f"{bundle} is damaged: its database is not the one that it says it holds")
    except FileExistsError:
        raise JournalError(f"{folder} is there already; choose another folder with --out") from None
    except OSError as error:
        raise JournalError(f"{bundle} cannot be unpacked: {why_unread(error)}") from None
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, ValueError) as error:
        raise JournalError(f"{bundle} is no bundle of a run, or is damaged: {error}") from None
    return about


@contextmanager
def _made_whole(folder: Path) -> Iterator[Path]:
    """Yield a folder that takes its place when all has come into it, so that the next try finds none or a whole one."""
    if os.path.lexists(folder):
        raise FileExistsError
    fresh = unfinished(folder)
    clear_away(fresh)  # of a process that was killed
    fresh.mkdir(mode=0o700, parents=True)
    try:
        yield fresh
        fresh.rename(folder)
    except BaseException:
        shutil.rmtree(fresh, ignore_errors=True)
        raise


def _members(bundle: Path, packed: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
    names = [member.filename for member in packed.infolist()]
    if sorted(names) != sorted((ABOUT, DATABASE)):
        files = counted(len(names), "file")
        raise JournalError(f"{bundle} is no bundle of a run: it holds {files}, not {ABOUT} and {DATABASE}")
    members = {member.filename: member for member in packed.infolist()}
    if any(member.compress_type not in _METHODS or member.flag_bits & 1 for member in members.values()):
        raise JournalError(f"{bundle} is no bundle of a run: it is packed in another way")
    database = members[DATABASE]
    if database.file_size > min(MOST_BYTES, MOST_RATIO * max(database.compress_size, 1)):
        raise JournalError(f"{bundle} would become {database.file_size:,} bytes, which no run of its size is")
    return members


def _about(bundle: Path, packed: zipfile.ZipFile) -> dict[str, Any]:
    with packed.open(ABOUT) as file:
        text = file.read(ABOUT_BYTES + 1)
    about = from_json(text) if len(text) <= ABOUT_BYTES else None
    if not isinstance(about, dict) or about.get("format") != FORMAT or not isinstance(about.get("sha256"), str):
        raise JournalError(f"{bundle} is no bundle of format {FORMAT}, which this version reads")
    return about


def _extract(bundle: Path, packed: zipfile.ZipFile, member: zipfile.ZipInfo, path: Path) -> str:
    """Write a member to a path, never more than it says it has; returns its SHA-256."""
    digest, left = hashlib.sha256(), member.file_size
    with packed.open(member) as source, path.open("xb") as target:
        while chunk := source.read(_CHUNK):
            left -= len(chunk)
            if left < 0:
                raise JournalError(f"{bundle} is damaged: it holds more than it says")
            digest.update(chunk)
            target.write(chunk)
    return digest.hexdigest()


def _copy(source: Path, target: Path) -> None:
    """Copy a database whole, with what is still in its write-ahead log."""
    try:
        opened = open_to_read(source)
        with closing(opened.connection), closing(sqlite3.connect(target)) as copied:
            (pages,), (page_bytes,) = (opened.connection.execute(f"PRAGMA {of}").fetchone() for of in _SIZE)
            if pages * page_bytes > MOST_BYTES:
                raise JournalError(f"{source} has {pages * page_bytes:,} bytes; a bundle holds {MOST_BYTES:,}")
            opened.patience.longest_s = float("inf")
            opened.patience.begin()
            opened.connection.backup(copied)
            copied.execute("PRAGMA journal_mode = DELETE")
    except (sqlite3.Error, OSError) as error:
        raise JournalError(f"{source} cannot be copied: {error}") from None


def _redact(folder: Path, database: Path) -> int:
    """Leave prompts out of a copy of a run, and see that it holds; returns how many texts they were."""
    try:
        with closing(sqlite3.connect(database)) as copied:
            texts = redact(copied)
    except (sqlite3.Error, ValueError, TypeError, LookupError, OverflowError, RecursionError, zlib.error) as error:
        raise JournalError(f"{folder} cannot be redacted: {error}") from None
    with open_run(database) as run:
        if (problem := next(problems(run), None)) is not None:
            raise JournalError(f"{folder} cannot be redacted: it would not hold any more, {problem}")
    return texts
