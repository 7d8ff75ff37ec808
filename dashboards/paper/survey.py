"""The part of a paper that tells what minds answered: a table of shares and means, and words of their own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING

from cave_sim.analysis.wording import estimate_text

if TYPE_CHECKING:
    from cave_sim.analysis.statistics import Estimate
    from cave_sim.analysis.survey_answers import SurveyItem


def survey_html(items: Sequence[SurveyItem]) -> Iterator[str]:
    """Yield the questions, each with a table of what was answered under each condition."""
    if not items:
        return
    yield "<section><h2>What minds answered</h2>"
    yield "<p>Shares and means are of each run first and then over seeds: who answers in one run is no replicate.</p>"
    for item in items:
        yield f"<article><h3>{escape(item.question)}</h3>"
        counts = "; ".join(f"{name}: {read} of {asked}" for name, (read, asked) in item.answers.items())
        yield f'<p class="note">{escape(f"{item.survey}, step {item.step}. Answers that could be read: {counts}.")}</p>'
        if item.rows:
            yield _table(item)
        for name, quotes in item.quotes.items():
            told = " ".join(f"“{quote}”" for quote in quotes)
            yield f"<p>{escape(f'{name}: {told}')}</p>"
        yield "</article>"
    yield "</section>"


def _table(item: SurveyItem) -> str:
    names = list(item.answers)
    head = "".join(f'<th scope="col">{escape(each)}</th>' for each in ("answer", *names))
    rows = []
    for told, estimates in item.rows.items():
        cells = [_cell(estimates.get(name)) for name in names]
        rows.append(f"<tr><td>{escape(told)}</td>{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>")
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    return f'<div class="scroll" tabindex="0" role="region" aria-label="Answers">{table}</div>'


def _cell(found: Estimate | None) -> str:
    if found is None:
        return "–"
    return estimate_text(found.mean, found.low, found.high)
