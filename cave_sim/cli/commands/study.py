"""``cave-sim study``: run all trials of a study, of tasks or of a scenario, and print what came of them."""

from __future__ import annotations

import argparse
from pathlib import Path

from cave_sim.cli.options import models, workers
from cave_sim.cli.options.numbers import at_least
from cave_sim.cli.options.together import needs
from cave_sim.errors import WorldError
from cave_sim.loading.entry_points import PAPERS, STUDIES, installed

EPILOG = """\
Examples:
  cave-sim study epidemic.yaml --seeds 30 --workers 2
  cave-sim study token_efficiency
  cave-sim study smart_home --model openai/NAME --api-base URL"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "study",
        help="a scenario's file, .yaml or .toml; the name or file of a simulation; or one of: "
        + ", ".join([*installed(STUDIES), *installed(PAPERS)]),
    )
    parser.add_argument("--seeds", type=at_least(1), metavar="N", help="of a scenario: so many, alike for all")
    parser.add_argument("--residents", type=at_least(1), metavar="N", help="of a simulation: how many people")
    parser.add_argument("--steps", type=at_least(1), metavar="N", help="of a simulation: how many steps")
    parser.add_argument(
        "--stop-when", metavar="CONDITION", help="of a simulation: a run ends after the step in which this holds"
    )
    parser.add_argument(
        "--until-halfwidth", metavar="MEASURE=W", help="of a scenario: add seeds until intervals reach no further"
    )
    parser.add_argument("--most-seeds", type=at_least(1), metavar="N", default=100, help="but no more")
    needs(parser, ["--most-seeds"], "--until-halfwidth")
    parser.add_argument("--paradigms", metavar="A,B", help="cave, codeact, json (default: those the study compares)")
    parser.add_argument("--groups", metavar="A,B", default="", help="only these groups of tasks, or tables of a paper")
    parser.add_argument("--limit", type=at_least(1), metavar="N", help="at most N tasks of each group")
    parser.add_argument("--rounds", type=at_least(1), metavar="N", help="cells, or rounds of calls, for each query")
    parser.add_argument("--reply-tokens", type=at_least(1), metavar="N", help="at most so many tokens in a reply")
    parser.add_argument("--turns", type=at_least(1), metavar="N", help="of a simulated user: at most so many messages")
    parser.add_argument("--seed", type=at_least(0), metavar="S", help="the first seed (default: the scenario's, or 7)")
    parser.add_argument(
        "--repeats",
        type=at_least(1),
        metavar="N",
        help="of tasks: repetitions, each with its own seed (default: 1)",
    )
    parser.add_argument("--out", type=Path, metavar="DIR", help="folder of the study; an interrupted one goes on")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", dest="settings", help="an option")
    parser.add_argument("--json", action="store_true", help="of a scenario or a paper: print what came out as JSON")
    parser.add_argument(
        "--host", choices=("local", "process"), help="where cells run (default: process for language models on Linux)"
    )
    parser.add_argument("--quiet", action="store_true", help="print the table alone")
    models.add_arguments(parser, reply_tokens=False)
    workers.add_arguments(parser, "trial")


def call(options: argparse.Namespace) -> int:
    """Run what is left of the study and print its table."""
    from cave_sim.cli.options import paper_study, scenario_study, task_study  # help waits for none of what these need
    from cave_sim.experiment.study import find

    if scenario_study.is_scenario(options.study) or scenario_study.is_simulation(options.study):
        return scenario_study.call(options, _free_folder)
    for name in scenario_study.OF_A_SIMULATION:
        if getattr(options, name):
            option = name.replace("_", "-")
            raise WorldError(f"--{option} is for the study of a simulation; how many tasks there are says --limit")
    if options.study in installed(PAPERS):
        return paper_study.call(options, options.out or _free_folder(options.study))
    for name in ("seeds", "until_halfwidth", "json"):
        if getattr(options, name):
            raise WorldError(f"--{name.replace('_', '-')} is for a scenario's file; repetitions of tasks are --repeats")
    name = find(options.study)[0].name
    return task_study.call(options, options.out or _free_folder(name))


def _free_folder(name: str) -> Path:
    first, count = Path("runs") / f"study-{name}", 1
    folder = first
    while folder.exists():
        count += 1
        folder = first.with_name(f"{first.name}-{count}")
    return folder
