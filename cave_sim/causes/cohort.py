"""Cohorts: the same people treated and untreated, over common seeds, from one shared prefix; who gains, and who loses.

Every arm is a fork at the same step, and all have the same seeds behind it, so each person is its own control: what an
intervention does to one person is the difference of two lives that share their past and their draws.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from dataclasses import field as attribute
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import BaseModel

from cave_sim.analysis.hypotheses import corrected
from cave_sim.analysis.statistics import MeanDifference, paired_difference
from cave_sim.causes.kept_lines import KeptLines
from cave_sim.entity.entity import Entity
from cave_sim.entity.preparation import fields_of
from cave_sim.errors import WorldError, did_you_mean
from cave_sim.journal.queries import step_hashes
from cave_sim.journal.reader import open_run
from cave_sim.models.budget import Budget, Budgets
from cave_sim.replay.fork import fork, one_simulation
from cave_sim.replay.recipe import Recipe
from cave_sim.simulation.runnable import Runnable
from cave_sim.simulation.simulation import Simulation
from cave_sim.simulation.treatment import Intervention
from cave_sim.world.host_protocol import MovableHost

WHO = "{who}"
"""Stands in an intervention for the name of one person: then there is an arm for each."""
ALPHA = 0.05
Outcomes = Mapping[str, float]


class _KeptLife(BaseModel):
    """A line of the file."""

    key: str
    outcomes: dict[str, float]


class KeptLives:
    """The outcomes of lives by what they follow from.

    Args:
        file: where they are kept; nowhere unless given.
    """

    def __init__(self, file: Path | None = None) -> None:
        self._lines = KeptLines(file, _KeptLife)
        self._known = {each["key"]: each["outcomes"] for each in self._lines}

    def get(self, key: str) -> dict[str, float] | None:
        """Return the outcomes of a life that is known."""
        return self._known.get(key)

    def put(self, key: str, outcomes: dict[str, float]) -> None:
        """Keep the outcomes of a life."""
        self._known[key] = outcomes
        self._lines.add({"key": key, "outcomes": outcomes})


@dataclass(frozen=True)
class Cohort:
    """What is compared.

    Attributes:
        folder: the run.
        maker: how its simulation is made; or what makes one just as it was, with no ``out``.
        at: the step behind which the arms part.
        until: the step at which the outcome is read.
        kind: the class of the people, as its name.
        field: the outcome: a field of theirs that is a number or a truth.
        seeds: what is drawn behind ``at`` follows from, one life each.
        may_ask: how many calls to models each life may pay for; None for as many as it takes.
        host: gives what cells run on, for one life; this process runs them unless given.
        store: lives that were lived before, so that none is lived twice.
    """

    folder: Path
    maker: Recipe | Callable[[], Runnable]
    at: int
    until: int
    kind: str
    field: str
    seeds: tuple[int, ...]
    may_ask: int | None = 0
    host: Callable[[], AbstractContextManager[MovableHost | None]] = nullcontext
    store: KeptLives = attribute(default_factory=KeptLives)

    def lived(self, seed: int, interventions: Sequence[Intervention]) -> dict[str, float]:
        """Live one life from the shared prefix, and return the outcome of each person who is there at its end.

        Raises:
            WorldError: there are no such people, the field is no number, an intervention does not land, or a model
                would have to be asked anew.
        """
        if self.until <= self.at:
            raise WorldError(f"the outcome is read at step {self.until}, which is not behind step {self.at}")
        key = self._key(seed, interventions)
        if (known := self.store.get(key)) is not None:
            return known
        with self.host() as host:
            how = {"recipe": self.maker} if isinstance(self.maker, Recipe) else {"simulation": self._simulation()}
            branch = fork(self.folder, self.at, None, interventions=interventions, seed=seed, host=host, **how)
            try:
                if self.may_ask is not None:
                    branch.calls.budgets = Budgets(run=Budget(calls=self.may_ask))
                while branch.world.clock.step < self.until and branch.running and not branch.over:
                    branch.step()
                if branch.calls.stopped is not None:
                    raise WorldError(f"seed {seed}: a model would have to be asked anew, which --ask allows")
                outcomes = self._outcomes(branch)
            finally:
                branch.close()
        self.store.put(key, outcomes)
        return outcomes

    def _key(self, seed: int, done: Sequence[Intervention]) -> str:
        """Return what a life follows from: the run, where it parts, what is done and drawn, and what is read."""
        with open_run(self.folder) as run:
            of_run = list(step_hashes(run).values())[-1:]
        acts = [[each.agent, each.code] for each in done]
        return json.dumps([of_run, self.at, self.until, self.kind, self.field, seed, acts])

    def arms(self, intervention: Intervention) -> dict[str, Intervention]:
        """Return an intervention by the name of whom it is done to, "" for all: an arm for each person if it says so.

        Raises:
            WorldError: as for :meth:`lived`.
        """
        if WHO not in intervention.code and WHO not in intervention.agent:
            return {"": intervention}
        with self.host() as host:
            how = {"recipe": self.maker} if isinstance(self.maker, Recipe) else {"simulation": self._simulation()}
            start = fork(self.folder, self.at, None, host=host, **how)
            try:
                people = sorted(self._outcomes(start))
            finally:
                start.close()
        return {
            who: Intervention(intervention.code.replace(WHO, who), intervention.agent.replace(WHO, who))
            for who in people
        }

    def _simulation(self) -> Simulation:
        assert not isinstance(self.maker, Recipe)
        return one_simulation(self.maker())

    def _outcomes(self, branch: Simulation) -> dict[str, float]:
        kinds = {each.__name__: each for each in branch.world.types}
        if self.kind not in kinds:
            hint = did_you_mean(self.kind, sorted(kinds))
            raise WorldError(f"there is no class {self.kind!r} here.{hint} There are: {', '.join(sorted(kinds))}")
        people: list[Entity] = list(branch.world.all(kinds[self.kind]))
        if not people:
            raise WorldError(f"nobody is a {self.kind} at step {branch.world.clock.step}")
        outcomes = {}
        for person in people:
            if self.field not in fields_of(person) and not hasattr(person, self.field):
                hint = did_you_mean(self.field, fields_of(person))
                raise WorldError(
                    f"{self.kind} has no field {self.field!r}.{hint} It has: {', '.join(fields_of(person))}"
                )
            value = getattr(person, self.field)
            if not isinstance(value, bool | int | float):
                raise WorldError(f"{self.kind}.{self.field} is no number, so there is no outcome of {person.id}")
            outcomes[str(person.id)] = float(value)
        return outcomes


@dataclass(frozen=True)
class Individual:
    """What one intervention did to one person.

    Attributes:
        who: the person.
        effects: treated minus untreated, for each seed.
        difference: its mean over seeds, with the paired t interval and what pairing spares.
        p_value: corrected for how many people there are (Holm 1979); not a number with one seed.
    """

    who: str
    effects: tuple[float, ...]
    difference: MeanDifference
    p_value: float

    @property
    def gains(self) -> bool:
        """Whether the outcome is certainly more."""
        return self._is_sure and self.difference.mean > 0

    @property
    def loses(self) -> bool:
        """Whether the outcome is certainly less."""
        return self._is_sure and self.difference.mean < 0

    @property
    def _is_sure(self) -> bool:
        return self.difference.is_sure(self.p_value, ALPHA)


def individuals(pairs: Mapping[str, Sequence[tuple[Outcomes, Outcomes]]]) -> list[Individual]:
    """Return what was done to each person, those who gain most first.

    Args:
        pairs: by person, the outcomes of all with and without the intervention, seed by seed. Who is missing in one of
            them, as somebody who left, is left out.

    Raises:
        WorldError: nobody is in all of them.
    """
    known = {
        who: ([treated[who] for treated, _ in lives], [other[who] for _, other in lives])
        for who, lives in pairs.items()
        if all(who in life for pair in lives for life in pair)
    }
    if not known:
        raise WorldError("nobody lives through to the end both with and without it")
    differences = {who: paired_difference(*sides) for who, sides in known.items()}
    many = len(next(iter(known.values()))[0]) > 1
    chances = corrected([each.p_value for each in differences.values()]) if many else [float("nan")] * len(known)
    people = [
        Individual(who, tuple(float(one - other) for one, other in zip(*known[who], strict=True)), each, float(chance))
        for (who, each), chance in zip(differences.items(), chances, strict=True)
    ]
    return sorted(people, key=lambda each: (-each.difference.mean, each.who))


def lives(
    cohort: Cohort, done: Mapping[str, Intervention], untreated: dict[int, Outcomes]
) -> Iterator[tuple[str, int, Outcomes, Outcomes]]:
    """Yield person, seed and both outcomes of all, life after life.

    Args:
        cohort: what is compared.
        done: the arms of one intervention, as :meth:`Cohort.arms` returns them.
        untreated: the lives in which nothing is done, by seed; those that are missing are lived and added.
    """
    for seed in cohort.seeds:
        if seed not in untreated:
            untreated[seed] = cohort.lived(seed, [])
        for who, intervention in done.items():
            yield who, seed, cohort.lived(seed, [intervention]), untreated[seed]


def paired_lives(
    lived: Iterator[tuple[str, int, Outcomes, Outcomes]],
) -> dict[str, list[tuple[Outcomes, Outcomes]]]:
    """Return the pairs by person; an arm of all is one of everybody."""
    pairs: dict[str, list[tuple[Outcomes, Outcomes]]] = {}
    for who, _, treated, untreated in lived:
        for each in [who] if who else sorted(treated.keys() | untreated.keys()):
            pairs.setdefault(each, []).append((treated, untreated))
    return pairs


def seeds_spared(people: Sequence[Individual]) -> float:
    """Return how many times as many seeds independent groups would take for intervals as narrow: the median person.

    Not a number where nobody's effect has a spread, or with one seed.
    """
    ratios = [each.difference.variance_ratio for each in people if np.isfinite(each.difference.variance_ratio)]
    return float(np.median(ratios)) if ratios else float("nan")


def to_data(people: Sequence[Individual]) -> dict[str, Any]:
    """Return what one intervention did, as plain data."""
    means = [each.difference.mean for each in people]
    return {
        "people": [
            {
                "who": each.who,
                "effect": each.difference.mean,
                "low": each.difference.low,
                "high": each.difference.high,
                "effects": list(each.effects),
                "p_value": each.p_value,
                "gains": each.gains,
                "loses": each.loses,
            }
            for each in people
        ],
        "mean": float(np.mean(means)),
        "quartiles": [float(each) for each in np.quantile(means, (0, 0.25, 0.5, 0.75, 1))],
        "gain": sum(each.gains for each in people),
        "lose": sum(each.loses for each in people),
        "seeds_spared": seeds_spared(people),
    }
