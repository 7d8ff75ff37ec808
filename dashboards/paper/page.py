"""The page of a paper: one file that opens from disk, asks no one for anything, and reads well on a phone, too."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from cave_sim.analysis.wording import estimate_text, figure, p_text
from cave_sim.dashboards.page_files import write_page
from cave_sim.dashboards.paper import figures
from cave_sim.dashboards.paper.survey import survey_html
from cave_sim.dashboards.standalone import page

if TYPE_CHECKING:
    from cave_sim.analysis.dependence import Dependence
    from cave_sim.analysis.paper import MeasureResult, Paper


def write_paper(paper: Paper, path: Path) -> Path:
    """Write the page of a paper and return where it is.

    Args:
        paper: what :func:`cave_sim.analysis.paper.paper` returned.
        path: the HTML file to write.
    """
    write_page(path, paper_html(paper))
    return path


def paper_html(paper: Paper) -> str:
    """Return the page of a paper."""
    body = "\n".join(["<main>", *_body(paper), "</main>"])
    return page(paper.title, body, styles=("tokens.css", "paper.css"))


def _body(paper: Paper) -> Iterator[str]:
    yield f"<header><h1>{escape(paper.title)}</h1>"
    yield f'<p class="question">{escape(paper.question)}</p></header>' if paper.question else "</header>"
    yield f"<section><h2>Method</h2><p>{escape(' '.join(paper.method))}</p>"
    yield _table("Conditions", ("condition", "what is different"), paper.conditions.items()) if paper.conditions else ""
    yield f"</section><section><h2>Result</h2>{_legend(paper.arms)}"
    yield from (each for measure in paper.measures for each in _measure(measure, paper.arms))
    yield from _paragraphs(paper.notes)
    yield "</section>"
    yield from survey_html(paper.survey)
    yield f"<section><h2>All numbers</h2>{_numbers(paper)}</section>"
    yield "<section><h2>Threats to validity</h2><ul>"
    yield from (f"<li>{escape(each)}</li>" for each in paper.threats)
    yield "</ul></section><section><h2>To make it again</h2>"
    yield from (f'<pre tabindex="0">{escape(command)}</pre>' for command in ["\n".join(paper.commands)] if command)
    yield _versions(paper.versions)
    yield "</section>"


def _legend(arms: Sequence[str]) -> str:
    if len(arms) < 2:
        return ""
    items = (f'<li style="--c:var(--{figures.colour(rank)})">{escape(arm)}</li>' for rank, arm in enumerate(arms))
    return f'<ul class="legend" aria-label="Conditions">{"".join(items)}</ul>'


def _measure(measure: MeasureResult, arms: Sequence[str]) -> Iterator[str]:
    unit = f' <span class="unit">{escape(measure.unit)}</span>' if measure.unit else ""
    yield f"<article><h3>{escape(measure.label)}{unit}</h3>"
    yield from _paragraphs(measure.findings)
    many = len({each.condition for each in measure.dependences}) > 1
    yield from _paragraphs(
        f"Under {each.condition}: {each.told}" if many else each.told for each in measure.dependences
    )
    yield '<div class="figures">'
    if measure.over_time["step"].nunique() > 1:
        yield _figure(figures.over_time(measure.over_time, arms, measure.label), "Mean over time")
    ends = figures.at_the_end(measure.at_the_end, measure.means, arms, measure.label)
    yield f'<div class="stack">{_figure(ends, "At the end: every trial, mean, interval")}'
    if len(measure.differences):
        references = list(dict.fromkeys(measure.differences["reference"]))
        less = references[0] if len(references) == 1 else "its reference"
        yield _figure(figures.differences(measure.differences, arms, measure.label), f"At the end, less {less}")
    yield "</div>"
    for name, table in measure.parameters.items():
        conditions = list(dict.fromkeys(table["condition"]))
        yield _figure(
            figures.against(table, conditions, name, measure.label, arms), f"Against {name}, averaged over the rest"
        )
    for each in measure.dependences:
        if each.table is None:
            continue
        under = f", under {each.condition}" if len({other.condition for other in measure.dependences}) > 1 else ""
        for index, words in each.indices.items():
            drawn = figures.importance(each.table, index, f"{measure.label}: {words}")
            yield _figure(drawn, f"{words[:1].upper()}{words[1:]}{under}")
    yield "</div></article>"


def _figure(svg: str, caption: str) -> str:
    return f"<figure><figcaption>{escape(caption)}</figcaption>{svg}</figure>"


def _numbers(paper: Paper) -> str:
    heads = ["measure", *paper.arms]
    rows = []
    for measure in paper.measures:
        means = {row["arm"]: row for row in measure.means.to_dict("records")}
        told = [_told(means[arm]) if arm in means else "–" for arm in paper.arms]
        rows.append([f"{measure.label}{f' ({measure.unit})' if measure.unit else ''}", *told])
    gaps = [
        [
            measure.label,
            f"{row['arm']} less {row['reference']}",
            estimate_text(row["mean"], row["low"], row["high"], "+"),
            str(row["n"]),
            *(p_text(row[name]) for name in ("p_value", "p_holm")),
            *(_short(row[name]) for name in ("d_z", "d", "delta", "variance_ratio")),
        ]
        for measure in paper.measures
        for row in measure.differences.to_dict("records")
    ]
    effects = ("measure", "difference", "mean [95 %]", "n", "p", "p (Holm)", "d_z", "d", "Cliff’s δ", "variance ratio")
    tables = _table("Means", heads, rows) + (_table("Differences", effects, gaps) if gaps else "")
    weights = [row for measure in paper.measures for each in measure.dependences for row in _weights(measure, each)]
    return tables + (
        _table("Sensitivity", ("measure", "condition", "parameter", "index", "[95 %]"), weights) if weights else ""
    )


def _weights(measure: MeasureResult, found: Dependence) -> Iterator[Sequence[str]]:
    """Yield a row for each parameter and index of sensitivity."""
    for parameter, row in () if found.table is None else found.table.iterrows():
        for index in (name for name in row.index if not name.endswith("_conf")):
            near = row.get(f"{index}_conf", math.nan)
            told = estimate_text(row[index], row[index] - near, row[index] + near)
            yield measure.label, found.condition, str(parameter), index, told


def _short(value: float) -> str:
    return figure(value, value / 4)


def _told(row: Mapping[str, float]) -> str:
    return estimate_text(row["mean"], row["low"], row["high"])


def _table(label: str, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    head = "".join(f'<th scope="col">{escape(each)}</th>' for each in heads)
    body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return f'<div class="scroll" tabindex="0" role="region" aria-label="{label}">{table}</div>'


def _versions(versions: Mapping[str, str]) -> str:
    told = ", ".join(f"{escape(name)} <code>{escape(version)}</code>" for name, version in versions.items())
    return f'<p class="note">Made with {told}.</p>' if told else ""


def _paragraphs(texts: Iterable[str]) -> Iterator[str]:
    yield from (f"<p>{escape(text)}</p>" for text in texts)
