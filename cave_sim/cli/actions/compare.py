"""What ``cave-sim compare`` does: runs beside each other, as text, as JSON, or as a page."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from typing import Any

from cave_sim.analysis.comparison import AT_THE_END, Comparison, compare
from cave_sim.analysis.wording import alike_text, multiplicity, row_text
from cave_sim.cli.options import output_file
from cave_sim.journal.reader import open_run
from cave_sim.journal.suspicion import suspecting


def call(options: argparse.Namespace) -> int:
    """Print what the runs were made with and by how much their measures differ."""
    output_file.expect_place("--html", options.html)
    with ExitStack() as stack:
        runs = [stack.enter_context(open_run(folder)) for folder in options.runs]
        stack.enter_context(suspecting(*runs))
        comparison = compare(runs)
    if options.html:
        from cave_sim.analysis.report import write_comparison

        page = write_comparison(comparison, options.html)
        print(f"page: {page}", file=sys.stderr if options.json else sys.stdout)
    print(json.dumps(comparison.to_data(), ensure_ascii=False) if options.json else "\n".join(lines(comparison)))
    return 0


def lines(comparison: Comparison) -> Iterator[str]:
    """Yield the comparison in words."""
    data = comparison.to_data()
    for name, members in data["conditions"].items():
        seeds = ", ".join(map(str, members["seeds"]))
        yield f"{name}: {', '.join(members['runs'])} (seed {seeds})"
    if comparison.settings:
        yield from ("", "settings that differ:")
        settings = ([name, *(" ".join(text.split()) for text in texts)] for name, texts in comparison.settings.items())
        yield from columns([["", *comparison.conditions], *settings])
    if not comparison.trials.measures:
        yield from ("", "they have no measure in common of the same step")
        return
    for moment, rows in data["measures"].items():
        first, last = comparison.steps
        yield from ("", f"{moment}, step {last}:" if moment == AT_THE_END else f"{moment}, steps {first} to {last}:")
        yield from columns(_measured(comparison, rows, data["differences"][moment]))
    if comparison.left_out:
        yield from ("", f"left out, since they repeat others: {', '.join(comparison.left_out)}")
    yield from _more(comparison)


def columns(table: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yield rows with their cells below each other."""
    rows = list(table)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  " + "  ".join(f"{cell:{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()


def _measured(comparison: Comparison, means: list[dict[str, Any]], gaps: list[dict[str, Any]]) -> Iterator[list[str]]:
    reference, *others = comparison.conditions
    yield [
        "",
        *comparison.conditions,
        *(f"{other} less {reference}" if len(others) > 1 else "difference" for other in others),
    ]
    for measure in comparison.trials.measures:
        texts = [row_text(row) for row in means if row["measure"] == measure]
        yield [measure, *texts, *(row_text(row, "+") for row in gaps if row["measure"] == measure)]


def _more(comparison: Comparison) -> Iterator[str]:
    if comparison.has_replicates:
        yield from (
            "",
            "in brackets: 95 % t intervals over seeds; differences of runs with the same seed are taken in pairs",
        )
        data = comparison.to_data()
        tables = [table for part in ("measures", "differences") for table in data[part].values()]
        if alike := [row["n"] for table in tables for row in table if row["low"] is None and row["n"] > 1]:
            yield alike_text(min(alike))
        tested = sum(row["low"] is not None for rows in data["differences"].values() for row in rows)
        if tested > 1:
            yield multiplicity(tested)
        return
    yield from ("", "one run of a kind says nothing about chance, so that there is no interval.")
    if more := comparison.more_seeds():
        yield from ("Run more seeds of all:", *more, "and compare them all.")
