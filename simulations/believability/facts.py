"""What a journal knows of people's lives up to a step, and they should know too."""

import re
from collections import Counter, defaultdict
from datetime import datetime
from functools import cached_property
from typing import Any

from cave_sim import Run
from cave_sim.entity.json_form import referenced
from cave_sim.history.dialogues import Utterance, utterances
from cave_sim.journal.rebuild import entities_at
from cave_sim.simulations.town_day.whereabouts import Stays, moment, stays


class Facts:
    """The lives of all residents of a run up to a step.

    Args:
        run: a journal as `cave_sim.open_run` returns it.
        step: what happened later is left out.

    Attributes:
        seed: of the run.
        step: up to which.
        people: by name, the fields of everybody who has ears.
        titles: of everything that has one, by name.
    """

    def __init__(self, run: Run, step: int) -> None:
        self._run = run
        self.seed: int = run.manifest["seed"]
        self.step = step
        entities = {name: entity["fields"] for name, entity in entities_at(run, step).items()}
        self.people: dict[str, Any] = {name: fields for name, fields in entities.items() if "heard" in fields}
        self.titles: dict[str, str] = {name: fields["title"] for name, fields in entities.items() if "title" in fields}

    @cached_property
    def now(self) -> datetime:
        """The time of the step."""
        return moment(self._run, self.step)

    @cached_property
    def talks(self) -> list[Utterance]:
        """Everything that somebody said to somebody."""
        return [utterance for utterance in utterances(self._run) if utterance.step <= self.step]

    def time_at(self, step: int) -> str:
        """Return the time of day at a step, as text."""
        return f"{moment(self._run, step):%H:%M}"

    def key(self, name: str, field: str) -> str | None:
        """Return the name of the entity that a field of somebody refers to."""
        return referenced(self.people[name][field])

    def partners(self, name: str) -> list[str]:
        """Return with whom somebody has talked, an entry for each utterance, in order."""
        return [
            utterance.hearer if utterance.speaker == name else utterance.speaker
            for utterance in self.talks
            if name in (utterance.speaker, utterance.hearer)
        ]

    def places(self, name: str) -> list[tuple[str, int]]:
        """Return the places away from home where somebody has been, each with a step in the middle of the stay."""
        home, keys = self.key(name, "home"), []
        mine = [stay for stay in self._stays.get(name, []) if stay[0] <= self.step]
        for (since, place), until in zip(mine, [step for step, _ in mine[1:]] + [self.step], strict=True):
            if place is not None and place != home and until > since + 1:
                keys.append((place, (since + until) // 2))
        return keys

    def steps_in_places(self, name: str) -> Counter[str]:
        """Return how many steps somebody has spent where, away from home and work."""
        apart = {self.key(name, "home"), self.key(name, "workplace"), None}
        spent: defaultdict[str, int] = defaultdict(int)
        mine = [stay for stay in self._stays.get(name, []) if stay[0] <= self.step]
        for (since, place), until in zip(mine, [step for step, _ in mine[1:]] + [self.step], strict=True):
            if place is not None and place not in apart:
                spent[place] += until - since
        return Counter(spent)

    def plans(self, name: str) -> dict[str, str]:
        """Return the lines of somebody's plan for what is left of the day, in words."""
        now = f"{self.now:%H:%M}"
        return {at: self._in_words(line) for at, line in sorted(self.people[name]["plan"].items()) if at > now}

    def _in_words(self, line: str) -> str:
        """Return a line of a plan with titles in the place of names."""
        words = re.sub(r"\w+", lambda match: self.titles.get(match[0], match[0]), line)
        return " ".join(words.replace("|", "/").split())[:120]

    @cached_property
    def _stays(self) -> Stays:
        return stays(self._run)
