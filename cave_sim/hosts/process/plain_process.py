"""The process of plain cells: sandboxed as any, forked once, and kept, because what it runs is no code of an agent's.

It follows the canonical state by the changes that land, runs one plain cell at a time, says what it proposes, and puts
its world back. Whatever is unusual about it ends it, and the cell runs in a process of its own, as any other does.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NoReturn

from cave_sim.changes.change import Change
from cave_sim.entity.entity import Entity
from cave_sim.errors import WorldError
from cave_sim.hosts.process import cell_process
from cave_sim.hosts.process.cell_process import CellProcesses
from cave_sim.hosts.process.following_process import CellRequest, FollowingProcess, serve
from cave_sim.hosts.process.plain_cells import CALLED, read_plain
from cave_sim.hosts.process.proposal import Proposal
from cave_sim.hosts.process.running_cell import CellExit, RunningCell, processor_s, watch
from cave_sim.hosts.process.sandbox import Sandbox
from cave_sim.policy.ast_check import Direct
from cave_sim.policy.permissions import EVERYTHING
from cave_sim.runtime.cell import CellCache
from cave_sim.runtime.compiled_cell import CompiledCell
from cave_sim.runtime.graph.scalars import PLAIN
from cave_sim.runtime.variable_names import is_variable
from cave_sim.world.state import WorldState

MAX_BEHIND = 20_000
"""How many changes it may lie behind; with more, another is forked when it is needed."""
SINGLE = (str, int, float, bool)
"""Types of the values that plain cells may compute with; what is done with others may be a library's code."""
NAME = "plain cells"
END_S = 10.0
"""How long the system may take to clear it away."""


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
        self._follower: FollowingProcess | None = None
        self._is_distrusted = False

    def takes(self, code: str, agent: str) -> bool:
        """Say whether a cell is plain, so that nothing in it, and nothing that it names, is code of an agent's."""
        if self._is_distrusted or EVERYTHING in self._world.rights_of(agent).targets:
            return False
        plain = read_plain(code)
        if plain is None or not all(self._is_free(name, agent) for name in plain.bound):
            return False
        return all(self._is_plain(name, field, agent) for name, field in plain.places)

    def _is_free(self, name: str, agent: str) -> bool:
        """Say whether a name can be bound, and is nobody's so far or that of a single value of its agent's."""
        interpreter, entities = self._world.interpreter, self._world.undo_log.entities
        if not is_variable(name) or name in interpreter.scope or name in interpreter.shared or name in entities:
            return False
        namespace = interpreter.namespaces.get(agent)
        if namespace is None or name in namespace.globals:  # a tool that it was given
            return namespace is None
        return name not in namespace.data or type(namespace.data[name]) in PLAIN

    def _is_plain(self, name: str, field: str, agent: str) -> bool:
        """Say whether a name is an entity and its field, if any, a single value; or alone, a variable that is one."""
        entities, namespace = self._world.undo_log.entities, self._world.interpreter.namespaces.get(agent)
        if namespace is not None and name in namespace.data:
            return not field and type(namespace.data[name]) in PLAIN
        if name == "print":
            return True
        if name != "me" and namespace is not None and name in namespace.globals:
            return False  # a tool that it was given
        entity = entities.get(agent if name == "me" else name)
        if entity is None or field in ("", CALLED):
            return entity is not None
        value = entity.__dict__.get(field, entity)
        return type(value) in SINGLE or (value is not entity and isinstance(value, Entity))

    def follow(self, changes: Sequence[Change]) -> None:
        """Note what landed, so that the process catches up with it before its next cell."""
        if self._follower is not None:
            self._follower.follow(changes)
            if self._follower.behind > MAX_BEHIND:
                self.end()

    def give(self, agent: str, bound: Mapping[str, Any], gone: Collection[str]) -> None:
        """Note what became of an agent's variables, likewise."""
        if self._follower is not None:
            self._follower.give(agent, bound, gone)

    def distrust(self) -> None:
        """Take no more cells: trusted code came to something else here than where it was called again."""
        self._is_distrusted = True
        self.end()

    def end(self) -> None:
        """End the process, if there is one; the next cell forks another from the state as it is then."""
        if self._follower is not None:
            self._follower.end()
            self._follower.wait(END_S)
        self._follower = None

    def run(self, code: str, agent: str) -> CellExit | None:
        """Run one plain cell on the present state; None if it is to run in a process of its own instead."""
        limits = self._world.limits
        if self._follower and limits.deadline_s > 0 and processor_s(self._follower.pid, 0.0) > limits.deadline_s:
            self.end()  # what it may compute in all is bounded, as for any cell
        follower = self._follower = self._follower or self._fork()
        cell = RunningCell(agent, code, follower, limits, forked_ahead=True)
        try:
            follower.request(self._world, code, agent)
        except OSError:  # it is gone
            cell.reason = "killed"
        while not cell.reason and not watch([cell]):
            pass
        if follower.proposal == b"" and not cell.reason:
            return None
        if follower.proposal is None and cell.reason != "deadline":
            self.end()
            return CellExit(None, reason="killed")
        cell_exit = cell.exit()
        if cell_exit.reason == "deadline":
            self.end()
        elif cell_exit.proposal is None or not _is_of_plain(cell_exit.proposal, code, agent):
            self.distrust()
            return None
        return cell_exit

    def _fork(self) -> FollowingProcess:
        used_bytes = self._processes.used_bytes()
        return FollowingProcess.fork(self._world, lambda sock: self._be(sock, used_bytes))

    def _be(self, sock: int, used_bytes: int) -> NoReturn:
        world = self._world
        cells = world.interpreter.cells = OneCell(self._cells)

        def propose(request: CellRequest) -> bytes:
            return _propose(world, cells, request)

        serve(sock, world, self._sandbox, used_bytes, propose, name=NAME, is_kept=True)


def _is_of_plain(proposal: Proposal, code: str, agent: str) -> bool:
    """Say whether a proposal asks nobody, and binds no other variables than the cell does."""
    plain = read_plain(code)
    if plain is None or proposal.need is not None or not proposal.variables.keys() <= {agent}:
        return False
    return all(plain.bound.issuperset((*news.bound, *news.gone)) for news in proposal.variables.values())


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


def _propose(world: WorldState, cells: OneCell, request: CellRequest) -> bytes:
    """Run a cell, and put the world back; returns what it proposes, or nothing if it is not for here."""
    cells.plain, cells.asked_for_others = request.code, False
    world.answers.begin({}, is_open=False)
    mark = world.undo_log.mark()
    namespace = world.interpreter.namespace(request.agent)
    variables = dict(namespace.data)
    try:
        data = cell_process.run(world, request.code, request.agent)
    finally:
        namespace.put_back(variables)
        world.recorder = None
        world.undo_log.rollback(mark)
        world.undo_log.close()
        world.randomness.forget(request.taken + 1)
    return b"" if cells.asked_for_others else data
