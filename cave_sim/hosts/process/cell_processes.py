"""Running cells in children: forked, watched, ended in time, and their last words collected."""

from __future__ import annotations

import os
import select
import signal
import time
from collections.abc import Mapping
from dataclasses import dataclass

from cave_sim.hosts.process import cell_process
from cave_sim.hosts.process.proposal import Proposal, ProposedStatus, read
from cave_sim.hosts.process.sandbox import Sandbox
from cave_sim.runtime.cell import CellCache
from cave_sim.world.state import WorldState

GRACE_S = 0.1
"""How long after its deadline a cell may take to stop by itself, before its process is ended."""
SPARE_BYTES = 64 * 1024
_CHUNK_BYTES = 1 << 18


@dataclass(frozen=True)
class CellExit:
    """What came of one child: a proposal, or how it ended without one.

    Attributes:
        proposal: what it said; None if it said nothing that counts.
        status, error: of the turn, where there is no proposal.
        reason: what an event calls it: ``deadline``, ``tripwire``, ``forged``, ``memory``, ``flood``, ``crash``.
        duration_s: wall-clock seconds from fork to end.
    """

    proposal: Proposal | None
    status: ProposedStatus = "failed"
    error: str = ""
    reason: str = ""
    duration_s: float = 0.0


@dataclass
class _Running:
    agent: str
    pid: int
    started: float
    due: float
    data: bytearray
    reason: str = ""


class CellProcesses:
    """Forks the children of one world.

    Args:
        world: copied by each fork.
        jail: what they lock themselves into.
        cells: what compiles there; this process itself never looks at a cell.
        workers: how many run at once.
    """

    def __init__(self, world: WorldState, jail: Sandbox, cells: CellCache, workers: int) -> None:
        self._world, self._jail, self._cells, self._workers = world, jail, cells, workers
        self._memory = _memory_file()

    def run(self, cells: Mapping[str, str]) -> dict[str, CellExit]:
        """Run one cell for each agent, all on the present state; returns their reports."""
        waiting, reports = list(cells.items())[::-1], {}
        running: dict[int, _Running] = {}
        while waiting or running:
            while waiting and len(running) < self._workers:
                agent, code = waiting.pop()
                pipe, each = self._start(agent, code)
                running[pipe] = each
            for pipe in self._watch(running):
                each = running.pop(pipe)
                os.close(pipe)
                reports[each.agent] = self._collect(each)
        return reports

    def _start(self, agent: str, code: str) -> tuple[int, _Running]:
        pipe, theirs = os.pipe()
        used_bytes = self._used_bytes()
        started, limit_s = time.monotonic(), self._world.limits.deadline_s
        pid = os.fork()
        if pid == 0:
            cell_process.live(self._world, self._jail, self._cells, code, agent, theirs, used_bytes)
        os.close(theirs)
        due = started + limit_s + GRACE_S if limit_s > 0 else float("inf")
        return pipe, _Running(agent, pid, started, due, bytearray())

    def _watch(self, running: dict[int, _Running]) -> list[int]:
        """Wait until something happens; returns the pipes of those that ended, or were ended."""
        wait_s = min(each.due for each in running.values()) - time.monotonic()
        ready = select.select(list(running), [], [], None if wait_s == float("inf") else max(0.0, wait_s))[0]
        ended = []
        for pipe, each in running.items():
            part = os.read(pipe, _CHUNK_BYTES) if pipe in ready else None
            if part:
                each.data += part
            if len(each.data) > self._world.limits.stored_bytes + SPARE_BYTES:
                each.reason = "flood"
            elif part is None and time.monotonic() >= each.due:
                each.reason = "deadline"
            if each.reason or part == b"":
                ended.append(pipe)
        return ended

    def _collect(self, each: _Running) -> CellExit:
        os.kill(each.pid, signal.SIGKILL)  # one that is ending ends as it would; one that only hung up must not stay
        _, ending = os.waitpid(each.pid, 0)
        took_s = time.monotonic() - each.started
        reason = each.reason or _reason(ending)
        if not reason:
            try:
                return CellExit(read(bytes(each.data)), duration_s=took_s)
            except ValueError:
                reason = "forged"
        status, error = self._told(reason)
        return CellExit(None, status, error, reason, took_s)

    def _told(self, reason: str) -> tuple[ProposedStatus, str]:
        """Return the status, and the one line that the agent reads."""
        limits = self._world.limits
        told: dict[str, tuple[ProposedStatus, str]] = {
            "deadline": ("timeout", f"the cell ran longer than {limits.deadline_s:g} s of real time and was stopped"),
            "tripwire": ("blocked", "the cell reached for something outside its process, and was stopped"),
            "forged": ("blocked", "the cell's process said something that no cell says, and was stopped"),
            "memory": ("failed", f"the cell needed more than {limits.memory_bytes:,} bytes of memory; do less at once"),
            "flood": ("blocked", f"the cell wrote and keeps more than {limits.stored_bytes:,} bytes; keep less"),
            "crash": ("failed", "the cell's process ended before it could say what the cell did"),
        }
        status, line = told[reason]
        title = {"timeout": "Timeout", "blocked": "Refused by the policy", "failed": "Stopped"}[status]
        return status, f"{title}: {line}"

    def _used_bytes(self) -> int:
        if self._memory is None:
            return 0
        return int(os.pread(self._memory, 100, 0).split()[0]) * os.sysconf("SC_PAGE_SIZE")


def _reason(ending: int) -> str:
    """Say how a process ended, in a word; nothing if it ended well."""
    if os.WIFSIGNALED(ending):
        number = os.WTERMSIG(ending)
        words = {int(signal.SIGSYS): "tripwire", int(signal.SIGKILL): "memory", int(signal.SIGXCPU): "deadline"}
        return words.get(number, "crash")
    return {0: "", cell_process.NO_MEMORY: "memory"}.get(os.WEXITSTATUS(ending), "crash")


def _memory_file() -> int | None:
    """Open what tells how much memory this process has; a fence may close that door later."""
    try:
        return os.open("/proc/self/statm", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
