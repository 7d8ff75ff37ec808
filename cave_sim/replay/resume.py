"""Going on with a run that ended, however it ended: no committed turn is lost, none is done twice, no call paid twice.

The simulation is made anew, because dynamics, rules and tools are code, and is brought to the last committed step.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from cave_sim.errors import JournalError, WorldError
from cave_sim.journal.integrity import suspecting
from cave_sim.journal.reader import Run, open_run
from cave_sim.journal.rebuild import state_at
from cave_sim.journal.writer import DATABASE, Journal
from cave_sim.models.cassette import Cassette
from cave_sim.replay.recipe import Recipe
from cave_sim.session.archive import restore
from cave_sim.simulation.observers import Observer
from cave_sim.simulation.simulation import Simulation
from cave_sim.world.snapshot import restore_into


def resume(
    folder: str | Path,
    *,
    simulation: Simulation | None = None,
    recipe: Recipe | None = None,
    asleep: bool = False,
    observers: Iterable[Observer] = (),
) -> Simulation:
    """Return the simulation of a run as it was after the last step that was committed, its journal open to go on.

    Args:
        folder: of the run.
        simulation: one made just as the run's was, with no ``out``; made from the run's recipe unless given.
        recipe: how to make it, where that is not to be what the run says.
        asleep: whether agents' variables stay plain data, because a host is to run their cells elsewhere.
        observers: told of every step and turn.

    Raises:
        JournalError: there is no run, another process writes it, or it does not say how it was made.
    """
    with open_run(folder) as run:
        begun = run.last_step >= 0
        manifest = run.manifest
    if simulation is None:
        made = recipe or Recipe.of(manifest)
        if not begun:
            return _begin_anew(Path(folder), made, observers)
        simulation = made.make()
    if not begun:
        raise JournalError(f"{folder} was stopped before its first step: remove it, and run it again")
    go_on(simulation, folder, asleep=asleep)
    simulation.observers.extend(observers)
    return simulation


def go_on(simulation: Simulation, folder: str | Path, *, at: int | None = None, asleep: bool = False) -> None:
    """Bring a simulation that was just made to where a run is, and let it write the rest.

    Args:
        simulation: one made just as the run's was, with no ``out``.
        folder: of the run.
        at: the step to go on from; what was committed after it is dropped. The last one unless given.
        asleep: whether agents' variables stay plain data.

    Raises:
        JournalError: there is no run, it has not come to that step, or another process writes it.
    """
    journal = Journal.reopen(folder, after=at)
    try:
        with open_run(folder) as run:
            take_up(simulation, run, journal, asleep=asleep)
    except BaseException:
        journal.abandon()
        raise


def take_up(simulation: Simulation, run: Run, journal: Journal, *, asleep: bool = False) -> None:
    """Bring a simulation to the end of a run, and let it write the rest."""
    step = run.last_step
    recall(simulation, run, step, asleep=asleep)
    simulation.calls.unfinished = Cassette([call for call in run.calls() if call["step"] >= step])
    simulation.calls.inherited = inherited(run, step)
    simulation.turns_taken = run.query("SELECT count(*) FROM turns WHERE kind = 'cell'")[0][0]
    since = "SELECT max(last_turn) FROM steps JOIN snapshots USING (step)"
    simulation._since_snapshot = run.query(f"SELECT count(*) FROM changes WHERE turn > ({since})")[0][0]
    simulation.write_on(journal, asleep=asleep)


def inherited(run: Run, step: int) -> Cassette | None:
    """Return what the parent of a branch was answered from a step on, where the parent lies beside it."""
    for parent in run.manifest.get("parents") or ():
        folder = run.folder.resolve().parent / str(parent["run"])
        if parent.get("model_is_the_same") and (folder / DATABASE).is_file():
            with open_run(folder) as other:
                return Cassette([call for call in other.calls() if call["step"] >= step])
    return None


def _begin_anew(folder: Path, recipe: Recipe, observers: Iterable[Observer]) -> Simulation:
    """Run what was stopped before its first step was written; nothing is lost, for nothing was there."""
    for leftover in (*folder.glob(f"{DATABASE}*"), *folder.glob(f"district-*/{DATABASE}*")):
        leftover.unlink()
    return recipe.make(folder, list(observers))


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
        restore_into(simulation.world, state_at(run, step), keep_serialized=asleep)
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
    simulation.world.violations = kept.get(("", "strikes"), {})
    if ("", "budget") in kept:
        simulation.calls.recall(kept["", "budget"])
    entries = run.sessions(step)
    sessions = restore(entries)
    simulation._archive.knows(sessions.values())
    for about in (entry["about"] for entry in entries):
        if about["agent"] in simulation.by_name:
            simulation.by_name[about["agent"]].session = sessions[about["id"]]
