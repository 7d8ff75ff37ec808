"""Schedulers: who acts when. A scheduler yields batches of names; the turns of one batch see one state.

The order is data: ``list(RandomOrder().batches(moment))`` prints it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, get_args

from cave_sim.determinism.random_streams import draw, seeded_order
from cave_sim.diagnostics.number_checks import is_count
from cave_sim.errors import WorldError

Order = Literal["sequential", "simultaneous"]
_ORDERS = get_args(Order)


@dataclass(frozen=True)
class Moment:
    """What a scheduler may look at.

    Attributes:
        step: the step that is about to be taken, from 0.
        seed: of the run.
        agents: the names of all agents, sorted.
        stage_of: agent -> the name of its stage, for :class:`Staged`.
        woken: agents that something happened to since their last turn, for :class:`EventDriven`.
    """

    step: int
    seed: int
    agents: Sequence[str]
    stage_of: Callable[[str], str] = lambda name: ""
    woken: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Batch:
    """Agents that act together.

    Attributes:
        agents: names, in the order in which they act.
        order: ``simultaneous``, all see the state at the batch's start; ``sequential``, each sees the one before.

    Raises:
        WorldError: the agents are no tuple of names, or there is no such order.
    """

    agents: tuple[str, ...]
    order: Order

    def __post_init__(self) -> None:
        _expect_names("Batch", self.agents)
        _expect_order("Batch", self.order)


class Scheduler(Protocol):
    """Decides who acts when."""

    def batches(self, moment: Moment) -> Iterator[Batch]:
        """Yield the batches of one step, in order. The same moment gives the same batches."""
        ...


def batches_of(scheduler: Scheduler, moment: Moment) -> Iterator[Batch]:
    """Yield the batches of one step; raises WorldError where a scheduler of somebody's own yields something else."""
    batches = scheduler.batches(moment)
    call_text = f"{type(scheduler).__name__}.batches(moment)"
    if not isinstance(batches, Iterable):
        raise WorldError(f"{call_text} returned {batches!r}: it yields batches, as Batch(('tom', 'ann'), 'sequential')")
    for batch in batches:
        if not isinstance(batch, Batch):
            raise WorldError(
                f"{call_text} yielded {batch!r}: it yields batches, as Batch(('tom', 'ann'), 'sequential')"
            )
        yield batch


def _expect_names(taker: str, names: object) -> None:
    if isinstance(names, str) or not isinstance(names, Sequence):
        hint = f" ({names!r},)" if isinstance(names, str) else " ('tom', 'ann')"
        raise WorldError(f"{taker}({names!r}, ...): takes a tuple of names, as{hint}")


def _expect_order(taker: str, order: object) -> None:
    if order not in _ORDERS:
        raise WorldError(f"{taker}(..., {order!r}): the order is 'sequential' or 'simultaneous'")


@dataclass(frozen=True)
class Sequential:
    """One after another, by name; each sees what the one before did."""

    def batches(self, moment: Moment) -> Iterator[Batch]:
        """Yield one sequential batch."""
        yield Batch(tuple(moment.agents), "sequential")


@dataclass(frozen=True)
class RandomOrder:
    """One after another, in a new order each step, drawn from the seed; a new agent shifts nobody else's draw."""

    def batches(self, moment: Moment) -> Iterator[Batch]:
        """Yield one sequential batch in seeded order."""
        yield Batch(tuple(seeded_order(moment.agents, moment.seed, "order", moment.step)), "sequential")


@dataclass(frozen=True)
class Only:
    """Some agents alone, one after another; the others act when those have them take part.

    Attributes:
        names: in the order in which they act.
    """

    names: tuple[str, ...]

    def __post_init__(self) -> None:
        _expect_names("Only", self.names)

    def batches(self, moment: Moment) -> Iterator[Batch]:
        """Yield one sequential batch of those who are there."""
        yield Batch(tuple(name for name in self.names if name in moment.agents), "sequential")


@dataclass(frozen=True)
class Simultaneous:
    """All at once: every turn sees the state at the step's start; writes are merged by each field's rule."""

    def batches(self, moment: Moment) -> Iterator[Batch]:
        """Yield one simultaneous batch."""
        yield Batch(tuple(moment.agents), "simultaneous")


@dataclass(frozen=True)
class Staged:
    """In stages, one after the other: first the mayor, then the rest. Within a stage as ``order`` says.

    Attributes:
        stages: names of stages in the order in which they act; agents of other stages act last.

    Raises:
        WorldError: the stages are no tuple of names, or there is no such order.
    """

    stages: tuple[str, ...]
    order: Order = "sequential"

    def __post_init__(self) -> None:
        _expect_names("Staged", self.stages)
        _expect_order("Staged", self.order)

    def batches(self, moment: Moment) -> Iterator[Batch]:
        """Yield one batch for each stage that has agents."""
        places = {stage: place for place, stage in enumerate(self.stages)}
        groups: dict[int, list[str]] = {}
        for name in moment.agents:
            groups.setdefault(places.get(moment.stage_of(name), len(places)), []).append(name)
        for place in sorted(groups):
            members = seeded_order(groups[place], moment.seed, "order", moment.step)
            yield Batch(tuple(members), self.order)


@dataclass(frozen=True)
class EventDriven:
    """Only those to whom something happened: their own entity was changed by another, or their time has come.

    Attributes:
        every: each agent acts at least once in so many steps, >= 1; agents are spread over them.
    """

    every: int = 6

    def __post_init__(self) -> None:
        if not is_count(self.every) or self.every < 1:
            raise WorldError(
                f"EventDriven(every={self.every!r}): every agent needs a turn in some number of steps, 1 or more"
            )

    def batches(self, moment: Moment) -> Iterator[Batch]:
        """Yield one sequential batch of those that are due or woken."""
        order = seeded_order(moment.agents, moment.seed, "order", moment.step)
        due = [
            name for name in order if name in moment.woken or (moment.step + draw(moment.seed, name)) % self.every == 0
        ]
        if due:
            yield Batch(tuple(due), "sequential")


SCHEDULERS: dict[str, Callable[[], Scheduler]] = {
    "sequential": Sequential,
    "random": RandomOrder,
    "simultaneous": Simultaneous,
    "staged": lambda: Staged(("mayor",)),
    "events": EventDriven,
}
"""By the names that the command line takes."""
