"""What why asks of models, as counts: until the first cause is found, and for a whole ranking, beside whole re-runs."""

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cave_sim import open_run
from cave_sim.causes import Asked, Counterfactuals, candidates, effects
from cave_sim.causes.provenance import Provenance
from cave_sim.causes.replies import Replies
from cave_sim.journal.tallies import paid_calls_by_agent
from cave_sim.models.from_cli import ModelChoice
from cave_sim.replay.recipe import Recipe
from tests.bench.table import Row

AIM = 10
"""So many times fewer calls than whole re-runs was hoped for."""


@dataclass(frozen=True)
class Question:
    """A question of a scripted story, and how many candidates are tried at the most."""

    told: str
    simulation: str
    steps: int
    asked: Asked
    among: str
    most: int


PARTY = "len([p for p in world.all(Resident) if p.location == dining_room])"
QUESTIONS = (
    Question("storm among agents", "storm_warning", 60, Asked("weather.kind == 'storm'", ever=True), "agents", 9),
    Question("announcements of the storm", "storm_warning", 60, Asked("len(town.announcements)"), "announcements", 11),
    Question("who is at the party", "valentine_party", 38, Asked(PARTY), "announcements", 6),
)


def whys(repeats: int) -> Iterator[Row]:
    """Yield two rows a question; counts do not hang on the machine, so nothing is repeated."""
    with tempfile.TemporaryDirectory() as kept:
        folders: dict[str, Path] = {}
        for each in QUESTIONS:
            folder = folders.get(each.simulation)
            if folder is None:
                folder = folders[each.simulation] = Path(kept) / each.simulation
                made = Recipe(each.simulation, {"seed": 7}, ModelChoice()).make(folder)
                made.run(until=each.steps).close()
            yield from _rows(each, folder, Path(kept) / f"{each.simulation}-{each.among}.jsonl")


def _rows(question: Question, folder: Path, replies: Path) -> Iterator[Row]:
    with open_run(folder) as run:
        calls = sum(paid_calls_by_agent(run).values())
        counterfactuals = Counterfactuals(
            folder, question.asked, Recipe.of(run.manifest), may_ask=None, replies=Replies(replies)
        )
        counterfactuals.check()
        fields = counterfactuals.question.fields({})
        relevance = Provenance(run, fields, counterfactuals.decided)
        found = candidates(run, question.among, counterfactuals.decided, relevance, counterfactuals.question.names())[
            : question.most
        ]
    until_first = 0
    for effect in effects(counterfactuals, found):
        if effect.mean and not until_first:
            until_first = counterfactuals.forks
            yield _row(f"{question.told}, until the first cause", counterfactuals.asked, until_first, calls)
    yield _row(f"{question.told}, {len(found)} tried", counterfactuals.asked, counterfactuals.forks, calls)


def _row(told: str, asked: int, forks: int, calls: int) -> Row:
    naive = f"{forks} whole re-runs of {calls:,} calls: {forks * calls:,}"
    return Row(told, f"{asked:,} calls", naive, forks * calls / max(1, asked), AIM, "times fewer", at_least=True)
