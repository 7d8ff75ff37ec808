"""Two or more runs side by side: where they part, what differs, and by how much."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from cave_sim.dashboards.lookups.journal_reader import JournalReader
from cave_sim.dashboards.lookups.series import series
from cave_sim.dashboards.lookups.states import Entities, state
from cave_sim.history.wording import value_text

DIFFERENCES_SHOWN = 300
RESAMPLED = 400
ABSENT = object()


def hashes(reader: JournalReader) -> dict[int, str]:
    """Return step -> state hash, of every step."""
    return {int(step): str(digest) for step, digest in reader.run.query("SELECT step, state_hash FROM steps")}


def first_divergence(runs: list[dict[int, str]]) -> int | None:
    """Return the first step after which the runs' states differ, of the steps that all of them have; None if none.

    A branch has no steps before the one it began with: until there it is its parent.
    """
    shared = sorted(set.intersection(*(set(run) for run in runs)))
    return next((step for step in shared if len({run[step] for run in runs}) > 1), None)


def snapshot(reader: JournalReader, step: int) -> Entities:
    """Return every entity at a step, or at the nearest one that the run has."""
    first, last = reader.run.query("SELECT coalesce(min(step), 0), coalesce(max(step), 0) FROM steps")[0]
    return state(reader, max(int(first), min(step, int(last))))


def differences(states: list[Entities]) -> dict[str, Any]:
    """Return the attributes that are not the same in all states: entity, field, a value each; and totals by class."""
    names = sorted({name for version in states for name in version if name != "$system"})
    rows: list[dict[str, Any]] = []
    by_type: Counter[str] = Counter()
    for name in names:
        versions = [version.get(name) for version in states]
        known = next(version for version in versions if version is not None)
        fields = dict.fromkeys(key for version in versions if version for key in version["fields"])
        for key in fields:
            values = [version["fields"].get(key, ABSENT) if version else ABSENT for version in versions]
            if any(value != values[0] for value in values[1:]):
                by_type[f"{known['type']}.{key}"] += 1
                if len(rows) < DIFFERENCES_SHOWN:
                    rows.append({"entity": name, "type": known["type"], "field": key} | _value_data(values))
    return {"rows": rows, "total": by_type.total(), "fields": by_type.most_common(40)}


def _value_data(values: list[Any]) -> dict[str, Any]:
    numbers = [value for value in values if isinstance(value, (int, float)) and not isinstance(value, bool)]
    data: dict[str, Any] = {"values": ["not there" if value is ABSENT else value_text(value, 60) for value in values]}
    return data | ({"delta": numbers[-1] - numbers[0]} if len(numbers) == len(values) else {})


def deltas(readers: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return, for each measure that all runs have, mean difference of the others to the first, with a 95 % interval.

    The interval is a moving-block bootstrap over steps, since steps of one run depend on each other (Künsch 1989).

    Args:
        readers: what `series` gave for each run.
    """
    names = [name for name in readers[0]["lines"] if all(name in other["lines"] for other in readers)]
    return [_delta(name, readers[0]["lines"][name], other) for name in names for other in _others(readers, name)]


def _others(readers: list[dict[str, Any]], name: str) -> list[tuple[str, dict[str, Any]]]:
    return [(other["run"], other["lines"][name]) for other in readers[1:]]


def _delta(name: str, base: dict[str, Any], other: tuple[str, dict[str, Any]]) -> dict[str, Any]:
    run, line = other
    first = dict(zip(base["steps"], base["values"], strict=True))
    pairs = [(first[step], value) for step, value in zip(line["steps"], line["values"], strict=True) if step in first]
    gaps = np.array([b - a for a, b in pairs if a is not None and b is not None], float)
    if not len(gaps):
        return {"measure": name, "run": run, "mean": None}
    low, high = interval(gaps)
    return {"measure": name, "run": run, "mean": float(gaps.mean()), "low": low, "high": high, "last": float(gaps[-1])}


def interval(gaps: np.ndarray[Any, np.dtype[np.float64]]) -> tuple[float, float]:
    """Return the bounds between which 95 % of resampled means lie."""
    dice = np.random.default_rng(1)
    length = max(1, round(len(gaps) ** (1 / 3)))
    starts = dice.integers(0, len(gaps) - length + 1, (RESAMPLED, -(-len(gaps) // length)))
    samples = gaps[(starts[:, :, None] + np.arange(length)).reshape(RESAMPLED, -1)[:, : len(gaps)]]
    low, high = np.percentile(samples.mean(axis=1), (2.5, 97.5))
    return float(low), float(high)


def measured(reader: JournalReader) -> dict[str, Any]:
    """Return every measure of a run, as `deltas` takes them."""
    names = [name for (name,) in reader.run.query("SELECT DISTINCT name FROM measures ORDER BY name")]
    return series(reader, names)
