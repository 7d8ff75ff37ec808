"""What became of the files of a folder between two looks at it: paths, how they changed, and a diff of text."""

from __future__ import annotations

import difflib
import hashlib
import os
import stat
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cave_sim.errors import WorldError
from cave_sim.policy.text_cleaning import clean
from cave_sim.workspace import files

TEXT_BYTES, TEXTS_BYTES = 256 << 10, 32 << 20
"""Up to what size a file's text is kept for diffs, and of all files together."""
DIFF_CHARS, DIFFS_CHARS, MOST_PATHS = 6_000, 24_000, 200
"""Bounds of one diff, of all, and of the paths that are told."""
UNSURE_NS = 100_000_000
"""A file that was written so shortly before a look is read again at the next: clocks of file systems tick slowly."""


@dataclass(frozen=True, slots=True)
class FileState:
    """One file at one time.

    Attributes:
        stamp: changes whenever it is written, and cannot be set back from within the jail.
        sure: whether the stamp is old enough to tell.
        digest: SHA-256 of what it holds, or of where a link points.
        size: in bytes.
        text: what it holds, as far as that is kept.
    """

    stamp: tuple[int, ...]
    sure: bool
    digest: str
    size: int
    text: str | None


Files = Mapping[str, FileState]


def look(folder: Path, before: Files | None = None) -> dict[str, FileState]:
    """Return the files of a folder by path; those that have not changed since ``before`` are not read again."""
    known, states, text_bytes = before or {}, {}, 0
    now = time.time_ns()
    for path, about in files.walk(folder):
        stamp = (about.st_ino, about.st_size, about.st_mtime_ns, about.st_ctime_ns, about.st_mode)
        old = known.get(path)
        if old is not None and old.stamp == stamp and old.sure:
            states[path] = old
        else:
            new = _state(folder, path, about, stamp, now, TEXTS_BYTES - text_bytes)
            if new is not None:
                states[path] = new
        text_bytes += len(states[path].text or "") if path in states else 0
    return states


def changed(before: Files, after: Files) -> list[str]:
    """Return the paths that are not the same in both, sorted."""
    return sorted(
        path
        for path in before.keys() | after.keys()
        if path not in before or path not in after or before[path].digest != after[path].digest
    )


def changes_data(before: Files, after: Files) -> list[dict[str, Any]]:
    """Return what changed as plain data: ``path``, ``how`` and ``bytes``, and ``diff`` where there is text."""
    entries: list[dict[str, Any]] = []
    left = DIFFS_CHARS
    paths = changed(before, after)
    for path in paths[:MOST_PATHS]:
        old, new = before.get(path), after.get(path)
        how = "added" if old is None else "removed" if new is None else "changed"
        entry: dict[str, Any] = {"path": clean(path), "how": how, "bytes": 0 if new is None else new.size}
        texts = [("" if each is None else each.text) for each in (old, new)]
        if left > 0 and texts[0] is not None and texts[1] is not None:
            diff = _diff(path, texts[0], texts[1])[: min(left, DIFF_CHARS)]
            left -= len(diff)
            entry["diff"] = diff
        entries.append(entry)
    if len(paths) > MOST_PATHS:
        entries.append({"path": f"{len(paths) - MOST_PATHS:,} more", "how": "changed", "bytes": 0})
    return entries


def _diff(path: str, old: str, new: str) -> str:
    lines = difflib.unified_diff(
        old.splitlines(keepends=True), new.splitlines(keepends=True), f"a/{path}", f"b/{path}", n=2
    )
    return clean("".join(line if line.endswith("\n") else f"{line}\n" for line in lines))


def _state(
    folder: Path, path: str, about: os.stat_result, stamp: tuple[int, ...], now: int, room: int
) -> FileState | None:
    sure = now - max(about.st_mtime_ns, about.st_ctime_ns) > UNSURE_NS
    if stat.S_ISLNK(about.st_mode):
        try:
            target = os.fsencode((folder / path).readlink())
        except OSError:
            return None
        return FileState(stamp, sure, hashlib.sha256(b"link " + target).hexdigest(), len(target), None)
    if about.st_size > TEXT_BYTES:
        digest = hashlib.sha256(repr(stamp).encode()).hexdigest()  # too large to be read at every look
        return FileState(stamp, sure, digest, about.st_size, None)
    try:
        data = files.read(folder, path, TEXT_BYTES)
    except WorldError:
        return None
    try:
        text = data.decode() if len(data) <= room and b"\0" not in data else None
    except UnicodeDecodeError:
        text = None
    return FileState(stamp, sure, hashlib.sha256(data).hexdigest(), len(data), text)
