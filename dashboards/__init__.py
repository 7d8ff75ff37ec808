"""Views of a run, made from its journal: they read, and never touch a live world."""

from pathlib import Path

from cave_sim import Run


def write_report(run: Run, path: Path | None = None) -> Path:
    """Write the report of a run and return where it is.

    Args:
        run: what `cave_sim.open_run` returns; it is only read.
        path: the HTML file to write; `report.html` in the run's folder if not given.
    """
    from cave_sim.dashboards import report  # takes a moment, for which who writes none need not wait

    return report.write_report(run, path)
