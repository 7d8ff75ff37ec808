"""A branch: a run that goes on from a step of another run, where something is changed.

It records which run it branched from and copies nothing of its journal: its first step holds the state that it began
with. Random streams follow from seed, name and step, so they stay common, and only what the change causes differs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from cave_sim.changes.turn import OPERATOR
from cave_sim.errors import WorldError, did_you_mean
from cave_sim.journal.queries import step_hashes
from cave_sim.journal.reader import Run, open_run
from cave_sim.journal.redaction import REDACTED, expect_prompts
from cave_sim.journal.writer import Journal
from cave_sim.policy.libraries.ways_out import AN_ITEM
from cave_sim.replay.collected_rows import collect_anew
from cave_sim.replay.own_runs import mark_of
from cave_sim.replay.recipe import Recipe
from cave_sim.replay.resume import calls_from, effects_from, note_new_fields, note_other_code, restore
from cave_sim.simulation.observers import Observer
from cave_sim.simulation.silence import WITHOUT
from cave_sim.simulation.simulation import Simulation
from cave_sim.simulation.treatment import Intervention
from cave_sim.world.host_protocol import MovableHost
from cave_sim.world.world import World

RESULTS = ("finished", "steps", "state_hash", "stopped", "over", "trial", WITHOUT)
"""What a parent's manifest says about its own end, and what it alone was lived without."""
PLANNED = ("interventions", "measures", "files", "own_code", "own_modules")
"""What belongs to a recipe, and is the parent's only where the branch has the parent's recipe."""


def fork(
    parent: str | Path,
    at: int,
    out: str | Path | None,
    *,
    interventions: Sequence[Intervention] = (),
    seed: int | None = None,
    recipe: Recipe | None = None,
    simulation: Simulation | None = None,
    host: MovableHost | None = None,
    observers: Iterable[Observer] = (),
) -> Simulation:
    """Return the simulation of a new branch, at the step where it begins; its journal is open, if it keeps one.

    Args:
        parent: folder of the run to branch from; it is only read.
        at: the step after which the branch begins.
        out: folder of the branch; None for one that keeps no journal.
        interventions: what is done there first, at once.
        seed: what random draws follow from on the branch; the parent's unless given.
        recipe: how to make the simulation; the parent's unless given. With its model, what the parent's models
            answered is used again wherever they are asked the same.
        simulation: one made just as the parent's was, with no ``out``, instead of a recipe.
        host: runs the interventions, and whatever cells come after them; this process runs none then.
        observers: told of every step and turn.

    Raises:
        JournalError: the parent has no such step, or ``out`` holds a run already.
        WorldError: the simulation has no branches, an intervention names an agent that is not there, or its cell did
            not land; nothing is left in ``out``.
    """
    with open_run(parent) as run:
        expect_prompts(run.folder, run.manifest.get(REDACTED))
        recipe = None if simulation is not None else recipe or Recipe.of(run.manifest)
        branch = one_simulation(simulation if recipe is None else recipe.make())
        _, added = restore(branch, run, at)
        collect_anew(branch)
        if seed is not None:
            branch.world.randomness.seed = seed
        for intervention in interventions:
            expect_known(branch, intervention.agent)
        rehearse(branch.world, interventions, host)
        made_by = {} if recipe is None else recipe.to_manifest()
        same_model = made_by.get("model", run.manifest.get("model")) == run.manifest.get("model")
        branch.effects.inherited, branch.effects.branched_at = effects_from(run), at
        if same_model:
            branch.calls.inherited = calls_from(run, at)
        if out is None:
            branch.begin_branch(None)
        else:
            mark = {} if recipe is None else mark_of(recipe) | recipe.made_from()
            manifest = _manifest(run, at, branch, made_by | mark, interventions, same_model=same_model)
            branch.begin_branch(Journal.begin(out, manifest))
            note_other_code(branch, run.folder, run.manifest)
        note_new_fields(branch, added)  # the first step of a branch holds its whole state, and so these fields
    branch.observers.extend(observers)
    if host is not None:
        host.attach(branch.world)
    for intervention in interventions:
        branch.intervene(intervention.code, intervention.agent)
    return branch


def rehearse(world: World, interventions: Sequence[Intervention], host: MovableHost | None = None) -> None:
    """Try interventions on a copy of the world, on a host if there is one.

    Raises:
        WorldError: one does not land; the first that does not is named.
    """
    if not interventions:
        return
    twin = world.fork()
    if host is not None:
        host.attach(twin)
    for intervention in interventions:
        turn = twin.execute(intervention.code, intervention.agent)
        if not turn.committed:
            error = "; ".join((turn.error or "").splitlines())
            if error.endswith(AN_ITEM) and (target := _ATTRIBUTE.match(intervention.code)):
                error = f"{error.removesuffix(AN_ITEM)}{target['holder']}[{target['name']!r}]={target['value']}"
            raise WorldError(
                f"the cell of {intervention.agent} did not land ({turn.status}), so there is no branch: {error}"
            )


_ATTRIBUTE = re.compile(r"(?P<holder>[^=\n]+)\.(?P<name>\w+) = (?P<value>[^\n]+)\Z")
"""A cell that is one assignment, as ``ann.goods.grain = 50``."""


def one_simulation(simulation: Any) -> Simulation:
    """Refuse what has no branches: only a simulation whose whole state is in one journal can be branched from."""
    if not isinstance(simulation, Simulation):
        raise WorldError(
            "a world in shards has no branches, because its state lies in many journals: run it anew with another "
            "--seed, --set or --residents"
        )
    return simulation


def expect_known(branch: Simulation, agent: str) -> None:
    """Refuse an intervention in the name of an agent that is not there, and would only be found to have no rights."""
    known = {OPERATOR, *branch.by_name, *branch.world, *branch.world.system.grants}
    if agent not in known:
        hint = did_you_mean(agent, known) or f" Agents are {', '.join(sorted(branch.by_name)[:12])}"
        raise WorldError(f"there is nobody called {agent!r} to run a cell at this step.{hint}")


_PLACE = re.compile(r"[^\W\d]\w*(\.|\[)|world\[")
"""How a place in the world begins: with the name of an entity, and a field of it. A bare name is a variable."""


TRUTHS = {"true": "True", "false": "False"}
"""Truth values as other notations have them; who means the text quotes it."""


def assignment(text: str, anybody: str = "") -> Intervention:
    """Return the intervention that ``weather.kind=storm`` or ``town.treasury_cents=0`` stands for.

    Args:
        text: an entity's field, and its value: Python's notation, a bare word as a text, or ``true`` and ``false``.
        anybody: what may stand in the place of an entity's name, as ``{who}`` does in a cohort.

    Raises:
        WorldError: it is no assignment.
    """
    target, equals, value = (part.strip() for part in text.partition("="))
    place = f"any{target.removeprefix(anybody)}" if anybody and target.startswith(anybody) else target
    if not equals or not _PLACE.match(place) or not value:
        example = f"such as {anybody}.energy=0.3" if anybody and "{" in target else "such as weather.kind=storm"
        raise WorldError(f"--set {text}: write it as ENTITY.FIELD=VALUE, {example}")
    value = TRUTHS.get(value, value)
    try:
        compile(value, "--set", "eval")
        is_text = value.isidentifier() and value not in ("True", "False", "None")
    except SyntaxError:
        is_text = True
    return Intervention(f"{target} = {value!r}" if is_text else f"{target} = {value}")


def _manifest(
    run: Run,
    at: int,
    branch: Simulation,
    made_by: Mapping[str, Any],
    interventions: Iterable[Intervention],
    *,
    same_model: bool,
) -> dict[str, Any]:
    """Return a manifest for a branch: the parent's, with the code, the seed and the recipe of today."""
    inherited = {key: value for key, value in run.manifest.items() if key not in (*RESULTS, *PLANNED)}
    now = branch.manifest(run.manifest.get("config"))
    before = [cell for parent in run.manifest.get("parents") or () for cell in parent.get("cells", ())]
    cells = [*before, *({"step": at, "agent": each.agent, "code": each.code} for each in interventions)]
    parent = {"run": run.folder.resolve().name, "step": at, "hash": step_hashes(run)[at]}
    parent |= {"model_is_the_same": same_model, "cells": cells}
    return {**inherited, **now, "simulation": run.manifest.get("simulation"), **made_by, "parents": [parent]}
