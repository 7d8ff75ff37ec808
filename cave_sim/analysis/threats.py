"""What stands against believing a study, as far as its own tables show it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from cave_sim.analysis.planning import LEAST
from cave_sim.analysis.trials import Trials
from cave_sim.analysis.wording import alike_text, listed
from cave_sim.diagnostics.plurals import counted

FEW_SEEDS = 10
SCRIPTED = ("scripted", "scripted-wrong")


def threats(trials: Trials, table: pd.DataFrame) -> Iterator[str]:
    """Yield a sentence for each threat.

    Args:
        trials: of the study.
        table: its differences, as :func:`~cave_sim.analysis.trials.contrasts` gives them.
    """
    last, seeds = trials.last, trials.last["seed"].nunique()
    if seeds < 2:
        yield "There are no replicates: one seed says what can happen, and nothing about how often."
    elif seeds < FEW_SEEDS:
        least = " Fewer than five say very little about the spread." if seeds < LEAST else ""
        yield (
            f"Few seeds: {seeds}. The t interval supposes that means over seeds are about normal, which so few cannot "
            f"show; an outlier moves them much.{least}"
        )
    if len(table) > 1 and seeds > 1:
        yield (
            f"{len(table)} differences were tested. Holm's correction keeps any false alarm below 5 %; "
            "measures that were looked at and left out of the study it cannot count."
        )
    planned = _planned(trials)
    if len(last) < planned:
        yield (
            f"{planned - len(last)} of {counted(planned, 'trial')} have no result. If what made them fail has to do "
            "with the outcome, what is left is no fair sample."
        )
    for name, why in _failed(trials.about):
        yield f"Trial {name} failed: {why}"
    yield from _untreated(trials.about)
    yield from _mixed(trials.about)
    if last["steps"].nunique() > 1:
        yield (
            f"Trials ended after {last['steps'].min():,} to {last['steps'].max():,} steps: last values are of "
            "different moments."
        )
    yield from _without_value(trials)
    constant = [_called(trials, name) for name in trials.measures if seeds > 1 and _is_constant(trials, name)]
    if constant:
        yield (
            f"{listed(constant)} came out the same under every seed. That says that nothing random touched "
            f"{'it' if len(constant) == 1 else 'them'} here, not that it is certain: {alike_text(seeds)}."
        )
    if len(table) and (table["method"] == "Welch's t").any():
        yield "Some conditions share no seeds and were compared as independent runs."
    if (trials.about.get("scenario") or {}).get("sampling"):
        yield (
            "What a measure depends on holds between the bounds that were sampled, for means over seeds. Intervals of "
            "sensitivity tell how well the sample shows it; chance that is left in these means counts as interaction."
        )
    yield _minds(trials.about)
    yield (
        "What was found holds for this model of the world. That the world is like it has to be shown by other "
        "means: calibration, and data that the model has not seen."
    )


def _untreated(about: Mapping[str, Any]) -> Iterator[str]:
    for condition, count in (about.get("treated") or {}).items():
        if count["treated"] < count["trials"]:
            trials = counted(count["trials"], "trial")
            yield (
                f"The interventions of {condition} were made in {count['treated']} of {trials}. "
                "In the others their condition never turned true, or they did not land: nothing was there to have an "
                "effect."
            )


def _mixed(about: Mapping[str, Any]) -> Iterator[str]:
    """Yield what changed between the trials of one study."""
    if names := about.get("changed_code"):
        yield (
            f"The code of {listed(names)} changed while the study was under way: some trials were run with it as it "
            "was, others as it is now. What differs between them may come from that."
        )


def _without_value(trials: Trials) -> Iterator[str]:
    """Yield what means leave out."""
    last = trials.last
    for name in trials.measures:
        called = _called(trials, name)
        if infinite := int(last[name].abs().eq(float("inf")).sum()):
            yield (
                f"{called} is infinite at the end of {_of_trials(infinite, len(last))}. Means, differences and "
                "intervals leave these out, and so say something of the others alone."
            )
        if missing := int(last[name].isna().sum()):
            yield (
                f"{called} has no value at the end of {_of_trials(missing, len(last))}: there was nothing to measure. "
                "Means are of the others."
            )


def _called(trials: Trials, measure: str) -> str:
    return str(trials.measures[measure].get("label") or measure)


def _of_trials(count: int, of: int) -> str:
    return f"{count} of {of} trials"


def _planned(trials: Trials) -> int:
    """Return how many trials the study was to have; 0 where it does not say."""
    points = len(trials.last[list(trials.parameters)].drop_duplicates()) if trials.parameters else 1
    return len(trials.conditions) * points * len(trials.about.get("seeds") or ())


def _is_constant(trials: Trials, name: str) -> bool:
    return all(trials.of(arm)[name].nunique() <= 1 for arm in trials.arms())


def _failed(about: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    failed = about.get("failed") or {}
    rows = failed.items() if isinstance(failed, Mapping) else ((each, "") for each in failed)
    yield from ((str(name), " ".join(str(why).split())) for name, why in rows)


def _minds(about: Mapping[str, Any]) -> str:
    scenario = about.get("scenario") or {}
    conditions = (scenario.get("conditions") or {}).values()
    given = [scenario.get("model"), *(each.get("model") for each in conditions if isinstance(each, Mapping))]
    names = list(dict.fromkeys(_name(each) for each in given if each))
    asked = [name for name in names if name not in SCRIPTED]
    if not asked:
        return (
            "Nobody here is a language model: what agents do was written as rules, or played from a script. "
            "It says nothing about what models, or people, would do."
        )
    return (
        f"Agents were played by {listed(asked)}. Other models, prompts and temperatures may act otherwise; "
        "that none was tried here is part of the result."
    )


def _name(model: Any) -> str:
    return str(model.get("name")) if isinstance(model, Mapping) else str(model)
