"""``cave-sim cohort``: the same people treated and untreated. Who gains by an intervention, and who loses?"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterator, Sequence

from cave_sim.analysis.wording import estimate_text, figure
from cave_sim.causes.cohort import (
    WHO,
    Cohort,
    Individual,
    KeptLives,
    Outcomes,
    individuals,
    lives,
    paired_lives,
    seeds_spared,
    to_data,
)
from cave_sim.cli.options import hosts, json_output, models, output_file, trust
from cave_sim.cli.options.exit_codes import INTERRUPTED
from cave_sim.cli.options.progress import StatusLine
from cave_sim.diagnostics.plurals import counted
from cave_sim.errors import WorldError
from cave_sim.journal.reader import open_run
from cave_sim.loading.entry_points import DASHBOARDS, named
from cave_sim.replay.fork import assignment
from cave_sim.simulation.treatment import Intervention

BARS = "▁▂▃▄▅▆▇█"
PEOPLE_SHOWN, BINS = 8, 12
SEEDS_OF_TRUTHS = 6
"""From so many seeds on, one sign in all of them has a chance below 0.05 where there is no effect (a sign test)."""


def call(options: argparse.Namespace) -> int:
    """Live the lives, and print for each intervention what it did to whom."""
    output_file.expect_place("--html", options.html)
    cohort = _cohort(options)
    interventions = [*(assignment(each, WHO) for each in options.settings), *map(Intervention, options.cell)]
    if not interventions:
        raise WorldError("nothing would be done: give --set ENTITY.FIELD=VALUE, or --cell CODE")
    arms = [cohort.arms(each) for each in interventions]
    total = len(cohort.seeds) * (1 + sum(map(len, arms)))
    if total > options.max_lives:
        raise WorldError(f"these are {total} lives: take fewer --seeds, or allow them by --max-lives {total}")
    untreated: dict[int, Outcomes] = {}
    cohorts, so_far, status = [], 0, StatusLine()
    for intervention, each in zip(interventions, arms, strict=True):
        lived = []
        try:
            for life in lives(cohort, each, untreated):
                so_far += 1
                lived.append(life)
                status(f"{so_far + len(untreated)} of {total} lives")
        except KeyboardInterrupt:
            print(f"{so_far + len(untreated)} of {total} lives are kept: the same command goes on", file=sys.stderr)
            return INTERRUPTED
        people = individuals(paired_lives(iter(lived)))
        cohorts.append({"intervention": intervention.code, **to_data(people)})
        if not options.json:
            print("\n".join(_lines(cohort, intervention, people, options.outcome)), flush=True)
    behind = {"at": cohort.at, "until": cohort.until, "seeds": list(cohort.seeds)}
    data = {"outcome": options.outcome, **behind, "cohorts": cohorts}
    if options.json:
        json_output.show(data)
    else:
        print(f"{total} lives from step {cohort.at} to step {cohort.until}, one past before it")
    if options.html:
        with open_run(options.run) as run:
            page = named(DASHBOARDS, "cohort")(data, options.html, run)
        print(f"page: {page}", file=sys.stderr if options.json else sys.stdout)
    return 0


def _cohort(options: argparse.Namespace) -> Cohort:
    folder = output_file.results_folder(options.run, "-cohort", options.out)
    recipe = trust.trusted(options, with_model=options.ask)
    options.host = hosts.going_on(options.run, recipe, options)
    if options.ask:
        trust.expect_server(options.run, recipe, options.api_base)
        models.expect_answers(recipe.asked_model())
    kind, dot, name = options.outcome.partition(".")
    if not dot or not kind.isidentifier() or not name.isidentifier():
        raise WorldError(f"--outcome {options.outcome}: write it as CLASS.FIELD, such as Resident.mood")
    with open_run(options.run) as run:
        until, seed = options.until or run.last_step, run.manifest["seed"]
    is_free = recipe.model is None or all(choice.is_scripted for choice in recipe.model.choices)
    return Cohort(
        options.run,
        recipe,
        at=options.at,
        until=until,
        kind=kind,
        field=name,
        seeds=tuple(range(seed, seed + options.seeds)),
        may_ask=None if is_free or options.ask else 0,
        host=lambda: hosts.opened(recipe, options),
        store=KeptLives(folder / "lives.jsonl"),
    )


def _lines(cohort: Cohort, intervention: Intervention, persons: Sequence[Individual], outcome: str) -> Iterator[str]:
    data = to_data(persons)
    low, first, middle, third, high = data["quartiles"]
    people = counted(len(persons), "person", "people")
    yield f"{intervention.code}: {outcome} {figure(data['mean'], sign='+')} on average over {people}"
    neither = len(persons) - data["gain"] - data["lose"]
    yield f"   {data['gain']} gain, {data['lose']} lose, {neither} are not told apart"
    if high > low:
        wide, half = (" to ".join(figure(each, sign="+") for each in pair) for pair in ((low, high), (first, third)))
        yield f"   effects {_bars(persons)} {wide}, half of them {half}, median {figure(middle, sign='+')}"
    ends = PEOPLE_SHOWN // 2
    shown = persons if len(persons) <= PEOPLE_SHOWN else [*persons[:ends], *persons[-ends:]]
    for each in shown:
        mean = each.difference
        yield f"   {each.who}: {estimate_text(mean.mean, mean.low, mean.high, '+', n=mean.n)}"
    if len(persons) > len(shown):
        yield f"   and {len(persons) - len(shown)} between them; --json has them all"
    if len(cohort.seeds) == 1:
        yield "   Exact for this one future, and without an interval: --seeds K"
    else:
        yield f"   95 % t intervals over {len(cohort.seeds)} seeds; gains and losses hold for all people at once (Holm)"
        if (
            len(cohort.seeds) < SEEDS_OF_TRUTHS
            and any(each.gains or each.loses for each in persons)
            and _of_truths(persons)
        ):
            yield (
                f"   what is true or false may come out alike in {len(cohort.seeds)} seeds by chance: judge by"
                f" {SEEDS_OF_TRUTHS} or more"
            )
    spared = seeds_spared(persons)
    if math.isfinite(spared):
        yield f"   independent groups would take {figure(spared)} times the seeds (median person)"


def _of_truths(persons: Sequence[Individual]) -> bool:
    """Say whether all effects are those of what is true or false: a t interval of few of them may be a point."""
    return all(effect in (-1.0, 0.0, 1.0) for each in persons for effect in each.effects)


def _bars(persons: Sequence[Individual]) -> str:
    """Return how many people have which effect, from the least to the most, which differ, as a line of bars."""
    means = [each.difference.mean for each in persons]
    low, high = min(means), max(means)
    counts = [0] * BINS
    for mean in means:
        counts[min(BINS - 1, int(BINS * (mean - low) / (high - low)))] += 1
    most = max(counts)
    return "".join(BARS[-(-7 * count // most)] if count else " " for count in counts)
