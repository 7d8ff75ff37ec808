"""What a run is summed up as when it has ended, told from its journal alone."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

from cave_sim.errors import MissingExtra
from cave_sim.journal.reader import Run, open_run
from cave_sim.journal.tallies import call_counts, cells_by_status, most_frequent_failure


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
    if reason is None:
        return []
    return [f"{failed:,} of {calls:,} model calls failed, most of them so: {reason.get('message', reason)}"]
