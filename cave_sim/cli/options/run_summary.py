"""What a run is summed up as when it has ended, told from its journal alone."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

from cave_sim.errors import MissingExtra
from cave_sim.journal.reader import Run, open_run
from cave_sim.journal.tallies import call_counts, cells_by_status, most_frequent_failure


def nobody_answered(folder: Path) -> str:
    """Return what to say of a run all of whose model calls failed; empty if one was answered, or none was made."""
    counts, reasons = [], []
    for each in (folder, *sorted(folder.glob("district-*"))):  # those of a city are with its districts
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


OUTAGE = 75
"""The exit code of a run that an outage has stopped: try again later."""


def stopped(folder: Path, steps: int) -> str:
    """Return how far a run came that was to take so many steps, why it stopped there, and how to go on."""
    with open_run(folder) as run:
        step, why = run.last_step, run.manifest.get("stopped")
    head, on = f"stopped at step {step} of {steps}", f"to go on: cave-sim resume {folder}"
    if not isinstance(why, dict):
        return f"{head}; {on}"
    return f"{head} by the {why.get('message')}\n{on}{LIMITS.get(str(why.get('limit')), '')}"


LIMITS = {"calls": " --max-calls N", "tokens": " --max-tokens N", "money_usd": " --max-usd USD"}
"""The option that raises each limit of a run."""


def told(module: ModuleType, folder: Path, turns_per_s: float) -> str:
    """Return a run in a few lines: the simulation's own summary, turns by status, where report and run are."""
    lines = []
    with open_run(folder) as run:
        if hasattr(module, "summary"):
            lines.append(module.summary(run))
        counts = cells_by_status(run)
        by_status = ", ".join(f"{count:,} {status}" for status, count in counts.items())
        if counts:  # the turns of a city are in its districts
            lines.append(f"{sum(counts.values()):,} turns ({by_status}), {turns_per_s:,.0f} turns/s")
        lines += _failing(run)
        if hasattr(module, "report"):
            lines.append(_report(module, run))
        lines.append(f"run: {run.folder}")
    return "\n".join(lines)


def _report(module: ModuleType, run: Run) -> str:
    """Write the simulation's report, and say where it is; or, where nothing here can draw it, what to install."""
    try:
        return f"report: {module.report(run)}"
    except MissingExtra as missing:
        return f"no report: {missing}"


def _failing(run: Run) -> list[str]:
    """Say how many model calls came to nothing, and what the most frequent reason was."""
    calls, failed = call_counts(run)
    reason = most_frequent_failure(run)
    if reason is None or failed == calls:  # that none was answered is said first
        return []
    return [f"{failed:,} of {calls:,} model calls failed, most of them so: {reason.get('message', reason)}"]
