"""What a query of a run may do, whoever asks it: read the run's tables, and change nothing, here or beside it."""

from __future__ import annotations

import sqlite3
from contextlib import suppress

from cave_sim.files.reading_sql import REACH_OUTSIDE, READS, reading

MAY_BE_ASKED = "SELECT and PRAGMA table_info(NAME), or another that sets nothing, may be asked"
_INFORMING = "table_info table_xinfo index_list index_info index_xinfo foreign_key_list".split()
_ABOUT_A_NAME = frozenset([*_INFORMING, *"table_list integrity_check quick_check foreign_key_check".split()])
"""PRAGMAs whose argument says what is looked at."""
_VERSIONS = "user_version schema_version data_version application_id".split()
_ABOUT_THE_FILE = frozenset([*_VERSIONS, *"page_count page_size freelist_count encoding journal_mode".split()])
"""PRAGMAs that would set something if they had an argument."""
_TABLES_OF_SQLITE = ("json_each", "json_tree", "dbstat", *(f"pragma_{of}" for of in _ABOUT_A_NAME | _ABOUT_THE_FILE))
"""What can be selected from though no run's file has it."""


def confine(connection: sqlite3.Connection) -> None:
    """Let a connection only read, from now on."""
    for table in _TABLES_OF_SQLITE:  # made when first selected from, which asks to create a table
        with suppress(sqlite3.OperationalError):  # not every SQLite has each
            connection.execute(f"SELECT 1 FROM {table} LIMIT 0").fetchall()
    connection.set_authorizer(
        reading(refused=REACH_OUTSIDE, may_be_asked=_sets_nothing, may=READS | {sqlite3.SQLITE_TRANSACTION})
    )


def _sets_nothing(pragma: str, argument: str | None) -> bool:
    in_memory = pragma == "temp_store" and str(argument).lower() == "memory"  # so that sorting writes no file
    return in_memory or pragma in _ABOUT_A_NAME or (argument is None and pragma in _ABOUT_THE_FILE)
