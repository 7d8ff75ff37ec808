"""Two or more runs side by side: where they part, what differs, and by how much."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cave_sim import open_run
from cave_sim.analysis.comparison import AT_THE_END, OVER_TIME, compare_replicates
from cave_sim.analysis.replicates import Replicate
from cave_sim.analysis.wording import row_text
from cave_sim.dashboards.lookups.journal_reader import JournalReader
from cave_sim.dashboards.lookups.series import series
from cave_sim.dashboards.lookups.states import Entities, state
from cave_sim.history.diff import divergence

DIFFERENCES_SHOWN = 300


def hashes(reader: JournalReader) -> dict[int, str]:
    """Return step -> state hash, of every step."""
    return {int(step): str(digest) for step, digest in reader.run.query("SELECT step, state_hash FROM steps")}


def first_divergence(runs: list[dict[int, str]]) -> int | None:
    """Return the first step after which the runs' states differ, of the steps that all of them have; None if none.

    A branch has no steps before the one it began with: until there it is its parent.
    """
    shared = sorted(set.intersection(*(set(run) for run in runs)))
    return next((step for step in shared if len({run[step] for run in runs}) > 1), None)


def parted(reader: JournalReader, others: list[Path]) -> int | None:
    """Return the step in which a run parts from the first of others to do so, as turns count steps; None if unseen."""
    steps = []
    for folder in others:
        with open_run(folder) as other:
            difference = divergence(reader.run, other)
        steps += [] if difference is None else [difference.step]
    return min(steps, default=None)


def snapshot(reader: JournalReader, step: int) -> Entities:
    """Return every entity at a step, or at the nearest one that the run has."""
    first, last = reader.run.query("SELECT coalesce(min(step), 0), coalesce(max(step), 0) FROM steps")[0]
    return state(reader, max(int(first), min(step, int(last))))


def replicate(reader: JournalReader) -> Replicate:
    """Return a run as `compared` takes it."""
    return Replicate.of(reader.run, reader.name)


def compared(runs: list[Replicate]) -> dict[str, Any]:
    """Return by how much measures differ between conditions, or what they come to where there is but one.

    There is an interval where there are seeds enough for one.
    """
    comparison = compare_replicates(runs)
    data, several = comparison.to_data(), len(comparison.conditions) > 1
    rows = data["differences" if several else "measures"]
    return {
        "conditions": [{"name": name, **members} for name, members in data["conditions"].items()],
        "has_replicates": comparison.has_replicates,
        "more_seeds": data["more_seeds"],
        "rows": [
            {
                "measure": end["measure"],
                "condition": end["arm"],
                "end": _row_text(end, several),
                "mean": _row_text(mean, several),
            }
            for end, mean in zip(rows[AT_THE_END], rows[OVER_TIME], strict=True)
        ],
    }


def _row_text(row: dict[str, Any], is_difference: bool) -> str:
    return row_text(row, "+" if is_difference else "")


def measured(reader: JournalReader) -> dict[str, Any]:
    """Return every measure of a run, step by step."""
    names = [name for (name,) in reader.run.query("SELECT DISTINCT name FROM measures ORDER BY name")]
    return series(reader, names)
