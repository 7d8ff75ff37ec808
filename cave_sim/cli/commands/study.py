"""``cave-sim study``: put a model to the tasks of a study, and see how well it does and what it takes."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from cave_sim.cli.options import models, workers
from cave_sim.cli.options.numbers import at_least
from cave_sim.errors import WorldError
from cave_sim.experiment.parallel import StudyReport, run_with
from cave_sim.experiment.report import write_page
from cave_sim.experiment.scripted import RIGHT, WRONG
from cave_sim.experiment.statistics import HOW_TO_GET_IT, can_keep, keep_part, markdown, per_query, savings
from cave_sim.experiment.study import Plan, Study, available, find, run_study
from cave_sim.experiment.trial import Result
from cave_sim.models.base import Model
from cave_sim.models.budget import Budgets
from cave_sim.models.from_cli import ModelChoice
from cave_sim.models.tokens import offline_counter

EPILOG = "Example: cave-sim study token_efficiency; cave-sim study smart_home --model openai/NAME --api-base URL"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("study", help=f"one of: {', '.join(available()) or 'none installed'}")
    parser.add_argument("--paradigms", metavar="A,B", help="cave, codeact, json (default: those the study compares)")
    parser.add_argument("--groups", metavar="A,B", default="", help="only these groups of tasks")
    parser.add_argument("--limit", type=at_least(1), metavar="N", help="at most N tasks of each group")
    parser.add_argument("--rounds", type=at_least(1), metavar="N", help="cells, or rounds of calls, for each query")
    parser.add_argument("--reply-tokens", type=at_least(1), metavar="N", help="at most so many tokens in a reply")
    parser.add_argument("--seed", type=at_least(0), default=7, metavar="S", help="of the first repetition (default: 7)")
    parser.add_argument(
        "--repeats", type=at_least(1), default=1, metavar="N", help="repetitions, each with a seed of its own"
    )
    parser.add_argument("--out", type=Path, metavar="DIR", help="folder of the study; an interrupted one goes on")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", dest="settings", help="an option")
    parser.add_argument("--quiet", action="store_true", help="print the table alone")
    models.add_arguments(parser, reply_tokens=False)
    workers.add_arguments(parser, "trial")


def call(options: argparse.Namespace) -> int:
    """Run what is left of the study and print its table; 0 also where a model failed at tasks."""
    study, _ = find(options.study)
    workers.check(options)
    choice, llm = _model(options)
    plan = _plan(study, options, _name(options, choice, llm))
    out = options.out or _free_folder(study.name)
    report = _done(study, plan, out, options, choice, llm)
    if not report.results and not report.failures:
        raise WorldError(f"{study.name}: nothing was finished; what was asked is kept in {out}")
    if report.results:
        _print_results(study, plan, out, report.results, quiet=options.quiet)
    workers.print_failures(report.failures)
    return 1 if report.failures else 0


def _done(
    study: Study, plan: Plan, out: Path, options: argparse.Namespace, choice: ModelChoice | None, llm: Model | None
) -> StudyReport:
    """Do what is left of a study where the options say."""
    paradigms, limits, teller = find(study.name)[1], models.limits(options), partial(_teller, out, quiet=options.quiet)
    if options.on == "local":
        report = StudyReport(
            run_study(study, plan, paradigms, out, llm=llm, budgets=Budgets(run=limits), told=teller())
        )
    else:
        with workers.work_queue_of(options) as crew:
            report = run_with(crew, study, plan, paradigms, out, model=choice, limits=limits, told=teller())
    for result in report.results if can_keep() else ():
        keep_part(out, result.trial, per_query([result]))
    return report


def _teller(out: Path, *, quiet: bool) -> Callable[[Result], None]:
    """Return what hears of each new result: it keeps its rows as Parquet, and says how it went."""
    if not can_keep() and not quiet:
        print(f"cave-sim: {HOW_TO_GET_IT}", file=sys.stderr)

    def told(result: Result) -> None:
        if can_keep():
            keep_part(out, result.trial, per_query([result]))
        if not quiet:
            passed = sum(outcome.ok for outcome in result.outcomes)
            line = f"{result.task} ({result.paradigm}, seed {result.seed}): {passed} of {len(result.outcomes)}"
            print(line, file=sys.stderr)

    return told


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


def _model(options: argparse.Namespace) -> tuple[ModelChoice | None, Model | None]:
    """Return the model that is chosen, and open; None and None where scripts answer."""
    choice = None if options.model == WRONG else models.chosen(options)
    if choice is None or choice.is_scripted:
        return None, None
    models.expect_answers(choice)
    return choice, choice.open()


def _name(options: argparse.Namespace, choice: ModelChoice | None, llm: Model | None) -> str:
    if choice is None:
        return WRONG if options.model == WRONG else RIGHT
    return choice.name if llm is None else llm.name


def _plan(study: Study, options: argparse.Namespace, model: str) -> Plan:
    settings = dict(each.partition("=")[::2] for each in options.settings)
    unknown = settings.keys() - study.options.keys()
    if unknown:
        told = "; ".join(f"{name}: {about}" for name, about in study.options.items()) or "it takes none"
        raise WorldError(f"--set {min(unknown)}: {study.name} has no such option ({told})")
    return Plan(
        model,
        tuple(range(options.seed, options.seed + max(1, options.repeats))),
        tuple(options.paradigms.split(",")) if options.paradigms else study.paradigms,
        tuple(filter(None, options.groups.split(","))),
        options.limit,
        options.rounds,
        options.reply_tokens,
        settings,
        models.prompts(options),
    )


def _free_folder(name: str) -> Path:
    first, count = Path("runs") / f"study-{name}", 1
    folder = first
    while folder.exists():
        count += 1
        folder = first.with_name(f"{first.name}-{count}")
    return folder


def _print_failed_calls(results: list[Result]) -> None:
    failed = int(per_query(results).failed_calls.sum())
    if failed:
        print(f"{failed:,} queries got no reply from the model, and count as failed.")
