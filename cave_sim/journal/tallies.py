"""Sums and counts over a run: turns, changes, calls, tokens, money, bytes."""

from __future__ import annotations

from typing import Any

from cave_sim.determinism.canonical_json import from_json
from cave_sim.errors import JournalError
from cave_sim.journal.reader import Run

COSTS = """
SELECT count(*), coalesce(sum(reused), 0),
       coalesce(sum((json_extract(reply, '$.usage.prompt_tokens') + json_extract(reply, '$.usage.completion_tokens'))
                    * (1 - reused)), 0),
       coalesce(sum(json_extract(reply, '$.cost_usd') * (1 - reused)), 0)
FROM calls
"""


def step_count(run: Run) -> int:
    """Return how many steps were committed."""
    return int(run.query("SELECT count(*) FROM steps")[0][0])


def step_range(run: Run) -> str:
    """Return which steps were committed, in words: step 0 is how the world began."""
    first, last = run.query("SELECT min(step), max(step) FROM steps")[0]
    return "no step" if first is None else f"step {first:,}" if first == last else f"steps {first:,} to {last:,}"


def change_count(run: Run) -> int:
    """Return how many changes were recorded, those of child turns among them."""
    return int(run.query("SELECT count(*) FROM changes")[0][0])


def change_counts(run: Run) -> dict[int, int]:
    """Return how many changes each turn left, by turn; turns without any are missing."""
    return dict(run.query("SELECT turn, count(*) FROM changes GROUP BY turn"))


def most_changed(run: Run, limit: int) -> tuple[dict[str, int], dict[str, int]]:
    """Return the entities that changed most often with how often, and the same of fields; who came does not count."""
    sql = "SELECT {}, count(*) FROM changes WHERE op <> 'create' GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ?"
    by_entity, by_field = (run.query(sql.format(what), limit) for what in ("entity", "json_extract(path, '$[0]')"))
    return dict(by_entity), dict(by_field)


def cell_count(run: Run, after_turn: int = 0, last_turn: int = 2**62) -> int:
    """Return how many cells ran, all of them or those behind one turn and up to another."""
    sql = "SELECT count(*) FROM turns WHERE kind = 'cell' AND turn > ? AND turn <= ?"
    return int(run.query(sql, after_turn, last_turn)[0][0])


def cells_by_status(run: Run) -> dict[str, int]:
    """Return how many cells ended how, the most frequent first."""
    sql = "SELECT status, count(*) FROM turns WHERE kind = 'cell' GROUP BY status ORDER BY count(*) DESC"
    return dict(run.query(sql))


def changes_since_snapshot(run: Run) -> int:
    """Return how many changes were recorded behind the last snapshot."""
    last_turn = "SELECT max(last_turn) FROM steps JOIN snapshots USING (step)"
    return int(run.query(f"SELECT count(*) FROM changes WHERE turn > ({last_turn})")[0][0])


def call_counts(run: Run) -> tuple[int, int]:
    """Return how many calls were made to models, and how many of them failed."""
    calls, failed = run.query("SELECT count(*), count(error) FROM calls")[0]
    return calls, failed


def most_frequent_failure(run: Run) -> dict[str, Any] | None:
    """Return the error that most calls to models ended in; None if none failed."""
    sql = "SELECT error FROM calls WHERE error IS NOT NULL GROUP BY error ORDER BY count(*) DESC, error LIMIT 1"
    rows = run.query(sql)
    with run.reading():
        return from_json(rows[0][0]) if rows else None


def reused_call_count(run: Run) -> int:
    """Return how many calls were answered as another run had been."""
    return int(run.query("SELECT count(*) FROM calls WHERE reused")[0][0])


def paid_calls_by_agent(run: Run) -> dict[str, int]:
    """Return how many calls each agent made that no other run had paid for, the most first."""
    sql = "SELECT agent, count(*) FROM calls WHERE NOT reused GROUP BY agent ORDER BY 2 DESC, agent"
    return dict(run.query(sql))


def costs(run: Run) -> dict[str, float]:
    """Return what a run took: cells, their seconds of work, and its own model calls, tokens and dollars."""
    turns, work_s = run.query("SELECT count(*), coalesce(sum(duration_s), 0) FROM turns WHERE kind = 'cell'")[0]
    calls, reused, tokens, dollars = run.query(COSTS)[0]
    return {"turns": turns, "work_s": round(work_s, 6), "calls": calls - reused, "tokens": tokens, "cost_usd": dollars}


def bytes_by_table(run: Run) -> dict[str, int]:
    """Return the bytes that each table and index takes, the largest first; empty where this SQLite cannot say."""
    try:
        return dict(run.query("SELECT name, sum(pgsize) FROM dbstat GROUP BY name ORDER BY 2 DESC"))
    except JournalError:
        return {}
