"""Bringing a simulation that was just made to where a run had come: its world, its agents, and what was spent."""

from __future__ import annotations

from cave_sim.errors import JournalError, WorldError
from cave_sim.journal.check import suspecting
from cave_sim.journal.reader import Run
from cave_sim.journal.rebuild import state_at
from cave_sim.session.archive import restore
from cave_sim.simulation import Simulation
from cave_sim.snapshot import restore_into

TURNS_OF_STEP = (
    "SELECT coalesce((SELECT last_turn FROM steps WHERE step < ? ORDER BY step DESC LIMIT 1), 0), last_turn "
    "FROM steps WHERE step = ?"
)
WOKEN = "SELECT DISTINCT entity FROM changes JOIN turns USING (turn) WHERE turn > ? AND turn <= ? AND entity <> agent"


def recall(simulation: Simulation, run: Run, step: int, *, asleep: bool = False) -> None:
    """Bring a simulation to the state that a run had after a step.

    Args:
        simulation: one made as the run's was.
        run: the run.
        step: which step.
        asleep: whether agents' variables stay plain data, because a host is to run their cells elsewhere.

    Raises:
        JournalError: the run has no such step, its file is damaged, or its world is made of other classes.
    """
    try:
        restore_into(simulation.world, state_at(run, step), asleep=asleep)
    except WorldError as error:
        raise JournalError(f"{run.folder} does not fit the world that its simulation makes now: {error}") from None
    if simulation.world.state_hash() != run.query("SELECT state_hash FROM steps WHERE step = ?", step)[0][0]:
        raise JournalError(f"{run.folder} is damaged: the changes up to step {step} do not add up; see cave-sim verify")
    simulation.recast()
    with suspecting(run):
        _recall_agents(simulation, run, step)
        simulation._woken = {name for (name,) in run.query(WOKEN, *run.query(TURNS_OF_STEP, step, step)[0])}
    simulation.state_hash = simulation.world.state_hash()
    simulation.steps = step


def _recall_agents(simulation: Simulation, run: Run, step: int) -> None:
    kept = run.kept(step)
    for name, agent in simulation.by_name.items():
        agent.recall(kept.get((name, "agent")))
    simulation.world._strikes = kept.get(("", "strikes"), {})
    if ("", "budget") in kept:
        simulation.calls.recall(kept["", "budget"])
    entries = run.sessions(step)
    sessions = restore(entries)
    simulation._archive.knows(sessions.values())
    for about in (entry["about"] for entry in entries):
        if about["agent"] in simulation.by_name:
            simulation.by_name[about["agent"]].session = sessions[about["id"]]
