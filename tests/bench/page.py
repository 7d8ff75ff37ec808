"""The figures as a page: the table, what an earlier run had, and the facts of the machine."""

import os
import platform
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path

from tests.bench.table import Row, keyed

HEAD = """# Benchmarks

Written by `make bench ARGS="--page docs/benchmarks.md"`; do not edit. CPU time unless a row says wall clock; ratios are
within one run, whose ways take turns, and medians. A row that misses its target says so.
"""

PEERS = "## Beside others"
"""Begins the part of the page that tells of peers, which is measured apart and stays when the rest is written anew."""

BUSY = """The machine was busy with others: absolute figures are a multiple of what a quiet one has, and ratios swing by
a third from run to run. Read differences smaller than that as none."""


def write_page(path: Path, rows: Sequence[Row], before: Sequence[Row], repeats: int) -> None:
    """Write the page; what it tells of peers stays.

    Args:
        path: where to.
        rows: of this run.
        before: of an earlier one, on the same machine; empty for none.
        repeats: of which medians were taken.
    """
    older = keyed(before)
    lines = [HEAD, *(f"- {fact}" for fact in facts(repeats)), ""]
    if os.getloadavg()[1] > (os.cpu_count() or 1):
        lines += [BUSY, ""]
    if older:
        lines += ["| what | before | now | against | target | |", "| --- | --: | --: | --- | --: | --- |"]
    else:
        lines += ["| what | now | against | target | |", "| --- | --: | --- | --: | --- |"]
    for key, row in keyed(rows).items():
        bound = f"{'≥' if row.at_least else '≤'} {row.target:g} {row.unit}"
        was = [f"{older[key].figure:.3g} {row.unit}" if key in older else ""] if older else []
        told = f"{row.figure:.3g} {row.unit} ({row.ours})" if row.ours else f"{row.figure:.3g} {row.unit}"
        lines.append(
            "| " + " | ".join([row.what, *was, told, row.reference, bound, "" if row.met else "missed"]) + " |"
        )
    lines += ["", f"{sum(row.met for row in rows)} of {len(rows)} targets met."]
    _, heading, peers = path.read_text(encoding="utf-8").partition(PEERS) if path.exists() else ("", "", "")
    if heading:
        lines += ["", heading + peers.rstrip()]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def facts(repeats: int) -> list[str]:
    """Return what figures hang on."""
    load = ", ".join(f"{each:.1f}" for each in os.getloadavg())
    versions = ", ".join(f"{name} {metadata.version(name)}" for name in ("mesa", "numpy", "networkx", "msgspec"))
    return [
        f"{datetime.now(UTC):%Y-%m-%d}, {platform.system()} on {platform.machine()}, {_processor()}",
        f"{os.cpu_count()} cores, load {load} (1, 5 and 15 minutes), medians of {repeats}",
        f"Python {platform.python_version()}; {versions}",
    ]


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")
