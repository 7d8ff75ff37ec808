"""``cave-sim diff``: where two runs part, and what differs."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cave_sim.cli.options import output_file
from cave_sim.diagnostics.plurals import counted
from cave_sim.history.diff import Difference, diff
from cave_sim.history.wording import told_apart, value_text
from cave_sim.journal.reader import Run, open_run
from cave_sim.journal.rows import TurnRow
from cave_sim.journal.suspicion import suspecting
from cave_sim.loading.entry_points import DASHBOARDS, named

FIELDS_SHOWN = 30


def call(options: argparse.Namespace) -> int:
    """Print the difference; the exit code is 0 whether there is one or not."""
    output_file.expect_place("--html", options.html)
    with open_run(options.one) as one, open_run(options.other) as other, suspecting(one, other):
        found = diff(one, other, at=options.at)
        if options.html:
            print(f"page: {_page(one, other, found, options.html)}")
    if options.json:
        print(json.dumps(found.to_data(), ensure_ascii=False))
    else:
        print("\n".join(lines(found)))
    return 0


def lines(found: Difference) -> list[str]:
    """Return the difference in words."""
    told = _parting(found)
    fields = _differing(found.fields, ".")
    if fields:
        many = counted(len(found.fields), "entity", "entities")
        differ = f"differ{'s' * (len(fields) == 1)}"
        told.append(f"after step {found.at}, {counted(len(fields), 'field')} of {many} {differ}:")
        told += _shortened(fields)
    else:
        told.append(f"after step {found.at}, their states are the same")
    if variables := _differing(found.variables, ":"):
        agents = counted(len(found.variables), "agent")
        told.append(f"and {counted(len(variables), 'part')} of the variables of {agents}:")
        told += _shortened(variables)
    told += [f"  measure {name}: {' | '.join(told_apart(one, other))}" for name, (one, other) in found.measures.items()]
    if found.parted and found.steps[0] != found.steps[1]:
        told.append(f"what each took to its own end, step {found.steps[0]:,} | {found.steps[1]:,}:")
    return told + [f"  {name}: {one:,g} | {other:,g}" for name, (one, other) in found.costs.items()]


def _differing(unlike: Mapping[str, Mapping[str, tuple[Any, Any]]], mark: str) -> list[str]:
    return [
        f"  {owner}{mark}{part}: {' | '.join(told_apart(one, other, 40))}"
        for owner, parts in unlike.items()
        for part, (one, other) in parts.items()
    ]


def _shortened(differing: list[str]) -> list[str]:
    more = len(differing) - FIELDS_SHOWN
    return [*differing[:FIELDS_SHOWN], *([f"  and {more} more; --json has them all"] if more > 0 else [])]


def _parting(found: Difference) -> list[str]:
    parted = found.parted
    if parted is None:
        return [f"the same up to step {found.until}; they end at the steps {found.steps[0]} and {found.steps[1]}"]
    head = f"they part in step {parted.step}, by {', '.join(parted.differ)}:"
    return [head, f"  {_turn(parted.one)}", f"  {_turn(parted.other)}"]


def _turn(turn: TurnRow | None) -> str:
    if turn is None:
        return "(no turn)"
    code = "; ".join(turn.code.splitlines()) if turn.code else f"({turn.kind})"
    return f"turn {turn.turn} of {turn.agent}, {turn.status}: {value_text(code, 90)[1:-1]}"


def _page(one: Run, other: Run, found: Difference, path: Path) -> Path:
    write_page = named(DASHBOARDS, "diff")
    written: Path = write_page(one, other, found, path)
    return written
