"""A cell under way in a sandboxed process: watched, ended in time, and what came of it."""

from __future__ import annotations

import os
import select
import signal
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from cave_sim.changes.turn import Limits
from cave_sim.hosts.process.following_process import NO_MEMORY, FollowingProcess
from cave_sim.hosts.process.proposal import Proposal, ProposedStatus, read
from cave_sim.hosts.process.proposal_check import check_depth
from cave_sim.runtime.deadline import WAITING_FACTOR

GRACE_S = 0.1
"""How long after its deadline a cell may take to stop by itself, before its process is ended."""
SPARE_BYTES = 64 * 1024
CATCH_UP_S = 60.0
"""How long a process may take to follow what landed, before it is ended."""
FROM_OUTSIDE = frozenset({signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT})
"""Signals that a jailed process cannot send itself: the system's memory killer, or somebody at the machine."""
_LOOK_S = 0.25
_SOON_S = 0.005
_EXIT_S = 0.5
_BUSY_S = 1.0
"""Who waits longer than this may have been kept from the processor by others, which is asked only then."""
_CPU_CLOCK = 2  # with a process's number, the clock of its processor time: see clock_getcpuclockid of the C library


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
        forked_ahead: whether it is of a process that was forked before the turn, and followed what landed: what trusted
            code keeps outside of the world is not followed.
    """

    proposal: Proposal | None
    status: ProposedStatus = "failed"
    error: str = ""
    reason: str = ""
    duration_s: float = 0.0
    ran_again: bool = False
    forked_ahead: bool = False


@dataclass
class RunningCell:
    """One cell, and the process that runs it.

    Attributes:
        agent: who acts.
        code: the cell.
        follower: the process.
        limits: of the turn.
        forked_ahead: whether the process was there before the turn.
        started: when its process was told to run it, by the monotonic clock.
        reason: why it is to be ended, in a word.
    """

    agent: str
    code: str
    follower: FollowingProcess
    limits: Limits
    forked_ahead: bool = False
    started: float = field(default_factory=time.monotonic)
    reason: str = ""
    _waited_s: float = 0.0
    _begun_s: float = 0.0

    @property
    def left_s(self) -> float:
        """For how long it may go on: by the processor time that it took, or long after by waiting for anything else."""
        limit_s, waited_s = self.limits.deadline_s, self._waited_s
        if waited_s > _BUSY_S:
            waited_s -= queued_s(self.follower.pid)
        if not self.follower.is_caught_up:
            return CATCH_UP_S - waited_s
        if limit_s <= 0:
            return float("inf")
        computed_s = processor_s(self.follower.pid, self._waited_s) - self._begun_s
        return min(limit_s - computed_s, limit_s * WAITING_FACTOR - waited_s) + GRACE_S

    def look(self, waited_s: float, *, is_ready: bool) -> bool:
        """Take in what it said while it was waited for; returns whether there is no more to wait for."""
        was_caught_up, is_there = self.follower.is_caught_up, True
        self._waited_s += waited_s
        if is_ready:
            is_there = self._listen()
        if self.follower.is_caught_up and not was_caught_up:
            self._waited_s, self._begun_s = 0.0, processor_s(self.follower.pid, 0.0)
        if len(self.follower.received) > self.limits.stored_bytes + SPARE_BYTES:
            self.reason = "flood"
        elif not is_ready and self.left_s <= 0:
            self.reason = "deadline" if self.follower.is_caught_up else "killed"
        return bool(self.reason) or not is_there or self.follower.proposal is not None

    def _listen(self) -> bool:
        try:
            return self.follower.listen()
        except OSError:
            return False

    def exit(self) -> CellExit:
        """Return what came of it. A process that hung up without a proposal is waited for, to know why."""
        took_s = time.monotonic() - self.started
        data, reason = self.follower.proposal, self.reason
        if data is None:
            reason = reason or self._reason_of_end()
        if not reason:
            try:
                check_depth(data or b"")
                return CellExit(read(data or b""), duration_s=took_s, forked_ahead=self.forked_ahead)
            except ValueError:
                reason = "forged"
        return refusal(reason, self.limits, took_s)

    def _reason_of_end(self) -> str:
        """Say in a word why its process hung up without a proposal; nothing if it ended well."""
        if self.follower.wait(_EXIT_S) is None:
            return "crash"  # it only hung up, and must not stay
        status = self.follower.ending or 0
        if os.WIFSIGNALED(status):
            number = os.WTERMSIG(status)
            words = {int(signal.SIGSYS): "tripwire", int(signal.SIGXCPU): "deadline"}
            return words.get(number, "killed" if number in FROM_OUTSIDE else "crash")
        return {0: "", NO_MEMORY: "memory"}.get(os.WEXITSTATUS(status), "crash")


def watch(cells: Iterable[RunningCell]) -> list[RunningCell]:
    """Wait until something happens; returns the cells that there is no more to wait for."""
    cells = list(cells)
    patience_s = min(_LOOK_S, max(_SOON_S, min(cell.left_s for cell in cells)))
    began = time.monotonic()
    ready = select.select([cell.follower.sock for cell in cells], [], [], patience_s)[0]
    waited_s = min(time.monotonic() - began, 2 * patience_s)  # if the machine stood still, nobody waited
    return [cell for cell in cells if cell.look(waited_s, is_ready=cell.follower.sock in ready)]


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


def processor_s(pid: int, waited_s: float) -> float:
    """Return how long a process has computed; how long it was waited for, where the system does not say."""
    if not sys.platform.startswith("linux"):
        return waited_s
    try:
        return time.clock_gettime((~pid << 3) | _CPU_CLOCK)
    except OSError:
        return waited_s


def queued_s(pid: int) -> float:
    """Return how long a process could have computed and others had the processor; 0 where the system does not say."""
    try:
        return int(Path(f"/proc/{pid}/schedstat").read_bytes().split()[1]) / 1e9
    except (OSError, IndexError, ValueError):
        return 0.0
