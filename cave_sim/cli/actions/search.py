"""``cave-sim search``: the least change of what a scenario declares that flips a condition."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from shlex import quote

from cave_sim.analysis.wording import figure
from cave_sim.cli.options import json_output, models, workers
from cave_sim.cli.options.exit_codes import INTERRUPTED
from cave_sim.cli.options.progress import StatusLine
from cave_sim.cli.options.scenario_study import is_scenario, scenario_file
from cave_sim.diagnostics.plurals import counted
from cave_sim.errors import WorldError
from cave_sim.experiment.runner import about_of
from cave_sim.scenario import load_scenario
from cave_sim.search import Goal, Search, Tried
from cave_sim.search.search import FOUND, FRONT

FRONT_SHOWN = 8


def call(options: argparse.Namespace) -> int:
    """Look for the change; 1 if none was found. Ctrl-C ends it early, with the best so far."""
    if not is_scenario(options.scenario):
        raise WorldError(f"{options.scenario}: a search is of a scenario's file, .yaml or .toml")
    scenario = load_scenario(scenario_file(options.scenario))
    goal, code, status = Goal(options.goal, ever=options.ever), 0, StatusLine()
    with workers.work_queue_of(options) as queue:
        search = Search(
            scenario,
            goal,
            options.out or _folder(scenario.name, goal),
            condition=options.under,
            seeds=scenario.all_seeds(options.seeds),
            max_forks=options.max_forks,
            queue=queue,
            limits=models.limits(options),
            on_trial=lambda tried: status(_progress(search)),
        )
        models.expect_to_be_asked(search.usual_recipe(), limits=models.limits(options))
        try:
            search.run()
        except KeyboardInterrupt:
            if not search.tried:
                raise
            code = INTERRUPTED
    if options.json:
        json_output.show(search.to_data())
    else:
        print("\n".join(_lines(search)))
    return code or int(search.best is None)


def _folder(name: str, goal: Goal) -> Path:
    """Return where a search for a goal goes on, or begins: a folder of its own for each goal."""
    first = Path("runs") / f"search-{name}"
    folders = (first if number == 1 else first.with_name(f"{first.name}-{number}") for number in count(1))
    return next(each for each in folders if not each.exists() or about_of(each).get("goal", str(goal)) == str(goal))


def _progress(search: Search) -> str:
    smallest = "none yet" if search.best is None else figure(search.best.size)
    trials = counted(search.trials, "trial")
    return f"{counted(len(search.tried), 'change')} tried, {trials}; smallest that flips: {smallest}"


def _lines(search: Search) -> Iterator[str]:
    goal, best = search.goal, search.best
    how = ("held" if search.holds else "never held") if goal.ever else ("holds" if search.holds else "does not hold")
    yield f"{goal.text}: as usual it {how}"
    if best is None:
        nearest = search.nearest
        yield f"nothing flips it among {_changes(search)} tried; --max-forks allows more"
        if nearest.outcome.margin is not None:
            yield f"   nearest: {_change(search, nearest)}, and lacks {figure(-nearest.outcome.margin)}"
    else:
        yield f"flipped by {_change(search, best)}"
        yield f"   {figure(best.size)} of a range in all; it goes {figure(best.outcome.margin)} beyond"
        yield f"   run it: cave-sim study {quote(str(search.out / FOUND))}"
        front = [each for each in search.front if each.outcome.flips]
        if len(front) > 1:
            yield "larger ones that go further:"
            for each in front[1:FRONT_SHOWN]:
                yield f"   {figure(each.outcome.margin)} beyond: {_change(search, each)}"
            yield f"   {search.out / FRONT}"
    if search.failed:
        yield f"{counted(search.failed, 'trial')} failed, the first one so: {search.why}"
    shared = f"; {search.shared:,} of their {search.steps:,} steps are those of the usual one, and were run once"
    trials = counted(search.trials, "trial")
    yield f"{trials} of {_changes(search)}{shared if search.shared else ''}"


def _changes(search: Search) -> str:
    return counted(len(search.tried), "change")


def _change(search: Search, tried: Tried) -> str:
    usual = dict(zip(search.space.names, search.space.usual, strict=True))
    changed = search.space.changed(tried.change)
    return ", ".join(f"{name} = {value:g} (usually {usual[name]:g})" for name, value in changed.items()) or "no change"
