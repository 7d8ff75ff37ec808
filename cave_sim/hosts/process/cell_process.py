"""One process for each cell: forked, sandboxed, watched, ended in time, and its proposal collected.

:class:`CellProcesses` forks and watches them in the world process; :func:`run_and_exit` is what happens in the fork.
"""

from __future__ import annotations

import gc
import os
import select
import signal
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NoReturn

import msgspec

from cave_sim.changes.turn import Limits
from cave_sim.errors import AnswerNeeded
from cave_sim.hosts.process.channel import encode
from cave_sim.hosts.process.proposal import (
    Need,
    Proposal,
    ProposalRecorder,
    ProposedStatus,
    ProposedTurn,
    Variables,
    read,
)
from cave_sim.hosts.process.proposal_check import MAX_ACTS, check_depth
from cave_sim.hosts.process.sandbox import Sandbox
from cave_sim.runtime.cell import CellCache
from cave_sim.runtime.deadline import WAITING_FACTOR
from cave_sim.runtime.memory_limit import MEMORY_LIMIT
from cave_sim.world.state import WorldState
from cave_sim.world.turn_execution import take_turn

GRACE_S = 0.1
"""How long after its deadline a cell may take to stop by itself, before its process is ended."""
SPARE_BYTES = 64 * 1024
FROM_OUTSIDE = frozenset({signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT})
"""Signals that a jailed process cannot send itself: the system's memory killer, or somebody at the machine."""
_LOOK_S = 0.25
_SOON_S = 0.005
_EXIT_S = 0.5
_CPU_CLOCK = 2  # with a process's number, the clock of its processor time: see clock_getcpuclockid of the C library
_CHUNK_BYTES = 1 << 18
BROKEN = 70
"""Exit status of a process that could not run its cell, or not say what came of it."""
NO_MEMORY = 71
"""Exit status of one that ran out of memory after its cell."""


@dataclass(frozen=True)
class CellExit:
    """What came of one process: a proposal, or how it ended without one.

    Attributes:
        proposal: what it said; None if it said nothing that counts.
        status, error: of the turn, where there is no proposal.
        reason: what an event calls it: ``deadline``, ``tripwire``, ``forged``, ``memory``, ``flood``, ``crash``,
            ``killed``.
        duration_s: wall-clock seconds from fork to end.
        ran_again: whether a process before this one was ended from outside.
        is_plain: whether it is of a :class:`~cave_sim.hosts.process.plain_process.PlainProcess`.
    """

    proposal: Proposal | None
    status: ProposedStatus = "failed"
    error: str = ""
    reason: str = ""
    duration_s: float = 0.0
    ran_again: bool = False
    is_plain: bool = False


@dataclass
class _RunningCell:
    agent: str
    code: str
    pid: int
    started: float
    data: bytearray
    waited_s: float = 0.0
    reason: str = ""


class CellProcesses:
    """Forks the processes of the cells of one world.

    Args:
        world: copied by each fork.
        sandbox: what they lock themselves into.
        cells: what compiles there; this process itself never looks at a cell.
        workers: how many run at once.
    """

    def __init__(self, world: WorldState, sandbox: Sandbox, cells: CellCache, workers: int) -> None:
        self._world, self._sandbox, self._cells, self._workers = world, sandbox, cells, workers
        self._memory = _memory_file()

    def run(self, cells: Mapping[str, str]) -> dict[str, CellExit]:
        """Run one cell for each agent, all on the present state; returns what came of each.

        What they are given by other minds, the world has.

        A cell whose process was ended from outside says nothing about its agent, so it is run once more.
        """
        waiting, exits = list(cells.items())[::-1], dict[str, CellExit]()
        running: dict[int, _RunningCell] = {}
        run_again: set[str] = set()
        while waiting or running:
            while waiting and len(running) < self._workers:
                agent, code = waiting.pop()
                pipe, cell = self._start(agent, code)
                running[pipe] = cell
            for pipe in self._watch(running):
                cell = running.pop(pipe)
                os.close(pipe)
                cell_exit = self._collect(cell)
                if cell_exit.reason == "killed" and cell.agent not in run_again:
                    run_again.add(cell.agent)
                    waiting.append((cell.agent, cell.code))
                else:
                    exits[cell.agent] = replace(cell_exit, ran_again=cell.agent in run_again)
        return exits

    def _start(self, agent: str, code: str) -> tuple[int, _RunningCell]:
        pipe, theirs = os.pipe()
        used_bytes = self.used_bytes()
        started = time.monotonic()
        pid = os.fork()
        if pid == 0:
            run_and_exit(self._world, self._sandbox, self._cells, code, agent, theirs, used_bytes)
        os.close(theirs)
        return pipe, _RunningCell(agent, code, pid, started, bytearray())

    def _watch(self, running: dict[int, _RunningCell]) -> list[int]:
        """Wait until something happens; returns the pipes of those that ended, or were ended."""
        patience_s = min(_LOOK_S, max(_SOON_S, min(map(self._left_s, running.values()))))
        began = time.monotonic()
        ready_pipes = select.select(list(running), [], [], patience_s)[0]
        waited_s = min(time.monotonic() - began, 2 * patience_s)  # if the machine stood still, nobody waited
        ended_pipes = []
        for pipe, cell in running.items():
            cell.waited_s += waited_s
            part = os.read(pipe, _CHUNK_BYTES) if pipe in ready_pipes else None
            if part:
                cell.data += part
            if len(cell.data) > self._world.limits.stored_bytes + SPARE_BYTES:
                cell.reason = "flood"
            elif part is None and self._left_s(cell) <= 0:
                cell.reason = "deadline"
            if cell.reason or part == b"":
                ended_pipes.append(pipe)
        return ended_pipes

    def _left_s(self, cell: _RunningCell) -> float:
        """Return for how long a cell may go on: by the processor time that it took, or long after by waiting."""
        limit_s = self._world.limits.deadline_s
        if limit_s <= 0:
            return float("inf")
        return min(limit_s - processor_s(cell.pid, cell.waited_s), limit_s * WAITING_FACTOR - cell.waited_s) + GRACE_S

    def _collect(self, cell: _RunningCell) -> CellExit:
        reason = cell.reason
        ending = _wait(cell.pid, 0.0 if reason else _EXIT_S)
        if ending is None:  # over its limits; or it only hung up, and must not stay
            os.kill(cell.pid, signal.SIGKILL)
            _, ending = os.waitpid(cell.pid, 0)
            reason = reason or ("crash" if os.WIFSIGNALED(ending) else "")
        took_s = time.monotonic() - cell.started
        reason = reason or _reason(ending)
        if not reason:
            try:
                check_depth(data := bytes(cell.data))
                return CellExit(read(data), duration_s=took_s)
            except ValueError:
                reason = "forged"
        return refusal(reason, self._world.limits, took_s)

    def used_bytes(self) -> int:
        """Return the address space that this process has, and a fork begins with; 0 if the system does not say."""
        if self._memory is None:
            return 0
        return int(os.pread(self._memory, 100, 0).split()[0]) * os.sysconf("SC_PAGE_SIZE")


def refusal(reason: str, limits: Limits, took_s: float) -> CellExit:
    """Return what comes of a process that made no proposal: the status, and the one line that the agent reads."""
    errors: dict[str, tuple[ProposedStatus, str]] = {
        "deadline": (
            "timeout",
            f"the cell ran longer than {limits.deadline_s:g} s of processor time and was stopped",
        ),
        "tripwire": ("blocked", "the cell reached for something outside its process, and was stopped"),
        "forged": ("blocked", "the cell's process said something that no cell says, and was stopped"),
        "memory": ("failed", f"the cell needed more than {limits.memory_bytes:,} bytes of memory; do less at once"),
        "flood": ("blocked", f"the cell wrote and keeps more than {limits.stored_bytes:,} bytes; keep less"),
        "killed": ("failed", "something outside ended the cell's process twice; the machine may lack memory"),
        "crash": ("failed", "the cell's process ended before it could say what the cell did"),
    }
    status, line = errors[reason]
    title = {"timeout": "Timeout", "blocked": "Refused by the policy", "failed": "Stopped"}[status]
    return CellExit(None, status, f"{title}: {line}", reason, took_s)


def _reason(ending: int) -> str:
    """Say how a process ended, in a word; nothing if it ended well."""
    if os.WIFSIGNALED(ending):
        number = os.WTERMSIG(ending)
        words = {int(signal.SIGSYS): "tripwire", int(signal.SIGXCPU): "deadline"}
        return words.get(number, "killed" if number in FROM_OUTSIDE else "crash")
    return {0: "", NO_MEMORY: "memory"}.get(os.WEXITSTATUS(ending), "crash")


def _wait(pid: int, within_s: float) -> int | None:
    """Return how a process ended, or None if it goes on."""
    due = time.monotonic() + within_s
    while True:
        ended, ending = os.waitpid(pid, os.WNOHANG)
        if ended:
            return ending
        if time.monotonic() >= due:
            return None
        time.sleep(_SOON_S / 10)


def processor_s(pid: int, waited_s: float) -> float:
    """Return how long a process has computed; how long it was waited for, where the system does not say."""
    if not sys.platform.startswith("linux"):
        return waited_s
    try:
        return time.clock_gettime((~pid << 3) | _CPU_CLOCK)
    except OSError:
        return waited_s


def _memory_file() -> int | None:
    """Open what tells how much memory this process has; Landlock rules may forbid it later."""
    try:
        return os.open("/proc/self/statm", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None


def run_and_exit(
    world: WorldState, sandbox: Sandbox, cells: CellCache, code: str, agent: str, pipe: int, used_bytes: int
) -> NoReturn:
    """Be the process of one cell. Never returns.

    Args:
        world: this process's own copy.
        sandbox: entered before anything of the agent runs.
        cells: compiles the cell.
        code: the cell.
        agent: who acts.
        pipe: takes the proposal.
        used_bytes: address space in use at the fork.
    """
    status = BROKEN
    try:
        gc.disable()  # so that what the fork shares stays shared
        sandbox.enter(pipe, world.limits, used_bytes)
        MEMORY_LIMIT.leave_as_it_is()
        world.interpreter.cells = cells
        data = memoryview(run(world, code, agent))
        while data:
            data = data[os.write(pipe, data) :]
        status = 0
    except MemoryError:
        status = NO_MEMORY
    finally:
        os._exit(status)


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
            {name: namespace.kept[name] for name in sorted(namespace.changed) if name in namespace.kept},
            sorted(namespace.changed - namespace.kept.keys()),
        )
        for agent, namespace in world.interpreter.namespaces.items()
        if namespace.changed
    }
