"""The treatment of a run: cells that are planned before it begins, at a moment or when a condition turns true.

A planned cell runs as the step begins, where a cell that is submitted live runs too: it is a turn like any, in the
journal, resumed, run again and verified. What was done already is kept with each step, so that nothing is done twice.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from functools import cached_property, lru_cache
from typing import Any

from cave_sim.changes.turn import OPERATOR
from cave_sim.errors import WorldError
from cave_sim.history.condition import Condition
from cave_sim.history.measures_by_name import holds_now
from cave_sim.world.world import World


@dataclass(frozen=True)
class Intervention:
    """A cell that makes the difference, and when it runs.

    Attributes:
        code: the cell.
        agent: who runs it.
        at: the step behind which it runs, or a world time such as ``2012-06-02T08:00``: as the first step begins at
            which it is that late. None for at once, or for ``when``.
        when: a condition of the safe language, which may name measures; it runs as the step begins behind which this
            turned true.
        repeat: whether it runs every time that ``when`` turns true, and not only the first.

    Raises:
        WorldError: it has two moments, no such time or condition, or repeats what happens once; or its cell or agent is
            no text.
    """

    code: str
    agent: str = OPERATOR
    at: int | str | None = None
    when: str | None = None
    repeat: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.code, str) or not isinstance(self.agent, str):
            raise WorldError(
                f"Intervention({self.code!r}, {self.agent!r}): takes the text of a cell, and the name of who runs it"
            )
        if self.at is not None and self.when is not None:
            raise WorldError("an intervention is at a moment or when a condition turns true: leave one of them away")
        if self.repeat and self.when is None:
            raise WorldError("repeat is for an intervention that waits for a condition: give `when`, or leave it away")
        if isinstance(self.at, str):
            _time(self.at)
        elif self.at is not None and (isinstance(self.at, bool) or not isinstance(self.at, int) or self.at < 0):
            raise WorldError(f"at={self.at!r}: a moment is a step, 0 or more, or a world time such as 2012-06-02T08:00")
        if self.when is not None:
            Condition(self.when)

    @property
    def is_planned(self) -> bool:
        """Whether it waits for its moment; else it is for at once."""
        return self.at is not None or self.when is not None

    @cached_property
    def key(self) -> str:
        """What it is known by: the same for all that do the same at the same moment."""
        text = json.dumps(asdict(self), sort_keys=True)
        return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()

    def to_data(self) -> dict[str, Any]:
        """Return it as plain data, without what is as usual."""
        usual = Intervention("")
        data = asdict(self).items()
        return {name: value for name, value in data if name == "code" or value != getattr(usual, name)}


@dataclass
class _Progress:
    """How far one condition is: how often it turned true, and whether it held the last time."""

    times: int = 0
    holds: bool = False


class Treatment:
    """The planned interventions of one run, and which of them were done.

    Args:
        interventions: in the order in which they run where several are due at once.

    Attributes:
        interventions: those.
        probes: interventions of other runs: when they would have run is found out, and nothing is done.

    Raises:
        WorldError: one of them is for at once.
    """

    def __init__(self, interventions: Iterable[Intervention] = ()) -> None:
        self.interventions: tuple[Intervention, ...] = tuple(interventions)
        self.probes: Sequence[Intervention] = ()
        self._progress: dict[str, _Progress] = {}
        self._conditions: dict[str, Condition] = {}
        if not all(each.is_planned for each in self.interventions):
            raise WorldError("an intervention that is planned needs a moment: give `at` or `when`")

    def due(
        self, world: World, own: Collection[str] = (), measure: Callable[[], Mapping[str, float]] = dict
    ) -> tuple[list[Intervention], list[Intervention]]:
        """Return what is to be done as the coming step begins, and which probes would have been; once for each step.

        Args:
            world: as it is then.
            own: the names of all that is measured of it.
            measure: what takes the measures, if a condition names one.

        Raises:
            WorldError: a condition names what is not there.
        """
        if not self.interventions and not self.probes:
            return [], []
        is_due: dict[str, bool] = {}
        taken = lru_cache(measure)
        for each in (*self.interventions, *self.probes):
            if each.key not in is_due:
                is_due[each.key] = self._is_due(each, world, own, taken)
        return (
            [each for each in self.interventions if is_due[each.key]],
            [each for each in self.probes if is_due[each.key]],
        )

    def quiet_until(self, world: World, end: int) -> int:
        """Return the step, no later than one, until which the coming steps of a world need not be looked at.

        Behind the one that is returned, something may be due.
        """
        return min([end, *(self._next_look(each, world, end) for each in (*self.interventions, *self.probes))])

    def keep(self) -> dict[str, list[int]]:
        """Return what a run needs to go on, as plain data."""
        return {key: [each.times, int(each.holds)] for key, each in sorted(self._progress.items())}

    def restore(self, data: Mapping[str, Sequence[int]]) -> None:
        """Take back what was kept."""
        self._progress = {key: _Progress(times, bool(holds)) for key, (times, holds) in data.items()}

    def copy(self) -> Treatment:
        """Return one of the same interventions that has done as much."""
        twin = Treatment(self.interventions)
        twin.restore(self.keep())
        return twin

    def _next_look(self, intervention: Intervention, world: World, end: int) -> int:
        """Return the first step from now on behind which an intervention may be due; the given one for never."""
        now = world.clock.step
        if isinstance(intervention.at, int):
            return intervention.at if intervention.at >= now else end
        if isinstance(intervention.at, str):
            left = _time(intervention.at) - world.clock.now
            is_over = now > 0 and left <= -timedelta(seconds=world.step_s)
            return end if is_over else max(now, now + int(left.total_seconds() // world.step_s))
        progress = self._progress.get(intervention.key, _Progress())
        return end if progress.times and not intervention.repeat else now

    def _is_due(
        self, intervention: Intervention, world: World, own: Collection[str], measure: Callable[[], Mapping[str, float]]
    ) -> bool:
        clock = world.clock
        if isinstance(intervention.at, int):
            return clock.step == intervention.at
        if isinstance(intervention.at, str):
            at = _time(intervention.at)
            return clock.now >= at and (clock.step == 0 or clock.now - timedelta(seconds=world.step_s) < at)
        assert intervention.when is not None
        progress = self._progress.setdefault(intervention.key, _Progress())
        if progress.times and not intervention.repeat:
            return False
        condition = self._conditions.setdefault(intervention.when, Condition(intervention.when))
        held_before, progress.holds = progress.holds, holds_now(condition, world, own, measure)
        turned_true = progress.holds and not held_before
        progress.times += turned_true
        return turned_true


def _time(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise WorldError(f"at={text!r}: a moment is a step, or a world time such as 2012-06-02T08:00") from None
    if moment.tzinfo is not None:
        raise WorldError(f"at={text!r}: world time has no time zone; write 2012-06-02T08:00")
    return moment
