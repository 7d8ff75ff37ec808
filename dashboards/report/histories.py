"""What every entity was like at any step: each field's values by the step from which it has them."""

from __future__ import annotations

import json
from typing import Any

from cave_sim.dashboards.lookups.entities import bare, costs, field_data
from cave_sim.dashboards.lookups.journal_reader import JournalReader
from cave_sim.dashboards.lookups.overview import agents, has_table
from cave_sim.dashboards.lookups.portrayal import title
from cave_sim.dashboards.lookups.relations import graph_data, graphs, is_graph
from cave_sim.dashboards.lookups.states import Entities
from cave_sim.journal.queries import last_turn_of
from cave_sim.journal.rebuild import advance, fold_at

MOST_VALUES = 100_000
MOST_GRAPHS, MOST_EDGES = 48, 60_000
WRITTEN = """SELECT DISTINCT entity, json_extract(path, '$[0]') FROM changes JOIN turns USING (turn)
             WHERE turn > ? AND turn <= ? AND parent IS NULL ORDER BY 1, 2"""

Value = dict[str, Any] | int | float


def histories(reader: JournalReader, steps: list[int]) -> dict[str, Any]:
    """Return each entity's type, title, when it came and went, and its fields over time; and graphs over time."""
    sampled = thinned(reader, steps)
    history, graph_steps = EntityHistories(), set(sampled)
    if not reader.run.query("SELECT 1 FROM steps LIMIT 1"):
        return {"entities": {}, "relations": []}
    fold, last = fold_at(reader.run, sampled[0]), last_turn_of(reader.run, sampled[0])
    history.begin(sampled[0], fold.settle())
    for step in sampled[1:]:
        until = last_turn_of(reader.run, step)
        advance(reader.run, fold, last, until)
        history.add(step, fold.settle(), reader.run.query(WRITTEN, last, until), graphs_too=step in graph_steps)
        if len(history.relations) == 2:  # now their size is known
            graph_steps = set(evenly(sampled, history.most_graphs))
        last = until
    return {"entities": history.entities, "relations": history.relations}


def thinned(reader: JournalReader, steps: list[int]) -> list[int]:
    """Return the steps at which entities are looked at: fewer where very much was written."""
    (written,) = reader.run.query("SELECT count(*) FROM changes")[0]
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
                redrawn = redrawn or is_graph(value.get("data", value) if isinstance(value, dict) else value)
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
    for agent, step, data in reader.run.query(
        "SELECT agent, step, data FROM kept WHERE kind = 'variables' ORDER BY 1, 2"
    ):
        bound = json.loads(data) or {}
        by_agent.setdefault(agent, []).append((step, [field_data(key, bare(value)) for key, value in bound.items()]))
    return by_agent


def costs_by_agent(reader: JournalReader) -> dict[str, dict[str, Any]]:
    """Return what each agent's turns came to."""
    return {agent: costs(reader, agent) for agent in agents(reader)}
