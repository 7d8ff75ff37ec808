"""Going on with a run that ended, however it ended: no committed turn is lost, none is done twice, no call paid twice.

The simulation is made anew, because dynamics, rules and tools are code, and is brought to the last committed step.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from cave_sim.errors import JournalError
from cave_sim.journal.reader import Run, open_run
from cave_sim.journal.store import DATABASE, Journal
from cave_sim.models.recorded import Cassette
from cave_sim.observers import Observer
from cave_sim.recalling import recall
from cave_sim.recipe import Recipe
from cave_sim.simulation import Simulation


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
