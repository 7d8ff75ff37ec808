"""The page of a study: its table and bars in one self-contained HTML file."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

import pandas as pd

from cave_sim.experiment.statistics import per_query, savings, success_text, summarised
from cave_sim.experiment.trial import Result

PAGE = "study.html"
PANELS = {
    "success": "success, %",
    "steps": "steps",
    "prompt_tokens": "prompt tokens",
    "completion_tokens": "completion tokens",
}
STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 1100px; margin: 2rem auto; padding: 0 1rem; color: #1f2630 }
table { border-collapse: collapse; margin: 1rem 0 } th, td { padding: .25rem .7rem; border-bottom: 1px solid #e4e2dc }
td { text-align: right } td:nth-child(-n+2), th { text-align: left } p.note { color: #5d6673 }
i { display: block; height: 6px; border-radius: 3px; background: linear-gradient(90deg, #0072b2 var(--of), #e4e2dc 0) }
"""


def write_page(out: Path, title: str, note: str, results: Sequence[Result], *, scripted: bool) -> Path:
    """Write the page of a study into its folder and return its path.

    Args:
        out: the folder.
        title: what was studied.
        note: by which model, in one or two sentences.
        results: one for each finished trial.
        scripted: whether a script answered; its success rates get no confidence interval.
    """
    table = summarised(results)
    failures = per_query(results).query("not ok")
    parts = [
        f"<!doctype html><html lang=en><meta charset=utf-8><title>{escape(title)}</title><style>{STYLE}</style>",
        f"<h1>{escape(title)}</h1><p class=note>{escape(note)}</p>",
        _table(table, scripted),
        "".join(f"<p>{escape(line)}</p>" for line in savings(results)),
        _failures(failures),
        "</html>",
    ]
    path = out / PAGE
    path.write_text("\n".join(parts), encoding="utf-8")
    return path


def _table(table: pd.DataFrame, scripted: bool) -> str:
    """Return a row for each group and way of acting, with bars that are shares of the largest in their column."""
    names = ("group", "paradigm", "queries passed", "tasks passed", *PANELS.values())
    rows = table.to_dict("records")
    most = {name: max(1.0, *(float(row[name]) for row in rows)) for name in list(PANELS)[1:]}
    lines = []
    for row in rows:
        share = 100 * row["passed"] / row["queries"]
        success = success_text(row["passed"], row["queries"], scripted=scripted)
        cells = [
            escape(row["group"]), escape(row["paradigm"]), f"{row['passed']:,} of {row['queries']:,}",
            f"{row['tasks_passed']:,} of {row['tasks']:,}", f"{success}{_bar(share)}",
            *(f"{_count(row, name)}{_bar(100 * row[name] / most[name])}" for name in most),
        ]  # fmt: skip
        lines.append("<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>")
    head = "".join(f"<th>{name}</th>" for name in names)
    return f"<table><tr>{head}</tr>{''.join(lines)}</table>"


def _count(row: dict[str, Any], name: str) -> str:
    spread = row[f"{name}_spread"]
    return f"{row[name]:,.0f}" + (f" ± {spread:,.0f}" if spread > 0 else "")


def _bar(share_pct: float) -> str:
    return f'<i style="--of:{share_pct:.1f}%"></i>'


def _failures(failures: pd.DataFrame) -> str:
    if failures.empty:
        return "<p>Every query passed.</p>"
    rows = "".join(
        f"<tr><td>{escape(row.task)}</td><td>{row.paradigm}</td><td>{row.query + 1}</td><td>{escape(row.why)}</td></tr>"
        for row in failures.head(200).itertuples()
    )
    return f"<h2>What failed</h2><table><tr><th>task</th><th>paradigm</th><th>query</th><th>why</th></tr>{rows}</table>"
