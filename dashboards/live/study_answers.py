"""What the page of studies shows: how far each has come, its results so far, and every trial."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cave_sim.dashboards.live.run_index import RunIndex
from cave_sim.dashboards.live.scenario_results import findings
from cave_sim.dashboards.live.study_progress import Progress, named, progress
from cave_sim.dashboards.lookups.overview import run_title
from cave_sim.experiment.runner import TRIALS
from cave_sim.experiment.scripted import RIGHT, WRONG
from cave_sim.experiment.statistics import savings, success_text, summarised
from cave_sim.scenario.study import KIND as SCENARIO

COUNTS = ("steps", "prompt_tokens", "completion_tokens")


def studies(index: RunIndex) -> dict[str, Any]:
    """Return the studies in an index's places and their trials; where there is none, its runs by their settings."""
    names = {name: progress(folder) for name, folder in named(index.places).items()}
    in_progress = names.values()
    runs = {folder: name for name, folder in index.folders().items()}
    trials = [
        row | {"run": runs.get(study.folder / TRIALS / row["trial"])} for study in in_progress for row in study.rows
    ]
    settings = [] if names else settings_of(index.listed())
    return {"studies": [study_data(study) | {"name": name} for name, study in names.items()],
            "trials": [_named(row) for row in trials], "settings": settings}  # fmt: skip


def study_data(study: Progress) -> dict[str, Any]:
    """Return one study: what it is, how many trials are done, and a row for each group and way of acting."""
    scripted = study.about.get("model") in (RIGHT, WRONG)
    rows = summarised(study.results).to_dict("records") if study.results else []
    return {
        "title": study.title,
        "about": _about(study),
        "scenario": study.about.get("kind") == SCENARIO,
        "found": _findings(study),
        "done": study.done,
        "all": len(study.rows),
        "passed": sum(result.ok for result in study.results),
        "running": sum(row.get("status") == "running" for row in study.rows),
        "results": [dict(_result(row, scripted)) for row in rows],
        "savings": list(savings(study.results)) if rows else [],
    }


def settings_of(listed: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return runs grouped by what they were made with, but for their seed: a row for each setting."""
    groups: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for run in listed:
        if run["status"] == "unreadable":
            continue
        manifest = run.get("manifest") or {}
        options = manifest.get("create") or manifest.get("config") or {}
        settings = {key: value for key, value in sorted(options.items()) if key not in ("seed", "out")}
        text = ", ".join(f"{key.replace('_', ' ')} {_in_words(value)}" for key, value in settings.items())
        groups.setdefault((run_title(manifest), text or "as they are by default"), []).append(run)
    return [
        {"simulation": name, "settings": settings, "runs": len(runs),
         "finished": sum(run["status"] == "finished" for run in runs),
         "seeds": ", ".join(str((run.get("manifest") or {}).get("seed")) for run in runs)}
        for (name, settings), runs in groups.items()
    ]  # fmt: skip


def _in_words(value: Any) -> str:
    """Return a setting as one reads it: words and numbers as they are, anything else as JSON."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return value if isinstance(value, str) else json.dumps(value)


def _named(row: dict[str, Any]) -> dict[str, Any]:
    return {"task": row["trial"], **{key: value for key, value in row.items() if key not in ("measures", "measured")}}


def _findings(study: Progress) -> dict[str, Any] | None:
    """Return what a scenario's study has found so far; nothing of one whose folder was edited past understanding."""
    if study.about.get("kind") != SCENARIO:
        return None
    try:
        conditions = list(dict.fromkeys(row["group"] for row in study.rows if "group" in row))
        return findings(study.rows, conditions, study.about.get("measures") or {})
    except (TypeError, ValueError, KeyError, AttributeError):
        return None


def _about(study: Progress) -> str:
    seeds = study.about.get("seeds") or []
    repeated = f"seeds {seeds[0]} to {seeds[-1]}" if len(seeds) > 1 else f"seed {seeds[0]}" if seeds else ""
    model, tokens = study.about.get("model"), study.about.get("tokens")
    parts = [f"model {model}" if model else "", repeated, f"tokens: {tokens}" if tokens else ""]
    if study.about.get("kind") == SCENARIO:
        parts = [str((study.about.get("scenario") or {}).get("simulation") or "").replace("_", " "), *parts]
    return " · ".join(part for part in [Path(study.folder).name, *parts] if part)


def _result(row: dict[str, Any], scripted: bool) -> Iterator[tuple[str, Any]]:
    """Yield the cells of a row of results: numbers for bars, and texts with what they may be off by."""
    yield from (("group", row["group"]), ("paradigm", row["paradigm"]))
    yield "passed", f"{row['passed']:,} of {row['queries']:,}"
    yield "tasks_passed", f"{row['tasks_passed']:,} of {row['tasks']:,}"
    yield "success_pct", 100 * row["passed"] / row["queries"]
    yield "success_pct_text", success_text(row["passed"], row["queries"], scripted=scripted, unit=" %")
    for key in COUNTS:
        spread = row[f"{key}_spread"]
        yield key, float(row[key])
        yield f"{key}_text", f"{row[key]:,.0f}" + (f" ± {spread:,.0f}" if spread > 0 else "")
