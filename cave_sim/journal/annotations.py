"""What people write on a run's cover: tags to find it by, and notes on it or on a moment of it.

They change nothing of what it did.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from cave_sim.determinism.canonical_json import from_json
from cave_sim.errors import JournalError
from cave_sim.journal.journal_file import JournalFile
from cave_sim.journal.no_run import no_run
from cave_sim.journal.tables import DATABASE

LONGEST_TAG, LONGEST_NOTE = 64, 10_000


def written(note: str, step: int | None = None) -> dict[str, Any]:
    """Return a note as it is kept: `text`, `on`, today's date, and the `step` that it is about, if it is about one.

    Raises:
        JournalError: it is empty or too long, or there is no such step.
    """
    if not 0 < len(note.strip()) <= LONGEST_NOTE:
        raise JournalError(f"a note has 1 to {LONGEST_NOTE:,} characters; this has {len(note.strip()):,}")
    if step is not None and (type(step) is not int or step < 0):
        raise JournalError(f"step={step!r}: a note is about a step of the run, or about all of it")
    about = {} if step is None else {"step": step}
    return {"on": dt.datetime.now().astimezone().date().isoformat(), "text": note.strip(), **about}


def with_notes(entries: Mapping[str, Any], notes: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the notes of a manifest with more behind them; one that is there already is not written twice."""
    present = [dict(note) for note in entries.get("notes") or ()]
    return present + [dict(note) for note in notes if note not in present]


def annotate(
    folder: Path,
    *,
    tags: Iterable[str] = (),
    untag: Iterable[str] = (),
    note: str | None = None,
    step: int | None = None,
) -> dict[str, Any]:
    """Put tags and a note into a run's manifest, which is sealed anew; returns all that there are now.

    Args:
        folder: of the run, which nobody writes meanwhile.
        tags: words to add.
        untag: words to take away.
        note: a text to add, with today's date.
        step: what the note is about; None for all of the run.

    Raises:
        JournalError: there is no run or no such step, another process writes it, or a tag or a note is empty or too
            long.
    """
    if not (folder / DATABASE).is_file():
        raise no_run(folder)
    for tag in tags:
        if not tag.strip() or len(tag) > LONGEST_TAG or not tag.isprintable():
            raise JournalError(f"{tag!r} is no tag: those are words of 1 to {LONGEST_TAG} characters")
    notes = [] if note is None else [written(note, step)]
    file = JournalFile(folder)
    try:
        file.reopen()
        entries = {key: from_json(value) for key, value in file.rows("SELECT key, value FROM manifest")}
        all_tags = [*dict.fromkeys([*(entries.get("tags") or ()), *tags])]
        annotations: dict[str, Any] = {"tags": [tag for tag in all_tags if tag not in set(untag)]}
        annotations["notes"] = with_notes(entries, notes)
        ((last,),) = file.rows("SELECT coalesce(max(step), 0) FROM steps")
        if step is not None and step > last:
            raise JournalError(f"step={step}: the run has come to step {last}")
        with file.writing("{path} cannot be written: {error}"):
            file.describe(annotations)
        file.show_manifest()
        if entries.get("finished"):
            file.finish()
    finally:
        file.release()
    return annotations
