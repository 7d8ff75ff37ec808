"""The files that SQLite looks for beside a file that it opens, and what a stranger could have it do through them."""

from __future__ import annotations

import stat
from contextlib import suppress
from pathlib import Path

from cave_sim.errors import JournalError

JOURNAL_MAGIC = bytes.fromhex("d9d505f920a163d7")


def expect_harmless(path: Path) -> None:
    """Refuse a file that SQLite could not open for writing without touching what lies elsewhere.

    Raises:
        JournalError: a journal beside it names another file, or is none.
    """
    for suffix in ("-journal", "-wal", "-shm"):
        beside = path.with_name(path.name + suffix)
        with suppress(FileNotFoundError, NotADirectoryError):  # it may go while it is looked at: who had it closed it
            if not stat.S_ISREG(beside.lstat().st_mode):
                raise JournalError(f"{beside} is no file of a run: it leads elsewhere. Remove it")
            if suffix == "-journal" and _names_another(beside):
                raise JournalError(f"{beside} names a file elsewhere, which SQLite would delete. Remove it")


def _names_another(journal: Path) -> bool:
    """Say whether a rollback journal ends as one does that names a super-journal."""
    with journal.open("rb") as file:
        file.seek(max(0, journal.stat().st_size - len(JOURNAL_MAGIC)))
        return file.read() == JOURNAL_MAGIC
