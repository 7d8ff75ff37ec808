"""What every entity was like at any step: each field's values by the step from which it has them."""

from __future__ import annotations

import json
from typing import Any

from cave_sim.changes.plain_state import Fold
from cave_sim.dashboards.lookups.entities import bare, costs, field_data
from cave_sim.dashboards.lookups.journal_reader import JournalReader
from cave_sim.dashboards.lookups.outline import graph_in
from cave_sim.dashboards.lookups.overview import agents, has_table
from cave_sim.dashboards.lookups.portrayal import title
from cave_sim.dashboards.lookups.relations import graph_data, graphs
from cave_sim.dashboards.lookups.states import Entities
from cave_sim.journal.queries import last_turn_of
from cave_sim.journal.reader import Run
from cave_sim.journal.rebuild import advance, fold_at

MOST_VALUES = 100_000
MOST_GRAPHS, MOST_EDGES = 48, 60_000
WRITTEN = """SELECT DISTINCT entity, json_extract(path, '$[0]') FROM changes JOIN turns USING (turn)
             WHERE turn > ? AND turn <= ? AND parent IS NULL ORDER BY 1, 2"""

Value = dict[str, Any] | int | float


def histories(reader: JournalReader, steps: list[int]) -> dict[str, Any]:
    """Return each entity's type, title, when it came and went, and its fields over time; and graphs over time."""
    if not reader.run.query("SELECT 1 FROM steps LIMIT 1"):
        return {"entities": {}, "relations": []}
    sampled = thinned(reader, steps)
    history, graph_steps = EntityHistories(), set(sampled)
    journals = [Folded(run, sampled[0]) for run in every_run(reader)]
    history.begin(sampled[0], together(journals))
    for step in sampled[1:]:
        written = [row for journal in journals for row in journal.go_on(step)]
        history.add(step, together(journals), written, graphs_too=step in graph_steps)
        if len(history.relations) == 2:  # now their size is known
            graph_steps = set(evenly(sampled, history.most_graphs))
    return {"entities": history.entities, "relations": history.relations}


def every_run(reader: JournalReader) -> list[Run]:
    """Return the journal of a run, and behind it those of its districts if it is a city."""
    return [reader.run, *(run for district, run in reader.acting if district)]


class Folded:
    """What there is in one journal, step by step."""

    def __init__(self, run: Run, step: int) -> None:
        self.run = run
        self.fold: Fold = fold_at(run, step)
        self._last = last_turn_of(run, step)

    def go_on(self, step: int) -> list[tuple[str, str | None]]:
        """Come to a later step; returns what was written until then, as pairs of entity and field."""
        behind, self._last = self._last, last_turn_of(self.run, step)
        advance(self.run, self.fold, behind, self._last)
        return self.run.query(WRITTEN, behind, self._last)


def together(journals: list[Folded]) -> Entities:
    """Return what there is in all of them; what the first one has of a name counts."""
    return {name: entity for journal in reversed(journals) for name, entity in journal.fold.settle().items()}


def thinned(reader: JournalReader, steps: list[int]) -> list[int]:
    """Return the steps at which entities are looked at: fewer where very much was written."""
    written = sum(run.query("SELECT count(*) FROM changes")[0][0] for run in every_run(reader))
    return evenly(steps, max(2, len(steps) * MOST_VALUES // max(MOST_VALUES, written)))


def evenly(steps: list[int], most: int) -> list[int]:
    """Return at most so many steps, the first and the last among them."""
    if len(steps) <= most:
        return steps
    return [steps[at * (len(steps) - 1) // (most - 1)] for at in range(most)]


class EntityHistories:
    """Fields and graphs over time, grown step by step.

    Attributes:
        entities: name -> type, title, first step, step in which it left or None, and field -> [[step, value], ...].
        relations: [step, graphs] for each step at which some graph had changed.
    """

    def __init__(self) -> None:
        self.entities: dict[str, dict[str, Any]] = {}
        self.relations: list[tuple[int, list[dict[str, Any]]]] = []

    @property
    def most_graphs(self) -> int:
        """How many versions of the graphs there is room for."""
        edges = sum(len(graph["edges"]) for graph in self.relations[-1][1])
        return max(2, min(MOST_GRAPHS, MOST_EDGES // max(1, edges)))

    def begin(self, step: int, state: Entities) -> None:
        """Enter everything that there is at the first step."""
        for name in state:
            self._come(step, name, state[name])
        if graph_versions := [graph_data(where, graph, state) for where, graph in graphs(state)]:
            self.relations.append((step, graph_versions))

    def add(self, step: int, state: Entities, written: list[tuple[str, str | None]], *, graphs_too: bool) -> None:
        """Enter what was written since the step before: pairs of entity and field, None for one that came or went."""
        redrawn = False
        for name, field in written:
            if name not in state:
                if name in self.entities:
                    self.entities[name]["gone"] = step
            elif name not in self.entities or field is None:
                self._come(step, name, state[name])
                redrawn = redrawn or any(True for _ in graphs({name: state[name]}))
            else:
                value = state[name]["fields"].get(field)
                self._set(step, name, field, value)
                redrawn = redrawn or graph_in(value) is not None
        if redrawn and graphs_too:
            self.relations.append((step, [graph_data(where, graph, state) for where, graph in graphs(state)]))

    def _come(self, step: int, name: str, entity: dict[str, Any]) -> None:
        fresh = {"type": entity["type"], "title": title(name, entity["fields"]), "came": step, "fields": {}}
        self.entities.setdefault(name, fresh)["gone"] = None
        for field, value in entity["fields"].items():
            self._set(step, name, field, value)

    def _set(self, step: int, name: str, field: str, value: Any) -> None:
        versions = self.entities[name]["fields"].setdefault(field, [])
        data = _data(field, value)
        if not versions or versions[-1][1] != data:
            versions.append([step, data])


def _data(field: str, value: Any) -> Value:
    """Return what a page shows of a field; a plain number as itself."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return value
    data = field_data(field, value)
    del data["name"]
    return data


def variables(reader: JournalReader) -> dict[str, list[tuple[int, list[dict[str, Any]]]]]:
    """Return each agent's own variables, by the step from which it has them."""
    if not has_table(reader, "kept"):
        return {}
    by_agent: dict[str, list[tuple[int, list[dict[str, Any]]]]] = {}
    sql = "SELECT agent, step, data FROM kept WHERE kind = 'variables'"
    for agent, step, data in sorted(row for _, run in reader.acting for row in run.query(sql)):
        bound = json.loads(data) or {}
        by_agent.setdefault(agent, []).append((step, [field_data(key, bare(value)) for key, value in bound.items()]))
    return by_agent


def costs_by_agent(reader: JournalReader) -> dict[str, dict[str, Any]]:
    """Return what each agent's turns came to."""
    return {agent: costs(reader, agent) for agent in agents(reader)}
