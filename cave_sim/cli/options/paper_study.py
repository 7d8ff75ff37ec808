"""A paper on the command line: all its studies for every model, one page that is there from the first trial on."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from cave_sim.cli.options import models, workers
from cave_sim.cli.options.task_study import model_of
from cave_sim.errors import MissingExtra, WorldError, did_you_mean
from cave_sim.experiment.paper import KeptPaper, PaperPart, PaperStudy, find_paper, folder_of
from cave_sim.experiment.paper_report import PaperReport, paper_report
from cave_sim.experiment.results import Result
from cave_sim.experiment.runner import claim, run_experiment
from cave_sim.experiment.scripted import RIGHT, WRONG
from cave_sim.experiment.study import Plan, find
from cave_sim.experiment.task import Task
from cave_sim.experiment.task_study import TaskStudy
from cave_sim.experiment.work_queue import Failure, WorkQueue
from cave_sim.loading.entry_points import DASHBOARDS, named
from cave_sim.models.base import Model
from cave_sim.models.budget import Budget, Spent
from cave_sim.models.from_cli import ModelChoice

PAGE = "paper.html"
PAUSE_S = 5.0
"""Between two writings of the page while trials end; or twenty times as long as one takes."""


@dataclass(frozen=True)
class Contender:
    """A model of the page."""

    name: str
    choice: ModelChoice | None
    llm: Model | None


def call(options: argparse.Namespace, out: Path) -> int:
    """Run what is left of a paper, and print its tables; 0 also where models failed at tasks."""
    paper = find_paper(options.study)
    _refuse(options)
    parts = _chosen_parts(paper, tuple(filter(None, options.groups.split(","))))
    contenders = _contenders(options)
    claim(out, {"study": paper.name})
    work = PaperWork(paper, out, contenders, options)
    try:
        with workers.work_queue_of(options) as queue:
            work.run(parts, queue)
    finally:
        work.write_page()
    report = work.report()
    if options.json:
        print(json.dumps(report.to_data(), ensure_ascii=False))
    else:
        _print_report(report)
        if not options.quiet:
            print(f"page: {out / PAGE}\nstudy: {out}")
    workers.print_failures(work.failures)
    return 1 if work.failures else 0


class PaperWork:
    """The studies of a paper, one after the other, and its page.

    Attributes:
        failures: trials that failed every time.
    """

    def __init__(
        self, paper: PaperStudy, out: Path, contenders: Sequence[Contender], options: argparse.Namespace
    ) -> None:
        names = [each.name for each in contenders]
        models_here = tuple(dict.fromkeys([*names, *KeptPaper.models_in(out)]))
        self._folder = KeptPaper(paper, out, models_here)
        self._contenders, self._options, self._out = contenders, options, out
        self._planned: dict[tuple[str, str], int] = {}
        self._missing: dict[str, str] = {}
        self._limits, self._spent = models.limits(options), Spent()
        self._written_s, self._pause_s = float("-inf"), PAUSE_S  # so that the first trial makes a page
        self.failures: list[Failure] = []

    def run(self, parts: Sequence[PaperPart], queue: WorkQueue) -> None:
        """Put every model to every part; a budget that is used up ends it."""
        for part in parts:
            tasks: dict[int, dict[str, Task]] = {}
            for contender in self._contenders:
                experiment = self._experiment(part, contender, tasks)
                try:
                    self._planned[contender.name, part.name] = len(experiment.blocks())
                except (MissingExtra, WorldError) as error:  # a benchmark, or its data, are not installed
                    self._missing[part.name] = str(error)
                    self._say(f"{part.name} is left out: {error}")
                    break
                self._say(f"{part.name}, {contender.name}:")
                folder = self._out / folder_of(contender.name) / part.name
                done = run_experiment(
                    experiment, folder, queue=queue, limits=_left(self._limits, self._spent), on_result=self._on_result
                )
                self._spent += done.spent
                self.failures += done.failures
                if done.left:
                    self._say("the budget is used up: the same command with the same --out and a larger one goes on")
                    return

    def report(self) -> PaperReport:
        """Return what there is by now."""
        return paper_report(self._folder, self._planned, self._missing)

    def write_page(self) -> None:
        """Write the page of what there is by now."""
        began_s = time.monotonic()
        named(DASHBOARDS, "paper_tables")(self.report(), self._out / PAGE)
        self._written_s = time.monotonic()
        self._pause_s = max(PAUSE_S, 20 * (self._written_s - began_s))

    def _on_result(self, result: Result) -> None:
        passed = sum(outcome.ok for outcome in result.outcomes)
        line = f"  {result.task} ({result.paradigm}, seed {result.seed}): {passed} of {len(result.outcomes)}"
        self._say(line)
        if time.monotonic() - self._written_s > self._pause_s:
            self.write_page()

    def _experiment(self, part: PaperPart, contender: Contender, tasks: dict[int, dict[str, Task]]) -> TaskStudy:
        study, paradigms = find(part.study)
        options, first = self._options, 7 if self._options.seed is None else self._options.seed
        plan = Plan(
            contender.name,
            tuple(range(first, first + (options.repeats or 1))),
            part.paradigms,
            limit=options.limit,
            rounds=options.rounds,
            reply_tokens=options.reply_tokens,
            turns=options.turns,
            options=part.options,
            prompts=None if contender.choice is None else models.prompts(options),
            host=options.host,
        )
        return TaskStudy(study, plan, paradigms, choice=contender.choice, llm=contender.llm, tasks=tasks)

    def _say(self, line: str) -> None:
        if not self._options.quiet:
            print(line, file=sys.stderr, flush=True)


def _contenders(options: argparse.Namespace) -> list[Contender]:
    """Return the models that are named, with commas between; each must answer before any is asked."""
    names = [name.strip() for name in (options.model or RIGHT).split(",")]
    if not all(names) or len({*names}) < len(names):
        raise WorldError(f"--model {options.model}: name each model once, with commas between")
    contenders = []
    for name in names:
        only = {"api_base": None, "gguf": None} if name in (RIGHT, WRONG) else {}
        choice, llm, title = model_of(argparse.Namespace(**{**vars(options), "model": name, **only}))
        contenders.append(Contender(title, choice, llm))
    folders = {folder_of(each.name) for each in contenders}
    if len(folders) < len(contenders):
        raise WorldError(f"--model {options.model}: two of these would write into one folder")
    return contenders


def _chosen_parts(paper: PaperStudy, tables: Sequence[str]) -> list[PaperPart]:
    known = {table.name: table for table in paper.tables}
    unknown = [name for name in tables if name not in known]
    if unknown:
        hint = did_you_mean(unknown[0], known)
        raise WorldError(f"--groups: {paper.name} has no table {unknown[0]!r}.{hint} There are: {', '.join(known)}")
    wanted = {part for name in tables or known for part in known[name].parts}
    return [part for part in paper.parts if part.name in wanted]


def _refuse(options: argparse.Namespace) -> None:
    for name, value in (("seeds", options.seeds), ("until-halfwidth", options.until_halfwidth)):
        if value:
            raise WorldError(f"--{name} is for a scenario's file; repetitions of a paper are --repeats")
    for name, value in (("paradigms", options.paradigms), ("set", options.settings)):
        if value:
            raise WorldError(f"--{name}: a paper compares what its tables compare; choose tables with --groups T3,T5")


def _left(limits: Budget, spent: Spent) -> Budget:
    """Return what may still be spent."""
    left = {name: limit and max(0, limit - getattr(spent, name)) for name, limit in asdict(limits).items()}
    return Budget(**left)


def _print_report(report: PaperReport) -> None:
    print(f"{report.title}\n{report.source}\n")
    print("\n".join(report.notes), end="\n\n")
    for block in report.blocks:
        print(f"{block.name}: {block.title}\n")
        print(f"| {' | '.join(block.heads)} |\n|{'---|' * len(block.heads)}")
        print("\n".join(f"| {' | '.join(row)} |" for row in block.rows), end="\n\n")
    for gap in report.missing:
        print(f"Not measured here: {gap}")
