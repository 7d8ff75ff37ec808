"""Blocks as functions of a template: what they are given is checked and counted, what they return is safe."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from cave_sim.diagnostics.plurals import article
from cave_sim.rendering.blocks import Blocks, WordBlocks
from cave_sim.rendering.escaping import SAFE
from cave_sim.rendering.fragments import Fragments
from cave_sim.rendering.limits import Meter, RenderError
from cave_sim.rendering.schemas import Chart, CheckedTable, DataTable, checked

SCHEMES = ("http://", "https://", "mailto:")


def functions(blocks: Blocks, meter: Meter, fragments: Fragments) -> dict[str, Callable[..., Any]]:
    """Return the blocks as functions of a template.

    Args:
        blocks: of the format.
        meter: counts what they take.
        fragments: keeps apart what they make and no template may.
    """

    def table(table: Any) -> SAFE:
        data = _table(table)
        meter.step(len(data["rows"]) + 1)
        return SAFE(blocks.table(data))

    def items(texts: Any) -> SAFE:
        return SAFE(blocks.items([str(text) for text in meter.counted(_list(texts))]))

    def chart(chart: Any) -> SAFE:
        data = _chart(chart)
        meter.step(sum(len(one["x"]) for one in data["series"]))
        return apart(blocks.chart(data))

    def heading(text: Any, level: int = 1) -> SAFE:
        return SAFE(blocks.heading(_text(text), min(6, max(1, int(level)))))

    def paragraph(text: Any) -> SAFE:
        return SAFE(blocks.paragraph(_text(text)))

    def code(text: Any) -> SAFE:
        return apart(blocks.code(_text(text)))

    def link(text: Any, url: Any) -> SAFE:
        address = _text(url).strip()
        if not address.lower().startswith(SCHEMES):
            return paragraph(text)
        return SAFE(blocks.link(_text(text), address))

    def apart(block: str) -> SAFE:
        return SAFE(block) if isinstance(blocks, WordBlocks) else fragments.keep(block)

    named = (heading, paragraph, items, table, chart, code, link)
    return {function.__name__: function for function in named}


def _table(value: Any) -> Mapping[str, Any]:
    if isinstance(value, CheckedTable):
        return value
    if not isinstance(value, Mapping) or not {"columns", "rows"} <= value.keys():
        raise RenderError("template", "table() takes a table: columns and rows")
    return checked(DataTable, {key: value[key] for key in ("columns", "rows", "caption") if key in value}, "table()")


def _chart(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping) or "series" not in value:
        raise RenderError("template", "chart() takes a chart: title, labels and series")
    return checked(Chart, value, "chart()")


def _text(value: Any) -> str:
    if isinstance(value, str | int | float):
        return str(value)
    if value is None:
        return ""
    raise RenderError("template", f"this block takes a text, not {article(type(value).__name__)}")


def _list(value: Any) -> Sequence[Any]:
    if not isinstance(value, list | tuple):
        raise RenderError("template", f"items() takes a list, not {article(type(value).__name__)}")
    return value
