"""What a client asks of a run in SQL ends with its time or its memory, and fills neither this process nor a disk."""

import time
from pathlib import Path

import pytest

from cave_sim import JournalError
from cave_sim.mcp.run_query import MOST_ROWS, ask
from tests.journal.test_writer import make_run

COUNTING = "WITH RECURSIVE each(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM each WHERE n < {}) "
LETTERS = "replace(hex(zeroblob({})), '0', 'a')"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("asked") / "run"
    make_run(made).close()
    return made


def resident_mib():
    words = Path("/proc/self/status").read_text().split()
    return int(words[words.index("VmHWM:") + 1]) // 1024


def test_a_query_is_answered_and_what_is_too_long_is_cut(folder):
    sql = "SELECT 1, NULL, 1.5, x'0011', 'é', plain('text'), (SELECT count(*) > 0 FROM steps)"
    assert ask(folder, sql, 1000) == [[1, None, 1.5, "2 bytes", "é", "text", 1]]
    assert len(ask(folder, COUNTING.format(1000) + "SELECT n FROM each", 1000)) == MOST_ROWS
    assert ask(folder, "SELECT 'abc', 'defg', 'hi'", 5) == [["abc", "de", ""]]


@pytest.mark.long
@pytest.mark.parametrize(
    "sql",
    [
        f"SELECT instr({LETTERS.format(5_000_000)}, {LETTERS.format(2_500_000)} || 'b')",  # one operation of hours
        COUNTING.format(10**12) + "SELECT count(*) FROM each",
        COUNTING.format(10**12) + "SELECT n FROM each WHERE n % 1000000000 = 0",
    ],
)
def test_a_query_has_its_time_as_a_whole(folder, sql):
    began = time.monotonic()
    with pytest.raises(JournalError, match="the query cannot be run: it takes longer than 3 s; narrow it down"):
        ask(folder, sql, 1000, longest_s=3)
    assert time.monotonic() - began < 30


@pytest.mark.long
@pytest.mark.parametrize(
    "sql",
    [
        "SELECT " + ", ".join(["hex(zeroblob(45000000))"] * 36),
        COUNTING.format(10**6) + "SELECT zeroblob(90000000) AS kept FROM each ORDER BY n % 7, kept",
    ],
)
def test_a_query_has_so_much_memory_and_takes_none_of_whoever_is_asked(folder, sql):
    before = resident_mib()
    with pytest.raises(JournalError, match="the query cannot be run: it takes more than 2,048 MiB of memory"):
        ask(folder, sql, 1000)
    assert resident_mib() - before < 50


def test_what_is_sorted_is_kept_in_no_file(folder, tmp_path, monkeypatch):
    monkeypatch.setenv("SQLITE_TMPDIR", str(tmp_path))
    before = tmp_path.stat().st_mtime_ns
    sql = COUNTING.format(200) + "SELECT randomblob(500000) AS kept FROM each ORDER BY kept"
    assert ask(folder, sql, 1000)[0] == ["500,000 bytes"]
    assert tmp_path.stat().st_mtime_ns == before
