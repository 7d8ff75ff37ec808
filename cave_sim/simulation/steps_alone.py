"""Steps in which a world is alone: nobody acts, nobody looks on, and what it does by itself is all that happens.

Such a step may take less than what is written of it. So the world takes as many as end within a moment, and they are
closed one after another: first one piece of code is run often, then the other, which a processor does in half the time.
What is kept of each is what :meth:`~cave_sim.Simulation.step` keeps of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from math import inf
from time import monotonic
from typing import Any, NamedTuple

from cave_sim.changes.state_hash import LookedAt
from cave_sim.changes.turn import Turn
from cave_sim.journal.whole_commits import interrupt_waits, interrupts_held
from cave_sim.journal.writer import Journal
from cave_sim.simulation.ended_step import EndedStep
from cave_sim.simulation.mesa_compat import CollectorOfMeasures
from cave_sim.simulation.observers import Observer, tell
from cave_sim.simulation.run_state import own_data
from cave_sim.simulation.treatment import Treatment
from cave_sim.world.effects import effects_of


@dataclass(frozen=True)
class Alone:
    """What is known of a simulation whose world may be left alone.

    Attributes:
        holds: says whether the world's own dynamics and measures are those that this is known of.
        stretch: a context of all steps of a stretch; it may nest.
        context: in which it is left alone: nothing is written there but by the world itself.
        is_over: says whether it has come to its end.
    """

    holds: Callable[[], bool]
    stretch: Callable[[], AbstractContextManager[None]]
    context: Callable[[], AbstractContextManager[None]]
    is_over: Callable[[], bool]


class _TakenStep(NamedTuple):
    """A step that was taken and not closed yet.

    Attributes:
        turn: what the world did in it.
        told: what its state hash is made of.
        ended: what was taken of it beside.
    """

    turn: Turn
    told: LookedAt
    ended: EndedStep


def _alone_until(simulation: Any, end: int) -> int:
    """Return the step, no later than one, up to which a world is alone: nothing is planned before, nobody looks on."""
    now: int = simulation.world.clock.step
    if now >= end or not _is_alone(simulation):  # a sharded one has no treatment, and is never alone
        return now
    treatment: Treatment = simulation.treatment
    return treatment.quiet_until(simulation.world, end)


def _is_alone(simulation: Any) -> bool:
    """Say whether its world's own dynamics, and what is planned, is all that can happen, and nobody looks on."""
    alone, world = simulation.alone, simulation.world
    return (
        alone is not None
        and simulation.control is None
        and simulation.closed_run is None
        and not any(_looks_on(observer) for observer in simulation.observers)
        and not simulation.by_name
        and not simulation.roster.has_factories
        and world.host is None
        and not world.system.events
        and not effects_of(world).pending
        and isinstance(simulation.datacollector, CollectorOfMeasures)
        and not simulation.datacollector.reads_world
        and alone.holds()
    )


def _looks_on(observer: Observer) -> bool:
    """Say whether an observer looks on; a class of one's own does unless it says itself that it does not."""
    return bool(vars(type(observer)).get("looks_on", True))


def take_alone(simulation: Any, end: int) -> None:
    """Take steps for as long as the world is alone, up to one of its clock; what is left is to be taken as ever."""
    if _goes_on(simulation, _alone_until(simulation, end)):
        with simulation.alone.stretch():
            while take_moment_alone(simulation, end):
                pass


def take_moment_alone(simulation: Any, end: int) -> bool:
    """Take the steps that end within a moment, if the world is alone; says whether it is, and took one at least."""
    until = _alone_until(simulation, end)
    if not _goes_on(simulation, until):
        return False
    with simulation.alone.stretch(), interrupts_held():
        _take_and_close(simulation, until)
    return True


def _goes_on(simulation: Any, end: int) -> bool:
    return simulation.world.clock.step < end and simulation.running and not simulation.over


def _take_and_close(simulation: Any, end: int) -> None:
    """Take the steps that end within a moment, and close those that were taken, whatever ends it."""
    world = simulation.world
    turns: list[Turn] = []
    taken: list[_TakenStep] = []
    changes, until_s, failed = 0, monotonic() + simulation.commit_within_s, True
    world.turns.record_script_writes()  # what was written before is a turn of its own, and told as ever
    try:
        with simulation.alone.context(), world.turns.told_to(turns.append):
            while True:
                turn = world.advance()
                changes += len(turn.changes)
                ended = EndedStep.of(simulation, changes)
                taken.append(_TakenStep(turn, world.turns.state_hash.look(world.undo_log.entities), ended))
                if simulation.alone.is_over():
                    simulation.over = True
                if not _goes_on(simulation, end) or monotonic() >= until_s or interrupt_waits():
                    break
        failed = False
    finally:
        state_hashes = [world.turns.state_hash.add(each.told) for each in taken]
        with nullcontext() if simulation.journal is None else _written_or_dropped(simulation.journal):
            if turns:
                _close(simulation, taken, state_hashes)
                for turn in turns[len(taken) :]:  # of a step that could not be measured
                    world.turns.tell(turn)
                simulation.run_journal.check(world, turns[0].step)
        if failed:
            simulation.count_step()  # as a step that fails is counted
        if taken:
            tell(simulation, "on_step")


@contextmanager
def _written_or_dropped(journal: Journal) -> Iterator[None]:
    """Have all steps that are committed here be written, or none: the world is past them already."""
    with journal.several_at_once(inf):
        try:
            yield
        except BaseException:
            journal.drop_waiting()
            raise


def _close(simulation: Any, taken: Sequence[_TakenStep], state_hashes: Sequence[str]) -> None:
    """Do what ends a step for each that was taken; who does not look on is told of their turns, and of the last one."""
    run_journal = simulation.run_journal
    hears = any(type(observer).on_turn is not Observer.on_turn for observer in simulation.observers)
    run_journal.keep(simulation.world, simulation.by_name, own_data(simulation))
    for (turn, _, ended), state_hash in zip(taken, state_hashes, strict=True):
        simulation.count_step()
        run_journal.add(turn)
        if hears:
            tell(simulation, "on_turn", turn)
        ended.close(simulation, state_hash)
    simulation.roster.woken.clear()
    if taken:
        simulation.state_hash = state_hashes[-1]
        simulation.roster.hear(taken[-1].turn)
