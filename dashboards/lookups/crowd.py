"""Where the background crowd of a city is: how many are in each place, from the columns that districts keep of it."""

from __future__ import annotations

from base64 import b64decode
from typing import Any

import numpy as np

from cave_sim.dashboards.lookups.city_timeline import CityTimeline
from cave_sim.dashboards.lookups.journal_reader import JournalReader
from cave_sim.journal.rebuild import entities_at

FREE = -1
"""In `until_step`: nobody has this row."""


def crowd(reader: JournalReader, step: int) -> dict[str, Any]:
    """Return how many of the crowd are where at a step: [[across, up, how many], ...], and all of them together."""
    timeline = reader.timeline
    counts: dict[str, int] = {}
    if isinstance(timeline, CityTimeline):
        for run in timeline.runs:
            _count(entities_at(run, step), counts)
    nodes = (reader.run.manifest.get("map") or {}).get("nodes") or {}
    spots = [[*nodes[node], many] for node, many in sorted(counts.items()) if node in nodes]
    return {"step": step, "people": sum(counts.values()), "spots": spots}


def _count(entities: dict[str, Any], counts: dict[str, int]) -> None:
    if "crowd" not in entities or "roots" not in entities:
        return
    there, roots = entities["crowd"]["fields"], entities["roots"]["fields"]
    at, until = _array(there["at"]), _array(there["until_step"])
    sites = np.bincount(at[(until != FREE) & (at >= 0)].astype(int))
    for site in np.flatnonzero(sites):
        node = str(roots["nodes"][site])
        counts[node] = counts.get(node, 0) + int(sites[site])


def _array(data: Any) -> Any:
    """Return an array that was kept as its bytes."""
    data = data.get("$array", data) if isinstance(data, dict) else data
    return np.frombuffer(b64decode(data["base64"]), data["dtype"]).reshape(data["shape"])
