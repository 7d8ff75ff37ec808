"""What became of the interventions of a study: in how many trials they were made, and when their condition came true.

A treatment that waits for a condition may never be given, and what shows no effect then was not tried.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from cave_sim.errors import JournalError
from cave_sim.journal.reader import Run
from cave_sim.scenario.plans import ScenarioTrial
from cave_sim.scenario.trial import interventions, lineage
from cave_sim.simulation.treatment import Intervention


def told_of_treatments(trials_folder: Path, trials: Sequence[ScenarioTrial]) -> dict[str, Any]:
    """Return entries of what a study says of itself, for the conditions that plan interventions.

    ``treated`` counts their trials, and those in which an intervention was made. ``came_true`` has an entry for each
    ``when``: how many trials waited for it, and in those in which it came true the step at which it first had.
    """
    treated: dict[str, dict[str, int]] = {}
    came_true: dict[str, dict[str, dict[str, Any]]] = {}
    for trial in trials:
        try:
            planned, made = _planned_and_made(trials_folder / str(trial))
        except JournalError:
            continue
        if not planned:
            continue
        count = treated.setdefault(trial.condition, {"trials": 0, "treated": 0})
        count["trials"] += 1
        count["treated"] += bool(made)
        for when, step in _first_steps(planned, made):
            told = came_true.setdefault(trial.condition, {}).setdefault(when, {"when": when, "trials": 0, "steps": []})
            told["trials"] += 1
            told["steps"] += [] if step is None else [step]
    return {
        "treated": treated,
        "came_true": {
            condition: [{**told, "steps": sorted(told["steps"])} for told in by_when.values()]
            for condition, by_when in came_true.items()
        },
    }


def _planned_and_made(folder: Path) -> tuple[list[Intervention], Mapping[str, int]]:
    """Return what a trial plans, and the step behind which each that landed was first made, by its key."""
    planned: list[Intervention] | None = None
    made: dict[str, int] = {}
    for run, until in lineage(folder):
        if planned is None:
            planned = [Intervention(**each) for each in run.manifest.get("interventions") or ()]
        made |= dict(_landed(run, until))  # those of runs that it branched from come later here, and were earlier
    return planned or [], made


def _landed(run: Run, until: int) -> Iterator[tuple[str, int]]:
    for step, about in reversed(interventions(run)):
        if step <= until and "plan" in about and about["status"] == "committed":
            yield about["plan"], step - 1


def _first_steps(planned: Sequence[Intervention], made: Mapping[str, int]) -> Iterator[tuple[str, int | None]]:
    """Yield each condition of a plan once, and the step at which it first came true; None if it never did."""
    for when in dict.fromkeys(each.when for each in planned if each.when is not None):
        yield when, min((made[each.key] for each in planned if each.when == when and each.key in made), default=None)
