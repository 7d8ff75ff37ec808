"""The report's tables: what changed most and by whom, why turns did not land, turns in numbers."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import numpy as np

from cave_sim.dashboards.elements import Html, dot, element, joined, table
from cave_sim.dashboards.feed import reasons
from cave_sim.dashboards.palette import MUTED, STATUS, count
from cave_sim.dashboards.record import Record

ROWS_SHOWN = 12


def tables(record: Record) -> Html:
    """Return the cards of tables; a table without rows is left out."""
    cards = joined(_changed_fields(record), _changing_agents(record), _reasons(record), _turns_in_numbers(record))
    return element("div", cards, class_="tables") if cards else cards


def _changed_fields(record: Record) -> Html:
    ranked = sorted(_writes_by_field(record).items(), key=lambda item: (-item[1][0], item[0]))[:ROWS_SHOWN]
    rows = [
        (
            joined(f"{kind}.", element("b", field)),
            f"{entities:,}",
            f"{by_cells / writes:.0%}",
            _bar(writes, ranked[0][1][0]),
        )
        for (kind, field), (writes, by_cells, entities) in ranked
    ]
    note = "Fields by number of writes; what agents did not write, the world’s dynamics wrote."
    return table("What changed most", note, ["Field", "Entities#", "By agents#", "Writes#"], rows)


def _writes_by_field(record: Record) -> dict[tuple[str, str], tuple[int, int, int]]:
    """Return (type, field) -> writes, writes by cells, entities written."""
    sql = """SELECT c.entity, c.path, count(*), sum(t.kind = 'cell') FROM changes c JOIN turns t ON t.turn = c.turn
             WHERE c.op NOT IN ('create', 'remove') AND t.kind <> 'outside' AND t.parent IS NULL
             GROUP BY c.entity, c.path"""
    totals: dict[tuple[str, str], tuple[int, int, int]] = {}
    seen: set[tuple[str, str]] = set()
    for entity, path, number, by_cells in record.run.query(sql):
        field = str(json.loads(path)[0])
        kind = record.born[entity].type if entity in record.born else entity
        writes, cells, entities = totals.get((kind, field), (0, 0, 0))
        totals[kind, field] = writes + number, cells + by_cells, entities + ((entity, field) not in seen)
        seen.add((entity, field))
    return totals


def _changing_agents(record: Record) -> Html:
    sql = """SELECT t.agent, count(DISTINCT t.turn), count(DISTINCT c.entity), count(*) FROM turns t
             JOIN changes c ON c.turn = t.turn WHERE t.kind = 'cell' AND t.parent IS NULL
             GROUP BY t.agent ORDER BY 4 DESC, 1 LIMIT ?"""
    found = record.run.query(sql, ROWS_SHOWN)
    rows = [
        (record.title(agent), f"{turns:,}", f"{entities:,}", _bar(writes, found[0][3]))
        for agent, turns, entities, writes in found
    ]
    note = "Agents by number of writes that their cells made, those of called methods included."
    return table("Who changed most", note, ["Agent", "Turns#", "Entities#", "Writes#"], rows)


def _reasons(record: Record) -> Html:
    found = reasons(record)
    rows = [
        (joined(dot(STATUS.get(status, MUTED)), reason), f"{agents:,}", _bar(number, found[0][2]))
        for reason, status, number, agents in found[:ROWS_SHOWN]
    ]
    more = f" The {ROWS_SHOWN} most frequent of {len(found):,}." if len(found) > ROWS_SHOWN else ""
    note = f"What the agents read instead of a result.{more}"
    return table("Why turns did not land", note, ["Reason", "Agents#", "Turns#"], rows)


def _turns_in_numbers(record: Record) -> Html:
    turns = record.run.query("SELECT duration_s, cell, usage FROM turns WHERE kind = 'cell'")
    if not turns:
        return Html()
    durations_ms = 1000 * np.array([duration or 0.0 for duration, _, _ in turns])
    sql = "SELECT count(*) FROM changes c JOIN turns t ON t.turn = c.turn WHERE t.kind = 'cell' AND t.parent IS NULL"
    rows = {
        "Turns": f"{len(turns):,}",
        "Different cells": f"{len({cell for _, cell, _ in turns if cell}):,}",
        "Writes per turn": f"{record.run.query(sql)[0][0] / len(turns):.1f}",
        "Time of a turn, median": f"{np.median(durations_ms):.2f} ms",
        "Time of a turn, 95th percentile": f"{np.percentile(durations_ms, 95):.2f} ms",
    }
    used = {name.replace("_", " ").capitalize(): f"{total:,}" for name, total in _usage(turns).items()}
    return table(
        "Turns in numbers", f"Over {count(record.step_count, 'step')}.", ["", "#"], list((rows | used).items())
    )


def _usage(turns: Iterable[tuple[Any, ...]]) -> dict[str, int]:
    """Return the sums of the whole numbers that the turns' usage records hold: tokens, calls."""
    sums: dict[str, int] = {}
    for _, _, usage in turns:
        read: Any = json.loads(usage) if usage else {}
        for name, number in (read or {}).items():
            if isinstance(number, int) and number:
                sums[name] = sums.get(name, 0) + number
    return sums


def _bar(number: int, most: int) -> Html:
    return joined(f"{number:,}", element("i", class_="bar", style=f"--share:{number / most:.3f}"))
