"""The turns that a report holds in full: all of them, or of a long run those that stand out and an even share."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from typing import Any

from cave_sim.dashboards.lookups.code_colours import coloured
from cave_sim.dashboards.lookups.journal_reader import JournalReader
from cave_sim.dashboards.lookups.turns import CHANGES_TOLD, changes

MOST_TURNS = 3_000
MOST_OUTSTANDING = 1_000
COLUMNS = "turn step agent parent kind status code error output duration_s usage".split()
TURNS = """SELECT t.turn, t.step, t.agent, t.parent, t.kind, t.status, coalesce(c.code, ''), t.error, t.output,
           t.duration_s, t.usage FROM turns t LEFT JOIN cells c ON c.hash = t.cell ORDER BY t.turn"""


def kept_turns(reader: JournalReader) -> dict[str, Any]:
    """Return the turns that are kept, oldest first, how many there are in all, and their cells in colours."""
    chosen, total = numbers(reader)
    turns = list(_turns(reader, set(chosen)))
    codes = dict.fromkeys(turn["code"] for turn in turns if turn["code"])
    return {"turns": turns, "turns_in_all": total, "cells": {code: coloured(code) for code in codes}}


def _turns(reader: JournalReader, chosen: set[int]) -> Iterator[dict[str, Any]]:
    ends = reader.run.query("SELECT last_turn, step FROM steps ORDER BY step")
    for row in reader.run.rows(TURNS):
        if row[0] not in chosen:
            continue
        turn = dict(zip(COLUMNS, row, strict=True))
        at = min(bisect_left(ends, (turn["turn"], -1)), len(ends) - 1)
        turn |= {"usage": reader.run.data(turn["usage"]), "shown_at": ends[at][1] if ends else 0}
        landed = turn["status"] == "committed" and turn["kind"] == "cell"
        turn["told"] = reader.narrator.tell(turn["agent"], turn["code"]) if landed else []
        yield turn | {"changes": list(changes(reader.run, turn["turn"], CHANGES_TOLD))}


def numbers(reader: JournalReader) -> tuple[list[int], int]:
    """Return which turns are kept, and how many there are."""
    rows = reader.run.query("SELECT turn, status <> 'committed' OR agent = 'operator' FROM turns ORDER BY turn")
    if len(rows) <= MOST_TURNS:
        return [turn for turn, _ in rows], len(rows)
    outstanding = evenly([turn for turn, stands_out in rows if stands_out], MOST_OUTSTANDING)
    others = evenly([turn for turn, stands_out in rows if not stands_out], MOST_TURNS - len(outstanding))
    return sorted([*outstanding, *others]), len(rows)


def evenly(turns: list[int], most: int) -> list[int]:
    """Return at most so many of some turns, evenly over the run."""
    return turns if len(turns) <= most else [turns[at * len(turns) // most] for at in range(most)]
