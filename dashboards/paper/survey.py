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
                told,
                *(_cell(estimates.get(name)) for name in names),
                *(_gap(item.gaps[told].get(name)) for name in names[1:]),
            ]
            for told, estimates in item.rows.items()
        ],
        "quotes": [f"{name}: {' '.join(f'“{quote}”' for quote in quotes)}" for name, quotes in item.quotes.items()],
    }


def _cell(found: Estimate | None) -> str:
    if found is None:
        return "–"
    return estimate_text(found.mean, found.low, found.high, n=found.n)


def _gap(found: Estimate | None) -> str:
    if found is None or not found.n:
        return "–"
    return estimate_text(found.mean, found.low, found.high, "+", n=found.n)
