"""A client's query of a run, in a process of its own, which ends with its time or its memory.

One function of SQLite, such as ``instr`` of two long texts, goes on for minutes without asking whether it is to stop,
and what SQLite sorts or keeps for a query has no bound: only the end of a process ends that. Nothing is written, for
temporary tables stay in memory.
"""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from cave_sim.diagnostics.plurals import counted
from cave_sim.errors import JournalError
from cave_sim.journal.reader import open_run
from cave_sim.journal.suspicion import suspecting

MOST_ROWS = 200
LONGEST_S = 30
MOST_BYTES = 2**31
"""Of memory of the process: more than the largest runs' values take, and less than would fill a machine."""
_CHILD = "import sys; sys.path[:] = {path!r}; from cave_sim.mcp.run_query import main; main()"


def ask(folder: Path, sql: str, most_letters: int, longest_s: float = LONGEST_S) -> list[list[Any]]:
    """Return the rows of a query, and how many bytes there are in place of bytes; what is too long is cut.

    Args:
        folder: of the run.
        sql: one statement.
        most_letters: of all texts together.
        longest_s: how long it may take as a whole.

    Raises:
        JournalError: it cannot be run, or takes longer or more memory than it may.
    """
    line = [sys.executable, "-c", _CHILD.format(path=sys.path)]
    asked = json.dumps([str(folder), sql, most_letters, longest_s])
    try:
        done = subprocess.run(line, input=asked, capture_output=True, text=True, timeout=longest_s, check=False)
    except subprocess.TimeoutExpired:
        raise JournalError(f"the query cannot be run: it takes longer than {longest_s:g} s; narrow it down") from None
    if done.returncode:
        raise JournalError(f"the query cannot be run: its process ended with {done.returncode}; narrow it down")
    answer = json.loads(done.stdout)
    if "error" in answer:
        raise JournalError(answer["error"])
    rows: list[list[Any]] = answer["rows"]
    return rows


def main() -> None:
    """Answer the question on standard input on standard output."""
    folder, sql, most_letters, longest_s = json.load(sys.stdin)
    _limit(longest_s)
    try:
        answer: dict[str, Any] = {"rows": _rows(Path(folder), sql, most_letters)}
    except JournalError as error:
        answer = {"error": _too_large() if isinstance(error.__context__, MemoryError) else str(error)}
    except MemoryError:
        answer = {"error": _too_large()}
    json.dump(answer, sys.stdout)


def _rows(folder: Path, sql: str, most_letters: int) -> list[list[Any]]:
    with open_run(folder) as run, suspecting(run):
        run.query("PRAGMA temp_store = MEMORY")
        rows: list[list[Any]] = []
        letters = 0
        for row in run.rows(sql):
            rows.append([])
            for each in row:
                if isinstance(each, str):
                    shown: Any = each[: most_letters - letters]
                    letters += len(shown)
                else:
                    shown = counted(len(each), "byte") if isinstance(each, bytes) else each
                rows[-1].append(shown)
            if len(rows) == MOST_ROWS or letters >= most_letters:  # what is longer is cut
                break
        return rows


def _limit(longest_s: float) -> None:
    """Bound this process from within, so that it ends even if whoever asked is gone."""
    with suppress(ImportError, ValueError, OSError):  # where the system has no such limits, the time alone ends it
        import resource

        for what, most in ((resource.RLIMIT_CPU, int(longest_s) + 1), (resource.RLIMIT_AS, MOST_BYTES)):
            _, hard = resource.getrlimit(what)
            bound = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(what, (bound, bound))


def _too_large() -> str:
    return f"the query cannot be run: it takes more than {MOST_BYTES // 2**20:,} MiB of memory; narrow it down"
