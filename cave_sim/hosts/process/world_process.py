"""The world process: it holds the canonical state, never looks at a cell, and decides what of a proposal lands."""

from __future__ import annotations

import errno
import gc
import signal
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

import msgspec

from cave_sim.changes.change import Change
from cave_sim.changes.turn import Limits, Turn
from cave_sim.diagnostics.system_limits import why_no_process
from cave_sim.errors import CaveSimError, WorldError
from cave_sim.hosts.process.cell_process import CellProcesses
from cave_sim.hosts.process.channel import Channel, ChannelClosed
from cave_sim.hosts.process.commit import land, record
from cave_sim.hosts.process.plain_process import PlainProcess
from cave_sim.hosts.process.proposal import Proposal, ProposedStatus, ProposedTurn, Variables, arrivals
from cave_sim.hosts.process.proposal_check import MAX_NAMES, InvalidProposal, check_books
from cave_sim.hosts.process.running_cell import CellExit
from cave_sim.hosts.process.sandbox import Sandbox
from cave_sim.policy.ast_check import Direct
from cave_sim.policy.permissions import EVERYTHING
from cave_sim.runtime.cell import CellCache, cell_hash
from cave_sim.runtime.compiled_cell import CompiledCell
from cave_sim.runtime.graph.errors import Malformed
from cave_sim.runtime.graph.shape import check_shape
from cave_sim.runtime.standstill import STANDSTILL
from cave_sim.runtime.variable_names import is_variable
from cave_sim.runtime.variable_news import VariableNews, news_since
from cave_sim.world.apply_changes import mirror_changes
from cave_sim.world.batch import execute_batch
from cave_sim.world.snapshot import restore_into
from cave_sim.world.state import WorldState
from cave_sim.world.world import World

VIOLATIONS = ("tripwire", "forged", "late")
"""Reasons that count against an agent."""
MAX_VIOLATIONS = 3
"""After so many, an agent is suspended."""
MAX_REASON_CHARS = 500
NONE_LEFT = (errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE)
"""What the system says where it has no further process, or nothing to connect one with."""
IDLE_S = 0.001
"""Who asks for nothing for so long is busy with something else."""
SUSPENDED = CellExit(
    None,
    "blocked",
    f"Refused by the policy: this agent is suspended, because its cells reached outside {MAX_VIOLATIONS} times",
    "suspended",
)


class SealedCells(CellCache):
    """Stands where cells would be compiled, in the process that must not."""

    def __init__(self, cells: CellCache) -> None:
        super().__init__(guarded=True)
        self._cells_of_forks = cells

    def allow(self, direct: Direct) -> None:
        self._cells_of_forks.allow(direct)

    def get(self, source: str) -> CompiledCell:
        raise WorldError("the world process runs no cells; a method of an entity may not run one either")


class WorldProcess:
    """Serves one supervisor, over one world.

    Args:
        world: as its factory built it.
        cell_sandbox: what cells run in.
        workers: how many cells run at once.
    """

    def __init__(self, world: World, cell_sandbox: Sandbox, workers: int) -> None:
        self._world = world
        cells = world.interpreter.cells
        world.interpreter.cells = SealedCells(cells)
        self._processes = CellProcesses(world, cell_sandbox, cells, workers)
        self._plain = PlainProcess(world, cell_sandbox, cells, self._processes)
        self._others = 0
        self._violations: dict[str, int] = {}
        self._events: list[dict[str, Any]] = []
        self._earlier_variables: dict[str, dict[str, Any]] = {}

    def serve(self, channel: Channel) -> None:
        """Do what the supervisor asks until it hangs up."""
        acts = {"restore": self._restore, "run": self._run, "hash": self._hash}
        STANDSTILL.leave_to_others()  # and so do the cells' processes, which are forks of this one
        while True:
            try:
                message, blob = channel.receive()
            except ChannelClosed:
                return
            if hasattr(signal, "setitimer"):  # whoever hangs in here ends by itself, even with nobody left to end it
                signal.setitimer(signal.ITIMER_REAL, message.get("within_s", 0.0))
            try:
                reply = acts[message["do"]](message, blob)
            except CaveSimError as error:  # the researcher's: a class that is not loaded here, say
                reply = {"failed": str(error)}
            except OSError as error:
                if error.errno not in NONE_LEFT:
                    raise
                # no fault of the cell: who asks is told, and this process ends, in which a batch broke off
                channel.send({"no_process": why_no_process(error)})
                return
            if hasattr(signal, "setitimer"):
                signal.setitimer(signal.ITIMER_REAL, 0.0)
            channel.send(reply)
            self._get_ready(channel)

    def _get_ready(self, channel: Channel) -> None:
        """Use the time in which nobody asks for anything: fork for the next cells, if the last ones needed that."""
        with suppress(OSError):  # no room for another process: it is forked when its cell comes, or that fails
            if self._others and not self._processes.is_ready and not channel.has_come(IDLE_S):
                self._processes.fork_ahead()

    def _restore(self, message: dict[str, Any], blob: bytes) -> dict[str, Any]:
        world = self._world
        self._plain.end()
        self._processes.end()
        world.limits = Limits(**message["limits"])
        restore_into(world, blob)
        for agent, data in message["variables"].items():
            world.interpreter.namespace(agent).put(data)
        world.randomness.draws = dict(message["draws"])
        self._violations = dict(message["strikes"])
        gc.collect()
        gc.freeze()  # what is never counted is never copied by a fork
        return {}

    def _hash(self, message: dict[str, Any], _blob: bytes) -> dict[str, Any]:
        self._follow(message)
        return {"hash": self._world.state_hash()}

    def _run(self, message: dict[str, Any], _blob: bytes) -> dict[str, Any]:
        """Take the turns of one batch, all on the same state."""
        self._follow(message)
        world, cells = self._world, message["cells"]
        self._events, self._earlier_variables = [], {}
        allowed = {agent: code for agent, code in cells.items() if self._violations.get(agent, 0) < MAX_VIOLATIONS}
        world.answers.begin(message["answers"], is_open=message["open"])
        exits = self._run_cells(allowed)
        if needs := self._needs(exits):
            return {"needs": needs}

        def take(_world: WorldState, code: str, agent: str) -> Turn:
            return self._take(code, agent, exits.get(agent, SUSPENDED))

        turns: list[Turn] = []
        with world.turns.told_to(turns.append):
            execute_batch(world, cells, message["order"], take)
        for turn in turns:
            if turn.parent is None:
                self._landed(turn.changes)
        return {
            "turns": turns,
            "variables": self._variable_news(),
            "events": self._events,
            "run_again": [agent for agent, cell_exit in exits.items() if cell_exit.ran_again],
            "draws": world.randomness.draws,
            "strikes": self._violations,
            "taken": world.turns.last_id,
        }

    def _run_cells(self, cells: Mapping[str, str]) -> dict[str, CellExit]:
        """Return what comes of each cell: the plain ones in the process for them, the others in ones of their own."""
        exits, others, again = dict[str, CellExit](), dict[str, str](), set[str]()
        for agent, code in cells.items():
            plain = self._plain.run(code, agent) if self._plain.takes(code, agent) else None
            if plain is None or plain.reason == "killed":
                others[agent] = code
                again |= {agent} if plain else set()
            else:
                exits[agent] = plain
        self._others = len(others)
        for agent, cell_exit in self._processes.run(others).items():
            exits[agent] = replace(cell_exit, ran_again=True) if agent in again else cell_exit
        return exits

    def _needs(self, exits: Mapping[str, CellExit]) -> dict[str, Any]:
        """Return what cells cannot go on without; what no cell of an agent can ask for is left to be refused."""
        asking = {agent: each.proposal for agent, each in exits.items() if each.proposal and each.proposal.need}
        return {
            agent: msgspec.to_builtins(proposal.need)
            for agent, proposal in asking.items()
            if self._world.answers.is_open and EVERYTHING in self._world.rights_of(agent).targets
        }

    def _follow(self, message: dict[str, Any]) -> None:
        """Catch up with what the supervisor's world did since."""
        world = self._world
        step = world.clock.step
        changes = msgspec.convert(message["follow"], list[Change])
        mirror_changes(world, changes)
        self._landed(changes)
        for gift in message["given"]:
            self._give(**gift)
        if world.clock.step != step:
            world.randomness.begin_step()
        world.turns.last_id = message["taken"]

    def _landed(self, changes: list[Change]) -> None:
        """Tell the processes that follow what they have to follow."""
        self._plain.follow(changes)
        self._processes.follow(changes)

    def _give(self, agent: str, bound: Mapping[str, Any], gone: list[str]) -> None:
        """Bind variables of an agent, or let go of them, here and in the processes that follow."""
        namespace = self._world.interpreter.namespace(agent)
        namespace.drop(gone)
        namespace.put(bound)
        self._plain.give(agent, bound, gone)
        self._processes.give(agent, bound, gone)

    def _take(self, code: str, agent: str, cell_exit: CellExit) -> Turn:
        """Decide about one cell's cell_exit."""
        world, taken, depth = self._world, self._world.turns.last_id, self._world.undo_log.depth
        sink, turns = world.sink, list[Turn]()
        world.sink = turns.append
        try:
            if cell_exit.proposal is not None:
                self._check_variables(agent, cell_exit.proposal)
                turn = land(world, cell_exit.proposal, code, agent)
                self._store_variables(cell_exit.proposal.variables)
            else:
                turn = self._refuse(code, agent, cell_exit.status, cell_exit.error, cell_exit.reason)
        except InvalidProposal as forged:
            turns.clear()
            world.turns.last_id = taken
            if cell_exit.forked_ahead:
                world.sink = sink
                return self._take_anew(code, agent)
            error = f"Refused by the policy: what the cell's process says it did does not fit what it may do ({forged})"
            turn = self._refuse(code, agent, forged.status, error[:MAX_REASON_CHARS], forged.reason)
        finally:
            world.sink = sink
        check_books(world, depth, turn)
        turn.duration_s = cell_exit.duration_s
        for each_turn in turns:
            if sink is not None:
                sink(each_turn)
        return turn

    def _take_anew(self, code: str, agent: str) -> Turn:
        """Decide about a cell whose proposal did not fit, by what it does in a process that is forked now.

        If that lands, it did not lie: trusted code keeps something outside of the world that no process follows.
        """
        self._processes.end()
        turn = self._take(code, agent, self._processes.run({agent: code})[agent])
        if turn.committed:
            self._plain.distrust()
            self._processes.distrust()
        return turn

    def _refuse(self, code: str, agent: str, status: ProposedStatus, error: str, reason: str) -> Turn:
        """Enter a turn of which nothing is kept, and note why."""
        turn = record(self._world, ProposedTurn(agent, code, status, "", error))
        turn.error = error
        if reason in VIOLATIONS:
            self._violations[agent] = self._violations.get(agent, 0) + 1
        event = {"agent": agent, "turn": turn.id, "cell": cell_hash(code), "reason": reason, "told": error}
        self._events.append(event | {"strikes": self._violations.get(agent, 0)})
        return turn

    def _check_variables(self, agent: str, proposal: Proposal) -> None:
        """Raise InvalidProposal if a proposal binds what is no variable, or not its agent's without the right to."""
        for news in proposal.variables.values():
            if len(news.bound) + len(news.gone) > MAX_NAMES:
                raise InvalidProposal(f"more than {MAX_NAMES:,} variables of one agent in one turn")
            names = (*news.bound, *news.gone)
            if any(len(name) > MAX_NAMES for name in names) or not all(map(is_variable, names)):
                raise InvalidProposal("a variable of a name that no cell can bind")
            for data in news.bound.values():
                try:
                    check_shape(data)
                except Malformed as error:
                    raise InvalidProposal(str(error)) from None
        if proposal.variables.keys() <= {agent}:
            return
        if EVERYTHING not in self._world.rights_of(agent).targets:
            raise InvalidProposal(f"variables of {', '.join(sorted(proposal.variables))}")
        others = [name for name in proposal.variables if name != agent and name not in self._world]
        if not {*others} - self._world.interpreter.namespaces.keys() <= arrivals(proposal):
            raise InvalidProposal("variables of nobody")

    def _store_variables(self, variables: Mapping[str, Variables]) -> None:
        """Take over what became of variables; the batch may take it back."""
        interpreter = self._world.interpreter
        for agent, news in variables.items():
            namespace = interpreter.namespace(agent)
            interpreter.variable_log.note(namespace)
            self._earlier_variables.setdefault(agent, dict(namespace.data))
            namespace.drop(news.gone)
            namespace.put(news.bound)

    def _variable_news(self) -> dict[str, VariableNews]:
        """Return what became of variables in the batch, by agent; whoever follows is told."""
        news = {
            agent: news_since(earlier, self._world.interpreter.namespace(agent))
            for agent, earlier in self._earlier_variables.items()
        }
        for agent, (bound, gone) in news.items():
            self._plain.give(agent, bound, gone)
            self._processes.give(agent, bound, gone)
        return news
