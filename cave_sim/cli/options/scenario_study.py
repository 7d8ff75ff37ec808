"""A study of a scenario on the command line: how far it is, and a table of what came out."""

from __future__ import annotations

import argparse
import json
import math
import re
import shlex
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cave_sim.cli.options import models, workers
from cave_sim.cli.options.given_options import given_options
from cave_sim.cli.options.time_left import TimeLeft
from cave_sim.diagnostics.durations import duration
from cave_sim.diagnostics.plurals import counted
from cave_sim.errors import MissingExtra, WorldError
from cave_sim.experiment.runner import ABOUT
from cave_sim.files.given_files import given_text
from cave_sim.loading.entry_points import SIMULATIONS, installed
from cave_sim.mesa_models.catalog import PREFIX

if TYPE_CHECKING:
    from cave_sim.experiment.runner import Report
    from cave_sim.scenario.folder import StudyFolder
    from cave_sim.scenario.plans import ScenarioTrial
    from cave_sim.scenario.schema import Scenario
    from cave_sim.scenario.trial import TrialResult

SUFFIXES = (".yaml", ".yml", ".toml")
OF_A_SIMULATION = ("residents", "steps", "stop_when")
SEEDS = 5
"""How many seeds the study of a simulation has, unless it is said: one alone would have no interval."""


def is_scenario(name: str) -> bool:
    """Say whether what is to be studied is a file with a scenario, by how its name ends."""
    return name.lower().endswith(SUFFIXES)


def scenario_file(name: str) -> Path:
    """Return the file of a scenario: one of yours, or one that lies beside an installed simulation of its name."""
    path = Path(name)
    if not path.exists() and path.parent == Path() and (plugin := installed(SIMULATIONS).get(path.stem)):
        beside = Path(str(import_module(plugin.target).__file__)).with_name(path.name)
        return beside if beside.is_file() else path
    return path


def is_simulation(name: str) -> bool:
    """Say whether what is to be studied is a simulation: an installed one by its name, one of Mesa's, or a file."""
    return name in installed(SIMULATIONS) or name.startswith(PREFIX) or name.lower().endswith(".py")


def scenario_of_simulation(simulation: str, options: argparse.Namespace) -> Scenario:
    """Return the plainest scenario of a simulation: it alone, as the options say, under one condition.

    Raises:
        WorldError: there is no such simulation, or it has no such options.
    """
    from cave_sim.replay.recipe import Recipe
    from cave_sim.scenario.marks import MarkedText
    from cave_sim.scenario.reading import scenario_of

    given = given_options(Recipe.named(simulation).module(), options.settings)
    words = {"residents": options.residents, "steps": options.steps, "options": given, "stop": options.stop_when}
    stated = {key: value for key, value in words.items() if value}
    name = re.sub(r"\W+", "_", Path(simulation.removeprefix(PREFIX)).stem).strip("_")
    data = {"name": name, "simulation": simulation, "seeds": SEEDS, **stated}
    return scenario_of(MarkedText(simulation, data, {}), Path())


def refuse_what_is_of_simulations(options: argparse.Namespace) -> None:
    """Refuse options of a simulation beside a scenario's file; raises WorldError."""
    for name in ("settings", *OF_A_SIMULATION):
        if getattr(options, name):
            option = {"settings": "set"}.get(name, name).replace("_", "-")
            raise WorldError(f"--{option} is for a simulation that is named; a scenario says such things in its file")


def with_model(scenario: Scenario, options: argparse.Namespace) -> Scenario:
    """Return a scenario that asks the model of the command line, if one is named there."""
    model = models.chosen(options)
    return scenario if model is None else scenario.model_copy(update={"model": model.to_data()})


def call(options: argparse.Namespace, free_folder: Callable[[str], Path]) -> int:
    """Run what is left of the study, and print its table; 1 if a trial failed or was left."""
    from cave_sim.scenario import load_scenario

    _refuse_what_is_for_tasks(options)
    precision = _precision(options)
    if is_scenario(options.study):
        refuse_what_is_of_simulations(options)
        scenario = load_scenario(scenario_file(options.study))
    else:
        scenario = scenario_of_simulation(options.study, options)
    if precision:
        _expect_measured(scenario, precision[0])
    if options.seed is not None:
        count = len(scenario.all_seeds())  # a list of seeds gives way to as many from this one on
        scenario = scenario.model_copy(update={"seed": options.seed, "seeds": count})
    seeds = scenario.all_seeds(options.seeds)
    scenario = with_model(scenario, options)
    out = options.out or free_folder(scenario.name)
    if precision:
        seeds = max(seeds, _seeds_there(out), key=len)  # an interrupted study goes on with what it had asked for
    folder, report = _run(scenario, out, seeds, options)
    while precision and report.results and not report.failures and not report.left:
        wanted = min(options.most_seeds, needed := _seeds_wanted(out, *precision))
        if wanted <= len(seeds):
            if needed > len(seeds):
                _say_too_wide(options, len(seeds), needed)
            break
        seeds = scenario.all_seeds(wanted)
        folder, report = _run(scenario, out, seeds, options)
    workers.expect_finished(scenario.name, report, out)
    page = _report(folder.folder) if report.results else ""
    if options.json:
        print(json.dumps(_as_data(folder, report.failures), indent=2))
    elif report.results:
        _print(folder, page, options)
    workers.print_failures(report.failures)
    if report.left:
        left = f"{counted(report.left, 'trial')} {'is' if report.left == 1 else 'are'} left"
        _say(f"{left}: a limit was reached; the same command goes on")
    return 1 if report.failures or report.left else 0


def _run(
    scenario: Scenario, out: Path, seeds: Sequence[int], options: argparse.Namespace
) -> tuple[StudyFolder, Report[TrialResult]]:
    """Run what a study lacks with these seeds."""
    from cave_sim.scenario import run_study
    from cave_sim.scenario.study import ScenarioStudy

    limits = models.limits(options)
    study = ScenarioStudy(scenario, seeds)
    blocks = study.blocks()
    left = [[trial for trial in block if not (out.is_dir() and study.finished(trial, out))] for block in blocks]
    to_ask = {trial.condition: study.plan(trial).recipe for block in left for trial in block}
    models.expect_to_be_asked(*to_ask.values(), limits=limits)
    before = sum(map(len, blocks)) - sum(map(len, left))
    with workers.work_queue_of(options) as queue:
        on_result = _reporter(left, before, queue.at_once, quiet=options.quiet)
        run_all = partial(run_study, scenario, out, seeds=seeds, queue=queue, limits=limits, command=_command(options))
        return run_all(on_result=on_result, say=_say)


def _say(line: str) -> None:
    print(f"cave-sim: {line}", file=sys.stderr)


def _precision(options: argparse.Namespace) -> tuple[str, float] | None:
    """Return of which measure the intervals are to be how narrow; None if that was not asked for."""
    if options.until_halfwidth is None:
        return None
    measure, _, text = options.until_halfwidth.rpartition("=")
    try:
        halfwidth = float(text)
    except ValueError:
        halfwidth = 0.0
    if not measure or not 0 < halfwidth < math.inf:
        raise WorldError(f"--until-halfwidth {options.until_halfwidth}: write it as MEASURE=NUMBER, above 0")
    return measure, halfwidth


def _expect_measured(scenario: Scenario, measure: str) -> None:
    """Refuse what is not measured before anything runs: by the scenario, or else by its simulation."""
    from cave_sim.analysis.stopping import no_measure
    from cave_sim.scenario.study import ScenarioStudy

    study = ScenarioStudy(scenario)
    simulation = study.plan(study.blocks()[0][0]).recipe.without_model().make()
    measures = [*scenario.measures, *scenario.outcomes] or simulation.measures
    simulation.close()
    if measure not in measures:
        raise no_measure(measure, measures)


def _seeds_there(out: Path) -> tuple[int, ...]:
    try:
        return tuple(json.loads(given_text(out / ABOUT))["seeds"])
    except (OSError, ValueError, KeyError, TypeError):
        return ()


def _say_too_wide(options: argparse.Namespace, seeds: int, needed: int) -> None:
    """Say that intervals reach further than was asked, and what would be needed."""
    from cave_sim.analysis.planning import LEAST, MOST

    how_many = f"some {needed:,}" if needed < MOST else f"more than {MOST:,}"
    takes = f"by how much they differ, it takes {how_many}" if seeds >= LEAST else f"it takes {LEAST} at least"
    _say(
        f"{counted(seeds, 'seed')} are too few for --until-halfwidth {options.until_halfwidth}, and --most-seeds allows"
        f" no more: {takes}"
    )


def _seeds_wanted(out: Path, measure: str, halfwidth: float) -> int:
    from cave_sim.analysis.stopping import seeds_wanted
    from cave_sim.analysis.trials import Trials

    return seeds_wanted(Trials.read(out), measure, halfwidth)


def _refuse_what_is_for_tasks(options: argparse.Namespace) -> None:
    for name in ("paradigms", "groups", "limit", "rounds", "reply_tokens", "turns", "repeats"):
        if getattr(options, name):
            option = name.replace("_", "-")
            raise WorldError(f"--{option} is for studies of tasks: {options.study} is none")


def _command(options: argparse.Namespace) -> str:
    """Return the command that makes the study again, but for where it is done."""
    parts = ["cave-sim", "study", str(options.study)]
    parts += [part for each in options.settings for part in ("--set", each)]
    of_seeds = ("seeds", "seed", *(("until_halfwidth", "most_seeds") if options.until_halfwidth else ()))
    for name in (*OF_A_SIMULATION, *of_seeds, "model", "max_calls", "max_usd", "max_tokens"):
        if getattr(options, name, None) is not None:
            parts += [f"--{name.replace('_', '-')}", str(getattr(options, name))]
    return shlex.join(parts)


def _reporter(
    blocks: Sequence[Sequence[ScenarioTrial]], before: int, at_once: int, *, quiet: bool
) -> Callable[[TrialResult], None]:
    """Return what hears of each new trial, and says how many are left and how long that will take.

    Args:
        blocks: the trials that are to be done, as they are told together.
        before: how many there are already.
        at_once: how many blocks are under way at once.
        quiet: whether nothing is said.
    """
    from cave_sim.experiment.statistics import HOW_TO_GET_IT, can_keep

    if quiet:
        return lambda _result: None
    done, to_come = before, TimeLeft([[str(trial) for trial in block] for block in blocks], at_once)
    count = before + sum(map(len, blocks))
    if not can_keep():
        print(f"cave-sim: {HOW_TO_GET_IT}", file=sys.stderr)

    def on_result(result: TrialResult) -> None:
        nonlocal done
        if done == before and before:
            _say(f"{before} of {counted(count, 'trial')} {'is' if before == 1 else 'are'} there already")
        done += 1
        seconds = to_come.after(result.trial, time.monotonic())
        left = "" if seconds is None else f", about {duration(seconds)} left"
        if done >= count:
            left = ", all done"
        shared = f", {result.shared} of them shared" if result.shared else ""
        print(f"{result.trial}: {counted(result.steps, 'step')}{shared} ({done} of {count}{left})", file=sys.stderr)

    return on_result


def _report(folder: Path) -> str:
    """Write the study's report and return where it is, or why there is none."""
    from cave_sim.analysis.report import write_report

    try:
        return f"report: {write_report(folder)}"
    except MissingExtra as error:
        return f"no report: {error}"


def _print(folder: StudyFolder, page: str, options: argparse.Namespace) -> None:
    from cave_sim.scenario.summary import summary_lines

    print("\n".join(summary_lines(folder)))
    if not options.quiet:
        again = folder.about["command"] + (f" --out {shlex.quote(str(options.out))}" if options.out else "")
        print(f"{page}\ntables: {folder.folder / 'results'}\nagain: {again}\nstudy: {folder.folder}")


def _as_data(folder: StudyFolder, failures: list[Any]) -> dict[str, Any]:
    from cave_sim.scenario.summary import summary_data

    failed = [{"trial": each.name, "why": each.why} for each in failures]
    return {"study": str(folder.folder), "name": folder.about["name"], **summary_data(folder), "failures": failed}
