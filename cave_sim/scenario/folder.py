"""The folder of a study: run what it lacks, and read what it holds."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Callable, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

import pandas as pd

from cave_sim.analysis.study_description import read_description
from cave_sim.analysis.trials import Trials
from cave_sim.determinism.canonical_json import from_json
from cave_sim.errors import JournalError, WorldError
from cave_sim.experiment.runner import ABOUT, TRIALS, Report, claim, run_experiment, write_about
from cave_sim.experiment.statistics import RESULTS
from cave_sim.experiment.work_queue import WorkQueue
from cave_sim.files.given_files import given_bytes
from cave_sim.history.wording import word
from cave_sim.journal.reader import open_run
from cave_sim.journal.tallies import costs
from cave_sim.loading.views import Viewed, view
from cave_sim.models.budget import Budget
from cave_sim.scenario.over_steps import OverSteps
from cave_sim.scenario.own_code import changed, code_digests
from cave_sim.scenario.parts import Measure
from cave_sim.scenario.plans import ScenarioTrial
from cave_sim.scenario.reading import load_scenario
from cave_sim.scenario.schema import Scenario
from cave_sim.scenario.study import KIND, ScenarioStudy
from cave_sim.scenario.tables import answer_table, series_table, trial_table, write_table
from cave_sim.scenario.treated import told_of_treatments
from cave_sim.scenario.trial import TrialResult
from cave_sim.simulation.run_journal import DEPENDENCIES
from cave_sim.version import __version__, code_revision


class StudyFolder(Viewed):
    """A study of a scenario as its folder has it.

    Args:
        folder: of the study.

    Attributes:
        about: what ``study.json`` says.

    Raises:
        WorldError: there is no such study.
        JournalError: what it says of itself was edited to what cannot be read.
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder: Path = Path(folder)
        if not (self.folder / ABOUT).is_file():
            raise WorldError(f"{folder} holds no study of a scenario")
        try:
            about = from_json(given_bytes(self.folder / ABOUT))
        except (OSError, ValueError):
            about = {}
        if isinstance(about, dict) and about.get("kind", KIND) != KIND:
            raise WorldError(f"{folder} holds a study of tasks, and none of a scenario")
        self.about: dict[str, Any] = read_description(self.folder)

    def frame(self) -> pd.DataFrame:
        """Return a row for each trial: condition, parameters, seed, steps, and each measure after the last step."""
        return self._table("trials")

    def series(self) -> pd.DataFrame:
        """Return a row for each step of each trial, with each measure."""
        return self._table("series")

    def answers(self) -> pd.DataFrame:
        """Return a row for each answer to a survey."""
        return self._table("answers")

    def trials(self) -> Trials:
        """Return what was measured, as `cave_sim.analysis` takes it: means, differences, the nearest points."""
        return Trials.read(self.folder)

    def plot(self, *measures: str) -> Any:
        """Return a plotly figure of the means over time, or of those named; raises MissingExtra without plotly."""
        from cave_sim.analysis.plots import plot_over_time  # the extra is asked for where somebody plots

        return plot_over_time(self.trials(), *measures)

    def show(self, height_px: int = 640) -> Viewed:
        """Return the report of the study as a page for a notebook; raises MissingExtra without what it is made by."""
        page: Viewed = view("page")(self, height_px)
        return page

    @property
    def conditions(self) -> list[str]:
        """The conditions; the first one is the reference."""
        return list(self.about["conditions"])

    @property
    def measures(self) -> list[str]:
        """What was measured."""
        return list(self.about.get("measures") or ())

    def _table(self, name: str) -> pd.DataFrame:
        path = self.folder / RESULTS / f"{name}.csv"
        if not path.is_file():
            raise WorldError(f"{self.folder} has no table of {name} yet")
        return pd.read_csv(path, keep_default_na=False, na_values=[""])  # a condition may be called None

    def __repr__(self) -> str:
        return f"<study {self.about['name']} in {self.folder}>"


def open_study(folder: str | Path) -> StudyFolder:
    """Return a study of a scenario, to be read; raises WorldError if a folder holds none."""
    if not isinstance(folder, str | Path):
        raise WorldError(f"open_study({folder!r}): takes the path of a study's folder")
    return StudyFolder(folder)


def run_study(
    scenario: Scenario | str | Path,
    out: str | Path,
    *,
    seeds: int | Sequence[int] | None = None,
    queue: WorkQueue | None = None,
    limits: Budget | None = None,
    command: str = "",
    shares_prefixes: bool = True,
    on_result: Callable[[TrialResult], None] = lambda result: None,
    say: Callable[[str], None] = lambda line: None,
) -> tuple[StudyFolder, Report[TrialResult]]:
    """Run what a study's folder lacks, and write its tables.

    Args:
        scenario: it, or its file.
        out: the folder.
        seeds: how many, or which; the scenario's unless given.
        queue: the workers; one trial after another here unless given.
        limits: of spending on models, for all trials together.
        command: what makes the study again.
        shares_prefixes: whether steps that conditions have in common are run once; the results are the same.
        on_result: called with each new result.
        say: called with a line for whatever somebody should know before the study goes on.

    Returns:
        The study, and how this call went.

    Raises:
        WorldError: the folder holds another study, or the scenario cannot be run.
    """
    scenario = scenario if isinstance(scenario, Scenario) else load_scenario(scenario)
    if isinstance(seeds, str):
        raise WorldError(f"seeds={seeds!r}: takes how many there are, such as 5, or a list of them")
    chosen = scenario.all_seeds(seeds) if seeds is None or isinstance(seeds, int) else seeds
    study, out = ScenarioStudy(scenario, chosen, shares_prefixes=shares_prefixes), Path(out)
    order, blocks = list(scenario.conditions), study.blocks()
    trials = sorted(
        (trial for block in blocks for trial in block),
        key=lambda trial: (order.index(trial.condition), trial.number, trial.seed),
    )
    claim(out, study.about())
    code = _code(out, study, trials, say)
    report = run_experiment(study, out, queue=queue, limits=limits, on_result=on_result)
    done = {result.trial for result in report.results}
    finished = [trial for trial in trials if str(trial) in done]
    measures = _columns(scenario, report)
    if report.results:
        write_table(out, "trials", trial_table(finished, report.results, measures))
        write_table(out, "series", series_table(finished, out, measures))
    if scenario.surveys and finished:
        write_table(out, "answers", answer_table(finished, out))
    about = {**study.about(), **_measured(scenario, measures), **_made_by(command, study), **code}
    about |= _costs(out, finished, report)
    about |= {"failed": {each.name: each.why for each in report.failures}} if report.failures else {}
    write_about(out, about)
    return StudyFolder(out), report


def _code(
    out: Path, study: ScenarioStudy, trials: Sequence[ScenarioTrial], say: Callable[[str], None]
) -> dict[str, Any]:
    """Return the digests of the code that the study runs, and what of it changed since a trial was begun; keep both."""
    existing = read_description(out)
    known = {key: existing[key] for key in ("own_code", "changed_code") if existing.get(key)}
    if all(study.finished(trial, out) is not None for trial in trials):
        return known
    now, begun = code_digests(study.scenario), (out / TRIALS).is_dir() and any((out / TRIALS).iterdir())
    names = changed(known.get("own_code", {}), now) if begun else []
    if names:
        say(
            f"{', '.join(names)} changed since this study was begun: trials that are there stay as they are, others "
            "are run with the code of now, and the report says so; to run all anew choose another folder with --out"
        )
    mixed = sorted({*known.get("changed_code", ()), *names}) if begun else []
    digests = {"own_code": now, **({"changed_code": mixed} if mixed else {})}
    write_about(out, {**existing, **digests})
    return digests


def _columns(scenario: Scenario, report: Report[TrialResult]) -> list[str]:
    """Return what the tables have columns for: what the scenario measures, or else all that the simulation does."""
    chosen = [*scenario.measures, *scenario.outcomes]
    return chosen or list(report.results[0].measures if report.results else ())


def _measured(scenario: Scenario, measures: Sequence[str]) -> dict[str, Any]:
    texts = {**scenario.measures, **scenario.outcomes}
    of_measures = {name: texts.get(name) for name in measures}
    return {
        "measures": {
            name: {"label": (each and each.label) or word(name), "unit": _unit(each, scenario) if each else ""}
            for name, each in of_measures.items()
        }
    }


def _unit(each: Measure, scenario: Scenario) -> str:
    """Return what a measure counts, or an outcome: if it does not say so, what the measure counts that it is of."""
    over = OverSteps.read(each.value)
    of = scenario.measures.get(over.measure) if over is not None and over.keeps_unit else None
    return each.unit or (of.unit if of is not None else "")


def _made_by(command: str, study: ScenarioStudy) -> dict[str, Any]:
    """Return what a study was made by: command, code, versions, and the files that it names."""
    named = [
        value
        for options in (study.scenario.options, *(each.options for each in study.scenario.conditions.values()))
        for value in options.values()
        if isinstance(value, str) and value and Path(value).is_file()
    ]
    return {
        "command": command,
        "code": code_revision(),
        "versions": {
            "cave_sim": __version__,
            "python": platform.python_version(),
            **{name: metadata.version(name) for name in DEPENDENCIES},
        },
        "data": {path: hashlib.sha256(Path(path).read_bytes()).hexdigest() for path in sorted(set(named))},
    }


def _costs(out: Path, trials: Sequence[ScenarioTrial], report: Report[TrialResult]) -> dict[str, Any]:
    """Return what all trials took, as their journals have it: calls, money, steps that were run and those shared."""
    spent = {"calls": 0.0, "tokens": 0.0, "cost_usd": 0.0}
    for trial in trials:
        try:
            with open_run(out / TRIALS / str(trial)) as run:
                spent = {name: value + costs(run)[name] for name, value in spent.items()}
        except JournalError:
            continue
    shared = sum(result.shared for result in report.results)
    run_steps = sum(result.steps for result in report.results) - shared
    return {
        "spent": spent,
        "prefix": {"steps_run": run_steps, "steps_shared": shared},
        **told_of_treatments(out / TRIALS, trials),
    }
