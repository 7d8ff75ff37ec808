"""Provenance: which turns are known to have come near what is asked about, so that these are taken out first.

The journal is gone through from its end. A field that the question names matters; so does, a hop further off, what a
turn read that wrote such a field, and what reached its agent before; and, less, another field of the same entity. It
only decides what is tried first, and never what is a cause: what agents see of the world is not journaled, and a turn
can matter by what it prevented.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from cave_sim.changes.change import Change
from cave_sim.history.code_lines import reads
from cave_sim.journal.queries import changes_of_turn, readings
from cave_sim.journal.reader import Run

HOP = 0.5
"""What is left of a weight one hop further from the question."""
PUBLIC = 0.1
"""What is left of it where a field may have been seen by others, and nothing says that it was."""
BESIDE = 0.3
"""The weight of a write to another field of what is asked about: a world's rules work out one from the other."""
OVERWRITTEN = 0.5
"""What is left of it for writes that a later one replaced; it may have been worked out from them."""


class Provenance:
    """How much of each turn of a run is known to have come near a question.

    Args:
        run: what :func:`cave_sim.open_run` returns.
        fields: what the question names, as entity and field, "" for any entity; none where that is not known.
        until: the step at which it is asked.
    """

    def __init__(self, run: Run, fields: Collection[tuple[str, str]], until: int) -> None:
        self._fields = frozenset(fields)
        self._asked_about = frozenset(entity for entity, _ in fields if entity)
        self._weights: dict[tuple[str, str], float] = {}
        self._reach: dict[str, float] = {}
        self._weights_of_turns: dict[int, tuple[float, float]] = {}
        read: dict[int, list[tuple[str, str]]] = {}
        for number, _, _, _, entity, field in readings(run, "", 2**62):
            read.setdefault(number, []).append((entity, field))
        for turn in reversed([turn for turn in run.turns(status="committed") if turn.parent is None]):
            if turn.step < until:
                named = (name.removesuffix("()").partition(".") for name in reads(turn.code, turn.agent))
                taken_in = {*read.get(turn.turn, ()), *((entity, field) for entity, _, field in named)}
                self._weights_of_turns[turn.turn] = self._take(turn.agent, changes_of_turn(run, turn.turn), taken_in)

    def of(self, turns: Iterable[int]) -> tuple[float, float]:
        """Return the weight of the turn that matters most, and what all of them come to."""
        weights = [self._weights_of_turns.get(turn, (0.0, 0.0)) for turn in turns]
        return max((best for best, _ in weights), default=0.0), sum(total for _, total in weights)

    def _take(
        self, agent: str, changes: Collection[Change], taken_in: Iterable[tuple[str, str]]
    ) -> tuple[float, float]:
        """Weigh one turn by what comes after it, and let what it read and knew count for what came before."""
        weights = [self._weight(agent, change) for change in changes]
        remembered = HOP * self._reach.get(agent, 0.0)
        best = max([remembered, *weights])
        for change in changes:
            place = _place(change)
            if change.op == "set" and len(change.path) == 1 and self._named(place):
                self._weights[place] = OVERWRITTEN * max(self._named(place), self._at_the_end(place))
        for place in taken_in:
            self._weights[place] = max(self._named(place), HOP * best)
        self._reach[agent] = max(self._reach.get(agent, 0.0), HOP * best)
        return best, sum(weights) + remembered

    def _weight(self, agent: str, change: Change) -> float:
        """Return how much a change matters: to the question, to whoever it was written to, to whoever may see it."""
        personal = self._reach.get(change.entity, 0.0) if change.entity != agent else 0.0
        seen = PUBLIC * max(self._reach.values(), default=0.0)
        beside = BESIDE if change.entity in self._asked_about else 0.0
        return max(self._named(_place(change)), personal, seen, beside)

    def _named(self, place: tuple[str, str]) -> float:
        return self._weights.get(place, self._at_the_end(place))

    def _at_the_end(self, place: tuple[str, str]) -> float:
        return float(not self._fields or place in self._fields or ("", place[1]) in self._fields)


def _place(change: Change) -> tuple[str, str]:
    return change.entity, str(change.path[0]) if change.path else ""
