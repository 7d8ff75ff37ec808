"""What mesa's data collector has of a run that is gone on with: the rows that it has of one that nobody stopped."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any

from cave_sim.history.panel import states
from cave_sim.journal.reader import Run
from cave_sim.simulation.mesa_compat import CollectorOfMeasures, collector_of
from cave_sim.simulation.simulation import Simulation

_TURNS = """
SELECT step, turn, agent, status, (SELECT count(*) FROM changes WHERE changes.turn = turns.turn)
FROM turns WHERE kind = 'cell' ORDER BY turn
"""


def collect_anew(simulation: Simulation, run: Run | None = None) -> None:
    """Forget the row of the start as it was made; have those of the measures and turns of a run, if one is given.

    A collector that somebody put in the place of ours is left alone. Where agents come with entities and leave with
    them, what they had is collected from here on: which agent of Mesa each of them was is in no journal.
    """
    if not isinstance(simulation.datacollector, CollectorOfMeasures):
        return
    collector = simulation.datacollector = collector_of(simulation.measures, simulation.agent_reporters)
    if run is None:
        return
    by_step: dict[int, dict[str, float]] = {step.step: {} for step in run.steps()}
    for step, name, value in run.query("SELECT step, name, value FROM measures"):
        by_step[step][name] = float("nan") if value is None else value
    collector.recall(by_step)
    for row in run.query(_TURNS):
        collector.add_table_row("turns", dict(zip(collector.tables["turns"], row, strict=True)))
    if simulation.agent_reporters and not simulation.roster.has_factories:
        collector.recall_agents(dict(_records(simulation, run)))


def _records(simulation: Simulation, run: Run) -> Iterator[tuple[int, list[tuple[Any, ...]]]]:
    """Yield each step with a row for every agent: its number, its name, and what its entity had."""
    agents = [(agent.unique_id, agent.name) for agent in simulation.agents]
    for step, entities, _ in states(run):
        rows = []
        for number, name in agents:
            fields: Mapping[str, Any] = entities[name]["fields"] if name in entities else {}
            rows.append((number, name, *(deepcopy(fields.get(each)) for each in simulation.agent_reporters)))
        yield step, rows
