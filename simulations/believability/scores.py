"""How many answers were right, area by area: of one run, and of several under different conditions side by side."""

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pandas as pd

from cave_sim import Run, open_run
from cave_sim.analysis.statistics import mean_interval
from cave_sim.journal.queries import answers
from cave_sim.simulations.believability.facts import Facts
from cave_sim.simulations.believability.questions import AREAS, questions

SURVEY = "believability"
ALL = "all"
COLUMNS = ["condition", "seed", "step", "agent", "area", "item", "truth", "value", "right", "chance"]


def scores(run: Run) -> pd.DataFrame:
    """Return one row for each answer of a run: what is right by its journal, what was said, and what a guess scores.

    An answer that could not be read is not right. Questions are made from the journal anew, not taken from what was
    asked: whoever has a run can check it.
    """
    values = {(row["step"], row["agent"], row["item"]): row["value"] for row in answers(run) if row["survey"] == SURVEY}
    rows = []
    for step in sorted({step for step, _, _ in values}):
        facts = Facts(run, step)
        for name in facts.people:
            for question in questions(facts, name):
                key = step, name, question.item.name
                if key in values:
                    value = values[key]
                    about = condition(run), run.manifest["seed"], *key[:2], question.area, key[2]
                    rows.append([*about, question.truth, value, value == question.truth, question.chance])
    return pd.DataFrame(rows, columns=COLUMNS)


def condition(run: Run) -> str:
    """Return under which condition a run was made: what its minds do without, and what they have beyond the usual."""
    config = run.manifest["config"]
    without, having = config.get("without", ""), config.get("having", "")
    parts = [f"without {without}" if without else "", f"having {having}" if having else ""]
    return ", ".join(filter(None, parts)) or "full"


def table(folders: Iterable[str | Path]) -> pd.DataFrame:
    """Return the scores of runs as a table: a row for each condition and area.

    Returns:
        ``condition``, ``area`` (``all`` for all of them), ``agents`` (in how many runs so many were asked),
        ``questions``, ``score`` with the ends of its 95 % interval over agents, ``low`` and ``high``, and ``chance``.
        Where all agents score alike, there is no interval.
    """
    parts = []
    for folder in folders:
        with open_run(folder) as run:
            parts.append(scores(run))
    everything = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=COLUMNS)
    rows = []
    for name in dict.fromkeys(everything["condition"]):
        of_condition = everything[everything["condition"] == name]
        for area in (*AREAS, ALL):
            part = of_condition if area == ALL else of_condition[of_condition["area"] == area]
            if len(part):
                by_agent = part.groupby(["seed", "agent"])["right"].mean()
                interval = mean_interval(by_agent)
                bounds = np.clip(
                    [interval.low, interval.high], 0, 1
                )  # of one agent, or where all are alike, there are none
                rows.append(
                    [name, area, len(by_agent), len(part), interval.mean, *bounds, float(part["chance"].mean())]
                )
    columns = ["condition", "area", "agents", "questions", "score", "low", "high", "chance"]
    return pd.DataFrame(rows, columns=columns)


def in_words(frame: pd.DataFrame) -> str:
    """Return a table for people: a line for each area, a column for each condition, in percent."""
    cells = {
        (row.area, row.condition): f"{row.score:.0%} [{row.low:.0%}, {row.high:.0%}]"
        if row.low == row.low  # of one agent, and of agents that score alike, there is no interval
        else f"{row.score:.0%}"
        for row in frame.itertuples()
    }
    conditions = list(dict.fromkeys(frame["condition"]))
    lines = [
        {"area": area} | {name: cells.get((area, name), "") for name in conditions} | {"guessing": f"{chance:.0%}"}
        for area, chance in frame.groupby("area", sort=False)["chance"].mean().items()
    ]
    return str(pd.DataFrame(lines).to_string(index=False))
