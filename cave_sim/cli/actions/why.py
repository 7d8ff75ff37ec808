"""``cave-sim why``: causes. What would have been without a turn, an agent or an intervention of a run?"""

from __future__ import annotations

import argparse
import shlex
import sys
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from cave_sim.causes import wording
from cave_sim.causes.candidate import Candidate, candidates, expect_some
from cave_sim.causes.cause_as_scenario import scenario_of_cause
from cave_sim.causes.counterfactual import Counterfactuals
from cave_sim.causes.provenance import Provenance
from cave_sim.causes.question import Asked
from cave_sim.causes.ranking import Effect, effects, ranked
from cave_sim.causes.replies import Replies
from cave_sim.causes.results import Results
from cave_sim.causes.shapley import MOST_PLAYERS, Shares, shapley
from cave_sim.causes.shortest import Shortest, shortest_cause
from cave_sim.causes.workplace import Workplace
from cave_sim.cli.options import hosts, json_output, models, output_file, trust
from cave_sim.cli.options.exit_codes import INTERRUPTED
from cave_sim.cli.options.progress import StatusLine
from cave_sim.errors import CaveSimError, WorldError
from cave_sim.files.whole_files import write_whole
from cave_sim.journal.reader import Run, open_run
from cave_sim.loading.entry_points import DASHBOARDS, named
from cave_sim.scenario.saving import to_yaml

TOLD_FROM_S = 10.0
"""How long forks have to take for it to be said beforehand."""


def call(options: argparse.Namespace) -> int:
    """Check that a fork is the run, try one candidate after the other, and print the causes; Ctrl-C ends it early."""
    if options.shortest and (options.among != "turns" or options.seeds > 1):
        raise WorldError("--shortest is among the turns of one history: leave --among and --seeds away")
    if options.shortest and (options.shapley or options.html):
        raise WorldError("--shortest finds sets of turns and draws none: leave --shapley and --html away")
    if options.shapley and (options.seeds > 1 or options.shapley > MOST_PLAYERS):
        raise WorldError(f"--shapley is of at most {MOST_PLAYERS} in one history: a smaller one, and no --seeds")
    if options.keep and options.seeds > 1:
        raise WorldError("forks are kept of one seed: leave --keep or --seeds away")
    output_file.expect_place("--html", options.html)
    counterfactuals = _counterfactuals(options)
    began_s = time.monotonic()
    unit = counterfactuals.check()
    lived_s = time.monotonic() - began_s
    with open_run(options.run) as run:
        fields = counterfactuals.question.fields(run.manifest.get("measures") or {})
        relevance = Provenance(run, fields, counterfactuals.decided)
        suspects = candidates(run, options.among, counterfactuals.decided, relevance, counterfactuals.question.names())
        times = {each.step: run.time_at(each.step).replace("T", " ")[:16] for each in suspects}
        elsewhere = _elsewhere(run, options.among, counterfactuals.decided, relevance)
    expect_some(suspects, options.among, counterfactuals.decided)
    say = wording.Wording(counterfactuals, unit, times)
    options.json = options.json or options.lines
    if not options.json:
        print(say.fact(), flush=True)
    if options.shortest:
        return _shortest(options, counterfactuals, suspects, say)
    ahead_s = _ahead_s(options, counterfactuals, suspects, lived_s)
    if ahead_s >= TOLD_FROM_S:
        print(say.ahead(len(suspects), options.max_forks, ahead_s), file=sys.stderr, flush=True)
    return _ranking(options, counterfactuals, suspects, say, elsewhere)


def _ahead_s(
    options: argparse.Namespace, counterfactuals: Counterfactuals, suspects: Sequence[Candidate], lived_s: float
) -> float:
    """Return about how long the forks will take, by how long the run took from its beginning."""
    whole = max(1, counterfactuals.at - counterfactuals.first)
    forks_each = 2 * options.seeds - 1  # in another future the fact is lived, too
    lives = [(counterfactuals.at - each.step + 1) / whole for each in suspects for _ in range(forks_each)]
    return lived_s * sum(lives[: options.max_forks])


def _elsewhere(run: Run, among: str, until: int, relevance: Provenance) -> str:
    """Return that there were interventions, for who looks for a cause in what agents did; else nothing."""
    count = len(candidates(run, "interventions", until, relevance)) if among in ("turns", "agents") else 0
    many = "an intervention was" if count == 1 else f"{count} interventions were"
    return f"What agents did is not all: {many} made, see --among interventions" if count else ""


def _counterfactuals(options: argparse.Namespace) -> Counterfactuals:
    folder = output_file.results_folder(options.run, "-why", options.out)
    recipe = trust.trusted(options, with_model=options.ask)
    options.host = hosts.going_on(options.run, recipe, options)
    is_free = recipe.model is None or all(choice.is_scripted for choice in recipe.model.choices)
    if options.ask:
        trust.expect_server(options.run, recipe, options.api_base)
        models.expect_answers(recipe.asked_model())
    return Counterfactuals(
        options.run,
        Asked(options.question, ever=options.ever or options.shortest),
        recipe,
        at=options.at,
        may_ask=None if is_free or options.ask else 0,
        max_calls=options.max_calls,
        host=lambda: hosts.opened(recipe, options),
        results=Results(folder / "results.jsonl"),
        replies=Replies(folder / "replies.jsonl"),
        workplace=Workplace(folder),
    )


def _ranking(
    options: argparse.Namespace,
    counterfactuals: Counterfactuals,
    suspects: Sequence[Candidate],
    say: wording.Wording,
    elsewhere: str,
) -> int:
    keep = options.run.resolve().parent if options.keep else None
    tried: list[Effect] = []
    code, status = 0, StatusLine()
    try:
        for effect in effects(counterfactuals, suspects, max_forks=options.max_forks, seeds=options.seeds, keep=keep):
            tried.append(effect)
            if options.lines:
                json_output.show({"effect": effect.to_data(), "tried": len(tried), "of": len(suspects)})
                sys.stdout.flush()
            if sys.stderr.isatty():
                print(say.progress(effect, len(tried), len(suspects)), file=sys.stderr)
            else:
                status(say.progress(effect, len(tried), len(suspects)))
    except KeyboardInterrupt:
        code = INTERRUPTED
    causes = ranked(tried)
    shares = None if code else _shares(options, counterfactuals, causes, tried)
    data = say.data(causes, tried, len(suspects), shares)
    if options.json:
        json_output.show(data)
    else:
        text = say.ranking(causes, tried, len(suspects), elsewhere, most=options.most)
        print("\n".join([*text, *(() if shares is None else say.shares(shares))]))
    if options.html:
        with open_run(options.run) as run:
            page = named(DASHBOARDS, "causes")(data, options.html, run)
        print(f"page: {page}", file=sys.stderr if options.json else sys.stdout)
    return code


def _shares(
    options: argparse.Namespace, counterfactuals: Counterfactuals, causes: Sequence[Effect], tried: Sequence[Effect]
) -> Shares | None:
    """Put the largest causes together, and then what was tried first: two that mask each other are no causes alone."""
    if not options.shapley:
        return None
    known = [each.candidate for each in tried if each.pairs]
    players = list(dict.fromkeys([*(each.candidate for each in causes), *known]))[: options.shapley]
    if not players:
        raise WorldError("--shapley: no effect is known, so there is nothing to put together")
    return shapley(counterfactuals, players, max_forks=options.max_forks)


def _shortest(
    options: argparse.Namespace, counterfactuals: Counterfactuals, suspects: Sequence[Candidate], say: wording.Wording
) -> int:
    keep = options.run.resolve().parent if options.keep else None
    shown = dict.fromkeys(("without", "alone"), Shortest(None, is_minimal=False))
    files: dict[str, Path | None] = dict.fromkeys(shown)
    code = 0
    for what, sufficient in (("without", False), ("alone", True)):
        how = {"to_go_on": "the same command goes on"}
        try:
            shown[what] = shortest_cause(
                counterfactuals,
                suspects,
                sufficient=sufficient,
                max_forks=options.max_forks,
                keep=keep,
                on_better=partial(shown.__setitem__, what),
            )
            files[what], how_to_run = _scenario(options, counterfactuals, shown[what], sufficient=sufficient)
            how = {"scenario": how_to_run}
        except KeyboardInterrupt:
            code = INTERRUPTED
        if not options.json:
            print("\n".join(say.shortest(shown[what], sufficient=sufficient, **how)), flush=True)
        if code:
            break
    if options.json:
        data = say.shortest_data(shown["without"], shown["alone"])
        for what, file in files.items():
            data[what]["scenario"] = None if file is None else str(file)
        json_output.show(data)
    else:
        print(say.cost())
    return code


def _scenario(
    options: argparse.Namespace, counterfactuals: Counterfactuals, cause: Shortest, *, sufficient: bool
) -> tuple[Path | None, str]:
    """Write turns as a scenario beside the results; return its file, and how it is run or why there is none."""
    if not cause.turns:
        return None, ""
    try:
        scenario = scenario_of_cause(counterfactuals, cause.turns, sufficient=sufficient)
    except CaveSimError as error:
        return None, f"no scenario of it: {error}"
    what = "only" if sufficient else "without"
    turns = "-".join(str(turn) for each in cause.turns for turn in each.turns[:1])[:60]
    folder = output_file.results_folder(options.run, "-why", options.out)
    file = folder / f"{what}-turns-{turns}.yaml"
    write_whole(file, to_yaml(scenario))
    if file.is_relative_to(here := Path.cwd()):
        file = file.relative_to(here)
    return file, f"run it: cave-sim study {shlex.quote(str(file))}"
