"""Running a cell and landing it: whole, or not at all."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

from cave_sim.changes.turn import Status, Turn
from cave_sim.errors import AnswerNeeded, Blocked, DeadlineReached
from cave_sim.policy.open_containers import HANDED
from cave_sim.runtime.deadline import DEADLINE, whole
from cave_sim.runtime.output import is_policy_name
from cave_sim.runtime.process_guards import PROCESS_GUARDS
from cave_sim.world.interpreter import Passing
from cave_sim.world.open_turn import OpenTurn
from cave_sim.world.state import WorldState

Act = Callable[[WorldState, str], None]
"""What happens in a turn in the place of its cell: acts in a world as an agent, and raises where the cell would."""


@whole
def take_turn(world: WorldState, code: str, agent: str, act: Act | None = None) -> Turn:
    """Run a cell as an agent and land it, or put everything back.

    An agent's mistake is data in the turn that is returned; nothing is raised for it.

    Args:
        world: where.
        code: the cell.
        agent: who acts.
        act: what is done instead of running the cell, by hosts whose cells ran elsewhere.
    """
    status: Status = "committed"
    mistake: BaseException | None = None
    turn = OpenTurn(world, agent, code)
    try:
        try:
            if act is None:
                _run_in_time(world, code, agent, turn.passing)
            else:
                act(world, agent)
            turn.land()
        except (AnswerNeeded, KeyboardInterrupt):
            raise
        except BaseException as error:  # the cell's own mistake, whatever it is, is data
            world.answers.check()
            mistake = world.interpreter.out_of_ticks() or error
            status = _status_of(mistake)
            turn.undo()
    except BaseException:
        turn.abandon()
        raise
    return turn.close(status, mistake)


def _run_in_time(world: WorldState, code: str, agent: str, passing: Callable[[], Passing]) -> None:
    """Run a cell under its deadline, and with the guards that the process has only while cells run."""
    interpreter = world.interpreter
    with PROCESS_GUARDS:
        cell = interpreter.cells.get(code)
        timed = not cell.is_brief and DEADLINE.arm(perf_counter(), world.limits.deadline_s)
        try:
            with HANDED:
                interpreter.run(cell, agent, world.undo_log.entities.get(agent), passing)
        finally:
            if timed:
                DEADLINE.disarm()


def _status_of(error: BaseException) -> Status:
    if isinstance(error, DeadlineReached):
        return "timeout"
    return "blocked" if isinstance(error, Blocked) or is_policy_name(error) else "failed"
