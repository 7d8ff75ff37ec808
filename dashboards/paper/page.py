"""The page of a paper: one file that opens from disk, asks no one for anything, and reads well on a phone, too."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cave_sim.analysis.wording import estimate_text, figure, p_text, row_text, with_unit
from cave_sim.dashboards.paper import figures
from cave_sim.dashboards.paper.survey import survey_parts
from cave_sim.dashboards.standalone import page
from cave_sim.files.whole_files import write_whole
from cave_sim.rendering.escaping import SAFE, html
from cave_sim.rendering.shells import page_part

if TYPE_CHECKING:
    from cave_sim.analysis.dependence import Dependence
    from cave_sim.analysis.paper import MeasureResult, Paper, Passage


def write_paper(paper: Paper, path: Path) -> Path:
    """Write the page of a paper and return where it is.

    Args:
        paper: what :func:`cave_sim.analysis.paper.paper` returned.
        path: the HTML file to write.
    """
    write_whole(path, paper_html(paper))
    return path


def paper_html(paper: Paper) -> str:
    """Return the page of a paper."""
    body = page_part(
        "paper",
        title=paper.title,
        question=paper.question,
        method=" ".join(paper.method),
        conditions=[(name, _with_code(passages)) for name, passages in paper.conditions.items()],
        legends=_legends(paper.arms),
        measures=[_measure(measure, paper.arms) for measure in paper.measures],
        notes=paper.notes,
        survey=survey_parts(paper.survey),
        numbers=list(_numbers(paper)),
        threats=paper.threats,
        commands="\n".join(paper.commands),
        versions=list(paper.versions.items()),
    )
    return page(paper.title, body, styles=("tokens.css", "paper.css"))


def _legends(arms: Sequence[str]) -> list[tuple[str, str]]:
    return [(f"var(--{figures.colour(rank)})", arm) for rank, arm in enumerate(arms)] if len(arms) > 1 else []


def _with_code(passages: Sequence[Passage]) -> str:
    return SAFE("".join(f"<code>{html(each.text)}</code>" if each.is_code else html(each.text) for each in passages))


def _measure(measure: MeasureResult, arms: Sequence[str]) -> dict[str, Any]:
    many = len({each.condition for each in measure.dependences}) > 1
    sentences = [f"Under {each.condition}: {each.sentence}" if many else each.sentence for each in measure.dependences]
    over_time = figures.over_time(measure.over_time, arms, measure.label) if _is_over_time(measure) else ""
    return {
        "label": measure.label,
        "unit": measure.unit,
        "findings": [*measure.findings, *sentences],
        "before": [_figure(over_time, "Mean over time")] if over_time else [],
        "ends": list(_ends(measure, arms)),
        "after": [*_against(measure, arms), *_importances(measure, many)],
    }


def _is_over_time(measure: MeasureResult) -> bool:
    return bool(measure.over_time["step"].nunique() > 1)


def _ends(measure: MeasureResult, arms: Sequence[str]) -> Iterator[dict[str, Any]]:
    ends = figures.at_the_end(measure.at_the_end, measure.means, arms, measure.label)
    yield _figure(ends, "At the end: every trial, mean, interval")
    if len(measure.differences):
        references = list(dict.fromkeys(measure.differences["reference"]))
        less = references[0] if len(references) == 1 else "its reference"
        yield _figure(figures.differences(measure.differences, arms, measure.label), f"At the end, less {less}")


def _against(measure: MeasureResult, arms: Sequence[str]) -> Iterator[dict[str, Any]]:
    for name, table in measure.parameters.items():
        conditions = list(dict.fromkeys(table["condition"]))
        drawn = figures.against(table, conditions, name, measure.label, arms)
        yield _figure(drawn, f"Against {name}, averaged over the rest")


def _importances(measure: MeasureResult, many: bool) -> Iterator[dict[str, Any]]:
    for each in measure.dependences:
        if each.table is None:
            continue
        under = f", under {each.condition}" if many else ""
        for index, words in each.indices.items():
            drawn = figures.importance(each.table, index, f"{measure.label}: {words}")
            yield _figure(drawn, f"{words[:1].upper()}{words[1:]}{under}")


def _figure(svg: str, caption: str) -> dict[str, Any]:
    return {"caption": caption, "drawn": SAFE(svg)}


EFFECTS_NOTE = (
    "p is of a t test of the paired differences, p (Holm) corrected for how many are in this table. d_z is the mean"
    " difference by the standard deviation of the differences, d by that of the runs (Cohen). Cliff’s δ, -1 to 1, says"
    " how much more often a run of the one exceeds a run of the other than the reverse. The variance ratio says how"
    " many times the seeds would be needed without common random numbers. A dash stands where nothing varies, or runs"
    " are no pairs."
)


def _numbers(paper: Paper) -> Iterator[tuple[str, Sequence[str], Sequence[Sequence[str]], str]]:
    """Yield tables: a label, heads, rows, and what the heads mean."""
    heads = ["measure", *paper.arms]
    rows = []
    for measure in paper.measures:
        means = {row["arm"]: row for row in measure.means.to_dict("records")}
        texts = [_mean_text(means[arm]) if arm in means else "–" for arm in paper.arms]
        rows.append([with_unit(measure.label, measure.unit), *texts])
    gaps = [
        [
            measure.label,
            f"{row['arm']} less {row['reference']}",
            row_text(row, "+"),
            str(row["n"]),
            *(p_text(row[name]) for name in ("p_value", "p_holm")),
            *(_short(row[name]) for name in ("d_z", "d", "delta", "variance_ratio")),
        ]
        for measure in paper.measures
        for row in measure.differences.to_dict("records")
    ]
    effects = ("measure", "difference", "mean [95 %]", "n", "p", "p (Holm)", "d_z", "d", "Cliff’s δ", "variance ratio")
    yield "Means", heads, rows, ""
    if gaps:
        yield "Differences", effects, gaps, EFFECTS_NOTE
    weights = [row for measure in paper.measures for each in measure.dependences for row in _weights(measure, each)]
    if weights:
        yield "Sensitivity", ("measure", "condition", "parameter", "index", "[95 %]"), weights, ""


def _weights(measure: MeasureResult, dependence: Dependence) -> Iterator[Sequence[str]]:
    """Yield a row for each parameter and index of sensitivity."""
    for parameter, row in () if dependence.table is None else dependence.table.iterrows():
        for index in (name for name in row.index if not name.endswith("_conf")):
            near = row.get(f"{index}_conf", math.nan)
            text = estimate_text(row[index], row[index] - near, row[index] + near)
            yield measure.label, dependence.condition, str(parameter), index, text


def _short(value: float) -> str:
    return figure(value, value / 4)


def _mean_text(row: Mapping[str, float]) -> str:
    return row_text(row)
