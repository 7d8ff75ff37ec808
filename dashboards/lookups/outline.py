"""The world at a step as far as a look-up asks for it: one entity and those who hold graphs, of others what they are.

Most of what a run changes is where somebody is and how they feel. Who asks for one of a thousand residents needs none
of that of the others, and folding it takes nine tenths of the time.
"""

from __future__ import annotations

from typing import Any

from cave_sim.changes.plain_state import Fold
from cave_sim.dashboards.lookups.journal_reader import JournalReader
from cave_sim.dashboards.lookups.portrayal import TITLES
from cave_sim.dashboards.lookups.states import STATES_KEPT, Entities
from cave_sim.journal.queries import changes_to, entities_given, last_turn_of, nearest_snapshot
from cave_sim.journal.reader import Run
from cave_sim.journal.rebuild import entities_of, snapshot


def outline(reader: JournalReader, step: int, name: str = "") -> Entities:
    """Return all entities at a step: one and all that hold a graph with every field, others with what they are called.

    The last few outlines that were asked for are kept.
    """
    outlines: dict[tuple[int, str], Entities] = reader.outlines
    if (step, name) not in outlines:
        while len(outlines) >= STATES_KEPT:
            del outlines[next(iter(outlines))]
        entity = _outline(reader.run, step, name)
        for district, run in reader.acting:
            if district:  # who is in one is in the city
                entity = {**_outline(run, step, name), **entity}
        outlines[step, name] = entity
    return outlines[step, name]


def _outline(run: Run, step: int, name: str) -> Entities:
    last_turn, nearest = last_turn_of(run, step), nearest_snapshot(run, step)
    after_turn = nearest[1] if nearest else 0
    with run.reading():
        entities = entities_of(snapshot(run, nearest[0])) if nearest else {}
        holders = [name for name, entity in entities.items() if any(map(graph_in, entity["fields"].values()))]
        whole = {name, *holders, *entities_given(run, after_turn, last_turn, '"edges"')}
        fold = Fold(entities)
        for change in changes_to(run, after_turn, last_turn, whole, TITLES):
            fold.apply(*change)
        return {name: entity if name in whole else _called(entity) for name, entity in fold.settle().items()}


def _called(entity: dict[str, Any]) -> dict[str, Any]:
    fields = entity["fields"]
    return {"type": entity["type"], "fields": {title: fields[title] for title in TITLES if title in fields}}


def graph_in(value: Any) -> dict[str, Any] | None:
    """Return the graph that plain data of a field holds; None if it holds none."""
    graph = value.get("data", value) if isinstance(value, dict) else None
    return graph if isinstance(graph, dict) and {"nodes", "edges"} <= graph.keys() else None
