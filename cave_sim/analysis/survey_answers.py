"""What was answered in the surveys of a study: shares of each answer, or means, by condition, over seeds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from textwrap import shorten

import pandas as pd

from cave_sim.analysis.statistics import Estimate, mean_interval, paired_difference

MOST_ANSWERS = 8
"""More different answers than these to one question are words of one's own, of which some are shown."""
QUOTED, LETTERS = 2, 120


@dataclass(frozen=True)
class SurveyItem:
    """One question, asked behind one step.

    Attributes:
        survey, step, question: which.
        answers: condition -> how many of its answers could be read, and how many were given.
        rows: what is told -> condition -> its mean over seeds with an interval: the mean of numbers, the share of
            each of a few answers. Who answers in one run is no replicate of the others there.
        gaps: what is told -> another condition -> by how much it is above the first one, in pairs of one seed.
        quotes: condition -> some of the answers, where they are words of one's own.
    """

    survey: str
    step: int
    question: str
    answers: dict[str, tuple[int, int]]
    rows: dict[str, dict[str, Estimate]]
    gaps: dict[str, dict[str, Estimate]]
    quotes: dict[str, Sequence[str]]


def survey_items(answers: pd.DataFrame, conditions: Sequence[str]) -> Iterator[SurveyItem]:
    """Yield each question with what was answered.

    Args:
        answers: a row for each: ``condition``, ``seed``, ``survey``, ``step``, ``item``, ``question``, ``value``.
        conditions: in their order.
    """
    for (survey, step, _), given in answers.groupby(["survey", "step", "item"], sort=False):
        readable = given[given["value"].notna()]
        parts = {name: part for name in conditions if len(part := readable[readable["condition"] == name])}
        numbers = pd.to_numeric(readable["value"], errors="coerce")
        means: dict[str, dict[str, pd.Series]] = {}
        quotes: dict[str, Sequence[str]] = {}
        if is_number := bool(len(readable)) and bool(numbers.notna().all()):
            means["mean"] = {name: _by_seed(part, numbers) for name, part in parts.items()}
        elif (words := readable["value"].astype(str)).nunique() <= MOST_ANSWERS:
            for word in sorted(words.unique()):
                is_it = (words == word).astype(float)
                means[word] = {name: _by_seed(part, is_it) for name, part in parts.items()}
        else:
            quotes = {
                name: [shorten(str(each), LETTERS, placeholder=" …") for each in part["value"].unique()[:QUOTED]]
                for name, part in parts.items()
            }
        counts = {
            name: (len(parts.get(name, ())), int((given["condition"] == name).sum()))
            for name in conditions
            if (given["condition"] == name).any()
        }
        rows = {
            answer: {name: mean_interval(each, share=not is_number) for name, each in of.items()}
            for answer, of in means.items()
        }
        gaps = {answer: _gaps(of, conditions[0]) for answer, of in means.items()}
        yield SurveyItem(str(survey), int(step), str(given["question"].iloc[0]), counts, rows, gaps, quotes)


def _gaps(means: Mapping[str, pd.Series], reference: str) -> dict[str, Estimate]:
    others = [name for name in means if name != reference and reference in means]
    return {name: paired_difference(means[name], means[reference]) for name in others}


def _by_seed(part: pd.DataFrame, values: pd.Series) -> pd.Series:
    return values[part.index].groupby(part["seed"]).mean()
