"""A run as a scenario: how it was made, and everything that was done to it, live, as planned, or where it branched."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from cave_sim.changes.turn import OPERATOR
from cave_sim.errors import WorldError
from cave_sim.journal.queries import code_of
from cave_sim.journal.reader import Run
from cave_sim.replay.recipe import Recipe
from cave_sim.replay.simulation_names import name_here
from cave_sim.scenario.pauses import pauses, silence_of
from cave_sim.scenario.schema import Scenario
from cave_sim.scenario.trial import interventions, lineage
from cave_sim.simulation.silence import WITHOUT
from cave_sim.simulation.treatment import Intervention

OWN = ("seed", "residents", "scheduler")
"""Arguments of ``create`` that a scenario has keys of their own for."""


def scenario_of_run(folder: str | Path) -> Scenario:
    """Return the scenario that, run, comes to the state that a run is in.

    What was submitted on the page, and the cells of a branch, become interventions at their steps. What did not land
    has left nothing, and is left out. Whoever was silent on a fork of ``why`` is paused: all comes to be as it did
    there, but for the pauses themselves, which are in the state.

    Raises:
        WorldError: a scenario cannot say how the run was made.
        JournalError: there is no run, it does not say how it was made, or a run that it branched from is not there.
    """
    acts: list[tuple[int, dict[str, Any]]] = []
    silenced: list[dict[str, Any]] = []
    undone: set[str] = set()
    leaf: tuple[Recipe, int, str] | None = None
    for run, until in lineage(Path(folder)):
        recipe = Recipe.of(run.manifest)
        without = run.manifest.get(WITHOUT) or {}
        paused = pauses(silence_of(without, run.folder), _begun(run), until if leaf else None)
        silenced = [*map(_data, paused), *silenced]
        if leaf is None:
            leaf = recipe, run.last_step, run.folder.resolve().name
            undone = set(without.get("plans") or ())
        elif without.get("plans"):
            raise WorldError(
                f"{run.folder} was lived without a cell that is planned on its branch: a scenario has one plan"
            )
        _expect_the_same(run, recipe, leaf[0])
        planned = {each.key for each in leaf[0].interventions}
        acts = [*_done(run, until, planned), *acts]
    assert leaf is not None
    recipe, steps, name = leaf
    create = dict(recipe.create)
    model = None if recipe.model is None else recipe.model.to_data()
    models = dict(model.pop("agents", ())) if model else {}
    parts = {
        "name": "".join(letter if letter.isalnum() or letter in "_-" else "_" for letter in f"run_{name}"),
        "simulation": name_here(recipe.simulation, recipe.found_in),
        "options": {key: value for key, value in create.items() if key not in OWN},
        "residents": create.get("residents"),
        "scheduler": create.get("scheduler"),
        "seed": create.get("seed", 7),
        "steps": max(1, steps),
        "model": model,
        "models": models,
        "interventions": [*silenced, *(_data(each) for each in recipe.interventions if each.key not in undone)]
        + [act for _, act in acts],
        "measures": dict(recipe.measures),
    }
    return Scenario.model_validate({key: value for key, value in parts.items() if value not in (None, {}, [])})


def to_yaml(scenario: Scenario) -> str:
    """Return a scenario as a file would have it."""
    return str(yaml.dump(scenario.to_data(), Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=110))


class _Dumper(yaml.SafeDumper):  # type: ignore[misc]  # yaml has no types
    """Writes cells of several lines as such."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _text(dumper: _Dumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _text)


def _begun(run: Run) -> int:
    """Return the step at which a run begins: its own first one, or that of the branching."""
    parents = run.manifest.get("parents") or ()
    return int(parents[0]["step"]) if parents else min((row.step for row in run.steps()), default=0)


def _expect_the_same(run: Run, recipe: Recipe, leaf: Recipe) -> None:
    """Refuse what a scenario cannot say: a branch that is made otherwise than its parent, or other texts for models."""
    if recipe.prompts is not None:
        raise WorldError(f"{run.folder} has prompts of its own, which a scenario does not: leave --prompts away")
    if (recipe.simulation, dict(recipe.create), recipe.model) != (leaf.simulation, dict(leaf.create), leaf.model):
        raise WorldError(f"{run.folder} was made otherwise than the run that branched from it; a scenario has one way")
    if run.manifest.get("seed") not in (None, recipe.create.get("seed")):
        raise WorldError(f"{run.folder} has another seed than the run that it branched from; a scenario has one")


def _done(run: Run, until: int, planned: set[str]) -> list[tuple[int, dict[str, Any]]]:
    """Return what was done to a run up to a step, beside what is planned anyway, in its order."""
    acts = []
    for step, about in interventions(run):
        if step > until or about["status"] != "committed" or about.get("plan") in planned:
            continue
        ((agent, cell),) = run.query("SELECT agent, cell FROM turns WHERE turn = ?", about["turn"])
        acts.append((step, _act(code_of(run, cell), agent, at=step - 1)))
    return acts


def _data(planned: Intervention) -> dict[str, Any]:
    if planned.when is None:
        return _act(planned.code, planned.agent, at=planned.at)
    return _act(planned.code, planned.agent, when=planned.when, repeat=planned.repeat)


def _act(code: str, agent: str, **moment: Any) -> dict[str, Any]:
    shown = {name: value for name, value in moment.items() if value is not False}
    return {**shown, **({} if agent == OPERATOR else {"agent": agent}), "cell": code}
