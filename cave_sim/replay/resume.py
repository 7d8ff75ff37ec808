"""Going on with a run that ended, however it ended: no committed turn is lost, none is done twice, no call paid twice.

The simulation is made again, because dynamics, rules and tools are code, and is brought to the last committed step.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from cave_sim.changes.change import Change
from cave_sim.determinism.canonical_json import to_json
from cave_sim.errors import JournalError, WorldError
from cave_sim.journal.effect_answers import APPROVED, WAITING
from cave_sim.journal.opening import expect_our_format
from cave_sim.journal.queries import state_hashes
from cave_sim.journal.reader import Run, open_run
from cave_sim.journal.rebuild import entities_at, state_hash
from cave_sim.journal.suspicion import suspecting
from cave_sim.journal.table_seals import expect_sealed
from cave_sim.journal.tables import DATABASE
from cave_sim.journal.tallies import changes_since_snapshot
from cave_sim.journal.writer import Journal
from cave_sim.models.base import LASTING
from cave_sim.models.cassette import Cassette
from cave_sim.replay.collected_rows import collect_anew
from cave_sim.replay.input_files import other_files
from cave_sim.replay.made_by import MADE_OTHERWISE, made_otherwise
from cave_sim.replay.recipe import Recipe
from cave_sim.simulation.effect_runner import outcome_of, request_key
from cave_sim.simulation.observers import Observer
from cave_sim.simulation.run_state import RunState
from cave_sim.simulation.runnable import Runnable, measured
from cave_sim.simulation.simulation import Simulation
from cave_sim.world.new_fields import fields_of_changes, with_new_fields

LOG = logging.getLogger(__name__)


def resume(
    folder: str | Path,
    *,
    simulation: Runnable | None = None,
    recipe: Recipe | None = None,
    observers: Iterable[Observer] = (),
    retry: bool = False,
) -> Runnable:
    """Return the simulation of a run as it was after the last step that was committed, its journal open to go on.

    Args:
        folder: of the run.
        simulation: one made just as the run's was, with no ``out``; made from the run's recipe unless given.
        recipe: how to make it, where that is not to be what the run says.
        observers: told of every step and turn.
        retry: ask again, from the first step on, every agent that is left alone because its requests failed, and
            take the step again at which a workflow ended.

    Raises:
        JournalError: there is no run, another process writes it, or it does not say how it was made.
    """
    with open_run(folder) as run:
        has_steps = run.last_step >= 0
        manifest = run.manifest
    if simulation is None:
        recipe = recipe or Recipe.of(manifest)
        if not has_steps:
            return _run_again_from_the_start(Path(folder), recipe, observers)
        simulation = recipe.make()
    if not has_steps:
        raise JournalError(f"{folder} was stopped before its first step: remove it, and run it again")
    continue_run(simulation, folder, may_add_fields=isinstance(simulation, Simulation))
    if recipe is not None and simulation.journal is not None:
        _describe_anew(simulation, simulation.journal, recipe, manifest)
    note_other_code(simulation, folder, manifest)
    if stopped := manifest.get("stopped"):
        simulation.note("stopped", stopped)
    if retry and isinstance(simulation, Simulation):
        failed = (name for name, agent in simulation.by_name.items() if agent.retry())
        simulation.note("freed", {"agents": sorted({*simulation.calls.quarantine.free(), *failed})})
    simulation.observers.extend(observers)
    return simulation


def _describe_anew(simulation: Runnable, journal: Journal, recipe: Recipe, manifest: Mapping[str, Any]) -> None:
    """Keep what is different from here on: limits, and the model and the prompts if they are others."""
    entries = recipe.to_manifest()
    others = {
        name: entry
        for name in ("model", "prompts")
        if to_json(entry := entries.get(name), sort=True) != to_json(manifest.get(name), sort=True)
    }
    journal.describe({"limits": entries["limits"], **others})
    if others:
        simulation.note("asked_otherwise", others)


def note_other_code(simulation: Runnable, folder: str | Path, manifest: Mapping[str, Any]) -> None:
    """Say, once for each run, and write into the journal that what goes on with it is not what made it."""
    if difference := "; ".join(filter(None, (made_otherwise(manifest), other_files(manifest)))):
        _warn_once(str(folder), difference)
        simulation.note(MADE_OTHERWISE, {"what": difference})


@lru_cache(maxsize=64)
def _warn_once(_folder: str, what: str) -> None:
    """Say it once in a process, however many branches of a run are made in it: a ``why`` makes dozens."""
    LOG.warning("%s", what)


def continue_run(
    simulation: Runnable, folder: str | Path, *, at: int | None = None, may_add_fields: bool = False
) -> None:
    """Bring a simulation that was just made to where a run is, and let it write the rest.

    Args:
        simulation: one made just as the run's was, with no ``out``.
        folder: of the run.
        at: the step to go on from; what was committed after it is dropped. The last one unless given.
        may_add_fields: whether its classes may have got fields with defaults since.

    Raises:
        JournalError: there is no run, it has not come to that step, or another process writes it.
    """
    journal = Journal.reopen(folder, after=at)
    try:
        with open_run(folder) as run:
            state, added = restore(simulation, run, run.last_step, may_add_fields=may_add_fields)
            if isinstance(simulation, Simulation):
                _reuse_paid_calls(simulation, run)
            simulation.continue_journal(journal, state, changes_since_snapshot(run))
            simulation.latest_measures = measured(simulation)  # who makes a simulation measures its start
            if isinstance(simulation, Simulation):
                collect_anew(simulation, run)
                _know_effects(simulation, run)
        if added:
            simulation.world.turns.record_outside(added)
            note_new_fields(simulation, added)
    except BaseException:
        journal.abandon()
        raise


def note_new_fields(simulation: Runnable, added: Sequence[Change]) -> None:
    """Say, and write into the journal, which fields the entities have that they had not."""
    if added:
        fields = fields_of_changes(simulation.world, added)
        LOG.warning("%s: new since the run was written, and begun with the default", ", ".join(fields))
        simulation.note("new_fields", {"fields": fields})


def restore(simulation: Runnable, run: Run, step: int, *, may_add_fields: bool = True) -> tuple[RunState, list[Change]]:
    """Bring a simulation to the state that a run had after a step.

    Args:
        simulation: one made as the run's was.
        run: the run.
        step: which step.
        may_add_fields: whether its classes may have got fields with defaults since.

    Returns:
        That state; and what the world has beyond it, as changes that no turn tells of yet: fields that its classes got
        since, at their defaults.

    Raises:
        JournalError: the run has no such step or another format, its file is damaged, or its world is made of other
            classes.
    """
    expect_our_format(run.folder, run.manifest.get("format"))
    recorded = state_hashes(run).get(step)
    with suspecting(run):
        state = RunState.read(run, step)
        added: list[Change] = []
        try:
            if may_add_fields and state.world is not None:
                world, added = with_new_fields(simulation.world, state.world)
                state = replace(state, world=world)
            simulation.restore(state)
        except WorldError as error:
            raise JournalError(f"{run.folder} does not fit the world that its simulation makes now: {error}") from None
        adds_up_to = state_hash(entities_at(run, step)) if added else simulation.state_hash
    if adds_up_to != recorded:
        raise JournalError(f"{run.folder} is damaged: the changes up to step {step} do not add up; see cave-sim verify")
    simulation.state_hash = recorded
    return state, added


def calls_of_parent(run: Run, step: int) -> Cassette | None:
    """Return what the parent of a branch was answered from a step on, where the parent lies beside it."""
    for parent in run.manifest.get("parents") or ():
        folder = run.folder.resolve().parent / str(parent["run"])
        if parent.get("model_is_the_same") and (folder / DATABASE).is_file():
            with open_run(folder) as parent_run:
                return calls_from(parent_run, step)
    return None


def calls_from(run: Run, step: int) -> Cassette:
    """Return what a run's models were asked from a step on, and answered.

    What failed behind the last commit and may pass is left out: it was nobody's answer yet.
    """
    calls = (call for call in run.calls() if call["step"] >= step)
    return Cassette([call for call in calls if call["step"] < run.last_step or not _may_pass(call["error"])])


def _may_pass(error: Mapping[str, Any] | None) -> bool:
    return error is not None and error["kind"] not in LASTING


def _reuse_paid_calls(simulation: Simulation, run: Run) -> None:
    """Let calls of the step that was cut off, and those of a parent, answer instead of a model."""
    simulation.calls.unfinished = calls_from(run, run.last_step)
    simulation.calls.inherited = calls_of_parent(run, run.last_step)


def effects_from(run: Run) -> dict[str, Mapping[str, Any]]:
    """Return what came of the effects of a run, by request, for a branch of it: what the run did is not done again."""
    rows = (row for row in run.effects() if row["status"] not in (WAITING, APPROVED))
    return {request_key(row): outcome_of(row) for row in rows}


def _know_effects(simulation: Simulation, run: Run) -> None:
    """Let nothing be done outside again that this run, or its parent, has done or begun.

    Raises:
        JournalError: what was noted of that is not as it was written.
    """
    expect_sealed(run.query, run.folder)
    simulation.effects.mend(run.effects())
    for parent in run.manifest.get("parents") or ():
        simulation.effects.branched_at = parent["step"]
        folder = run.folder.resolve().parent / str(parent["run"])
        if (folder / DATABASE).is_file():
            with open_run(folder) as parent_run:
                simulation.effects.inherited = effects_from(parent_run)


def _run_again_from_the_start(folder: Path, recipe: Recipe, observers: Iterable[Observer]) -> Runnable:
    """Run what was stopped before its first step was written; nothing is lost, for nothing was there."""
    for leftover in (*folder.glob(f"{DATABASE}*"), *folder.glob(f"district-*/{DATABASE}*")):
        leftover.unlink()
    return recipe.make(folder, list(observers))
