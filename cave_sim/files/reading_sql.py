"""What a statement in SQL may do where it is only to read: SQLite asks before each thing that it would do.

What is not on a list is refused: writing, other files, memory limits of the whole process, extensions.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Container

Authorizer = Callable[[int, str | None, str | None, str | None, str | None], int]

READS = frozenset({sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_RECURSIVE})
REACH_OUTSIDE = frozenset("load_extension fts3_tokenizer readfile writefile edit".split())
"""Functions, where SQLite has them, for which no list of what is refused may lack a name."""


def reading(
    *, refused: Container[str], may_be_asked: Callable[[str, str | None], bool], may: Container[int] = READS
) -> Authorizer:
    """Return what a connection asks, by ``set_authorizer``, whether a statement may do something.

    Args:
        refused: functions that no statement calls, in small letters.
        may_be_asked: says of a PRAGMA, in small letters, and its argument whether it may be asked.
        may: the actions that a statement may take beside these.
    """

    def may_do(action: int, one: str | None, other: str | None, _database: str | None, _trigger: str | None) -> int:
        if action == sqlite3.SQLITE_FUNCTION:
            is_allowed = str(other).lower() not in refused
        elif action == sqlite3.SQLITE_PRAGMA:
            is_allowed = may_be_asked(str(one).lower(), other)
        else:
            is_allowed = action in may
        return sqlite3.SQLITE_OK if is_allowed else sqlite3.SQLITE_DENY

    return may_do
