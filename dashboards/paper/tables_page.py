"""The page of a paper's tables: models as columns, figures beside them, in one file that opens from disk."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from cave_sim.dashboards.paper import figures
from cave_sim.dashboards.standalone import page
from cave_sim.files.whole_files import write_whole
from cave_sim.rendering.escaping import SAFE
from cave_sim.rendering.shells import page_part

if TYPE_CHECKING:
    from cave_sim.experiment.paper_report import PaperReport
    from cave_sim.experiment.paper_tables import PaperBlock, PaperFigure


PERCENT = (0.0, 100.0)


def write_paper_tables(report: PaperReport, path: Path) -> Path:
    """Write the page of a paper's tables, whole or not at all, and return where it is.

    Args:
        report: what :func:`cave_sim.experiment.paper_report.paper_report` returned.
        path: the HTML file to write.
    """
    body = page_part(
        "paper_tables",
        title=report.title,
        source=report.source,
        notes=report.notes,
        missing=report.missing,
        blocks=[_block(block) for block in report.blocks],
    )
    write_whole(path, page(report.title, body, styles=("tokens.css", "paper.css")))
    return path


def _block(block: PaperBlock) -> dict[str, Any]:
    return {
        "name": block.name,
        "title": block.title,
        "heads": block.heads,
        "rows": block.rows,
        "note": block.note,
        "figures": [_figure(each) for each in block.figures],
    }


def _figure(each: PaperFigure) -> dict[str, Any]:
    within = PERCENT if "%" in each.caption else ()
    drawn = figures.at_the_end(each.values, each.means, list(each.means["arm"]), each.caption, within)
    return {"caption": each.caption, "drawn": SAFE(drawn)}
