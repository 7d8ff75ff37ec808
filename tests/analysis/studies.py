"""Writes folders of made-up studies in the form that studies of scenarios have: reports are tested without runs."""

import json
from pathlib import Path

import numpy as np
import pandas as pd

CONDITIONS = {"none": "nothing is done", "mild": "cafés close", "strict": "everything closes & <all> stay in"}
MEASURES = {"ever": {"label": "ever infected", "unit": "people"}, "mood": {"label": "mood", "unit": ""}}


def write_study(folder, *, seeds=6, effects=(0.0, 0.0, -12.0), points=({},), steps=12, **about) -> Path:
    """Write a study: infections depend on the seed, on the condition by its effect, on numbers in points; mood on none.

    A share of luck is common to all conditions of a seed, the rest each trial's own.
    """
    rows = []
    for rank, (condition, effect) in enumerate(zip(CONDITIONS, effects, strict=False)):
        for number, point in enumerate(points):
            for seed in range(1, seeds + 1):
                own = np.random.default_rng([seed, number, rank, 5])
                level = 60 + np.random.default_rng(seed).normal(0, 15) + effect + own.normal(0, 1)
                level += sum(value for value in point.values() if not isinstance(value, str))
                for step in range(steps + 1):
                    key = {"condition": condition, **point, "seed": seed, "step": step}
                    rows.append(key | {"ever": round(level * step / steps, 4), "mood": 0.5})
    series = pd.DataFrame(rows)
    (folder / "results").mkdir(parents=True)
    series.to_csv(folder / "results" / "series.csv", index=False)
    last = series[series["step"] == steps].rename(columns={"step": "steps"})
    last.to_csv(folder / "results" / "trials.csv", index=False)
    conditions = list(CONDITIONS)[: len(effects)]
    scenario = {"simulation": "epidemic", "options": {"residents": 40}, "model": None}
    scenario["conditions"] = {name: {"about": CONDITIONS[name]} for name in conditions}
    told = {
        "kind": "scenario", "name": "closing_places", "question": "Does closing places help?",
        "command": f"cave-sim study closing.yaml --seeds {seeds}", "scenario": scenario, "conditions": conditions,
        "parameters": list(points[0]), "measures": MEASURES, "seeds": list(range(1, seeds + 1)), "code": "c0de",
        "versions": {"python": "3.12"}, "data": {"closing.yaml": "da7a"},
    }  # fmt: skip
    (folder / "study.json").write_text(json.dumps(told | about), encoding="utf-8")
    return folder
