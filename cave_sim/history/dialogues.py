"""Dialogues: who talked with whom, how long, and how often somebody who was spoken to answered.

An utterance is what a cell of one agent wrote into what another one hears. Those of the same two people, each of them
soon enough after the one before, are one dialogue; a talk of three is the dialogues of its pairs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import fmean

from cave_sim.journal.opened import of_run
from cave_sim.journal.reader import Run
from cave_sim.journal.rows import ChangeRow

HEARD, GAP_STEPS = "heard", 2
OVERHEARD, REMINDED = " overheard ", " reminded: "
"""Stand behind the time of what somebody overheard, and of what came to their mind: these are no part of a dialogue."""


@dataclass(frozen=True, slots=True)
class Utterance:
    """One thing that somebody said to somebody.

    Attributes:
        turn, step: when.
        speaker, hearer: who, and to whom.
        text: as the hearer heard it.
    """

    turn: int
    step: int
    speaker: str
    hearer: str
    text: str


@dataclass(frozen=True, slots=True)
class Dialogue:
    """What two people said to each other.

    Attributes:
        utterances: in order; one at least.
    """

    utterances: tuple[Utterance, ...]

    @property
    def people(self) -> tuple[str, str]:
        """The two, whoever spoke first before the other one."""
        return self.utterances[0].speaker, self.utterances[0].hearer

    @property
    def is_answered(self) -> bool:
        """Whether the one who was spoken to said anything."""
        return any(each.speaker == self.utterances[0].hearer for each in self.utterances)


@dataclass(frozen=True, slots=True)
class Talk:
    """What the dialogues of a run come to.

    Attributes:
        lengths: number of utterances -> number of dialogues with so many.
        answered: how many dialogues have utterances of both.
    """

    lengths: Counter[int]
    answered: int

    @property
    def mean_length(self) -> float:
        """Utterances of a dialogue, on average; 0 if nobody talked."""
        return fmean(self.lengths.elements()) if self.lengths else 0.0

    @property
    def answered_share(self) -> float:
        """The share of dialogues with utterances of both; 0 if nobody talked."""
        return self.answered / self.lengths.total() if self.lengths else 0.0


@of_run
def dialogues(run: Run, *, field: str = HEARD, gap_steps: int = GAP_STEPS) -> list[Dialogue]:
    """Return the dialogues of a run, in the order in which they began.

    Args:
        run: what :func:`cave_sim.open_run` returns.
        field: the list of an entity into which others write what they say to it.
        gap_steps: at most so many steps lie between an utterance and the next one of the same dialogue.
    """
    exchanges: list[list[Utterance]] = []
    latest: dict[frozenset[str], list[Utterance]] = {}
    for utterance in utterances(run, field):
        pair = frozenset((utterance.speaker, utterance.hearer))
        if pair not in latest or utterance.step - latest[pair][-1].step > gap_steps:
            latest[pair] = []
            exchanges.append(latest[pair])
        latest[pair].append(utterance)
    return [Dialogue(tuple(each)) for each in exchanges]


@of_run
def talk(run: Run, *, field: str = HEARD, gap_steps: int = GAP_STEPS) -> Talk:
    """Return how long the dialogues of a run are, and how many were answered; the arguments are those of dialogues."""
    all_dialogues = dialogues(run, field=field, gap_steps=gap_steps)
    lengths = Counter(len(dialogue.utterances) for dialogue in all_dialogues)
    return Talk(lengths, sum(dialogue.is_answered for dialogue in all_dialogues))


@of_run
def utterances(run: Run, field: str = HEARD) -> Iterator[Utterance]:
    """Yield everything that somebody said to somebody, in order."""
    for change in run.changes(field=field, op="splice"):
        if change.kind == "cell" and change.agent != change.entity:
            yield from _utterances_of(change)


def _utterances_of(change: ChangeRow) -> Iterator[Utterance]:
    for text in map(str, change.new["items"]):
        if not text[5:].startswith((OVERHEARD, REMINDED)):
            yield Utterance(change.turn, change.step, change.agent, change.entity, text)
