"""The page of a cohort: for each intervention, what it did to each person; it opens from disk and runs nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from cave_sim import Run
from cave_sim.analysis.wording import estimate_text, figure
from cave_sim.dashboards.lookups.called import called
from cave_sim.dashboards.paper import figures
from cave_sim.dashboards.standalone import page
from cave_sim.diagnostics.plurals import counted
from cave_sim.files.whole_files import write_whole
from cave_sim.rendering.escaping import SAFE
from cave_sim.rendering.shells import page_part

PEOPLE_DRAWN = 40
GAINS, LOSES, UNSURE = "gains", "loses", "not told apart"
COLOURS = {GAINS: "blue", LOSES: "vermilion", UNSURE: "other"}
Person = Mapping[str, Any]


def write_cohort_page(answer: Mapping[str, Any], path: Path, run: Run) -> Path:
    """Write the page of what ``cave-sim cohort`` found and return where it is.

    Args:
        answer: what ``cave-sim cohort --json`` prints.
        path: the HTML file to write.
        run: that all lives share up to a step; it says how its people are called.
    """
    names = called({person["who"] for each in answer["cohorts"] for person in each["people"]}, run)
    title = f"Who gains in {answer['outcome']}, and who loses?"
    body = page_part(
        "cohort",
        title=title,
        fact=_fact(answer),
        legends=[(f"var(--{colour})", meaning) for meaning, colour in COLOURS.items()],
        cohorts=[_cohort(each, names, answer["outcome"]) for each in answer["cohorts"]],
        sureness=_sureness(len(answer["seeds"])),
    )
    write_whole(path, page(title, body, styles=("tokens.css", "paper.css")))
    return path


def _fact(answer: Mapping[str, Any]) -> str:
    lives = counted(len(answer["seeds"]), "future")
    return (
        f"Each person lives on from step {answer['at']} with an intervention and without it, in {lives},"
        f" and is compared at step {answer['until']}."
    )


def _cohort(answer: Mapping[str, Any], names: Mapping[str, str], outcome: str) -> dict[str, Any]:
    people: Sequence[Person] = answer["people"]
    drawn = people if len(people) <= PEOPLE_DRAWN else [*people[: PEOPLE_DRAWN // 2], *people[-PEOPLE_DRAWN // 2 :]]
    table = pd.DataFrame(
        {
            "arm": _called(each, names),
            "mean": each["effect"],
            "low": each["low"],
            "high": each["high"],
            "n": len(each["effects"]),
        }
        for each in drawn
    )
    colours = [COLOURS[_person_text(each)] for each in drawn]
    svg = figures.differences(table, (), f"{outcome}, what it did to each", colours)
    return {
        "intervention": answer["intervention"],
        "summary": _summary(answer, outcome),
        "figure": {"caption": f"{outcome}: with it, less without it", "drawn": SAFE(svg)},
        "heads": ("who", "effect", "what it is"),
        "rows": [(_called(each, names), _effect(each), _person_text(each)) for each in people],
        "more": len(people) - len(drawn),
    }


def _summary(answer: Mapping[str, Any], outcome: str) -> str:
    people, gain, lose = counted(len(answer["people"]), "person", "people"), answer["gain"], answer["lose"]
    unsure = len(answer["people"]) - gain - lose
    mean = figure(answer["mean"], sign="+")
    return f"{outcome} {mean} on average over {people}: {gain} gain, {lose} lose, {unsure} are not told apart."


def _effect(person: Person) -> str:
    return estimate_text(person["effect"], person["low"], person["high"], "+", n=len(person["effects"]))


def _person_text(person: Person) -> str:
    return GAINS if person["gains"] else LOSES if person["loses"] else UNSURE


def _called(person: Person, names: Mapping[str, str]) -> str:
    return names.get(person["who"], person["who"])


def _sureness(seeds: int) -> str:
    if seeds == 1:
        return "Exact for this one future, and without an interval."
    return f"95 % t intervals over {seeds} seeds; gains and losses hold for all people at once (Holm)."
