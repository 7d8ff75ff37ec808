"""The table of a study: success, steps and tokens for each group and paradigm, and how the paradigms compare."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pandas as pd

from cave_sim.analysis.statistics import mean_interval, share_interval
from cave_sim.experiment.results import Result
from cave_sim.files.whole_files import in_place_of

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


def markdown(results: Sequence[Result], *, scripted: bool) -> str:
    """Return the table as Markdown. A script makes no chance mistakes, so its success has no interval."""
    names = "group|paradigm|queries passed|success %|tasks passed|steps|prompt tokens|completion tokens".split("|")
    lines = [f"| {' | '.join(names)} |", "|---|---|---:|---:|---:|---:|---:|---:|"]
    for row in summarised(results).to_dict("records"):
        success = success_text(row["passed"], row["queries"], scripted=scripted)
        cells = f"{row['passed']:,} of {row['queries']:,}", success, f"{row['tasks_passed']:,} of {row['tasks']:,}"
        counts = [spread_text(row, name) for name in COUNTED[:-1]]
        lines.append("| " + " | ".join([row["group"], row["paradigm"], *cells, *counts]) + " |")
    return "\n".join(lines)


def success_text(passed: int, queries: int, *, scripted: bool, unit: str = "") -> str:
    """Return a success rate in percent, with its 95 % interval unless a script answered."""
    share = share_interval(passed, queries)
    has_interval = share.has_interval and not scripted
    ends = f" [{100 * share.low:.0f}, {100 * share.high:.0f}]" if has_interval else ""
    return f"{100 * share.mean:.1f}{unit}{ends}"


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
    means = {name: mean_interval(seeds[name]) for name in COUNTED}
    row = {"group": group, "paradigm": paradigm, "queries": len(part), "passed": int(part.ok.sum())}
    row |= {"tasks": len(tasks), "tasks_passed": int(tasks.sum()), "failed_calls": int(part.failed_calls.sum())}
    return (
        row
        | {name: mean.mean for name, mean in means.items()}
        | {f"{name}_spread": mean.halfwidth for name, mean in means.items()}
    )


def spread_text(row: dict[str, Any], name: str) -> str:
    """Return a mean of a row with how far its interval reaches, if it has one."""
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
    with in_place_of(path) as fresh:  # readers of the folder pass over its name
        table.to_parquet(fresh, index=False)
