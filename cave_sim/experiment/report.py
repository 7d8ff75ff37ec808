"""The page of a study: its table and bars in one self-contained HTML file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from cave_sim.experiment.results import Result
from cave_sim.experiment.statistics import per_query, savings, spread_text, success_text, summarised
from cave_sim.files.whole_files import write_whole
from cave_sim.rendering.shells import page_part, passive_page

PAGE = "study.html"
MOST_FAILURES = 200
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
    body = page_part(
        "study",
        title=title,
        note=note,
        heads=("group", "paradigm", "queries passed", "tasks passed", *PANELS.values()),
        rows=_rows(summarised(results), scripted),
        savings=list(savings(results)),
        failures=_failures(per_query(results).query("not ok")),
    )
    path = out / PAGE
    write_whole(path, passive_page(title, body, STYLE))
    return path


def _rows(table: pd.DataFrame, scripted: bool) -> list[list[dict[str, Any]]]:
    """Return a row for each group and way of acting, with bars that are shares of the largest in their column."""
    rows = table.to_dict("records")
    most = {name: max(1.0, *(float(row[name]) for row in rows)) for name in list(PANELS)[1:]}
    return [
        [
            _cell(row["group"]),
            _cell(row["paradigm"]),
            _cell(f"{row['passed']:,} of {row['queries']:,}"),
            _cell(f"{row['tasks_passed']:,} of {row['tasks']:,}"),
            _cell(success_text(row["passed"], row["queries"], scripted=scripted), 100 * row["passed"] / row["queries"]),
            *(_cell(spread_text(row, name), 100 * row[name] / most[name]) for name in most),
        ]
        for row in rows
    ]


def _cell(text: Any, share_pct: float | None = None) -> dict[str, Any]:
    return {"text": text, "share_pct": share_pct}


def _failures(failures: pd.DataFrame) -> list[tuple[Any, ...]]:
    shown = failures.head(MOST_FAILURES).itertuples()
    return [(row.task, row.paradigm, row.query + 1, row.why) for row in shown]
