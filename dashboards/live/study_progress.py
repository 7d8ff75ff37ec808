"""Studies as the dashboard reads them: what is planned, how far it has come, and the results so far."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, fields
from functools import lru_cache
from pathlib import Path
from typing import Any

from cave_sim import CaveSimError, JournalError
from cave_sim.dashboards.live.run_index import GLANCE_S
from cave_sim.experiment.study import ABOUT, TRIALS, Plan, find, trials
from cave_sim.experiment.trial import Outcome, Result, trial_name
from cave_sim.journal.lock import is_locked
from cave_sim.journal.opening import open_to_read
from cave_sim.journal.tables import DATABASE


@dataclass(frozen=True)
class Progress:
    """A study so far.

    Attributes:
        folder: of the study.
        title: one line on what is studied.
        about: what its folder says of it.
        rows: one for each trial, planned ones included: task, group, paradigm, seed, status, run.
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
        return len(self.results) == len(self.rows)


def folders(places: list[Path]) -> list[Path]:
    """Return the folders of studies in places that were named."""
    return sorted({path.parent for place in places for path in place.rglob(ABOUT)})


def progress(folder: Path) -> Progress:
    """Return how far a study has come; what cannot be read counts as nothing."""
    text = (folder / ABOUT).read_text(encoding="utf-8")
    about = json.loads(text)
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
    about = json.loads(text)
    name = str(about.get("study", "study"))
    try:
        study, paradigms = find(name)
        plan_data: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value for key, value in about.items()
        }
        plan = Plan(**{field.name: plan_data[field.name] for field in fields(Plan) if field.name in plan_data})
        return study.title, dict(_named(trials(study, plan, paradigms)))
    except (CaveSimError, ImportError, KeyError, TypeError, ValueError, OSError):
        return name.replace("_", " ").capitalize(), {}


def _named(planned: Iterator[tuple[int, Any, Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    for seed, task, paradigm in planned:
        facts = {"task": task.name, "group": task.group, "paradigm": paradigm.name, "seed": seed}
        yield trial_name(task.name, paradigm.name, seed), facts


def _trial(folder: Path) -> tuple[dict[str, Any], tuple[Outcome, ...] | None]:
    """Return what a trial's folder tells of it, and its outcomes once it is done."""
    try:
        with closing(open_to_read(folder / DATABASE, GLANCE_S).connection) as file:
            manifest = {key: json.loads(value) for key, value in file.execute(
                "SELECT key, value FROM manifest WHERE key IN ('seed', 'config', 'outcomes')")}  # fmt: skip
        outcomes = manifest.get("outcomes")
        done = None if outcomes is None else tuple(Outcome(**outcome) for outcome in outcomes)
    except (sqlite3.Error, OSError, ValueError, TypeError, JournalError) as error:
        return {"status": f"unreadable: {error}"}, None
    facts = {key: manifest.get("config", {}).get(key, "") for key in ("task", "group", "paradigm")}
    facts |= {"seed": manifest.get("seed")}
    if done is None:
        return facts | {"status": "running" if is_locked(folder) else "interrupted"}, None
    passed = sum(outcome.ok for outcome in done)
    facts |= {"status": "passed" if passed == len(done) else "failed", "passed": f"{passed} of {len(done)}"}
    facts |= {name: sum(getattr(outcome, name) for outcome in done)
             for name in ("steps", "prompt_tokens", "completion_tokens")}  # fmt: skip
    return facts | {"why": "; ".join(dict.fromkeys(outcome.why for outcome in done if outcome.why))}, done
