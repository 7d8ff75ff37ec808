"""A sandboxed process that stands where the canonical state stands, and runs a cell when it is told to.

It is forked and locked in before there is a cell to run, so that none has to wait for that. What lands meanwhile it is
told with the cell, and follows. :class:`FollowingProcess` is what the world process holds of it; :func:`serve` is what
happens in the fork.
"""

from __future__ import annotations

import os
import signal
import socket
import struct
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, NoReturn

import msgspec

from cave_sim.changes.change import Change
from cave_sim.hosts.process.channel import encode
from cave_sim.hosts.process.sandbox import Sandbox, name_process
from cave_sim.runtime.memory_limit import MEMORY_LIMIT
from cave_sim.world.apply_changes import mirror_changes
from cave_sim.world.state import WorldState

BROKEN = 70
"""Exit status of a process that could not run its cell, or not say what came of it."""
NO_MEMORY = 71
"""Exit status of one that ran out of memory after its cell."""
CAUGHT_UP = b"."
"""What it says when it stands where the world stands: from then on its cell's time counts."""
_SIZE = struct.Struct("!Q")
_CHUNK_BYTES = 1 << 18
_SOON_S = 0.0005


@dataclass
class CellRequest:
    """One cell to be run, and what is to be known first.

    Attributes:
        code: the cell.
        agent: who acts.
        taken: the number of the last turn.
        draws: how often the random streams were drawn from; None if that is as it was.
        landed: changes since the process was forked, or was last told.
        given: variables that agents got or lost since, each time those ``bound`` and the names that are ``gone``.
        answers, is_open: what cells are answered by other minds; see :class:`~cave_sim.world.answers.Answers`.
    """

    code: str
    agent: str
    taken: int
    draws: dict[str, int] | None
    landed: list[Change]
    given: list[dict[str, Any]]
    answers: dict[str, list[Any]]
    is_open: bool


@dataclass
class FollowingProcess:
    """What the world process holds of one.

    Attributes:
        pid: of the process.
        sock: the connection to it.
        received: what came of it since its last request.
        ending: how it ended, as the system says it; None as long as nobody has waited for that.
    """

    pid: int
    sock: int
    received: bytearray = field(default_factory=bytearray)
    ending: int | None = None
    _draws: dict[str, int] = field(default_factory=dict)
    _landed: list[Change] = field(default_factory=list)
    _given: dict[str, dict[str, Any]] = field(default_factory=dict)

    @classmethod
    def fork(cls, world: WorldState, be: Callable[[int], NoReturn]) -> FollowingProcess:
        """Fork one, which is to be what is given, with its end of the connection; raises OSError."""
        ours, theirs = socket.socketpair()
        with theirs, ours:
            pid = os.fork()
            if pid == 0:
                try:
                    be(theirs.fileno())
                finally:  # whatever becomes of it, there is one world process
                    os._exit(BROKEN)
            return cls(pid, ours.detach(), _draws=dict(world.randomness.draws))

    @property
    def behind(self) -> int:
        """How many changes it has yet to follow."""
        return len(self._landed)

    def follow(self, changes: Sequence[Change]) -> None:
        """Note what landed, to be told with the next cell."""
        self._landed += changes

    def give(self, agent: str, bound: Mapping[str, Any], gone: Collection[str]) -> None:
        """Note what became of an agent's variables, to be told with the next cell."""
        before = self._given.get(agent, {"bound": {}, "gone": []})
        stay = {name: data for name, data in before["bound"].items() if name not in gone}
        self._given[agent] = {"bound": {**stay, **bound}, "gone": [*dict.fromkeys((*before["gone"], *gone))]}

    def request(self, world: WorldState, code: str, agent: str) -> None:
        """Have it run a cell on the present state; raises OSError if it is gone."""
        draws = None if world.randomness.draws == self._draws else dict(world.randomness.draws)
        answers = {who: list(given) for who, given in world.answers.given.items()}
        given = [{"agent": who, **news} for who, news in self._given.items()]
        known = CellRequest(
            code, agent, world.turns.last_id, draws, self._landed, given, answers, world.answers.is_open
        )
        self.received.clear()
        _write(self.sock, encode(known))
        self._landed, self._given = [], {}
        self._draws = self._draws if draws is None else draws

    def listen(self) -> bool:
        """Take in what it says, once there is something; returns whether it is still connected."""
        part = os.read(self.sock, _CHUNK_BYTES)
        self.received += part
        return bool(part)

    @property
    def is_caught_up(self) -> bool:
        """Whether it runs its cell by now."""
        return bool(self.received)

    @property
    def proposal(self) -> bytes | None:
        """What it proposes, as soon as it has said it whole; empty if it is not to run this cell."""
        begin = len(CAUGHT_UP) + _SIZE.size
        if len(self.received) < begin:
            return None
        end = begin + _SIZE.unpack_from(self.received, len(CAUGHT_UP))[0]
        return bytes(self.received[begin:end]) if len(self.received) >= end else None

    def wait(self, within_s: float) -> int | None:
        """Return how it ended, as the system says it; None if it goes on for so long."""
        due = time.monotonic() + within_s
        while self.ending is None:
            ended, status = os.waitpid(self.pid, os.WNOHANG)
            if ended:
                self.ending = status
            elif time.monotonic() >= due:
                break
            else:
                time.sleep(_SOON_S)
        return self.ending

    def end(self) -> None:
        """End it, whatever it is doing. The system takes its time to clear it away: see :meth:`wait`."""
        with suppress(OSError):
            os.close(self.sock)
        if self.ending is None:
            os.kill(self.pid, signal.SIGKILL)


def serve(
    sock: int,
    world: WorldState,
    sandbox: Sandbox,
    used_bytes: int,
    propose: Callable[[CellRequest], bytes],
    *,
    name: str,
    is_kept: bool,
) -> NoReturn:
    """Be the process: lock oneself in, follow, run. Never returns.

    Args:
        sock: the connection to the world process.
        world: this process's own copy.
        sandbox: entered before anything of an agent runs.
        used_bytes: address space in use at the fork.
        propose: runs a cell, and says what to propose.
        name: what it is for, in a word or two.
        is_kept: whether it runs cells until the world process hangs up; otherwise it ends with its first.
    """
    status = BROKEN
    try:
        name_process(name)
        sandbox.enter(sock, world.limits, used_bytes)
        MEMORY_LIMIT.leave_as_it_is()
        draws = dict(world.randomness.draws)
        while True:
            request = msgspec.json.decode(_read(sock), type=CellRequest)
            draws = draws if request.draws is None else request.draws
            catch_up(world, request, draws)
            os.write(sock, CAUGHT_UP)
            _write(sock, propose(request))
            if not is_kept:
                status = 0
                break
    except MemoryError:
        status = NO_MEMORY
    except EOFError:
        status = 0
    finally:
        os._exit(status)


def catch_up(world: WorldState, request: CellRequest, draws: Mapping[str, int]) -> None:
    """Be where the canonical state is."""
    step = world.clock.step
    mirror_changes(world, request.landed)
    for news in request.given:
        namespace = world.interpreter.namespace(news["agent"])
        namespace.drop(news["gone"])
        namespace.put(news["bound"])
    if world.clock.step != step:
        world.randomness.begin_step()
    world.randomness.draws = dict(draws)
    world.turns.last_id = request.taken
    world.answers.begin(request.answers, is_open=request.is_open)


def _write(file: int, data: bytes) -> None:
    rest = memoryview(_SIZE.pack(len(data)) + data)
    while rest:
        rest = rest[os.write(file, rest) :]


def _read(file: int) -> bytes:
    """Return the next message; raises EOFError if there is none."""
    return _exactly(file, _SIZE.unpack(_exactly(file, _SIZE.size))[0])


def _exactly(file: int, count: int) -> bytes:
    parts = []
    while count:
        part = os.read(file, min(count, _CHUNK_BYTES))
        if not part:
            raise EOFError
        parts.append(part)
        count -= len(part)
    return b"".join(parts)
