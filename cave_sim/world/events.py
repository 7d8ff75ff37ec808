"""What happens by itself: scheduled events, and the dynamics of a step."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from cave_sim.changes.change import Change
from cave_sim.changes.net_changes import net_changes
from cave_sim.changes.turn import Turn
from cave_sim.diagnostics.number_checks import is_number
from cave_sim.errors import WorldError
from cave_sim.world.state import WorldState

WORLD_AGENT = "world"
"""The name under which dynamics and events act."""


def schedule(world: WorldState, entity: str, method: str, after_s: float, args: Mapping[str, Any]) -> int:
    """Queue a call of an entity's method; raises WorldError if there is no such entity or method, or time."""
    if not isinstance(method, str) or not callable(getattr(type(world[entity]), method, None)):
        raise WorldError(f"schedule_event: {type(world[entity]).__name__} {entity!r} has no method {method!r}")
    if not isinstance(args, Mapping):
        raise WorldError(f"schedule_event: args={args!r}: takes the method's arguments by name, as {{'litres': 3}}")
    if not is_number(after_s):
        raise WorldError(f"schedule_event: after_s={after_s!r}: takes seconds of world time from now")
    if after_s < 0:
        raise WorldError(f"schedule_event: after_s={after_s} lies in the past")
    system = world.system
    number = system.next_event
    system.next_event = number + 1
    due_s = world.clock.time_s + after_s
    system.events[str(number)] = {"due_s": due_s, "entity": entity, "method": method, "args": dict(args)}
    return number


def advance(world: WorldState) -> Turn:
    """Move the clock by one step, run what is due in the order of its time, then the dynamics.

    An error in there is the programmer's: the step is rolled back and the error raised.
    """
    if world.turns.nesting:
        raise WorldError("advance() within a turn, or within a step: the clock moves when that has ended")
    turn_id, parent = world.turns.begin()
    started_s = time.perf_counter()
    try:
        changes = _take_step(world)
    except BaseException:
        world.turns.abandon()
        raise
    duration_s = time.perf_counter() - started_s
    step = world.clock.step
    turn = Turn(turn_id, step, WORLD_AGENT, "", "committed", changes, "", None, duration_s, {}, parent, "world")
    world.turns.end(turn)
    return turn


def _take_step(world: WorldState) -> list[Change]:
    """Do all that happens in a step and return its net changes; an error takes everything back."""
    undo_log = world.undo_log
    mark = undo_log.mark()
    try:
        with undo_log.as_world():
            world.randomness.begin_step()
            world.system.step += 1
            _run_due_events(world)
            for dynamics in world.rules.dynamics:
                dynamics(world)
            undo_log.settle()
            changes = net_changes(undo_log, mark)
            world.rules.check(world, changes)
    except BaseException:
        undo_log.rollback(mark)
        raise
    finally:
        undo_log.close()
    return changes


def _run_due_events(world: WorldState) -> None:
    """Run events until none is due; one may schedule another for now."""
    events = world.system.events
    if not events:
        return
    now_s = world.clock.time_s
    while True:
        due = [(event["due_s"], int(number)) for number, event in events.items() if event["due_s"] <= now_s]
        if not due:
            return
        for _, number in sorted(due):
            event = events.pop(str(number))
            target = world.undo_log.entities.get(event["entity"])
            if target is not None:  # it may have left since
                getattr(target, event["method"])(**event["args"])
