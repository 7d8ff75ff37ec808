"""Studies as the dashboard reads them: what is planned, how far it has come, and the results so far."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, fields
from functools import lru_cache
from pathlib import Path
from typing import Any

from cave_sim import CaveSimError, JournalError
from cave_sim.determinism.canonical_json import from_json
from cave_sim.experiment.results import Outcome, Result, trial_name
from cave_sim.experiment.runner import ABOUT, TRIALS
from cave_sim.experiment.study import Plan, find
from cave_sim.experiment.task_study import TaskStudy
from cave_sim.files.given_files import given_text
from cave_sim.history.run_list import GLANCE_S
from cave_sim.journal.lock import is_locked
from cave_sim.journal.opening import open_to_read
from cave_sim.journal.tables import DATABASE
from cave_sim.scenario.plans import trials_of
from cave_sim.scenario.schema import Scenario
from cave_sim.scenario.study import KIND as SCENARIO
from cave_sim.scenario.trial import TRIAL

DONE = ("passed", "failed", "done")
"""The statuses of trials that are done."""


@dataclass(frozen=True)
class Progress:
    """A study so far.

    Attributes:
        folder: of the study.
        title: one line on what is studied.
        about: what its folder says of it.
        rows: one for each trial, planned ones included: task, group, paradigm, seed, status, run; `measures` of a
            scenario's that is done.
        results: of the trials that are done.
    """

    folder: Path
    title: str
    about: dict[str, Any]
    rows: list[dict[str, Any]]
    results: list[Result]

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to be done."""
        return self.done == len(self.rows)

    @property
    def done(self) -> int:
        """How many trials are."""
        return sum(row.get("status") in DONE for row in self.rows)


FACTS = "SELECT key, value FROM manifest WHERE key IN ('seed', 'config', 'outcomes', 'trial', 'measured')"


def folders(places: list[Path]) -> list[Path]:
    """Return the folders of studies in places that were named."""
    return sorted({path.parent for place in places for path in place.rglob(ABOUT)})


def named(places: list[Path]) -> dict[str, Path]:
    """Return name -> folder of the studies in places that were named."""
    names: dict[str, Path] = {}
    for folder in folders(places):
        name = folder.name
        while name in names:
            name += "′"
        names[name] = folder
    return names


def progress(folder: Path) -> Progress:
    """Return how far a study has come; what cannot be read counts as nothing."""
    text = given_text(folder / ABOUT)
    about = from_json(text)
    title, planned = _planned(text)
    begun = {path.parent.name: _trial(path.parent) for path in sorted((folder / TRIALS).glob(f"*/{DATABASE}"))}
    rows = [{"trial": name, "status": "waiting", **facts} for name, facts in planned.items()]
    rows += [{"trial": name} for name in begun if name not in planned]
    results = []
    for row in rows:
        facts, outcomes = begun.get(row["trial"], ({}, None))
        row |= facts
        if outcomes is not None:
            results.append(Result(row["task"], row["group"], row["paradigm"], row["seed"], outcomes))
    return Progress(folder, title, about, rows, results)


@lru_cache(64)
def _planned(text: str) -> tuple[str, dict[str, dict[str, Any]]]:
    """Return a study's title, and its trials by name; none where the study is not installed, or needs data first."""
    about = from_json(text)
    if about.get("kind") == SCENARIO:
        return _planned_of_scenario(about)
    name = str(about.get("study", "study"))
    try:
        study, paradigms = find(name)
        plan_data: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value for key, value in about.items()
        }
        plan = Plan(**{field.name: plan_data[field.name] for field in fields(Plan) if field.name in plan_data})
        return study.title, dict(_named(TaskStudy(study, plan, paradigms)))
    except (CaveSimError, ImportError, KeyError, TypeError, ValueError, OSError):
        return name.replace("_", " ").capitalize(), {}


def _planned_of_scenario(about: dict[str, Any]) -> tuple[str, dict[str, dict[str, Any]]]:
    """Return a scenario's question and its trials; its simulation is not looked for, and no code of it runs."""
    title = str(about.get("question") or about.get("name"))
    try:
        trials = trials_of(Scenario.model_validate(about["scenario"]), about["seeds"])
    except (KeyError, TypeError, ValueError):
        return title, {}
    return title, {
        str(trial): {"task": str(trial), "group": trial.condition, "paradigm": "", "seed": trial.seed}
        for block in trials
        for trial in block
    }


def _named(study: TaskStudy) -> Iterator[tuple[str, dict[str, Any]]]:
    for seed, task, paradigm in study.planned():
        facts = {"task": task.name, "group": task.group, "paradigm": paradigm, "seed": seed}
        yield trial_name(task.name, paradigm, seed), facts


def _trial(folder: Path) -> tuple[dict[str, Any], tuple[Outcome, ...] | None]:
    """Return what a trial's folder tells of it, and its outcomes once it is done."""
    try:
        with closing(open_to_read(folder / DATABASE, GLANCE_S).connection) as file:
            manifest = {key: from_json(value) for key, value in file.execute(FACTS)}
        outcomes = manifest.get("outcomes")
        done = None if outcomes is None else tuple(Outcome(**outcome) for outcome in outcomes)
    except (sqlite3.Error, OSError, ValueError, TypeError, JournalError) as error:
        return {"status": f"unreadable: {error}"}, None
    config = manifest.get("config", {})
    facts = {key: config[key] for key in ("task", "group", "paradigm") if key in config}
    facts |= {"seed": manifest.get("seed")}
    if manifest.get(TRIAL) is not None:
        done_as = {"steps": manifest[TRIAL].get("steps"), "measures": manifest[TRIAL].get("measures")}
        done_as["measured"] = manifest.get("measured")
        return facts | {"status": "done"} | done_as, None
    if done is None:
        return facts | {"status": "running" if is_locked(folder) else "interrupted"}, None
    passed = sum(outcome.ok for outcome in done)
    facts |= {"status": "passed" if passed == len(done) else "failed", "passed": f"{passed} of {len(done)}"}
    facts |= {name: sum(getattr(outcome, name) for outcome in done)
             for name in ("steps", "prompt_tokens", "completion_tokens")}  # fmt: skip
    return facts | {"why": "; ".join(dict.fromkeys(outcome.why for outcome in done if outcome.why))}, done
