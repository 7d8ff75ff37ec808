"""What people write on a run's cover: tags to find it by, and notes. They change nothing of what it did."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from cave_sim.canonical_json import from_json
from cave_sim.errors import JournalError
from cave_sim.journal.journal_file import JournalFile
from cave_sim.journal.no_run import no_run
from cave_sim.journal.tables import DATABASE

LONGEST_TAG, LONGEST_NOTE = 64, 10_000


def annotate(
    folder: Path, *, tags: Iterable[str] = (), untag: Iterable[str] = (), note: str | None = None
) -> dict[str, Any]:
    """Put tags and a note into a run's manifest, which is sealed anew; returns all that there are now.

    Args:
        folder: of the run, which nobody writes meanwhile.
        tags: words to add.
        untag: words to take away.
        note: a text to add, with today's date.

    Raises:
        JournalError: there is no run, another process writes it, or a tag or a note is empty or too long.
    """
    if not (folder / DATABASE).is_file():
        raise no_run(folder)
    for tag in tags:
        if not tag.strip() or len(tag) > LONGEST_TAG or not tag.isprintable():
            raise JournalError(f"{tag!r} is no tag: those are words of 1 to {LONGEST_TAG} characters")
    if note is not None and not 0 < len(note.strip()) <= LONGEST_NOTE:
        raise JournalError(f"a note has 1 to {LONGEST_NOTE:,} characters; this has {len(note.strip()):,}")
    file = JournalFile(folder)
    try:
        file.reopen()
        entries = {key: from_json(value) for key, value in file.rows("SELECT key, value FROM manifest")}
        kept = [*dict.fromkeys([*(entries.get("tags") or ()), *tags])]
        found: dict[str, Any] = {"tags": [tag for tag in kept if tag not in set(untag)]}
        found["notes"] = list(entries.get("notes") or ())
        if note is not None:
            found["notes"].append({"on": dt.datetime.now().astimezone().date().isoformat(), "text": note.strip()})
        with file.writing("{path} cannot be written: {error}"):
            file.describe(found)
        file.show_manifest()
        if entries.get("finished"):
            file.finish()
    finally:
        file.release()
    return found
