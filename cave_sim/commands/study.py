"""``cave-sim study``: put a model to the tasks of a study, and see how well it does and what it takes."""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import sys
from difflib import get_close_matches
from pathlib import Path

from cave_sim.commands import models
from cave_sim.errors import WorldError
from cave_sim.experiment.page import write_page
from cave_sim.experiment.scripted import RIGHT, WRONG
from cave_sim.experiment.study import Plan, Result, Study, run_study
from cave_sim.experiment.table import markdown, per_query, savings
from cave_sim.experiment.trial import Paradigm
from cave_sim.models.base import Model
from cave_sim.models.budget import Budget, Budgets
from cave_sim.models.tokens import offline_counter

HELP = "put a model to the tasks of a study and count what it takes"
EPILOG = "Example: cave-sim study token_efficiency; cave-sim study smart_home --model openai/NAME --api-base URL"
PACKAGE = "simulations.studies"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("study", help=f"one of: {', '.join(available()) or 'none installed'}")
    parser.add_argument("--paradigms", metavar="A,B", help="cave, codeact, json (default: those the study compares)")
    parser.add_argument("--groups", metavar="A,B", default="", help="only these groups of tasks")
    parser.add_argument("--limit", type=int, metavar="N", help="at most N tasks of each group")
    parser.add_argument("--seed", type=int, default=7, metavar="S", help="of the first repetition (default: 7)")
    parser.add_argument("--repeats", type=int, default=1, metavar="N", help="repetitions, each with a seed of its own")
    parser.add_argument("--out", type=Path, metavar="DIR", help="folder of the study; an interrupted one goes on")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", dest="settings", help="an option")
    parser.add_argument("--quiet", action="store_true", help="print the table alone")
    models.add_arguments(parser)


def call(options: argparse.Namespace) -> int:
    """Run what is left of the study and print its table; 0 also where a model failed at tasks."""
    study, paradigms = find(options.study)
    llm, name = _model(options)
    plan = _plan(study, options, name)
    out = options.out or _free_folder(study.name)
    limits = Budget(tokens=options.max_tokens, money_usd=options.max_usd, calls=options.max_calls)

    def told(result: Result) -> None:
        if not options.quiet:
            passed = sum(outcome.ok for outcome in result.outcomes)
            line = f"{result.task} ({result.paradigm}, seed {result.seed}): {passed} of {len(result.outcomes)}"
            print(line, file=sys.stderr)

    results = run_study(study, plan, paradigms, out, llm=llm, budgets=Budgets(run=limits), told=told)
    if not results:
        raise WorldError(f"{study.name}: nothing was finished; what was asked is kept in {out}")
    print(f"{study.title}\n{note(study, plan)}\n\n{markdown(results, scripted=plan.is_scripted)}\n")
    for line in savings(results):
        print(line)
    _print_failed_calls(results)
    page = write_page(out, study.title, note(study, plan), results, scripted=plan.is_scripted)
    if not options.quiet:
        print(f"page: {page}\nstudy: {out}")
    return 0


def available() -> list[str]:
    """Return the names of the studies that are installed."""
    try:
        package = importlib.import_module(PACKAGE)
    except ModuleNotFoundError:
        return []
    return sorted(found.name for found in pkgutil.iter_modules(package.__path__) if not found.name.startswith("_"))


def find(name: str) -> tuple[Study, dict[str, Paradigm]]:
    """Return a study by name, and the ways of acting that there are."""
    names = available()
    if name not in names:
        near = get_close_matches(name, names, 1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise WorldError(f"there is no study {name!r}.{hint} There are: {', '.join(names)}")
    package = importlib.import_module(PACKAGE)
    return importlib.import_module(f"{PACKAGE}.{name}").STUDY, package.PARADIGMS


def note(study: Study, plan: Plan) -> str:
    """Return who did it, in words that no reader can take for more."""
    seeds = f"seeds {plan.seeds[0]} to {plan.seeds[-1]}" if len(plan.seeds) > 1 else f"seed {plan.seeds[0]}"
    if plan.is_scripted:
        skill = "its scripts are right" if plan.model == RIGHT else "its scripts slip in every query"
        by = f"Model: {plan.model}, no language model: {skill}. Tokens are counted by {offline_counter().name}."
    else:
        by = f"Model: {plan.model}. Tokens are as it reports them; intervals are 95 %."
    return f"{study.source} {by} {seeds[0].upper()}{seeds[1:]}."


def _model(options: argparse.Namespace) -> tuple[Model | None, str]:
    if options.model == WRONG:
        return None, WRONG
    choice = models.chosen(options)
    if choice is None or choice.is_scripted:
        return None, RIGHT
    llm = choice.open()
    return llm, llm.name if llm is not None else choice.name


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
        settings,
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
