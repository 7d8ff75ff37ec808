"""What a query of a run may do, whoever asks it: read the run's tables, and change nothing, here or beside it.

SQLite asks before each thing that a statement would do. What is not on these lists is refused: other files, memory
limits of the whole process, where temporary files lie, extensions, writing.
"""

from __future__ import annotations

import sqlite3
from contextlib import suppress

MAY_BE_ASKED = "SELECT and PRAGMA table_info(NAME), or another that sets nothing, may be asked"
_READS = frozenset({sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_RECURSIVE, sqlite3.SQLITE_TRANSACTION})
_INFORMING = "table_info table_xinfo index_list index_info index_xinfo foreign_key_list".split()
_ABOUT_A_NAME = frozenset([*_INFORMING, *"table_list integrity_check quick_check foreign_key_check".split()])
"""PRAGMAs whose argument says what is looked at."""
_VERSIONS = "user_version schema_version data_version application_id".split()
_ABOUT_THE_FILE = frozenset([*_VERSIONS, *"page_count page_size freelist_count encoding journal_mode".split()])
"""PRAGMAs that would set something if they had an argument."""
_REACH_OUTSIDE = frozenset("load_extension fts3_tokenizer readfile writefile edit".split())


_TABLES_OF_SQLITE = ("json_each('[]')", "json_tree('[]')", "dbstat", *(f"pragma_{of}('')" for of in _INFORMING))
"""What can be selected from though no run's file has it."""


def confine(connection: sqlite3.Connection) -> None:
    """Let a connection only read, from now on."""
    for table in _TABLES_OF_SQLITE:  # made when first selected from, which asks to create a table
        with suppress(sqlite3.OperationalError):  # not every SQLite has each
            connection.execute(f"SELECT 1 FROM {table} LIMIT 0").fetchall()
    connection.set_authorizer(_may)


def _may(action: int, one: str | None, other: str | None, _database: str | None, _trigger: str | None) -> int:
    """Say whether a statement may do something."""
    if action in _READS:
        return sqlite3.SQLITE_OK
    if action == sqlite3.SQLITE_FUNCTION:
        return sqlite3.SQLITE_DENY if str(other).lower() in _REACH_OUTSIDE else sqlite3.SQLITE_OK
    if action == sqlite3.SQLITE_PRAGMA:
        return sqlite3.SQLITE_OK if _sets_nothing(str(one).lower(), other) else sqlite3.SQLITE_DENY
    return sqlite3.SQLITE_DENY


def _sets_nothing(pragma: str, argument: str | None) -> bool:
    in_memory = pragma == "temp_store" and str(argument).lower() == "memory"  # so that sorting writes no file
    return in_memory or pragma in _ABOUT_A_NAME or (argument is None and pragma in _ABOUT_THE_FILE)
