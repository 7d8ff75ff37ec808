"""Running a cell and landing it: whole, or not at all."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any

from cave_sim.changes.change import Change, net_changes
from cave_sim.changes.turn import Status, Turn
from cave_sim.errors import Blocked, DeadlineReached
from cave_sim.policy.permissions import Rights
from cave_sim.runtime.cell import CompiledCell
from cave_sim.runtime.deadline import DEADLINE
from cave_sim.runtime.output import explain, is_policy_name
from cave_sim.world.state import WorldState

Act = Callable[[WorldState, str], None]
"""What happens in a turn in the place of its cell: acts in a world as an agent, and raises where the cell would."""


def take_turn(world: WorldState, code: str, agent: str, act: Act | None = None) -> Turn:
    """Run a cell as an agent and land it, or put everything back.

    An agent's mistake is data in the turn that is returned; nothing is raised for it.

    Args:
        world: where.
        code: the cell.
        agent: who acts.
        act: what is done instead of running the cell, by hosts whose cells ran elsewhere.
    """
    undo_log, limits, recorder = world._undo_log, world.limits, world._recorder
    if undo_log.checkouts and undo_log.depth:
        undo_log.settle()  # what the turn around this one did to a working copy is its own to keep
    if recorder is not None:
        recorder.begin(agent, code)
    turn_id, parent = world._open_turn()
    rights = world._rights_of(agent)
    guard, undo_log.guard = undo_log.guard, rights
    actor, undo_log.actor = undo_log.actor, agent
    rights.denied = None
    shown, world._output = world._output, None
    ticking, tick = world._ticking, world._scope["_tick_"]
    mark = undo_log.mark()
    error: BaseException | None = None
    started = perf_counter()
    timed = DEADLINE.arm(started, limits.deadline_s)
    try:
        if act is None:
            run_cell(world, world._cells.get(code), agent)
        else:
            act(world, agent)
        undo_log.guard = None
        if timed:
            DEADLINE.disarm()
        changes = _land(world, mark, rights)
        status: Status = "committed"
    except KeyboardInterrupt:
        undo_log.rollback(mark)
        raise
    except BaseException as caught:  # the cell's own mistake, whatever it is, is data
        if timed:
            DEADLINE.disarm()
        error = _out_of_ticks(limits.ticks) if _ticks_spent(world) else caught
        status, changes = _status_of(error), []
        undo_log.guard = None
        undo_log.rollback(mark)
        world._forget_draws(turn_id)
    finally:
        undo_log.guard, undo_log.actor = guard, actor
        output, world._output = world._output, shown
        world._ticking, world._scope["_tick_"] = ticking, tick
        undo_log.close()
    turn = Turn(
        turn_id,
        world._system.__dict__["step"],
        agent,
        code,
        status,
        changes,
        "" if output is None else output.text(),
        None if error is None else explain(error, code),
        perf_counter() - started,
        {},
        parent,
    )
    if recorder is not None:
        recorder.end(turn)
    world._close_turn(turn)
    return turn


def _land(world: WorldState, mark: int, rights: Rights) -> list[Change]:
    """The commit door: return the net changes if nothing forbids them; raises what does."""
    undo_log = world._undo_log
    if rights.denied is not None:
        raise rights.denied
    if _ticks_spent(world):
        raise _out_of_ticks(world.limits.ticks)
    if undo_log.checkouts:
        undo_log.settle()
    changes = net_changes(undo_log, mark)
    if len(changes) > world.limits.changes:
        raise Blocked(f"{len(changes):,} changes in one turn; at most {world.limits.changes:,} may land")
    if changes and world._invariants:
        world._check_invariants(changes)
    if world._recorder is not None:
        world._recorder.flush()
    return changes


def run_cell(world: WorldState, cell: CompiledCell, agent: str) -> None:
    """Execute a cell in its agent's namespace; whatever it raises comes out."""
    namespace = world._namespace(agent)
    scope = world._scope
    globals_ = namespace.globals
    globals_["me"] = world._undo_log.entities.get(agent)
    if world._shared and not world._shared.keys().isdisjoint(cell.names):
        for name in world._shared.keys() & cell.names:
            scope[name] = world._shared[name].value
    if world._scope["_tick_"] != world._ticking.__next__:  # a turn inside another draws on the same ticks
        world._start_ticks()
    if cell.definitions:
        namespace.sources.update(cell.definitions)
    if cell.awaits:
        drive(eval(cell.code, globals_))
    else:
        exec(cell.code, globals_)


def drive(coroutine: Any) -> None:
    """Run a cell that awaits to its end. What it may await in a world are other agents' turns, which run at once."""
    try:
        coroutine.send(None)
    except StopIteration:
        return
    finally:
        coroutine.close()
    raise RuntimeError("the cell awaits something that is not another agent's turn")


def _out_of_ticks(ticks: int) -> DeadlineReached:
    return DeadlineReached(
        f"the cell took more than {ticks:,} loop steps and calls, and was stopped; do less in one turn"
    )


def _ticks_spent(world: WorldState) -> bool:
    return world._ticking.__length_hint__() == 0


def _status_of(error: BaseException) -> Status:
    if isinstance(error, DeadlineReached):
        return "timeout"
    return "blocked" if isinstance(error, Blocked) or is_policy_name(error) else "failed"
