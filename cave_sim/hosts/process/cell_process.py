"""A process for each cell: forked ahead, sandboxed, told which cell to run, and ended when it has proposed.

:class:`CellProcesses` has them in the world process; :func:`run` is what happens in one. One that dies costs its agent
the turn, and the world nothing: what it wrote was its copy's. If it was ended from outside, its cell is run once more.
"""

from __future__ import annotations

import gc
import os
from collections import deque
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, NoReturn

import msgspec

from cave_sim.changes.change import Change
from cave_sim.errors import AnswerNeeded
from cave_sim.hosts.process.channel import encode
from cave_sim.hosts.process.following_process import CellRequest, FollowingProcess, catch_up, serve
from cave_sim.hosts.process.proposal import Need, Proposal, ProposalRecorder, ProposedTurn, Variables
from cave_sim.hosts.process.proposal_check import MAX_ACTS, MAX_NAMES
from cave_sim.hosts.process.running_cell import CellExit, RunningCell, watch
from cave_sim.hosts.process.sandbox import Sandbox
from cave_sim.runtime.cell import CellCache
from cave_sim.runtime.memory_limit import MEMORY_LIMIT
from cave_sim.world.state import WorldState
from cave_sim.world.turn_execution import take_turn

MAX_BEHIND = 250
"""How many changes a process may have to follow; forking another takes no longer than that."""
MAX_AT_ONCE = 8
"""How many are forked in one go: each fork makes the next write to any page cost a copy, here as there, and a second
one right after it makes nothing dearer. Each that waits has some 5 MB of its own."""
NAME = "cell"
REHEARSAL = "len([place for place in (me, 1) if place])\n"
"""Run by a process that waits, so that what a turn takes is at hand when its cell comes."""
NOBODY = "\0"
"""Who runs it; no agent is called so, and no cell finds that there was one."""


class CellProcesses:
    """The processes of the cells of one world: each runs one cell, and ends.

    Args:
        world: copied by each fork.
        sandbox: what they lock themselves into.
        cells: what compiles there; this process itself never looks at a cell.
        workers: how many run at once.
    """

    def __init__(self, world: WorldState, sandbox: Sandbox, cells: CellCache, workers: int) -> None:
        self._world, self._sandbox, self._cells, self._workers = world, sandbox, cells, workers
        self._memory = _memory_file()
        self._is_distrusted = False
        self._at_once = self._forked = 1
        self._ready: deque[FollowingProcess] = deque()
        self._ending: list[FollowingProcess] = []

    def run(self, cells: Mapping[str, str]) -> dict[str, CellExit]:
        """Run one cell for each agent, all on the present state; returns what came of each.

        What they are given by other minds, the world has.

        A cell whose process was ended from outside says nothing about its agent, so it is run once more.
        """
        waiting, exits = list(cells.items())[::-1], dict[str, CellExit]()
        running: list[RunningCell] = []
        run_again: set[str] = set()
        while waiting or running:
            while waiting and len(running) < self._workers:
                agent, code = waiting.pop()
                running.append(self._start(agent, code, len(waiting)))
            for cell in watch(running):
                running.remove(cell)
                cell_exit = cell.exit()
                self._end(cell.follower)
                if cell_exit.reason == "killed" and cell.agent not in run_again:
                    run_again.add(cell.agent)
                    waiting.append((cell.agent, cell.code))
                else:
                    exits[cell.agent] = replace(cell_exit, ran_again=cell.agent in run_again)
        return exits

    @property
    def is_ready(self) -> bool:
        """Whether a process waits for the next cell, or none is to."""
        return self._is_distrusted or bool(self._ready)

    def fork_ahead(self) -> None:
        """Fork those that wait for the next cells."""
        self._fork_more(self._at_once, is_ahead=True)

    def follow(self, changes: Sequence[Change]) -> None:
        """Note what landed, so that those that wait catch up with it before they run a cell."""
        for follower in self._ready:
            follower.follow(changes)
        if self._ready and self._ready[0].behind > MAX_BEHIND:
            used = self._forked - len(self._ready)
            self.end()
            self._at_once = max(1, used)

    def give(self, agent: str, bound: Mapping[str, Any], gone: Collection[str]) -> None:
        """Note what became of an agent's variables, likewise."""
        for follower in self._ready:
            follower.give(agent, bound, gone)

    def distrust(self) -> None:
        """Fork none ahead: trusted code came to something else in one than where it was called again."""
        self._is_distrusted = True
        self.end()

    def end(self) -> None:
        """End those that wait; the next cell has another forked, from the state as it is then."""
        for follower in self._ready:
            self._end(follower)
        self._ready.clear()
        self._at_once = 1

    def _start(self, agent: str, code: str, more: int) -> RunningCell:
        """Have a process run a cell; where one must be forked, those for ``more`` cells are forked with it."""
        while self._ready:
            follower = self._ready.popleft()
            try:
                follower.request(self._world, code, agent)
            except OSError:  # something has ended it while it waited
                self._end(follower)
            else:
                return RunningCell(agent, code, follower, self._world.limits, forked_ahead=True)
        follower = self._fork(is_ahead=False)
        if not self._is_distrusted:
            with suppress(OSError):  # no room for more now: each is forked when its turn comes, or that fails
                self._fork_more(max(more, self._at_once - 1), is_ahead=not more)
        with suppress(OSError):  # whoever watches it sees that it is gone
            follower.request(self._world, code, agent)
        return RunningCell(agent, code, follower, self._world.limits)

    def _fork_more(self, count: int, *, is_ahead: bool) -> None:
        """Fork some that wait: each time twice as many, as long as none of them is left over."""
        for _ in range(min(count, MAX_AT_ONCE)):
            self._ready.append(self._fork(is_ahead=is_ahead))
        if self._ready:
            self._forked, self._at_once = len(self._ready), min(2 * self._at_once, MAX_AT_ONCE)

    def _fork(self, *, is_ahead: bool) -> FollowingProcess:
        self._ending = [follower for follower in self._ending if follower.wait(0.0) is None]
        used_bytes = self.used_bytes()
        return FollowingProcess.fork(self._world, lambda sock: self._be(sock, used_bytes, is_ahead))

    def _be(self, sock: int, used_bytes: int, is_ahead: bool) -> NoReturn:
        world = self._world
        gc.disable()  # so that what the fork shares stays shared
        world.interpreter.cells = self._cells
        if is_ahead:
            rehearse(world)

        def propose(request: CellRequest) -> bytes:
            return run(world, request.code, request.agent)

        serve(sock, world, self._sandbox, used_bytes, propose, name=NAME, is_kept=False)

    def _end(self, follower: FollowingProcess) -> None:
        follower.end()
        self._ending.append(follower)

    def used_bytes(self) -> int:
        """Return the address space that this process has, and a fork begins with; 0 if the system does not say."""
        if self._memory is None:
            return 0
        return int(os.pread(self._memory, 100, 0).split()[0]) * os.sysconf("SC_PAGE_SIZE")


def _memory_file() -> int | None:
    """Open what tells how much memory this process has; Landlock rules may forbid it later."""
    try:
        return os.open("/proc/self/statm", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None


def run(world: WorldState, code: str, agent: str) -> bytes:
    """Run a cell in this process's copy of the world; returns the proposal."""
    world.sink = None
    for namespace in world.interpreter.namespaces.values():
        namespace.changed.clear()
    recorder = world.recorder = ProposalRecorder(world)
    try:
        turn = take_turn(world, code, agent)
    except AnswerNeeded as needed:
        return _need(world, needed.needs[agent], code, agent)
    assert recorder.turn is not None
    claimed = turn.changes if recorder.called and turn.committed else None
    proposal = Proposal(recorder.turn, claimed, _variables(world))
    names = max((len(news.bound) + len(news.gone) for news in proposal.variables.values()), default=0)
    if names > MAX_NAMES:
        return _too_much(recorder.turn, f"the cell bound {names:,} variables of one agent", MAX_NAMES)
    data = encode(proposal)
    if recorder.act_count > MAX_ACTS:
        return _too_much(
            recorder.turn, f"the cell called methods and wrote {recorder.act_count:,} times in turn", MAX_ACTS
        )
    if len(data) > world.limits.stored_bytes:
        return _too_much(
            recorder.turn, f"what the cell wrote and keeps is {len(data):,} bytes", world.limits.stored_bytes
        )
    return data


def rehearse(world: WorldState) -> None:
    """Have this process be asked for a cell and answer, and put the world back.

    What a turn writes to is this process's own from then on, and was copied while nobody waited.
    """
    MEMORY_LIMIT.leave_as_it_is()
    request = CellRequest(REHEARSAL, NOBODY, world.turns.last_id, None, [], [], {}, False)
    asked = msgspec.json.decode(encode(request), type=CellRequest)
    mark = world.undo_log.mark()
    try:
        catch_up(world, asked, world.randomness.draws)
        run(world, asked.code, asked.agent)
    finally:
        world.recorder = None
        world.undo_log.rollback(mark)
        world.undo_log.close()
        world.randomness.forget(asked.taken + 1)
        world.interpreter.namespaces.pop(NOBODY, None)


def _need(world: WorldState, need: dict[str, Any], code: str, agent: str) -> bytes:
    """Return the proposal of a cell that cannot go on before another mind has answered."""
    act = ProposedTurn(agent, code.encode(errors="replace").decode())
    data = encode(Proposal(act, None, {}, msgspec.convert(need, Need)))
    if len(data) > world.limits.stored_bytes:
        return _too_much(act, f"what the cell asks is {len(data):,} bytes", world.limits.stored_bytes)
    return data


def _too_much(act: ProposedTurn, what: str, most: int) -> bytes:
    """Return the proposal of a turn of which nothing is kept."""
    act.status, act.acts = "blocked", []
    act.error = f"Blocked: {what}; at most {most:,}"
    return encode(Proposal(act, None, {}))


def _variables(world: WorldState) -> dict[str, Variables]:
    """Return what became of the variables of every agent that a cell ran for."""
    return {
        agent: Variables(
            {name: namespace.data[name] for name in sorted(namespace.changed) if name in namespace.data},
            sorted(namespace.changed - namespace.data.keys()),
        )
        for agent, namespace in world.interpreter.namespaces.items()
        if namespace.changed
    }
