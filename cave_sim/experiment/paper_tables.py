"""The tables and figures of a paper, as texts: models are columns; what was not measured is said, and never guessed."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import pandas as pd

from cave_sim.analysis.statistics import Estimate
from cave_sim.experiment.failure_kinds import KINDS, counted
from cave_sim.experiment.kept_trials import CONSTRUCTS, KeptTrial
from cave_sim.experiment.paper import KeptPaper, PaperTable
from cave_sim.experiment.paper_numbers import (
    COUNTED,
    by_seed,
    change,
    paired,
    per_query_mean,
    percent,
    queries_of,
    signed,
    success,
    with_ends,
)
from cave_sim.experiment.scripted import RIGHT, WRONG

NOT_RUN = "not run"
NOT_PAIRED = "not run in all ways"
"""Of tables that compare ways of acting over the tasks that were finished in all of them."""
NONE_WON = "none won"
OVERALL = "all"
CODE = ("cave", "codeact")


@dataclass(frozen=True)
class PaperFigure:
    """A figure: a row for each arm, with a point for each repetition.

    Attributes:
        caption: what is drawn.
        values: ``arm`` and ``value`` of every repetition.
        means: ``arm``, ``mean``, ``low`` and ``high``.
    """

    caption: str
    values: pd.DataFrame
    means: pd.DataFrame


@dataclass(frozen=True)
class PaperBlock:
    """A table as it is shown.

    Attributes:
        name: as in the paper.
        title: one line.
        heads: of its columns.
        rows: texts.
        note: how to read it.
        figures: beside it.
    """

    name: str
    title: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str = ""
    figures: Sequence[PaperFigure] = field(default=())


def is_scripted(model: str) -> bool:
    """Say whether a name is that of scripts, and of no model."""
    return model in (RIGHT, WRONG)


def table_block(folder: KeptPaper, table: PaperTable) -> PaperBlock:
    """Return a table of success, of cost, or of improvement."""
    if table.kind == "improvement":
        return _improvement(folder, table)
    paradigms = _paradigms(folder, table)
    frames = {model: _queries(folder, model, table) for model in folder.models}
    if table.kind == "cost":
        frames = {model: paired(frame, paradigms) for model, frame in frames.items()}
    rows, gaps = [], []
    groups, gap = _groups(frames, table), NOT_PAIRED if table.kind == "cost" else NOT_RUN
    for group in groups:
        for paradigm in paradigms:
            parts = {model: _part(frame, group, paradigm) for model, frame in frames.items()}
            if all(part.empty for part in parts.values()):
                gaps.append(f"{group} by {paradigm}")
                continue
            success_texts = (_success_text(part, model) if len(part) else gap for model, part in parts.items())
            rows.append([group, paradigm, "success, %", *success_texts])
            for name, label in COUNTED.items() if table.kind == "cost" else ():
                cells = (with_ends(per_query_mean(part, name)) if len(part) else gap for part in parts.values())
                rows.append([group, paradigm, f"{label} per query", *cells])
    gaps += [part for part in table.parts if rows and not any(folder.trials(model, part) for model in folder.models)]
    of_pairs = "Of tasks that were finished in all ways of acting." if table.kind == "cost" else ""
    note = " ".join(filter(None, [of_pairs, f"Not run: {', '.join(gaps)}." if gaps else ""]))
    figures = list(_figures(frames, paradigms, groups[:-1] or groups)) if table.has_figures else []
    return PaperBlock(table.name, table.title, ("group", "paradigm", "", *folder.models), rows, note, figures)


def _success_text(part: pd.DataFrame, model: str) -> str:
    rate = with_ends(success(part, scripted=is_scripted(model)), percent)
    return f"{rate} ({int(part['ok'].sum()):,} of {len(part):,})"


def _improvement(folder: KeptPaper, table: PaperTable) -> PaperBlock:
    *others, of = _paradigms(folder, table)
    rows = []
    frames = {model: _queries(folder, model, table) for model in folder.models}
    for beside in others:
        both = {model: paired(frame, (of, beside)) for model, frame in frames.items()}
        if all(frame.empty for frame in both.values()):
            continue
        rates = []
        for frame in both.values():
            means = frame.groupby("paradigm")["ok"].mean() if len(frame) else {}
            rates.append(f"{100 * (means[of] - means[beside]):+.1f} points" if len(means) else NOT_PAIRED)
        rows.append([f"{of} less {beside}", "success", *rates])
        for name, label in COUNTED.items():
            rows.append(
                [
                    f"{of} beside {beside}",
                    label,
                    *(
                        with_ends(change(frame, name, of, beside), signed) if len(frame) else NOT_PAIRED
                        for frame in both.values()
                    ),
                ]
            )
    note = "Sums over the tasks that were finished in both; intervals are over repetitions."
    return PaperBlock(table.name, table.title, ("compared", "of", *folder.models), rows, note)


def failure_block(folder: KeptPaper) -> PaperBlock:
    """Return how many failed queries are of which kind, by paradigm (F.1.1, Figure 13)."""
    rows, figures = [], []
    trials = {model: _all_trials(folder, model) for model in folder.models}
    for paradigm in _all_paradigms(folder):
        tried = {model: [t for t in those if t.result.paradigm == paradigm] for model, those in trials.items()}
        if not any(tried.values()):
            continue
        counts = {model: counted(those) for model, those in tried.items()}
        rows.append([paradigm, "failed queries", *_of_tried(tried, {m: f"{n:,}" for m, (_, n) in counts.items()})])
        for kind in KINDS if any(failed for _, failed in counts.values()) else ():
            cells = {model: _share_text(kinds[kind], failed) for model, (kinds, failed) in counts.items()}
            rows.append([paradigm, kind, *_of_tried(tried, cells)])
        for model, (by_kind, failed) in counts.items():
            if failed:
                shares = {kind: 100 * by_kind[kind] / failed for kind in KINDS}
                figures.append(_plain_figure(f"{model}, {paradigm}: % of {failed:,} failed queries", shares))
    note = "Kinds are not exclusive. " + " ".join(f"{kind[0].upper()}{kind[1:]}: {KINDS[kind]}." for kind in KINDS)
    return PaperBlock("F13", "How queries fail", ("paradigm", "kind", *folder.models), rows, note, figures)


def _of_tried(tried: dict[str, list[KeptTrial]], texts: dict[str, str]) -> list[str]:
    return [texts[model] if those else NOT_RUN for model, those in tried.items()]


def _share_text(count: int, of: int) -> str:
    return f"{count:,} ({count / of:.0%})" if of else "0"


def construct_block(folder: KeptPaper) -> PaperBlock:
    """Return how many won queries have loops and conditionals in the cells that did it (F.1.2)."""
    rows = []
    for label, chosen in (("all that were won", _won), ("won, where json lost", _won_alone)):
        for paradigm in [each for each in _all_paradigms(folder) if each in CODE]:
            trials = {model: _all_trials(folder, model) for model in folder.models}
            tried = {model: [t for t in those if t.result.paradigm == paradigm] for model, those in trials.items()}
            if not any(tried.values()):
                continue
            codes = {model: chosen(those, paradigm) for model, those in trials.items()}
            rows.append([label, paradigm, "queries", *_of_tried(tried, {m: f"{len(n):,}" for m, n in codes.items()})])
            for name in CONSTRUCTS if any(codes.values()) else ():
                shares = {
                    model: f"{sum(name in constructs for constructs in each) / len(each):.0%}" if each else NONE_WON
                    for model, each in codes.items()
                }
                rows.append([label, paradigm, f"with a {name}", *_of_tried(tried, shares)])
    note = "Of the cells that were committed. A comprehension with an `if` counts as a conditional, too."
    title = "Loops and conditionals in winning cells"
    return PaperBlock("F.1.2", title, ("queries", "paradigm", "", *folder.models), rows, note)


def cost_block(folder: KeptPaper, planned: dict[tuple[str, str], int]) -> PaperBlock:
    """Return what was done, and what it took: trials, calls, tokens, money, seconds of models."""
    rows = []
    for part in folder.paper.parts:
        for model in folder.models:
            trials = folder.trials(model, part.name)
            if not trials and (model, part.name) not in planned:
                continue
            of = f" of {planned[model, part.name]:,}" if (model, part.name) in planned else ""
            outcomes = [outcome for trial in trials for outcome in trial.result.outcomes]
            tokens = sum(outcome.prompt_tokens + outcome.completion_tokens for outcome in outcomes)
            costs = [trial.cost_usd for trial in trials]
            usd = "unknown" if None in costs or not costs else f"{sum(cost or 0 for cost in costs):,.2f}"
            calls, seconds = sum(trial.calls for trial in trials), sum(trial.model_s for trial in trials)
            cells = [f"{len(trials):,}{of}", f"{len(outcomes):,}", f"{calls:,}", f"{tokens:,}", usd, f"{seconds:,.0f}"]
            rows.append([part.name, model, *cells])
    heads = ("part", "model", "trials", "queries", "calls", "tokens", "US dollars", "model, s")
    return PaperBlock("Cost", "What was done, and what it took", heads, rows)


def _figures(frames: dict[str, pd.DataFrame], paradigms: Sequence[str], groups: Sequence[str]) -> Iterator[PaperFigure]:
    """Yield the four panels of a figure for each model: rows are domains and ways of acting."""
    for model, frame in frames.items():
        if frame.empty:
            continue
        measures: dict[str, tuple[str, Callable[[pd.DataFrame], Estimate]]] = {
            "ok": ("success, %", lambda part, model=model: success(part, scripted=is_scripted(model)))  # type: ignore[misc]
        }
        for name in ("steps", "prompt_tokens", "completion_tokens"):
            measures[name] = (
                f"{COUNTED[name]} per query",
                lambda part, name=name: per_query_mean(part, name),  # type: ignore[misc]
            )
        arms = {f"{group}, {paradigm}": _part(frame, group, paradigm) for group in groups for paradigm in paradigms}
        parts = {arm: part for arm, part in arms.items() if not part.empty}
        for name, (label, estimate) in measures.items():
            values, means = [], []
            for arm, part in parts.items():
                mean = estimate(part)
                values += [{"arm": arm, "value": value} for value in by_seed(part, name)]
                means.append({"arm": arm, "mean": mean.mean, "low": mean.low, "high": mean.high, "n": 1})
            yield PaperFigure(f"{model}: {label}", pd.DataFrame(values), pd.DataFrame(means))


def _plain_figure(caption: str, numbers: dict[str, float]) -> PaperFigure:
    means = [{"arm": arm, "mean": value, "low": math.nan, "high": math.nan, "n": 1} for arm, value in numbers.items()]
    return PaperFigure(caption, pd.DataFrame(columns=["arm", "value"], dtype=float), pd.DataFrame(means))


def _won(trials: Sequence[KeptTrial], paradigm: str) -> list[frozenset[str]]:
    """Return what the committed cells of each won query have of loops and conditionals."""
    return [
        _constructs(trial, query)
        for trial in trials
        if trial.result.paradigm == paradigm
        for query, outcome in enumerate(trial.result.outcomes)
        if outcome.ok
    ]


def _won_alone(trials: Sequence[KeptTrial], paradigm: str) -> list[frozenset[str]]:
    """Return the same of those queries at which function calls failed, as the paper does."""
    lost = {
        (trial.result.task, trial.result.seed, query)
        for trial in trials
        if trial.result.paradigm == "json"
        for query, outcome in enumerate(trial.result.outcomes)
        if not outcome.ok
    }
    return [
        _constructs(trial, query)
        for trial in trials
        if trial.result.paradigm == paradigm
        for query, outcome in enumerate(trial.result.outcomes)
        if outcome.ok and (trial.result.task, trial.result.seed, query) in lost
    ]


def _constructs(trial: KeptTrial, query: int) -> frozenset[str]:
    cells = [cell.constructs for cell in trial.cells_of(query) if cell.status == "committed"]
    return frozenset().union(*cells)


def _queries(folder: KeptPaper, model: str, table: PaperTable) -> pd.DataFrame:
    return queries_of(trial for part in table.parts for trial in folder.trials(model, part))


def _part(frame: pd.DataFrame, group: str, paradigm: str) -> pd.DataFrame:
    if frame.empty:
        return frame
    mine = frame[frame["paradigm"] == paradigm]
    return mine if group == OVERALL else mine[mine["group"] == group]


def _groups(frames: dict[str, pd.DataFrame], table: PaperTable) -> list[str]:
    groups = list(dict.fromkeys(group for frame in frames.values() if len(frame) for group in frame["group"]))
    ranks = {group: rank for rank, group in enumerate(table.groups)}
    groups.sort(key=lambda group: ranks.get(group, len(ranks)))
    return [*groups, *([OVERALL] if table.has_overall and len(groups) > 1 else [])]


def _paradigms(folder: KeptPaper, table: PaperTable) -> list[str]:
    parts = [part for part in folder.paper.parts if part.name in table.parts]
    return list(dict.fromkeys(paradigm for part in parts for paradigm in part.paradigms))


def _all_paradigms(folder: KeptPaper) -> list[str]:
    return list(dict.fromkeys(paradigm for part in folder.paper.parts for paradigm in part.paradigms))


def _all_trials(folder: KeptPaper, model: str) -> list[KeptTrial]:
    return [trial for part in folder.paper.parts for trial in folder.trials(model, part.name)]
