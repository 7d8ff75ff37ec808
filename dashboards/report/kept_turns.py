"""The turns that a report holds in full: all of them, or of a long run those that stand out and an even share."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from cave_sim.dashboards.lookups.code_colours import coloured
from cave_sim.dashboards.lookups.journal_reader import JournalReader
from cave_sim.dashboards.lookups.turns import CHANGES_TOLD, changes
from cave_sim.history.written_texts import Written
from cave_sim.journal.reader import Run

MOST_TURNS = 3_000
MOST_OUTSTANDING = 1_000
COLUMNS = "turn step agent parent kind status code error output duration_s usage".split()
TURNS = """SELECT t.turn, t.step, t.agent, t.parent, t.kind, t.status, coalesce(c.code, ''), t.error, t.output,
           t.duration_s, t.usage FROM turns t LEFT JOIN cells c ON c.hash = t.cell ORDER BY t.turn"""


@dataclass(frozen=True)
class Numbered:
    """The turns of one journal: of a city's districts each numbers its own, and the report all of them anew.

    Attributes:
        district: its name; "" for a run that is no city.
        run: the journal.
        numbers: turn there -> number in the report.
    """

    district: str
    run: Run
    numbers: dict[int, int]


def kept_turns(reader: JournalReader) -> dict[str, Any]:
    """Return the turns that are kept, oldest first, how many there are in all, and their cells in colours."""
    journals = numbered(reader)
    chosen, total = numbers(journals)
    turns = sorted((turn for each in journals for turn in _turns(reader, each, chosen)), key=lambda turn: turn["turn"])
    codes = dict.fromkeys(turn["code"] for turn in turns if turn["code"])
    return {"turns": turns, "turns_in_all": total, "cells": {code: coloured(code) for code in codes}}


def numbered(reader: JournalReader) -> list[Numbered]:
    """Return the journals of those who act, with the numbers of their turns: of a city, in the order of steps."""
    (first, run), *others = reader.acting
    if not others:
        return [Numbered(first, run, {turn: turn for (turn,) in run.query("SELECT turn FROM turns ORDER BY turn")})]
    rows = sorted(
        (step, at, turn)
        for at, (_, district) in enumerate(reader.acting)
        for turn, step in district.query("SELECT turn, step FROM turns")
    )
    journals = [Numbered(name, district, {}) for name, district in reader.acting]
    for number, (_, at, turn) in enumerate(rows, start=1):
        journals[at].numbers[turn] = number
    return journals


def _turns(reader: JournalReader, journal: Numbered, chosen: set[int]) -> Iterator[dict[str, Any]]:
    run, numbers = journal.run, journal.numbers
    ends = run.query("SELECT last_turn, step FROM steps ORDER BY step")
    for row in run.rows(TURNS):
        if numbers.get(row[0]) not in chosen:
            continue
        turn = dict(zip(COLUMNS, row, strict=True))
        at = min(bisect_left(ends, (row[0], -1)), len(ends) - 1)
        turn |= {"usage": run.data(turn["usage"]), "shown_at": ends[at][1] if ends else 0}
        turn |= {"turn": numbers[row[0]], "parent": numbers.get(turn["parent"])}
        turn |= {"district": journal.district} if journal.district else {}
        landed = turn["status"] == "committed" and turn["kind"] == "cell"
        turn["told"] = reader.narrator.tell(turn["agent"], turn["code"], Written(run, row[0])) if landed else []
        yield turn | {"changes": list(changes(run, row[0], CHANGES_TOLD))}


def numbers(journals: list[Numbered]) -> tuple[set[int], int]:
    """Return the numbers of the turns that are kept, and how many there are."""
    sql = "SELECT turn, status <> 'committed' OR agent = 'operator' FROM turns"
    rows = sorted(
        (each.numbers[turn], stands_out)
        for each in journals
        for turn, stands_out in each.run.query(sql)
        if turn in each.numbers
    )
    if len(rows) <= MOST_TURNS:
        return {turn for turn, _ in rows}, len(rows)
    outstanding = evenly([turn for turn, stands_out in rows if stands_out], MOST_OUTSTANDING)
    others = evenly([turn for turn, stands_out in rows if not stands_out], MOST_TURNS - len(outstanding))
    return {*outstanding, *others}, len(rows)


def evenly(numbers: list[int], most: int) -> list[int]:
    """Return at most so many of some turns or calls, evenly over the run."""
    return numbers if len(numbers) <= most else [numbers[at * len(numbers) // most] for at in range(most)]
