"""What came of a study in a few lines: each measure under each condition, and its difference to the reference."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from cave_sim.analysis.came_true import came_true
from cave_sim.analysis.dependence import Dependence, dependences
from cave_sim.analysis.statistics import mean_interval, paired_difference
from cave_sim.analysis.trials import ANSWERS, Trials
from cave_sim.analysis.wording import IN_EACH, alike_text, is_share, listed, multiplicity, with_unit
from cave_sim.diagnostics.plurals import counted
from cave_sim.errors import MissingExtra
from cave_sim.scenario.folder import StudyFolder

MOST_POINTS_TOLD = 8


def summary_data(study: StudyFolder) -> dict[str, Any]:
    """Return the summary as plain data: a row for each measure, point and condition; and what sharing saved."""
    sensitivity = [
        {
            "measure": each.measure,
            "condition": each.condition,
            "kind": each.kind,
            "told": each.sentence,
            "points": each.points,
        }
        | {"indices": None if each.table is None else _plain_rows(each.table.reset_index())}
        for each in _dependences(study)
    ]
    summary = {"rows": list(_rows(study)), "prefix": study.about["prefix"], "spent": study.about["spent"]}
    return summary | ({"sensitivity": sensitivity} if sensitivity else {})


def _plain_rows(table: pd.DataFrame) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = table.astype(object).where(table.notna(), None).to_dict("records")
    return rows


def summary_lines(study: StudyFolder) -> list[str]:
    """Return the summary as lines of text."""
    lines = [line for line in (study.about["name"], study.about["question"]) if line]
    table = summary_table(study)
    if len(table) == 1:
        lines.append("nothing was measured: name measures in a scenario (cave-sim new scenario NAME writes one)")
        return lines
    widths = [max(len(row[column]) for row in table) for column in range(len(table[0]))]
    lines += ["  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip() for row in table]
    return [*lines, *summary_notes(study)]


def summary_table(study: StudyFolder) -> list[tuple[str, ...]]:
    """Return the rows of the summary's table as texts, its head first; a measure is named in the first of its rows.

    A single condition has nothing that it is compared with.
    """
    table: list[tuple[str, ...]] = [
        ("measure", "condition", "mean", f"difference to {study.conditions[0]}", "variance ratio")
    ]
    before = None
    for row in _shown(study):
        place = ", ".join(f"{name} = {value}" for name, value in row["point"].items())
        label = f"{row['label']}{f' ({place})' if place else ''}"
        ratio = row["variance_ratio"]
        shown = "" if ratio is None else f"{ratio:.1f}"
        table.append(("" if label == before else label, row["condition"], row["mean"], row["difference"], shown))
        before = label
    return table if len(study.conditions) > 1 else [row[:3] for row in table]


def _shown(study: StudyFolder) -> Iterator[dict[str, Any]]:
    """Yield the rows that are told: with parameters averaged out where there are too many points to read."""
    frame = study.frame()
    if not _is_averaged(study, frame):
        yield from _rows(study)
        return
    measures = list(study.about["measures"])
    means = frame.groupby(["condition", "seed"], sort=False)[measures].mean().reset_index()
    yield from _rows(study, means, [])


def _is_averaged(study: StudyFolder, frame: pd.DataFrame) -> bool:
    """Say whether points are too many to be told one by one, or were drawn."""
    parameters, is_sampled = study.about["parameters"], bool(study.about["scenario"].get("sampling"))
    return is_sampled or (bool(parameters) and len(frame[parameters].drop_duplicates()) > MOST_POINTS_TOLD)


def summary_notes(study: StudyFolder) -> Iterator[str]:
    """Yield what has to be known to read the table, in lines."""
    frame = study.frame()
    seeds = frame["seed"].nunique()
    if _is_averaged(study, frame):
        points = len(frame[study.about["parameters"]].drop_duplicates())
        yield f"averaged over {counted(points, 'point')} of {listed(study.about['parameters'])}; the tables have each"
    for each in _dependences(study):
        under = f" under {each.condition}" if len(study.conditions) > 1 else ""
        yield f"{each.measure}{under}: {each.sentence}"
    yield f"{counted(len(frame), 'run')}, {counted(seeds, 'seed')}, the same for every condition"
    if (study.folder / ANSWERS).is_file() and (given := len(study.answers())):
        yield f"surveys: {counted(given, 'answer')}, which the report compares; {ANSWERS} has each"
    yield from _sureness(study, seeds)
    for measure in study.measures:
        if infinite := int(frame[measure].abs().eq(float("inf")).sum()):
            yield f"{measure}: infinite in {infinite} of {counted(len(frame), 'trial')}, which means leave out"
    for condition, count in study.about.get("treated", {}).items():
        if count["treated"] < count["trials"]:
            trials = counted(count["trials"], "trial")
            yield f"{condition}: its interventions were made in {count['treated']} of {trials}"
    for name, when, told in came_true(study.about):
        yield f"{name}: {f'{when} ' if when else ''}{told}"
    steps, shared = study.about["prefix"]["steps_run"], study.about["prefix"]["steps_shared"]
    if shared:
        saved = shared / (steps + shared)
        yield f"steps: {steps:,} run, {shared:,} shared between conditions of one seed ({saved:.0%} saved)"


def _sureness(study: StudyFolder, seeds: int) -> Iterator[str]:
    """Yield how intervals were made, and what there is where there are none."""
    rows = list(_shown(study))
    shares = any(is_share(name, about) for name, about in study.about["measures"].items())
    intervals = "intervals: 95 %, Student's t over seeds" + ", for shares of their log-odds" * shares
    if seeds > 1 and len(study.conditions) < 2:
        yield intervals
    elif seeds > 1:
        yield f"{intervals}; differences are of pairs with one seed"
        if (tested := sum("[" in row["difference"] for row in rows)) > 1:
            yield multiplicity(tested) + "; the report says what stands up to that (Holm)"
        yield "variance ratio: as many times the seeds would be needed without common random numbers"
    else:
        yield "one seed has no interval: add --seeds 10, say, with the same --out"
    if any(IN_EACH in row[column] for row in rows for column in ("mean", "difference")):
        yield alike_text(seeds)


def _dependences(study: StudyFolder) -> list[Dependence]:
    """Return what measures depend on, where parameters were sampled; nothing without the libraries for that."""
    if not study.about["scenario"].get("sampling"):
        return []
    try:
        return list(dependences(Trials.read(study.folder)))
    except MissingExtra:
        return []


def _rows(
    study: StudyFolder, frame: pd.DataFrame | None = None, parameters: list[str] | None = None
) -> Iterator[dict[str, Any]]:
    frame, reference = study.frame() if frame is None else frame, study.conditions[0]
    parameters = study.about["parameters"] if parameters is None else parameters
    for measure, about in study.about["measures"].items():
        for point, part in _points(frame, parameters):
            values = {name: group.set_index("seed")[measure] for name, group in part.groupby("condition")}
            for condition in study.conditions:
                if condition not in values:
                    continue
                row = {"measure": measure, "label": with_unit(about["label"], about["unit"])}
                row |= {"point": point, "condition": condition}
                mean = mean_interval(values[condition], share=is_share(measure, about))
                row |= {"mean": str(mean), "difference": "", "variance_ratio": None}
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
