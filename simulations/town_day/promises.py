"""Promises and invitations: things said, and whether they were kept, which is seen from what people do.

Whoever says the words has promised or invited, by `me.promise(...)` and `me.invite(...)` or in any talk. A promise to
be somewhere is kept by being there, one to give money by giving it in time; an invitation is by who was invited being
there.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from math import ceil, floor
from typing import Literal

from cave_sim import Run
from cave_sim.history.dialogues import Utterance, utterances
from cave_sim.simulations.town_day.meetings import GRACE_H
from cave_sim.simulations.town_day.whereabouts import Stays, next_time, stays, step_at, steps_there

_PLACE = re.compile(r"I promise to be at .*?\((\w+)\) by (\d\d:\d\d)")
_MONEY = re.compile(r"I promise to give you ([\d,]+\.\d\d) EUR by (\d\d:\d\d)")
_INVITATION = re.compile(r"You are invited to .*?\((\w+)\) at (\d\d:\d\d)")
Status = Literal["kept", "broken", "pending"]


@dataclass(frozen=True, slots=True)
class Pledge:
    """One promise, or one invitation.

    Attributes:
        kind: ``promise`` or ``invitation``.
        by, to: who said it, and to whom.
        what: a place, or an amount of money.
        said: the step in which it was said.
        due: the last step in which it can be kept.
        status: ``pending`` where the run ended before that, and it was not kept yet.
    """

    kind: Literal["promise", "invitation"]
    by: str
    to: str
    what: str
    said: int
    due: int
    status: Status


@dataclass(frozen=True, slots=True)
class _Gift:
    """Money that one person gave another."""

    turn: int
    step: int
    giver: str
    taker: str
    cents: int

    def follows(self, utterance: Utterance) -> bool:
        return self.turn > utterance.turn and (self.giver, self.taker) == (utterance.speaker, utterance.hearer)


def pledges(run: Run) -> list[Pledge]:
    """Return the promises and invitations of a run, in the order in which they were said.

    Args:
        run: a journal as `cave_sim.open_run` returns it.
    """
    where, gifts = stays(run), list(_gifts(run))
    return [pledge for utterance in utterances(run) for pledge in _pledges(run, utterance, where, gifts)]


def _pledges(run: Run, utterance: Utterance, where: Stays, gifts: Sequence[_Gift]) -> Iterator[Pledge]:
    by, to = utterance.speaker, utterance.hearer
    if match := _PLACE.search(utterance.text):
        yield _to_come(run, "promise", utterance, by, match, where)
    if match := _INVITATION.search(utterance.text):
        yield _to_come(run, "invitation", utterance, to, match, where)
    if match := _MONEY.search(utterance.text):
        due = floor(step_at(run, next_time(run, utterance.step, match[2])))
        paid_cents = sum(gift.cents for gift in gifts if gift.follows(utterance) and gift.step <= due)
        is_kept = paid_cents >= round(100 * float(match[1].replace(",", "")))
        yield Pledge("promise", by, to, f"{match[1]} EUR", utterance.step, due, _status(run, is_kept, due))


def _to_come(
    run: Run, kind: Literal["promise", "invitation"], utterance: Utterance, who: str, match: re.Match[str], where: Stays
) -> Pledge:
    """Return whether somebody came to a place about the hour."""
    place, grace = match[1], timedelta(hours=GRACE_H)
    time = next_time(run, utterance.step, match[2])
    begins, due = max(ceil(step_at(run, time - grace)), utterance.step), floor(step_at(run, time + grace))
    came = any(steps_there(where[who], place, begins, min(due, run.last_step))) if who in where else False
    return Pledge(kind, utterance.speaker, utterance.hearer, place, utterance.step, due, _status(run, came, due))


def _status(run: Run, is_kept: bool, due: int) -> Status:
    return "kept" if is_kept else "broken" if due <= run.last_step else "pending"


def _gifts(run: Run) -> Iterator[_Gift]:
    """Yield what people gave each other by cells of their own."""
    for change in run.changes(field="money_cents", op="set"):
        if change.kind == "cell" and change.agent != change.entity and change.new > change.old:
            yield _Gift(change.turn, change.step, change.agent, change.entity, change.new - change.old)
