"""The table of a study: success, steps and tokens for each group and paradigm, and how the paradigms compare."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pandas as pd

from cave_sim.experiment.trial import Result

Z_95 = 1.959964
ALL = "all"
COUNTED = ("steps", "prompt_tokens", "completion_tokens", "tokens")


def per_query(results: Iterable[Result]) -> pd.DataFrame:
    """Return one row for each query."""
    rows = [
        {
            "task": result.task,
            "group": result.group,
            "paradigm": result.paradigm,
            "seed": result.seed,
            "query": number,
            "ok": outcome.ok,
            "why": outcome.why,
            "steps": outcome.steps,
            "prompt_tokens": outcome.prompt_tokens,
            "completion_tokens": outcome.completion_tokens,
            "tokens": outcome.prompt_tokens + outcome.completion_tokens,
            "failed_calls": outcome.failed_calls,
        }
        for result in results
        for number, outcome in enumerate(result.outcomes)
    ]
    return pd.DataFrame(rows)


def summarised(results: Sequence[Result]) -> pd.DataFrame:
    """Return one row for each group and paradigm, and for all groups together; counts are per repetition."""
    queries = per_query(results)
    parts = [(group, queries[queries.group == group]) for group in dict.fromkeys(queries.group)]
    if len(parts) > 1:
        parts.append((ALL, queries))
    rows = [
        _row(group, paradigm, part[part.paradigm == paradigm])
        for group, part in parts
        for paradigm in dict.fromkeys(part.paradigm)
    ]
    return pd.DataFrame(rows)


def wilson(good: int, of: int) -> tuple[float, float]:
    """Return the 95 % interval of a share, in percent (Wilson 1927)."""
    share, square = good / of, Z_95**2
    middle = (share + square / (2 * of)) / (1 + square / of)
    reach = Z_95 * math.sqrt(share * (1 - share) / of + square / (4 * of**2)) / (1 + square / of)
    return max(0.0, 100 * (middle - reach)), min(100.0, 100 * (middle + reach))


def markdown(results: Sequence[Result], *, scripted: bool) -> str:
    """Return the table as Markdown. A script makes no chance mistakes, so its success has no interval."""
    names = "group|paradigm|queries passed|success %|tasks passed|steps|prompt tokens|completion tokens".split("|")
    lines = [f"| {' | '.join(names)} |", "|---|---|---:|---:|---:|---:|---:|---:|"]
    for row in summarised(results).to_dict("records"):
        low, high = wilson(row["passed"], row["queries"])
        success = f"{100 * row['passed'] / row['queries']:.1f}" + ("" if scripted else f" [{low:.0f}, {high:.0f}]")
        cells = f"{row['passed']:,} of {row['queries']:,}", success, f"{row['tasks_passed']:,} of {row['tasks']:,}"
        counts = [_spread(row, name) for name in COUNTED[:-1]]
        lines.append("| " + " | ".join([row["group"], row["paradigm"], *cells, *counts]) + " |")
    return "\n".join(lines)


def savings(results: Sequence[Result], of: str = "cave") -> list[str]:
    """Return sentences that compare the cost of one paradigm with each other one, over all tasks."""
    table = summarised(results)
    last = table[table.group == table.group.iloc[-1]].set_index("paradigm")
    if of not in last.index:
        return []
    sentences = []
    for other in last.index.drop(of):
        changes = [
            f"{_percent(last.loc[of, name], last.loc[other, name])} {name.replace('_', ' ')}" for name in COUNTED
        ]
        sentences.append(f"{of} beside {other}: {', '.join(changes)}")
    return sentences


def _row(group: str, paradigm: str, part: pd.DataFrame) -> dict[str, Any]:
    tasks = part.groupby(["seed", "task"]).ok.all()
    seeds = part.groupby("seed")[list(COUNTED)].sum()
    spread = seeds.std(ddof=1) * Z_95 / math.sqrt(len(seeds)) if len(seeds) > 1 else seeds.iloc[0] * math.nan
    row = {"group": group, "paradigm": paradigm, "queries": len(part), "passed": int(part.ok.sum())}
    row |= {"tasks": len(tasks), "tasks_passed": int(tasks.sum()), "failed_calls": int(part.failed_calls.sum())}
    return (
        row
        | {name: float(seeds[name].mean()) for name in COUNTED}
        | {f"{name}_spread": float(spread[name]) for name in COUNTED}
    )


def _spread(row: dict[str, Any], name: str) -> str:
    spread = row[f"{name}_spread"]
    return f"{row[name]:,.0f}" + (f" ± {spread:,.0f}" if spread > 0 else "")


def _percent(one: float, other: float) -> str:
    return f"{100 * (one - other) / other:+.1f} %" if other else "no"


RESULTS = "results"
HOW_TO_GET_IT = "no results as Parquet: they need an extra, pip install 'cave_sim[export]'; the journals have them"


def can_keep() -> bool:
    """Say whether Parquet files can be written here."""
    return find_spec("pyarrow") is not None


def keep_part(out: Path, name: str, table: pd.DataFrame) -> None:
    """Write the rows of one trial into a study's folder, unless they are there; whole, or not at all."""
    path = out / RESULTS / f"{name}.parquet"
    if path.exists():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{path.name}")  # readers of the folder pass over names with a dot
    table.to_parquet(fresh, index=False)
    fresh.replace(path)
