"""What came of a study in a few lines: each measure under each condition, and its difference to the reference."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from cave_sim.analysis.statistics import mean_interval, paired_difference
from cave_sim.scenario.folder import StudyFolder


def summary_data(study: StudyFolder) -> dict[str, Any]:
    """Return the summary as plain data: a row for each measure, point and condition; and what sharing saved."""
    return {"rows": list(_rows(study)), "prefix": study.about["prefix"], "spent": study.about["spent"]}


def summary_lines(study: StudyFolder) -> list[str]:
    """Return the summary as lines of text."""
    lines = [line for line in (study.about["name"], study.about["question"]) if line]
    table = [("measure", "condition", "mean", f"difference to {study.conditions[0]}", "variance ratio")]
    before = None
    for row in _rows(study):
        place = ", ".join(f"{name} = {value}" for name, value in row["point"].items())
        label = f"{row['label']}{f' ({place})' if place else ''}"
        ratio = row["variance_ratio"]
        shown = "" if ratio is None else f"{ratio:.1f}"
        table.append(("" if label == before else label, row["condition"], row["mean"], row["difference"], shown))
        before = label
    widths = [max(len(row[column]) for row in table) for column in range(len(table[0]))]
    lines += ["  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip() for row in table]
    return [*lines, *_notes(study)]


def _notes(study: StudyFolder) -> Iterator[str]:
    frame = study.frame()
    seeds = frame["seed"].nunique()
    yield f"{len(frame)} runs, {seeds} seed{'s' if seeds != 1 else ''}, the same for every condition"
    if seeds > 1:
        yield "intervals: 95 %, Student's t over seeds; differences are of pairs with one seed"
        yield "variance ratio: as many times the seeds would be needed without common random numbers"
    else:
        yield "one seed has no interval: add --seeds 10, say, with the same --out"
    for condition, count in study.about.get("treated", {}).items():
        if count["treated"] < count["trials"]:
            yield f"{condition}: its interventions were made in {count['treated']} of {count['trials']} trials"
    steps, shared = study.about["prefix"]["steps_run"], study.about["prefix"]["steps_shared"]
    if shared:
        saved = shared / (steps + shared)
        yield f"steps: {steps:,} run, {shared:,} shared between conditions of one seed ({saved:.0%} saved)"


def _rows(study: StudyFolder) -> Iterator[dict[str, Any]]:
    frame, parameters, reference = study.frame(), study.about["parameters"], study.conditions[0]
    for measure, told in study.about["measures"].items():
        unit = f" ({told['unit']})" if told["unit"] else ""
        for point, part in _points(frame, parameters):
            values = {name: group.set_index("seed")[measure] for name, group in part.groupby("condition")}
            for condition in study.conditions:
                if condition not in values:
                    continue
                row = {"measure": measure, "label": f"{told['label']}{unit}", "point": point, "condition": condition}
                row |= {"mean": str(mean_interval(values[condition])), "difference": "", "variance_ratio": None}
                if condition != reference and reference in values:
                    gap = paired_difference(values[condition], values[reference])
                    ratio = gap.to_data()["variance_ratio"]
                    row |= {"difference": str(gap), "variance_ratio": ratio}
                yield row


def _points(frame: pd.DataFrame, parameters: list[str]) -> Iterator[tuple[dict[str, Any], pd.DataFrame]]:
    if not parameters:
        yield {}, frame
        return
    for values, part in frame.groupby(parameters, sort=False, dropna=False):
        yield dict(zip(parameters, values, strict=True)), part
