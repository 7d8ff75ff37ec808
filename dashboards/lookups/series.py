"""Measures over time, of one run or several, thinned to what a screen can show."""

from __future__ import annotations

import csv
import io
from typing import Any

from cave_sim.dashboards.lookups.journal_reader import JournalReader

MOST_POINTS = 1_500


def series(reader: JournalReader, names: list[str], after: int = -1) -> dict[str, Any]:
    """Return the values of measures by step, behind a step; long runs by evenly many of their steps."""
    first, last = reader.run.query("SELECT coalesce(min(step), 0), coalesce(max(step), 0) FROM steps")[0]
    stride = 1 if after >= 0 else max(1, -(-(last - first) // MOST_POINTS))
    sql = """SELECT step, value FROM measures WHERE name = ? AND step > ? AND (step % ? = 0 OR step = ?)
             ORDER BY step"""
    lines = {name: reader.run.query(sql, name, after, stride, last) for name in names}
    line_data = {name: {"steps": [s for s, _ in rows], "values": [v for _, v in rows]} for name, rows in lines.items()}
    manifest = reader.run.manifest
    clock = {"start": manifest.get("start"), "step_s": manifest.get("step_s")}
    return {"run": reader.name, "last": last, "lines": line_data} | clock


def at_step(reader: JournalReader, step: int) -> dict[str, float | None]:
    """Return every measure at a step."""
    return dict(reader.run.query("SELECT name, value FROM measures WHERE step = ?", step))


def as_csv(heads: list[str], rows: list[tuple[Any, ...]]) -> str:
    """Return a table as CSV; what a spreadsheet would take for a formula is quoted as text."""
    written = io.StringIO()
    lines = csv.writer(written)
    lines.writerow(heads)
    lines.writerows([[_harmless(cell) for cell in row] for row in rows])
    return written.getvalue()


def _harmless(cell: Any) -> Any:
    return f"'{cell}" if isinstance(cell, str) and cell[:1] in ("=", "+", "-", "@", "\t") else cell


def measures_csv(reader: JournalReader) -> str:
    """Return every measure at every step, one row a step."""
    table = reader.run.measures()
    return as_csv(["step", *table.columns], [tuple(row) for row in table.reset_index().values.tolist()])


def turns_csv(reader: JournalReader) -> str:
    """Return every turn without its changes."""
    heads = ["turn", "step", "agent", "kind", "status", "code", "output", "error", "duration_s"]
    sql = """SELECT turn, step, agent, kind, status, coalesce(code, ''), output, error, duration_s
             FROM turns LEFT JOIN cells ON cells.hash = turns.cell ORDER BY turn"""
    return as_csv(heads, reader.run.query(sql))
