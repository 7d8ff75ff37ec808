"""Every entity at a step, as plain data."""

from __future__ import annotations

from typing import Any

from cave_sim.dashboards.lookups.journal_reader import JournalReader
from cave_sim.journal.rebuild import entities_at

STATES_KEPT = 3

Entities = dict[str, dict[str, Any]]


def state(reader: JournalReader, step: int) -> Entities:
    """Return every entity at a step; the last few steps that were asked for are kept."""
    states: dict[int, Entities] = reader.states
    if step not in states:
        while len(states) >= STATES_KEPT:
            del states[next(iter(states))]
        states[step] = entities_at(reader.run, step)
        for district, run in reader.acting:
            if district:  # who is in one is in the city
                states[step] = {**entities_at(run, step), **states[step]}
    return states[step]
