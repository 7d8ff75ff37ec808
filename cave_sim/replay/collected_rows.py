"""What mesa's data collector has of a run that is gone on with: the rows that it has of one that nobody stopped."""

from __future__ import annotations

from cave_sim.journal.reader import Run
from cave_sim.simulation.mesa_compat import CollectorOfMeasures, collector_of
from cave_sim.simulation.simulation import Simulation

_TURNS = """
SELECT step, turn, agent, status, (SELECT count(*) FROM changes WHERE changes.turn = turns.turn)
FROM turns WHERE kind = 'cell' ORDER BY turn
"""


def collect_anew(simulation: Simulation, run: Run | None = None) -> None:
    """Forget the row of the start as it was made; have those of the measures and turns of a run, if one is given.

    A collector that somebody put in the place of ours is left alone. Fields of agents, whose rows name their step, are
    collected from here on.
    """
    if not isinstance(simulation.datacollector, CollectorOfMeasures):
        return
    collector = simulation.datacollector = collector_of(simulation.measures, simulation.agent_reporters)
    if run is None:
        return
    by_step: dict[int, dict[str, float]] = {step.step: {} for step in run.steps()}
    for step, name, value in run.query("SELECT step, name, value FROM measures"):
        by_step[step][name] = float("nan") if value is None else value
    for name in simulation.measures:
        collector.model_vars[name] = [row.get(name) for row in by_step.values()]
    for row in run.query(_TURNS):
        collector.add_table_row("turns", dict(zip(collector.tables["turns"], row, strict=True)))
