"""The part of a paper that tells what minds answered: a table of shares and means, and words of their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from cave_sim.analysis.wording import estimate_text

if TYPE_CHECKING:
    from cave_sim.analysis.statistics import Estimate
    from cave_sim.analysis.survey_answers import SurveyItem


def survey_parts(items: Sequence[SurveyItem]) -> list[dict[str, Any]]:
    """Return the questions, each with a table of what was answered under each condition, as a template takes it."""
    return [_part(item) for item in items]


def _part(item: SurveyItem) -> dict[str, Any]:
    names = list(item.answers)
    counts = "; ".join(f"{name}: {read} of {asked}" for name, (read, asked) in item.answers.items())
    return {
        "question": item.question,
        "counts": f"{item.survey}, step {item.step}. Answers that could be read: {counts}.",
        "heads": ["answer", *names, *(f"{name} less {names[0]}" for name in names[1:])],
        "rows": [
            [
                label,
                *(_cell(estimates.get(name)) for name in names),
                *(_gap(item.gaps[label].get(name)) for name in names[1:]),
            ]
            for label, estimates in item.rows.items()
        ],
        "quotes": [f"{name}: {' '.join(f'“{quote}”' for quote in quotes)}" for name, quotes in item.quotes.items()],
    }


def _cell(estimate: Estimate | None) -> str:
    if estimate is None:
        return "–"
    return estimate_text(estimate.mean, estimate.low, estimate.high, n=estimate.n)


def _gap(estimate: Estimate | None) -> str:
    if estimate is None or not estimate.n:
        return "–"
    return estimate_text(estimate.mean, estimate.low, estimate.high, "+", n=estimate.n)
