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
        difference = diff(one, other, at=options.at)
        if options.html:
            print(f"page: {_page(one, other, difference, options.html)}")
    if options.json:
        print(json.dumps(difference.to_data(), ensure_ascii=False))
    else:
        print("\n".join(lines(difference)))
    return 0


def lines(difference: Difference) -> list[str]:
    """Return the difference in words."""
    text = _parting(difference)
    fields = _differing(difference.fields, ".")
    if fields:
        many = counted(len(difference.fields), "entity", "entities")
        differ = f"differ{'s' * (len(fields) == 1)}"
        text.append(f"after step {difference.at}, {counted(len(fields), 'field')} of {many} {differ}:")
        text += _shortened(fields)
    else:
        text.append(f"after step {difference.at}, their states are the same")
    if variables := _differing(difference.variables, ":"):
        agents = counted(len(difference.variables), "agent")
        text.append(f"and {counted(len(variables), 'part')} of the variables of {agents}:")
        text += _shortened(variables)
    for name, values in difference.measures.items():
        text.append(f"  measure {name}: {' | '.join(told_apart(*values))}")
    if difference.parted and difference.steps[0] != difference.steps[1]:
        ends = " | ".join(f"{step:,}" for step in difference.steps)
        text.append(f"what each took to its own end, step {ends}:")
    return text + [f"  {name}: {one:,g} | {other:,g}" for name, (one, other) in difference.costs.items()]


def _differing(unlike: Mapping[str, Mapping[str, tuple[Any, Any]]], mark: str) -> list[str]:
    return [
        f"  {owner}{mark}{part}: {' | '.join(told_apart(one, other, 40))}"
        for owner, parts in unlike.items()
        for part, (one, other) in parts.items()
    ]


def _shortened(differing: list[str]) -> list[str]:
    more = len(differing) - FIELDS_SHOWN
    return [*differing[:FIELDS_SHOWN], *([f"  and {more} more; --json has them all"] if more > 0 else [])]


def _parting(difference: Difference) -> list[str]:
    parted = difference.parted
    if parted is None:
        one_end, other_end = difference.steps
        return [f"the same up to step {difference.until}; they end at the steps {one_end} and {other_end}"]
    head = f"they part in step {parted.step}, by {', '.join(parted.differ)}:"
    return [head, f"  {_turn(parted.one)}", f"  {_turn(parted.other)}"]


def _turn(turn: TurnRow | None) -> str:
    if turn is None:
        return "(no turn)"
    code = "; ".join(turn.code.splitlines()) if turn.code else f"({turn.kind})"
    return f"turn {turn.turn} of {turn.agent}, {turn.status}: {value_text(code, 90)[1:-1]}"


def _page(one: Run, other: Run, difference: Difference, path: Path) -> Path:
    write_page = named(DASHBOARDS, "diff")
    written: Path = write_page(one, other, difference, path)
    return written
