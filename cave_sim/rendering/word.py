"""Word documents, by python-docx; only here is it imported."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from functools import cache
from typing import Any

from cave_sim.loading.extras import extra
from cave_sim.rendering.blocks import MARK
from cave_sim.rendering.escaping import clean
from cave_sim.rendering.limits import Meter, RenderError

MOST_CELLS = 200_000
EPOCH = (1980, 1, 1, 0, 0, 0)


def word_bytes(records: str, title: str, meter: Meter) -> bytes:
    """Return the Word document that records of blocks describe; what stands between them become paragraphs.

    The same records give the same bytes: what the library says of when and by whom is left out.

    Raises:
        MissingExtra: python-docx is not installed.
        RenderError: there are too many cells of tables.
    """
    with extra("documents", "a Word document"):
        import docx
    document = docx.Document(io.BytesIO(_blank()))
    cells = 0
    for place, part in enumerate(records.split(MARK)):
        meter.step()
        if place % 2 == 0:
            for line in filter(None, map(str.strip, part.splitlines())):
                document.add_paragraph(line)
            continue
        record = json.loads(part)
        cells += len(record.get("rows", ())) * len(record.get("columns", ()))
        if cells > MOST_CELLS:
            raise RenderError(
                "limit", f"a Word document has {MOST_CELLS:,} cells of tables at the most; HTML takes more"
            )
        _add(document, record, meter)
    core = document.core_properties
    core.title, core.author = clean(title)[:250], ""
    fresh = io.BytesIO()
    document.save(fresh)
    return _dateless(fresh.getvalue())


@cache
def _blank() -> bytes:
    """Return the library's empty document; a sandboxed cell could not read it."""
    import docx

    fresh = io.BytesIO()
    docx.Document().save(fresh)
    return fresh.getvalue()


def _add(document: Any, record: Mapping[str, Any], meter: Meter) -> None:
    match record["kind"]:
        case "heading":
            document.add_heading(clean(record["text"]), level=record["level"] - 1)
        case "items":
            for text in record["texts"]:
                document.add_paragraph(clean(text), style="List Bullet")
        case "table":
            _add_table(document, record, meter)
        case "chart":
            document.add_picture(_chart_png(record))
        case "code":
            document.add_paragraph(clean(record["text"]), style="No Spacing")
        case _:
            document.add_paragraph(clean(record["text"]))


def _add_table(document: Any, record: Mapping[str, Any], meter: Meter) -> None:
    if record.get("caption"):
        document.add_paragraph(clean(record["caption"]), style="Caption")
    rows = [record["columns"], *record["rows"]]
    table = document.add_table(rows=len(rows), cols=len(record["columns"]))
    table.style = "Table Grid"
    grid = document.element.body.xpath("./w:tbl")[-1].tr_lst  # `table.cell` takes time that grows with the table
    for row, table_row in zip(rows, grid, strict=True):
        meter.step(len(row))
        for cell, place in zip(row, table_row.tc_lst, strict=True):
            place.p_lst[0].add_r().text = "" if cell is None else clean(str(cell))


def _chart_png(chart: Mapping[str, Any]) -> io.BytesIO:
    with extra("documents", "a figure in a Word document"):
        from matplotlib.figure import Figure
    figure = Figure(figsize=(6, 3), layout="constrained")
    axes: Any = figure.subplots()
    for one in chart["series"]:
        pairs = [(x, y) for x, y in zip(one["x"], one["y"], strict=True) if y is not None]
        xs, ys = [x for x, _ in pairs], [y for _, y in pairs]
        draw = {"bar": axes.bar, "points": axes.scatter}.get(one["kind"], axes.plot)
        draw(xs, ys, label=_no_formula(one["name"]) or None)
    named = {key: _no_formula(chart.get(name) or "") for key, name in LABELS.items()}
    axes.set(**named)
    if any(one["name"] for one in chart["series"]):
        axes.legend(fontsize="small")
    fresh = io.BytesIO()
    figure.savefig(fresh, format="png", dpi=110, metadata={"Software": None})
    fresh.seek(0)
    return fresh


LABELS = {"title": "title", "xlabel": "x_label", "ylabel": "y_label"}


def _no_formula(text: str) -> str:
    return clean(text).replace("$", r"\$")


def _dateless(data: bytes) -> bytes:
    """Return a zip file with all its times set to one, and the core properties without theirs."""
    fresh = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(fresh, "w", zipfile.ZIP_DEFLATED) as new:
        for name in sorted(old.namelist()):
            new.writestr(zipfile.ZipInfo(name, EPOCH), old.read(name), zipfile.ZIP_DEFLATED)
    return fresh.getvalue()
