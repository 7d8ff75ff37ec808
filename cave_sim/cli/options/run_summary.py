"""What a run is summed up as when it has ended, told from its journal alone."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

from cave_sim.diagnostics.plurals import counted
from cave_sim.errors import MissingExtra
from cave_sim.history.digest import SPARK, RunDigest, digest
from cave_sim.history.shards import shard_folders
from cave_sim.journal.effect_answers import waiting
from cave_sim.journal.reader import Run, open_run
from cave_sim.journal.tallies import call_counts, most_frequent_failure
from cave_sim.loading.entry_points import DASHBOARDS, installed, named


def nobody_answered(folder: Path) -> str:
    """Return what to say of a run all of whose model calls failed; empty if one was answered, or none was made."""
    counts, reasons = [], []
    for each in (folder, *shard_folders(folder)):  # those of a city are with its districts
        with open_run(each) as run:
            counts.append(call_counts(run))
            reasons.append(most_frequent_failure(run))
    calls, failed = map(sum, zip(*counts, strict=True))
    if not calls or failed < calls:
        return ""
    reason = next(reason for reason in reasons if reason)
    return f"no model call was answered: all {calls:,} failed, most of them so: {reason.get('message', reason)}"


def outage(folder: Path) -> str:
    """Return why a run stopped if its model's provider answers nobody, and how to go on; else nothing."""
    with open_run(folder) as run:
        why = run.manifest.get("stopped")
    if not isinstance(why, dict) or "outage" not in why:
        return ""
    return f"{why.get('message')}: cave-sim resume {folder}"


def going_on(folder: Path, steps: int, module: ModuleType) -> str:
    """Return the command that takes a run to as many steps as it was to take."""
    return f"cave-sim resume {folder}" + (f" --steps {steps}" if steps != module.STEPS else "")


def stopped(folder: Path, steps: int, module: ModuleType) -> str:
    """Return how far a run came that was to take so many steps, why it stopped there, and how to go on."""
    with open_run(folder) as run:
        step, why, is_over = run.last_step, run.manifest.get("stopped"), run.manifest.get("over")
    if is_over:
        return f"came to its own end at step {step} of {steps}"
    head, on = f"stopped at step {step} of {steps}", f"to go on: {going_on(folder, steps, module)}"
    if not isinstance(why, dict):
        return f"{head}; {on}"
    return f"{head} by the {why.get('message')}\n{on}{LIMITS.get(str(why.get('limit')), '')}"


LIMITS = {"calls": " --max-calls N", "tokens": " --max-tokens N", "money_usd": " --max-usd USD"}
"""The option that raises each limit of a run."""


def summary(module: ModuleType, folder: Path, turns_per_s: float) -> str:
    """Return a run in a few lines: the simulation's own summary or ours, turns by status, where report and run are."""
    lines = []
    with open_run(folder) as run:
        figures = digest(run)
        lines += [module.summary(run)] if hasattr(module, "summary") else [*_measures(figures), *_refusals(figures)]
        by_status = ", ".join(f"{count:,} {status}" for status, count in figures.turns.items())
        if figures.turns:  # the turns of a city are in its districts
            pace = f", {turns_per_s:,.0f} turns/s" if turns_per_s else ""  # none of them was taken just now
            lines.append(f"{counted(sum(figures.turns.values()), 'turn')} ({by_status}){pace}")
        lines += [*_failing(run), *_undecided(run)]
        lines.append(report_line(module, run))
        lines.append(f"run: {run.folder}")
    return "\n".join(line for line in lines if line)


def as_data(module: ModuleType, folder: Path) -> dict[str, Any]:
    """Return a run as plain data: what it is, how far it came, its measures, refusals and costs; and its report."""
    with open_run(folder) as run:
        manifest = {key: run.manifest.get(key) for key in ("simulation", "seed", "state_hash", "stopped", "tags")}
        figures = digest(run).to_data()
        path = _report(module, run)
        return {"run": str(folder), **manifest, "steps": run.last_step, **figures, "report": path and str(path)}


def _measures(figures: RunDigest) -> list[str]:
    """Return a line for each measure: its course, where it began and ended, and its extremes."""
    width = max(map(len, figures.measures), default=0)
    return [
        f"{name:{width}}  {each.spark:{SPARK}}  {_number(each.first)} to {_number(each.last)}"
        f" (least {_number(each.least)} in step {each.least_at}, most {_number(each.most)} in step {each.most_at})"
        for name, each in figures.measures.items()
    ]


def _refusals(figures: RunDigest) -> list[str]:
    """Return why cells did not land."""
    reasons = list(figures.refusals.items())
    more = [f"  ... and {len(reasons) - REASONS} other reasons"] if len(reasons) > REASONS else []
    lines = [f"  {count:,} {reason}" for reason, count in reasons[:REASONS]]
    return ["turns that did not land:", *lines, *more] if lines else []


REASONS = 6


def _number(value: float) -> str:
    return f"{value:,.0f}" if value == round(value) else f"{value:.4g}"


def report_line(module: ModuleType, run: Run) -> str:
    """Write the report, and say where it is; or, where nothing here can draw it, what to install."""
    try:
        path = _report(module, run)
    except MissingExtra as missing:
        return f"no report: {missing}"
    return "" if path is None else f"report: {path}"


def _report(module: ModuleType, run: Run) -> Path | None:
    """Write the simulation's own report, or the one that every run has; None of a city, which has one map each."""
    if hasattr(module, "report"):
        return Path(module.report(run))
    if shard_folders(run.folder) or "report" not in installed(DASHBOARDS):
        return None
    return Path(named(DASHBOARDS, "report")(run))


def _undecided(run: Run) -> list[str]:
    """Say how many requests wait for people, and how they decide."""
    count = len(waiting(run))
    waits = "waits" if count == 1 else "wait"
    return [f"{counted(count, 'request')} {waits} for people: cave-sim answer {run.folder}"] if count else []


def _failing(run: Run) -> list[str]:
    """Say how many model calls came to nothing, and what the most frequent reason was."""
    calls, failed = call_counts(run)
    reason = most_frequent_failure(run)
    if reason is None or failed == calls:  # that none was answered is said first
        return []
    return [f"{failed:,} of {calls:,} model calls failed, most of them so: {reason.get('message', reason)}"]
