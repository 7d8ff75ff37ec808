"""What happens by itself: scheduled events, and the dynamics of a step."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from cave_sim.changes.change import net_changes
from cave_sim.changes.turn import Turn
from cave_sim.errors import WorldError
from cave_sim.world.state import WorldState

WORLD_AGENT = "world"
"""The name under which dynamics and events act."""


def schedule(world: WorldState, entity: str, method: str, after_s: float, args: Mapping[str, Any]) -> int:
    """Queue a call of an entity's method; raises WorldError if there is no such entity or method."""
    if not callable(getattr(type(world[entity]), method, None)):
        raise WorldError(f"schedule_event: {type(world[entity]).__name__} {entity!r} has no method {method!r}")
    if after_s < 0:
        raise WorldError(f"schedule_event: after_s={after_s} lies in the past")
    system = world._system
    number = system.next_event
    system.next_event = number + 1
    due_s = world.clock.time_s + after_s
    system.events[str(number)] = {"due_s": due_s, "entity": entity, "method": method, "args": dict(args)}
    return number


def advance(world: WorldState) -> Turn:
    """Move the clock by one step, run what is due in the order of its time, then the dynamics.

    An error in there is the programmer's: the step is rolled back and the error raised.
    """
    undo_log = world._undo_log
    turn_id, parent = world._open_turn()
    guard, undo_log.guard = undo_log.guard, None
    mark = undo_log.mark()
    started = time.perf_counter()
    try:
        world._new_draws()
        world._system.step += 1
        _run_due(world)
        for dynamics in world._dynamics:
            dynamics(world)
        undo_log.settle()
        changes = net_changes(undo_log, mark)
        world._check_invariants(changes)
    except BaseException:
        undo_log.rollback(mark)
        world._open.pop()
        raise
    finally:
        undo_log.close()
        undo_log.guard = guard
    step = world.clock.step
    turn = Turn(
        turn_id,
        step,
        WORLD_AGENT,
        "",
        "committed",
        changes,
        "",
        None,
        time.perf_counter() - started,
        {},
        parent,
        "world",
    )
    world._close_turn(turn)
    return turn


def _run_due(world: WorldState) -> None:
    """Run events until none is due; one may schedule another for now."""
    events = world._system.events
    now_s = world.clock.time_s
    while True:
        due = [(event["due_s"], int(number)) for number, event in events.items() if event["due_s"] <= now_s]
        if not due:
            return
        for _, number in sorted(due):
            event = events.pop(str(number))
            target = world._undo_log.entities.get(event["entity"])
            if target is not None:  # it may have left since
                getattr(target, event["method"])(**event["args"])
