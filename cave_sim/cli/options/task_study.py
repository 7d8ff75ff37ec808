"""A study of tasks on the command line: its plan from the options, its table, its page."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from cave_sim.cli.options import models, workers
from cave_sim.errors import WorldError
from cave_sim.experiment.report import write_page
from cave_sim.experiment.results import Result
from cave_sim.experiment.runner import run_experiment
from cave_sim.experiment.scripted import RIGHT, WRONG
from cave_sim.experiment.statistics import HOW_TO_GET_IT, can_keep, keep_part, markdown, per_query, savings
from cave_sim.experiment.study import Plan, Study, find
from cave_sim.experiment.task_study import TaskStudy
from cave_sim.models.base import Model
from cave_sim.models.from_cli import ModelChoice
from cave_sim.models.tokens import offline_counter


def call(options: argparse.Namespace, out: Path) -> int:
    """Run what is left of the study and print its table; 0 also where a model failed at tasks."""
    study, paradigms = find(options.study)
    choice, llm, name = model_of(options)
    plan = _plan(study, options, name)
    experiment = TaskStudy(study, plan, paradigms, choice=choice, llm=llm)
    with workers.work_queue_of(options) as queue:
        on_result = _reporter(out, quiet=options.quiet)
        report = run_experiment(experiment, out, queue=queue, limits=models.limits(options), on_result=on_result)
    for result in report.results if can_keep() else ():
        keep_part(out, result.trial, per_query([result]))
    workers.expect_finished(study.name, report, out)
    if report.results:
        _print_results(study, plan, out, report.results, quiet=options.quiet)
    workers.print_failures(report.failures)
    return 1 if report.failures else 0


def _reporter(out: Path, *, quiet: bool) -> Callable[[Result], None]:
    """Return what hears of each new result: it keeps its rows as Parquet, and says how it went."""
    if not can_keep() and not quiet:
        print(f"cave-sim: {HOW_TO_GET_IT}", file=sys.stderr)

    def on_result(result: Result) -> None:
        if can_keep():
            keep_part(out, result.trial, per_query([result]))
        if not quiet:
            passed = sum(outcome.ok for outcome in result.outcomes)
            line = f"{result.task} ({result.paradigm}, seed {result.seed}): {passed} of {len(result.outcomes)}"
            print(line, file=sys.stderr)

    return on_result


def _print_results(study: Study, plan: Plan, out: Path, results: list[Result], *, quiet: bool) -> None:
    print(f"{study.title}\n{note(study, plan)}\n\n{markdown(results, scripted=plan.is_scripted)}\n")
    for line in savings(results):
        print(line)
    _print_failed_calls(results)
    page = _page(study, plan, out, results)
    if not quiet:
        print(f"{page}\nstudy: {out}")


def _page(study: Study, plan: Plan, out: Path, results: list[Result]) -> str:
    """Write the page of a study, and say where it is."""
    return f"page: {write_page(out, study.title, note(study, plan), results, scripted=plan.is_scripted)}"


def note(study: Study, plan: Plan) -> str:
    """Return who did it, in words that no reader can take for more."""
    seeds = f"seeds {plan.seeds[0]} to {plan.seeds[-1]}" if len(plan.seeds) > 1 else f"seed {plan.seeds[0]}"
    if plan.is_scripted:
        skill = "its scripts are right" if plan.model == RIGHT else "its scripts slip in every query"
        by = f"Model: {plan.model}, no language model: {skill}. Tokens are counted by {offline_counter().name}."
    else:
        by = f"Model: {plan.model}. Tokens are as it reports them; intervals are 95 %."
    return f"{study.source} {by} {seeds[0].upper()}{seeds[1:]}."


def model_of(options: argparse.Namespace) -> tuple[ModelChoice | None, Model | None, str]:
    """Return the model that is chosen, the same open, and its name; None and None where scripts answer.

    Raises:
        WorldError: it cannot be asked.
        MissingExtra: a library for it is not installed.
    """
    choice = None if options.model == WRONG else models.chosen(options)
    if choice is None or choice.is_scripted:
        return None, None, WRONG if options.model == WRONG else RIGHT
    models.expect_price(choice, models.limits(options))
    models.expect_answers(choice)
    llm = choice.open()
    return choice, llm, choice.name if llm is None else llm.name


def _plan(study: Study, options: argparse.Namespace, model: str) -> Plan:
    settings = dict(each.partition("=")[::2] for each in options.settings)
    unknown = settings.keys() - study.options.keys()
    if unknown:
        known = "; ".join(f"{name}: {about}" for name, about in study.options.items()) or "it takes none"
        raise WorldError(f"--set {min(unknown)}: {study.name} has no such option ({known})")
    return Plan(
        model,
        tuple(range(first := 7 if options.seed is None else options.seed, first + (options.repeats or 1))),
        tuple(options.paradigms.split(",")) if options.paradigms else study.paradigms,
        tuple(filter(None, options.groups.split(","))),
        options.limit,
        options.rounds,
        options.reply_tokens,
        options.turns,
        settings,
        models.prompts(options),
        options.host,
    )


def _print_failed_calls(results: list[Result]) -> None:
    failed = int(per_query(results).failed_calls.sum())
    if failed:
        print(f"{failed:,} queries got no reply from the model, and count as failed.")
