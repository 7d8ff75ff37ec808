"""The process of plain cells: sandboxed as any, forked once, and kept, because what it runs is no code of an agent's.

It follows the canonical state by the changes that land, runs one plain cell at a time, says what it proposes, and puts
its world back. Whatever is unusual about it ends it, and the cell runs in a process of its own, as any other does.
"""

from __future__ import annotations

import os
import select
import signal
import socket
import struct
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NoReturn

import msgspec

from cave_sim.changes.change import Change
from cave_sim.entity.entity import Entity
from cave_sim.errors import WorldError
from cave_sim.hosts.process import cell_process
from cave_sim.hosts.process.cell_process import GRACE_S, SPARE_BYTES, CellExit, CellProcesses, processor_s, refusal
from cave_sim.hosts.process.channel import encode
from cave_sim.hosts.process.plain_cells import places_of_plain
from cave_sim.hosts.process.proposal import read
from cave_sim.hosts.process.proposal_check import check_depth
from cave_sim.hosts.process.sandbox import Sandbox
from cave_sim.policy.ast_check import Direct
from cave_sim.policy.permissions import EVERYTHING
from cave_sim.runtime.cell import CellCache, CompiledCell
from cave_sim.runtime.deadline import WAITING_FACTOR
from cave_sim.runtime.memory_limit import MEMORY_LIMIT
from cave_sim.world.apply_changes import mirror_changes
from cave_sim.world.state import WorldState

MAX_BEHIND = 20_000
"""How many changes it may lie behind; with more, another is forked when it is needed."""
SINGLE = (str, int, float, bool)
"""Types of the values that plain cells may compute with; what is done with others may be a library's code."""
CATCH_UP_S = 60.0
"""How long it may take to follow what landed, before it is ended."""
_CAUGHT_UP = b"."
_SIZE = struct.Struct("!Q")
_CHUNK_BYTES = 1 << 18
_LOOK_S = 0.25
_SOON_S = 0.005


class PlainProcess:
    """Runs the plain cells of one world, in one sandboxed process.

    Args:
        world: copied by the fork.
        sandbox: what the process locks itself into.
        cells: what compiles there.
        processes: for all other cells.
    """

    def __init__(self, world: WorldState, sandbox: Sandbox, cells: CellCache, processes: CellProcesses) -> None:
        self._world, self._sandbox, self._cells, self._processes = world, sandbox, cells, processes
        self._pid, self._sock = 0, -1
        self._behind: list[Change] = []
        self._draws: dict[str, int] | None = None
        self._is_distrusted = False

    def takes(self, code: str, agent: str) -> bool:
        """Say whether a cell is plain, so that nothing in it, and nothing that it names, is code of an agent's."""
        world = self._world
        if self._is_distrusted or EVERYTHING in world.rights_of(agent).targets:
            return False
        places = places_of_plain(code)
        return places is not None and all(self._is_plain(name, field, agent) for name, field in places)

    def _is_plain(self, name: str, field: str, agent: str) -> bool:
        """Say whether a name is no variable and no tool of its agent's, and its field, if any, a single value."""
        entities, namespace = self._world.undo_log.entities, self._world.interpreter.namespaces.get(agent)
        if namespace is not None and name in namespace.kept:
            return False
        if name == "print":
            return True
        if name != "me" and namespace is not None and name in namespace.globals:
            return False  # a tool that it was given
        entity = entities.get(agent if name == "me" else name)
        if entity is None or not field:
            return entity is not None
        value = entity.__dict__.get(field, entity)
        return type(value) in SINGLE or (value is not entity and isinstance(value, Entity))

    def follow(self, changes: Sequence[Change]) -> None:
        """Note what landed, so that the process catches up with it before its next cell."""
        if self._pid:
            self._behind += changes
            if len(self._behind) > MAX_BEHIND:
                self.end()

    def distrust(self) -> None:
        """Take no more cells: trusted code came to something else here than where it was called again."""
        self._is_distrusted = True
        self.end()

    def end(self) -> None:
        """End the process, if there is one; the next cell forks another from the state as it is then."""
        if self._pid:
            with suppress(OSError):
                os.close(self._sock)
            with suppress(ProcessLookupError):
                os.kill(self._pid, signal.SIGKILL)
            os.waitpid(self._pid, 0)
        self._pid, self._sock, self._behind, self._draws = 0, -1, [], None

    def run(self, code: str, agent: str) -> CellExit | None:
        """Run one plain cell on the present state; None if it is to run in a process of its own instead."""
        limit_s, started = self._world.limits.deadline_s, time.monotonic()
        if self._pid and limit_s > 0 and processor_s(self._pid, 0.0) > limit_s:
            self.end()  # what it may compute in all is bounded, as for any cell
        if not self._pid:
            self._start()
        try:
            self._send(code, agent)
            data = self._answer(self._caught_up_s())
        except TimeoutError:
            self.end()
            return refusal("deadline", self._world.limits, time.monotonic() - started)
        except OSError:  # it is gone
            self.end()
            return CellExit(None, reason="killed")
        if not data:
            return None
        try:
            check_depth(data)
            proposal = read(data)
        except ValueError:
            proposal = None
        if proposal is None or proposal.need is not None or proposal.variables:
            self.distrust()
            return None
        return CellExit(proposal, duration_s=time.monotonic() - started, is_plain=True)

    def _start(self) -> None:
        ours, theirs = socket.socketpair()
        used_bytes = self._processes.used_bytes()
        pid = os.fork()
        if pid == 0:
            _serve_and_exit(self._world, self._sandbox, self._cells, theirs.fileno(), used_bytes)
        theirs.close()
        self._pid, self._sock = pid, ours.detach()

    def _send(self, code: str, agent: str) -> None:
        world = self._world
        draws = None if world.randomness.draws == self._draws else dict(world.randomness.draws)
        message = {"code": code, "agent": agent, "taken": world.turns.last_id, "draws": draws, "landed": self._behind}
        _write(self._sock, encode(message))
        self._behind = []
        self._draws = self._draws if draws is None else draws

    def _caught_up_s(self) -> float:
        """Wait until the process has followed what landed, in no cell's time; returns how long it has computed."""
        if not select.select([self._sock], [], [], CATCH_UP_S)[0] or not os.read(self._sock, len(_CAUGHT_UP)):
            raise ConnectionError("it does not follow")
        return processor_s(self._pid, 0.0)

    def _answer(self, begun_s: float) -> bytes:
        """Return the proposal, or nothing; raises TimeoutError past the deadline, OSError if there is none to come."""
        limits, data, waited_s = self._world.limits, bytearray(), 0.0
        while len(data) < _SIZE.size or len(data) < _SIZE.size + _SIZE.unpack_from(data)[0]:
            left_s = _LOOK_S
            if limits.deadline_s > 0:
                computed_s = processor_s(self._pid, waited_s) - begun_s
                left_s = min(limits.deadline_s - computed_s, limits.deadline_s * WAITING_FACTOR - waited_s) + GRACE_S
                if left_s <= 0:
                    raise TimeoutError
            patience_s = min(_LOOK_S, max(_SOON_S, left_s))
            began = time.monotonic()
            if not select.select([self._sock], [], [], patience_s)[0]:
                waited_s += min(time.monotonic() - began, 2 * patience_s)  # a machine that stood still waits for nobody
                continue
            part = os.read(self._sock, _CHUNK_BYTES)
            data += part
            if not part or len(data) > limits.stored_bytes + SPARE_BYTES:
                raise ConnectionError("no proposal")
        return bytes(data[_SIZE.size :])


class OneCell(CellCache):
    """Compiles the plain cell whose turn it is, and no other.

    Attributes:
        plain: that cell.
        asked_for_others: whether trusted code wanted to run another one meanwhile.
    """

    def __init__(self, cells: CellCache) -> None:
        super().__init__(guarded=True)
        self._cells_of_world = cells
        self.plain: str = ""
        self.asked_for_others: bool = False

    def allow(self, direct: Direct) -> None:
        self._cells_of_world.allow(direct)

    def get(self, source: str) -> CompiledCell:
        if source != self.plain:
            self.asked_for_others = True
            raise WorldError("only plain cells run here")
        return self._cells_of_world.get(source)


def _serve_and_exit(world: WorldState, sandbox: Sandbox, cells: CellCache, sock: int, used_bytes: int) -> NoReturn:
    """Be the process of plain cells. Never returns."""
    status = cell_process.BROKEN
    try:
        sandbox.enter(sock, world.limits, used_bytes)
        MEMORY_LIMIT.leave_as_it_is()
        one_cell = world.interpreter.cells = OneCell(cells)
        for namespace in world.interpreter.namespaces.values():
            namespace.drop(list(namespace.kept))  # no plain cell names a variable; what went since must not be found
        world.answers.begin({}, is_open=False)
        draws: dict[str, int] = {}
        while True:
            message = msgspec.json.decode(_read(sock))
            draws = draws if message["draws"] is None else message["draws"]
            _catch_up(world, message, draws)
            os.write(sock, _CAUGHT_UP)
            _write(sock, _propose(world, one_cell, message))
    except MemoryError:
        status = cell_process.NO_MEMORY
    except EOFError:
        status = 0
    finally:
        os._exit(status)


def _catch_up(world: WorldState, message: dict[str, Any], draws: dict[str, int]) -> None:
    """Be where the canonical state is."""
    step = world.clock.step
    mirror_changes(world, msgspec.convert(message["landed"], list[Change]))
    if world.clock.step != step:
        world.randomness.begin_step()
    world.randomness.draws = dict(draws)
    world.turns.last_id = message["taken"]


def _propose(world: WorldState, cells: OneCell, message: dict[str, Any]) -> bytes:
    """Run a cell, and put the world back; returns what it proposes, or nothing if it is not for here."""
    cells.plain, cells.asked_for_others = message["code"], False
    mark = world.undo_log.mark()
    try:
        data = cell_process.run(world, message["code"], message["agent"])
    finally:
        world.recorder = None
        world.undo_log.rollback(mark)
        world.undo_log.close()
        world.randomness.forget(message["taken"] + 1)
    return b"" if cells.asked_for_others else data


def _write(file: int, data: bytes) -> None:
    rest = memoryview(_SIZE.pack(len(data)) + data)
    while rest:
        rest = rest[os.write(file, rest) :]


def _read(file: int) -> bytes:
    """Return the next message; raises EOFError if there is none."""
    size = _SIZE.unpack(_exactly(file, _SIZE.size))[0]
    return _exactly(file, size)


def _exactly(file: int, count: int) -> bytes:
    parts = []
    while count:
        part = os.read(file, min(count, _CHUNK_BYTES))
        if not part:
            raise EOFError
        parts.append(part)
        count -= len(part)
    return b"".join(parts)
