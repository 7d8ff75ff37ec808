"""The page of a difference: two runs, one above the other, on one axis of time, and what differs between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from cave_sim import Run
from cave_sim.dashboards.lookups.called import called
from cave_sim.dashboards.lookups.differing import differences
from cave_sim.dashboards.standalone import json_element, standalone
from cave_sim.files.whole_files import write_whole
from cave_sim.history.diff import Difference
from cave_sim.journal.rebuild import entities_at
from cave_sim.rendering.shells import page_part

AGENTS_SHOWN, VALUES_SHOWN, CODE_LETTERS = 60, 300, 200

Names = tuple[str, str]
Table = dict[str, Any]


def write_diff_page(one: Run, other: Run, difference: Difference, path: Path) -> Path:
    """Write the page of a difference and return where it is; it opens from disk and asks no one for anything.

    Args:
        one: a run.
        other: another.
        difference: what `cave_sim.journal.diff.diff` returned for them.
        path: the HTML file to write.
    """
    names = (one.folder.name, other.folder.name)
    title = f"{names[0]} and {names[1]}"
    body = page_part("difference", title=title, verdict=_verdict(difference))
    data = json_element("difference", difference_data(one, other, difference, names))
    write_whole(path, standalone(title, body, data, "difference.js"))
    return path


def difference_data(one: Run, other: Run, difference: Difference, names: Names) -> dict[str, Any]:
    """Return what the page draws: turns by agent, measures that are not the same, and tables."""
    agents = _agents(one, other)
    clock = {"start": one.manifest.get("start", "2000-01-01T00:00"), "step_s": one.manifest.get("step_s") or 1}
    titles = called(agents, one, other)
    states = [entities_at(run, difference.at) for run in (one, other)]
    return {
        "names": names,
        "clock": clock,
        "parted": None if difference.parted is None else difference.parted.step,
        "agents": agents,
        "called": titles,
        "turns": [_turns(run, set(agents)) for run in (one, other)],
        "measures": list(_measures(one, other, names)),
        "at": difference.at,
        "differences": differences(states, VALUES_SHOWN),
        "fields": (one.manifest.get("fields") or {}) | (other.manifest.get("fields") or {}),
        "turned": _turns_table(difference, names, titles),
        "costs": _costs_table(difference, names),
    }


def _turns(run: Run, agents: set[str]) -> list[tuple[int, str, str, str]]:
    """Return step, agent, status and code of every cell that one of some agents ran."""
    sql = """SELECT step, agent, status, substr(coalesce(code, ''), 1, ?) FROM turns LEFT JOIN cells ON hash = cell
             WHERE kind = 'cell' ORDER BY turn"""
    return [row for row in run.query(sql, CODE_LETTERS) if row[1] in agents]


def _agents(one: Run, other: Run) -> list[str]:
    """Return those who acted in either run, by name; of a crowd, the first."""
    sql = "SELECT DISTINCT agent FROM turns WHERE kind = 'cell'"
    return sorted({agent for run in (one, other) for (agent,) in run.query(sql)})[:AGENTS_SHOWN]


def _measures(one: Run, other: Run, names: Names) -> Iterator[dict[str, Any]]:
    """Yield both lines of each measure that is not the same in both runs."""
    left, right = one.measures(), other.measures()
    common = left.index.intersection(right.index)
    for name in left.columns.intersection(right.columns):
        if left[name][common].equals(right[name][common]):
            continue
        lines = [(label, table[name].dropna()) for label, table in zip(names, (left, right), strict=True)]
        yield {
            "name": name,
            "lines": [{"name": label, "steps": line.index.tolist(), "values": line.tolist()} for label, line in lines],
        }


def _verdict(difference: Difference) -> str:
    if difference.parted is None:
        return f"The same up to step {difference.until}."
    later = difference.state_parted not in (None, difference.parted.step)
    state = f", their states after step {difference.state_parted}" if later else ""
    return f"They part in step {difference.parted.step}{state}."


def _turns_table(difference: Difference, names: Names, titles: Mapping[str, str]) -> Table:
    turns = () if difference.parted is None else (difference.parted.one, difference.parted.other)
    keys = ("turn", "agent", "status", "output", "error", "code") if turns else ()
    rows = [(key, *("" if turn is None else _turn_text(turn, key, titles) for turn in turns)) for key in keys]
    return {"title": "Where they part", "head": ("", *names), "rows": [row for row in rows if any(row[1:])]}


def _turn_text(turn: Any, key: str, titles: Mapping[str, str]) -> str:
    """Return a part of a turn as text; who ran it by name, and as one types it."""
    text = str(getattr(turn, key) or "")
    title = titles.get(text, text) if key == "agent" else text
    return title if text in title else f"{title} ({text})"


def _costs_table(difference: Difference, names: Names) -> Table:
    rows = [(name, f"{one:,g}", f"{other:,g}") for name, (one, other) in difference.costs.items()]
    return {"title": "What they cost", "head": ("", *names), "rows": rows}
