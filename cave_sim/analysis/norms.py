"""Norms: how often a condition held, after which share of turns, and whose turns broke it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from cave_sim.changes.plain_world import PlainWorld
from cave_sim.history.asked_classes import expect_heard
from cave_sim.history.condition import Condition
from cave_sim.journal.queries import committed_turns, last_turns
from cave_sim.journal.reader import Run
from cave_sim.journal.rebuild import advance, fold_at


@dataclass(frozen=True, slots=True)
class Adherence:
    """How a norm was kept.

    Attributes:
        norm: the condition.
        holding: after how many turns of agents it held.
        turns: how many turns of agents there were that changed something.
        broken_by: agent -> how many of their turns ended it.
        mended_by: agent -> how many of their turns brought it back.
    """

    norm: str
    holding: int
    turns: int
    broken_by: Counter[str]
    mended_by: Counter[str]

    @property
    def share(self) -> float:
        """The share of turns after which it held; NaN if there were none. Turns of one run are no replicates."""
        return self.holding / self.turns if self.turns else float("nan")


def adherence(run: Run, norm: str) -> Adherence:
    """Return how a norm was kept, turn by turn.

    Args:
        run: what :func:`cave_sim.open_run` returns.
        norm: such as ``all(each.money_cents >= 0 for each in world.values())``, see
            :class:`~cave_sim.history.condition.Condition`.

    Raises:
        WorldError: the norm cannot be read, asks for a class by a slip, or is not worked out on a state.
    """
    condition, steps = Condition(norm), last_turns(run)
    broken, mended, holding, count = Counter[str](), Counter[str](), 0, 0
    if not steps:
        return Adherence(norm, holding, count, broken, mended)
    first = min(steps)
    turn = steps[first]
    agents = dict(run.query("SELECT turn, agent FROM turns WHERE kind = 'cell' AND parent IS NULL"))
    with run.reading():
        fold = fold_at(run, first)
        was = condition.holds(start := PlainWorld(fold.settle()))
        expect_heard(norm, start, run)
        for number in committed_turns(run, turn, steps[max(steps)]):
            advance(run, fold, turn, number)
            turn = number
            holds = condition.holds(PlainWorld(fold.settle()))
            if number in agents:
                count += 1
                holding += holds
                broken[agents[number]] += was and not holds
                mended[agents[number]] += holds and not was
            was = holds
    return Adherence(norm, holding, count, +broken, +mended)
