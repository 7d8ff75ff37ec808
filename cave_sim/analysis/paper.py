"""A study as a short paper: what it says in sentences and tables follows from its trials, and from nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import pandas as pd

from cave_sim.analysis.came_true import came_true
from cave_sim.analysis.dependence import Dependence, dependences
from cave_sim.analysis.designs import SCREENINGS
from cave_sim.analysis.findings import finding, saving
from cave_sim.analysis.hypotheses import corrected
from cave_sim.analysis.survey_answers import SurveyItem, survey_items
from cave_sim.analysis.threats import threats
from cave_sim.analysis.trials import Trials, bands, by_parameter, contrasts, estimates, expect_trials
from cave_sim.analysis.wording import figure, listed, row_text
from cave_sim.diagnostics.plurals import counted

MOST_ARMS = 8
"""More lines than these are not told apart: then parameters are averaged out, and shown by themselves."""


CODE = frozenset(("cell", "when", "stop"))
"""What is code in a scenario: on a page it stands in letters of one width, as it was written."""

VALUES = frozenset(("options", "set", "arguments"))
"""What a scenario gives values in: there no, nothing and none are given, too, elsewhere they are what is not said."""

_NOTHING: tuple[Any, ...] = ("", {}, [])


class Passage(NamedTuple):
    """A piece of what is told of a condition, and whether it is code."""

    text: str
    is_code: bool = False


@dataclass(frozen=True)
class MeasureResult:
    """What a study found of one measure.

    Attributes:
        name, label, unit: of the measure.
        findings: a sentence for each difference.
        over_time: a band for each arm, as :func:`~cave_sim.analysis.trials.bands` gives them.
        at_the_end: ``arm`` and ``value`` of every trial.
        means: of the arms, as :func:`~cave_sim.analysis.trials.estimates` gives them.
        differences: as :func:`~cave_sim.analysis.trials.contrasts` gives them.
        parameters: name -> the measure against that parameter.
        dependences: on which sampled parameters it depends, under each condition; none if nothing was sampled.
    """

    name: str
    label: str
    unit: str
    findings: Sequence[str]
    over_time: pd.DataFrame
    at_the_end: pd.DataFrame
    means: pd.DataFrame
    differences: pd.DataFrame
    parameters: Mapping[str, pd.DataFrame]
    dependences: Sequence[Dependence] = ()


@dataclass(frozen=True)
class Paper:
    """What a report says.

    Attributes:
        title, question: of the study.
        method: sentences.
        conditions: name -> what is different under it.
        arms: their labels, in order; figures give each a colour.
        measures: what was found.
        notes: sentences on all results together.
        threats: what stands against believing them.
        commands: which make it again.
        versions: name -> of the code, the libraries, the data.
        survey: questions that minds were asked, with what they answered.
    """

    title: str
    question: str
    method: Sequence[str]
    conditions: Mapping[str, Sequence[Passage]]
    arms: Sequence[str]
    measures: Sequence[MeasureResult]
    notes: Sequence[str]
    threats: Sequence[str]
    commands: Sequence[str] = ()
    versions: Mapping[str, str] = field(default_factory=dict)
    survey: Sequence[SurveyItem] = ()


def paper(trials: Trials) -> Paper:
    """Return the paper of a study.

    Raises:
        MissingExtra: the extra ``lab`` is not installed.
    """
    expect_trials(trials)
    about, shown = trials.about, simplified(trials)
    name = str(about.get("name") or "study").replace("_", " ")
    table = contrasts(shown)
    table["p_holm"] = corrected(list(table["p_value"]))
    return Paper(
        name[:1].upper() + name[1:],
        str(about.get("question") or ""),
        list(method(trials, shown, table)),
        {str(name): told for name, told in _conditions(about).items()},
        [arm.label for arm in shown.arms()],
        list(_results(trials, shown, table)),
        [*saving(table)],
        list(threats(trials, table)),
        [str(about["command"])] if about.get("command") else [],
        dict(_versions(about)),
        [] if trials.answers is None else list(survey_items(trials.answers, trials.conditions)),
    )


def simplified(trials: Trials) -> Trials:
    """Return trials with parameters averaged out where there are too many arms to be told apart."""
    return trials.over_parameters() if trials.parameters and len(trials.arms()) > MOST_ARMS else trials


def method(trials: Trials, shown: Trials, table: pd.DataFrame) -> Iterator[str]:
    """Yield sentences on what was run, and how the differences in the table were taken."""
    about, scenario = trials.about, trials.about.get("scenario") or {}
    last = trials.last
    steps = f"{last['steps'].min():,}" + (f" to {last['steps'].max():,}" if last["steps"].nunique() > 1 else "")
    if scenario.get("simulation"):
        given = {name: scenario[name] for name in ("residents", "scheduler") if scenario.get(name)}
        given |= scenario.get("options") or {}
        options = ", ".join(f"{name} = {''.join(each.text for each in _plain(value))}" for name, value in given.items())
        given_options = f" ({options})" if options else ""
        yield f"The simulation {scenario['simulation']}{given_options} was run for {steps} steps."
    else:
        yield f"Runs of {steps} steps were compared."
    conditions = len(trials.conditions)
    if conditions > 1:
        yield f"{conditions} conditions were compared; {trials.conditions[0]} is the reference."
    if trials.parameters:
        points = len(last[list(trials.parameters)].drop_duplicates())
        averaged = (
            ", averaged over in what follows unless said otherwise" if shown is not trials and conditions > 1 else ""
        )
        yield (
            f"{listed(trials.parameters)} took {points:,} "
            f"{'values' if len(trials.parameters) == 1 else 'points'}{averaged}."
        )
    sampling = scenario.get("sampling") or {}
    if trials.parameters and sampling.get("method"):
        yield _sampled(sampling)
    seeds = sorted(last["seed"].unique())
    if len(seeds) < 2:
        yield f"Everything ran with one seed, {seeds[0] if seeds else 'none'}."
    elif conditions > 1 or trials.parameters:
        yield (
            f"Each ran with the same {counted(len(seeds), 'seed')} ({_span(seeds)}): common random numbers, so that "
            "what differs within a pair is what was changed, and not luck."
        )
    else:
        yield f"It ran with {counted(len(seeds), 'seed')} ({_span(seeds)})."
    yield (
        "Intervals are 95 % t intervals over seeds, those of shares on the scale of log-odds, or Wilson's where all "
        "are 0 or all are 1; steps of one run depend on each other and count as no replicates."
        if len(seeds) > 1
        else "Without replicates there are no intervals."
    )
    if len(seeds) > 1 and len(table):
        taken = "of two samples" if {*table["method"]} == {"Welch's t"} else "in pairs of the same seed"
        yield f"Differences are taken {taken}, and their p-values corrected for how many there are (Holm)."
    if shared := (about.get("prefix") or {}).get("steps_shared"):
        yield f"{shared:,} steps that conditions have in common were run once and branched from."


def _sampled(sampling: Mapping[str, Any]) -> str:
    """Return how points were drawn, and what their indices are."""
    method = str(sampling["method"])
    if method not in SCREENINGS:
        return (
            f"Points were drawn between bounds by {WAYS.get(method, method)}; shares of the variance follow from their "
            "order (RBD-FAST, Tarantola et al. 2006), with 95 % intervals by resampling."
        )
    return (
        f"Points follow {WAYS[method]}, {sampling.get('size')} groups of them, by SALib; its indices have 95 % "
        "intervals, by resampling the groups."
    )


WAYS = {
    "latin_hypercube": "a Latin hypercube",
    "sobol": "Sobol's sequence",
    "morris": "a screening design (Morris 1991)",
    "saltelli": "a design for Sobol's indices (Saltelli et al. 2010)",
}


def _results(trials: Trials, shown: Trials, table: pd.DataFrame) -> Iterator[MeasureResult]:
    means, depends = estimates(shown), list(dependences(trials))
    for name, words in trials.measures.items():
        label, unit = str(words.get("label") or name), str(words.get("unit") or "")
        ends = [shown.of(arm)[[name]].assign(arm=arm.label).rename(columns={name: "value"}) for arm in shown.arms()]
        mine = table[table["measure"] == name]
        varied = [each for each in trials.parameters if trials.last[each].nunique() > 1]
        against = {
            each: by_parameter(trials, each, name) for each in varied if len(trials.arms()) > len(trials.conditions)
        }
        yield MeasureResult(
            name,
            label,
            unit,
            [finding(row, label, unit) for row in mine.to_dict("records")] or list(_levels(means, name, label, unit)),
            bands(shown, name),
            pd.concat(ends, ignore_index=True),
            means[means["measure"] == name],
            mine,
            against,
            [each for each in depends if each.measure == name],
        )


def _levels(means: pd.DataFrame, name: str, label: str, unit: str) -> Iterator[str]:
    """Yield what one arm alone came to, where there is nothing to compare it with."""
    for row in means[means["measure"] == name].to_dict("records"):
        over = f" over {counted(row['n'], 'seed')}" if row["low"] == row["low"] or row["n"] < 2 else ""
        amount = row_text(row) + (" seeds" if not over else "")
        yield f"{label} came to {amount}{f' {unit}' if unit else ''}{over}."


def _conditions(about: Mapping[str, Any]) -> dict[str, list[Passage]]:
    """Return what a scenario says of its conditions, in words or as it stands there, and what they waited for."""
    told, waited = {}, [*came_true(about)]
    for name, each in ((about.get("scenario") or {}).get("conditions") or {}).items():
        each = each if isinstance(each, Mapping) else {}
        given = [[Passage(str(each["about"]))]] if each.get("about") else []
        keys = [key for key in each if key not in ("about", "model")] + ["model"]
        given += [[Passage(f"{key}: "), *_plain(each[key], key)] for key in keys if each.get(key)]
        given += [
            [*([Passage(each.when, True), Passage(" ")] if each.when else []), Passage(each.told)]
            for each in waited
            if each.condition == name
        ]
        told[name] = _joined("; ", given) or [Passage("as the scenario says")]
    return told


def _plain(value: Any, key: str = "", *, is_given: bool = False) -> list[Passage]:
    is_given = is_given or key in VALUES
    if is_given and value in _NOTHING:
        return [Passage("nothing")]
    if isinstance(value, Mapping):
        told = [(str(name), each) for name, each in value.items() if is_given or not _unset(each)]
        return _joined(", ", [[Passage(f"{name} = "), *_plain(each, name, is_given=is_given)] for name, each in told])
    if isinstance(value, list | tuple):
        return _joined("; ", [_plain(each, key, is_given=is_given) for each in value])
    if isinstance(value, str) and "\n" in value.strip():  # code keeps its lines: without them it would be other code
        return [Passage("\n"), Passage(value.strip(), key in CODE), Passage("\n")]
    return [Passage(figure(value) if isinstance(value, float) else " ".join(str(value).split()), key in CODE)]


def _unset(value: Any) -> bool:
    return value is None or value is False or value in _NOTHING


def _joined(between: str, parts: Sequence[Sequence[Passage]]) -> list[Passage]:
    return [each for number, part in enumerate(parts) for each in ([Passage(between)] if number else []) + [*part]]


def _versions(about: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    if about.get("code"):
        yield "code", str(about["code"])
    for kind in ("versions", "own_code", "data"):
        for name, version in (about.get(kind) or {}).items():
            if (kind, name) != ("own_code", "cave_sim"):  # it is told as the code
                yield str(name), str(version)


def _span(seeds: Sequence[int]) -> str:
    is_run = len(seeds) > 2 and list(seeds) == list(range(seeds[0], seeds[-1] + 1))
    return f"{seeds[0]} to {seeds[-1]}" if is_run else ", ".join(map(str, seeds))
