"""Reports as pages: of a study, and of runs that were compared. How a page looks is for whoever draws papers."""

from __future__ import annotations

from pathlib import Path

from cave_sim.analysis.comparison import Comparison
from cave_sim.analysis.paper import paper
from cave_sim.analysis.trials import Trials
from cave_sim.loading.entry_points import DASHBOARDS, named

PAGE = "report.html"


def write_report(folder: str | Path) -> Path:
    """Write the report of a study into its folder, one page that needs nothing else, and return where it is.

    Args:
        folder: of the study, with its ``study.json`` and ``results/``.

    Raises:
        JournalError: it holds no trials.
        MissingExtra: the extra ``lab`` is not installed.
    """
    return _write(Trials.read(folder), Path(folder) / PAGE)


def write_comparison(comparison: Comparison, path: str | Path) -> Path:
    """Write the page of runs that were compared, and return where it is.

    Args:
        comparison: what :func:`cave_sim.analysis.comparison.compare` returned.
        path: the HTML file to write.

    Raises:
        MissingExtra: the extra ``lab`` is not installed.
    """
    return _write(comparison.trials, Path(path))


def _write(trials: Trials, path: Path) -> Path:
    written: Path = named(DASHBOARDS, "paper")(paper(trials), path)
    return written
