"""A run as pandas frames, with the columns that docs/how_to/export_a_run.md lists."""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from typing import Any

import pandas as pd

from cave_sim.errors import JournalError, did_you_mean
from cave_sim.history.panel import panel
from cave_sim.history.relations import relations
from cave_sim.history.wording import part_text
from cave_sim.journal import queries
from cave_sim.journal.queries import placed_changes
from cave_sim.journal.reader import Run
from cave_sim.journal.rebuild import classes_at
from cave_sim.journal.rows import ANSWER_COLUMNS, change_of_columns
from cave_sim.journal.tallies import change_counts

TOKENS = ("prompt_tokens", "completion_tokens", "cached_tokens")


def frame(run: Run, name: str, **options: Any) -> pd.DataFrame:
    """Return one table of a run as a frame.

    Args:
        run: what :func:`cave_sim.open_run` returns.
        name: one of :data:`FRAMES`.
        options: of :func:`~cave_sim.history.panel.panel` and :func:`~cave_sim.history.relations.relations`.

    Raises:
        JournalError: there is no table of that name, or it has no such option.
    """
    if not name:
        raise JournalError(f"frame(): say which table of the run: {', '.join(FRAMES)}")
    if name not in FRAMES:
        if run.last_step >= 0 and name in classes_at(run, run.last_step):
            raise JournalError(f"a run has no frame {name!r}; the fields of a class are frame('panel', kind={name!r})")
        raise JournalError(f"a run has no frame {name!r}.{did_you_mean(name, FRAMES)} It has {', '.join(FRAMES)}")
    takes = list(signature(FRAMES[name]).parameters)[1:]
    if strange := next((option for option in options if option not in takes), None):
        way = f"{did_you_mean(strange, takes)} It takes {', '.join(takes)}" if takes else " It takes none"
        raise JournalError(f"frame({name!r}, {strange}=...): there is no such option.{way}")
    return FRAMES[name](run, **options)


def turns(run: Run) -> pd.DataFrame:
    """Return a row for each turn, indexed by its number, with how many changes it left."""
    columns = ["turn", "step", "agent", "parent", "kind", "status", "code", "output", "error", "duration_s"]
    table = pd.DataFrame([[getattr(turn, name) for name in columns] for turn in run.turns()], columns=columns)
    counts = change_counts(run)
    table["changes"] = [counts.get(turn, 0) for turn in table["turn"]]
    return table.set_index("turn").astype({"parent": "Int64", "error": object, "changes": "int64"})


def changes(run: Run) -> pd.DataFrame:
    """Return a row for each change that built the state, indexed by turn and position.

    ``field`` and ``key`` are its path, ``old`` and ``new`` are values.
    """
    rows = []
    with run.reading():
        for *turn, entity, path, op, old, new in placed_changes(run):
            change = change_of_columns(entity, path, op, old, new)
            field, *key = change.path or ("",)
            rows.append((*turn, entity, field, ".".join(map(part_text, key)), op, change.old, change.new))
    columns = ["turn", "position", "step", "agent", "kind", "entity", "field", "key", "op", "old", "new"]
    return pd.DataFrame(rows, columns=columns).astype({"old": object, "new": object}).set_index(["turn", "position"])


def usage(run: Run) -> pd.DataFrame:
    """Return a row for each turn whose cell was paid for, indexed by turn: step, agent, and what its usage says."""
    paid = [turn for turn in run.turns() if turn.usage]
    spent = pd.json_normalize([turn.usage for turn in paid])
    head = pd.DataFrame([(turn.turn, turn.step, turn.agent) for turn in paid], columns=["turn", "step", "agent"])
    return pd.concat([head, spent], axis=1).set_index("turn")


def calls(run: Run) -> pd.DataFrame:
    """Return a row for each call to a model: whose, which try, which model, tokens, cost, how long, or the error."""
    columns = ["step", "agent", "attempt", "retry", "model", *TOKENS, "cost_usd", "latency_s", "error"]
    return pd.DataFrame([_call(call) for call in run.calls()], columns=columns)


def answers(run: Run) -> pd.DataFrame:
    """Return a row for each answer to a questionnaire; a value is a text, a number, or None."""
    return pd.DataFrame(queries.answers(run), columns=list(ANSWER_COLUMNS)).astype({"value": object})


def measures(run: Run) -> pd.DataFrame:
    """Return a row for each step and a column for each measure."""
    return run.measures()


FRAMES: dict[str, Callable[..., pd.DataFrame]] = {
    "turns": turns,
    "changes": changes,
    "measures": measures,
    "usage": usage,
    "calls": calls,
    "answers": answers,
    "panel": panel,
    "relations": relations,
}


def _call(call: Any) -> tuple[Any, ...]:
    reply, error = call.get("reply") or {}, call.get("error") or {}
    tokens = [(reply.get("usage") or {}).get(name) for name in TOKENS]
    key = [call[name] for name in ("step", "agent", "attempt", "retry")]
    return (*key, call["model"]["name"], *tokens, reply.get("cost_usd"), reply.get("latency_s"), error.get("kind"))
