"""A branch: a run that goes on from a step of another run, where something is changed.

It records whose branch it is and copies no log: its first step holds the state that it began with. Random streams
follow from seed, name and step, so they stay common, and only what the change causes differs.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from cave_sim.changes.turn import OPERATOR
from cave_sim.errors import WorldError
from cave_sim.journal.reader import Run, open_run
from cave_sim.journal.rebuild import turn_at
from cave_sim.journal.writer import Journal
from cave_sim.models.cassette import Cassette
from cave_sim.replay.recipe import Recipe
from cave_sim.replay.resume import recall
from cave_sim.session.archive import Archive
from cave_sim.simulation.observers import Observer
from cave_sim.simulation.simulation import Simulation
from cave_sim.world.world import World

RESULTS = ("finished", "steps", "state_hash")
"""What a parent's manifest says about its own end."""


@dataclass(frozen=True, slots=True)
class Intervention:
    """A cell that makes the difference: it runs as an agent before the branch's first step."""

    code: str
    agent: str = OPERATOR


def fork(
    parent: str | Path,
    at: int,
    out: str | Path,
    *,
    interventions: Sequence[Intervention] = (),
    seed: int | None = None,
    recipe: Recipe | None = None,
    simulation: Simulation | None = None,
    asleep: bool = False,
    observers: Iterable[Observer] = (),
) -> Simulation:
    """Return the simulation of a new branch, at the step where it begins, its journal open.

    Args:
        parent: folder of the run to branch from; it is only read.
        at: the step after which the branch begins.
        out: folder of the branch.
        interventions: what is done there first.
        seed: what random draws follow from on the branch; the parent's unless given.
        recipe: how to make the simulation; the parent's unless given. With its model, what the parent's models
            answered is used again wherever they are asked the same.
        simulation: one made just as the parent's was, with no ``out``, instead of a recipe.
        asleep: whether agents' variables stay plain data, because a host is to run their cells elsewhere; not where
            interventions run here first.
        observers: told of every step and turn.

    Raises:
        JournalError: the parent has no such step, or ``out`` holds a run already.
        WorldError: an intervention is in the name of nobody, or did not land; nothing is left in ``out``.
    """
    with open_run(parent) as run:
        made = None if simulation is not None else recipe or Recipe.of(run.manifest)
        branch = made.make() if made is not None else simulation
        assert branch is not None
        branch.expect_branches()
        recall(branch, run, at, asleep=asleep and not interventions)
        if seed is not None:
            branch.world.randomness.seed = seed
        for each in interventions:
            _expect_known(branch, each.agent)
        rehearse(branch.world, interventions)
        same_model = made is None or made.to_manifest()["model"] == run.manifest.get("model")
        if same_model:
            branch.calls.inherited = Cassette([call for call in run.calls() if call["step"] >= at])
        hashed = run.query("SELECT hash FROM steps WHERE step = ?", at)[0][0]
        parent_told = {"run": run.folder.resolve().name, "step": at, "hash": hashed, "model_is_the_same": same_model}
        told = {**_inherited(run, branch), **({} if made is None else made.to_manifest()), "parents": [parent_told]}
        _begin(branch, Journal(out, told), turn_at(run, at))
    branch.observers.extend(observers)
    for each in interventions:
        branch.world.execute(each.code, each.agent)
    return branch


def rehearse(world: World, interventions: Sequence[Intervention]) -> None:
    """Try interventions on a copy of the world; raises WorldError for the first that does not land."""
    if not interventions:
        return
    twin = world.fork()
    for each in interventions:
        turn = twin.execute(each.code, each.agent)
        if not turn.committed:
            told = _on_one_line(turn.error)
            raise WorldError(f"the cell of {each.agent} did not land ({turn.status}), so there is no branch: {told}")


def _expect_known(branch: Simulation, agent: str) -> None:
    """Refuse an intervention in the name of nobody, who would only be found to have no rights."""
    known = {OPERATOR, *branch.by_name, *branch.world, *branch.world.system.grants}
    if agent not in known:
        near = get_close_matches(agent, known, 1)
        hint = f"did you mean {near[0]!r}?" if near else f"agents are {', '.join(sorted(branch.by_name)[:12])}"
        raise WorldError(f"there is nobody called {agent!r} to run a cell at this step; {hint}")


def assignment(text: str) -> Intervention:
    """Return the intervention that ``weather.kind=storm`` or ``town.treasury_cents=0`` stands for.

    Raises:
        WorldError: it is no assignment.
    """
    target, equals, value = text.partition("=")
    if not equals or not target.strip() or not value.strip():
        raise WorldError(f"--set {text}: write it as ENTITY.FIELD=VALUE, such as weather.kind=storm")
    try:
        compile(value.strip(), "--set", "eval")
        is_text = value.strip().isidentifier() and value.strip() not in ("True", "False", "None")
    except SyntaxError:
        is_text = True
    return Intervention(f"{target.strip()} = {value.strip()!r}" if is_text else f"{target.strip()} = {value.strip()}")


def _begin(branch: Simulation, journal: Journal, last_turn: int) -> None:
    """Write the state that a branch begins with, as its first step; turns are numbered on from the parent's."""
    woken = set(branch._woken)
    branch.journal = journal
    branch._archive, branch._acted = Archive(), set(branch.by_name)
    branch._since_snapshot = math.inf
    branch.world.turns.last_id = last_turn - 1
    branch.world.found()
    branch._commit(branch.world.clock.step)
    branch._woken = woken


def _inherited(run: Run, branch: Simulation) -> dict[str, Any]:
    """Return a manifest for a branch: the parent's, with the code and the seed of today."""
    kept = {key: value for key, value in run.manifest.items() if key not in RESULTS}
    now = branch._manifest(run.manifest.get("config"), {})
    return {**kept, **now, "simulation": run.manifest.get("simulation")}


def _on_one_line(error: str | None) -> str:
    return "; ".join((error or "").splitlines())
