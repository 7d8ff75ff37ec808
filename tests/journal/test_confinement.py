"""A query of a run reads it, and sets nothing, neither of this process nor beside the file."""

import sqlite3

import pytest

from cave_sim import JournalError, open_run
from tests.journal.test_writer import make_run


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("confinement") / "run"
    make_run(folder).close()
    with open_run(folder) as opened:
        yield opened


@pytest.mark.parametrize(
    "sql",
    [
        "PRAGMA soft_heap_limit = 1000000000", "PRAGMA hard_heap_limit = 4000000000",
        "SELECT * FROM pragma_soft_heap_limit", "SELECT * FROM pragma_hard_heap_limit(4000000000)",
        "PRAGMA temp_store_directory = 'elsewhere'", "PRAGMA temp_store = FILE",
        "PRAGMA data_store_directory = 'elsewhere'",
        "PRAGMA user_version = 3", "PRAGMA journal_mode = MEMORY", "PRAGMA writable_schema = ON",
        "PRAGMA threads = 8", "PRAGMA cache_size = 9", "PRAGMA mmap_size = 9", "PRAGMA shrink_memory",
        "CREATE TEMP TABLE taken AS SELECT 1", "CREATE TEMP VIEW seen AS SELECT 1", "INSERT INTO steps VALUES (1)",
        "ATTACH 'other.sqlite' AS other", "DETACH main", "VACUUM INTO 'other.sqlite'", "DROP TABLE steps",
        "ANALYZE", "REINDEX", "SAVEPOINT here", "SELECT fts3_tokenizer('simple')", "SELECT load_extension('x')",
    ],
)  # fmt: skip
def test_what_does_more_than_read_is_refused_and_told_what_may_be_asked(run, sql):
    refused = r"the query cannot be run: (not authorized|authorization denied).* SELECT and PRAGMA"
    with pytest.raises(JournalError, match=refused):
        run.query(sql)
    assert run.last_step >= 0
    assert sqlite3.connect(":memory:").execute("PRAGMA soft_heap_limit").fetchall() == [(0,)]


@pytest.mark.parametrize(
    ("sql", "first"),
    [
        ("PRAGMA user_version", 0),
        ("PRAGMA table_info(steps)", 0),
        ("PRAGMA integrity_check(3)", "ok"),
        ("SELECT name FROM pragma_table_info('steps')", "step"),
        ("SELECT page_size > 0 FROM pragma_page_size", 1),
        ("SELECT name = 'steps' FROM pragma_table_list ORDER BY 1 DESC", 1),
        ("SELECT value FROM json_each('[7]')", 7),
        ("SELECT fullkey FROM json_tree('[7]')", "$"),
        ("WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 9) SELECT max(x) FROM n", 9),
        ("SELECT instr('abc', 'c')", 3),
    ],
)
def test_what_only_reads_can_be_asked(run, sql, first):
    assert run.query(sql)[0][0] == first
