"""The page of a paper's tables: models as columns, figures beside them, in one file that opens from disk."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from cave_sim.dashboards.page_files import write_page
from cave_sim.dashboards.paper import figures
from cave_sim.dashboards.standalone import page

if TYPE_CHECKING:
    from cave_sim.experiment.paper_report import PaperReport
    from cave_sim.experiment.paper_tables import PaperBlock, PaperFigure


def write_paper_tables(report: PaperReport, path: Path) -> Path:
    """Write the page of a paper's tables, whole or not at all, and return where it is.

    Args:
        report: what :func:`cave_sim.experiment.paper_report.paper_report` returned.
        path: the HTML file to write.
    """
    body = "\n".join(["<main>", *_body(report), "</main>"])
    write_page(path, page(report.title, body, styles=("tokens.css", "paper.css")))
    return path


def _body(report: PaperReport) -> Iterator[str]:
    yield f'<header><h1>{escape(report.title)}</h1><p class="question">{escape(report.source)}</p></header>'
    yield "<section><h2>How to read it</h2>"
    yield from (f"<p>{escape(note)}</p>" for note in report.notes)
    if report.missing:
        yield "<p>Not measured here:</p><ul>"
        yield from (f"<li>{escape(gap)}</li>" for gap in report.missing)
        yield "</ul>"
    yield "</section>"
    for block in report.blocks:
        yield from _block(block)


def _block(block: PaperBlock) -> Iterator[str]:
    yield f"<section><h2>{escape(block.name)}: {escape(block.title)}</h2>"
    head = "".join(f'<th scope="col">{escape(each)}</th>' for each in block.heads)
    body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in block.rows)
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    yield f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(block.title)}">{table}</div>'
    if block.note:
        yield f'<p class="note">{escape(block.note)}</p>'
    if block.figures:
        yield '<div class="figures">'
        yield from map(_figure, block.figures)
        yield "</div>"
    yield "</section>"


def _figure(each: PaperFigure) -> str:
    drawn = figures.at_the_end(each.values, each.means, list(each.means["arm"]), each.caption)
    return f"<figure><figcaption>{escape(each.caption)}</figcaption>{drawn}</figure>"
