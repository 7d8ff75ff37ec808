"""The ``process`` host: cells run in sandboxed processes forked from another one, and only proposals come back.

The supervisor, which is the process of the script, keeps journal, keys and clock, and a world that follows the
canonical one turn by turn: measures, observations, dashboards read it like any other.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Collection, Mapping
from dataclasses import asdict
from typing import Any, Self

import msgspec

from cave_sim.changes.change import Change
from cave_sim.changes.turn import Turn
from cave_sim.errors import AnswerNeeded, WorldError
from cave_sim.hosts.process import fork_server, warm_interpreter
from cave_sim.hosts.process.channel import Channel, ChannelClosed, ChannelTimeout, encode
from cave_sim.hosts.process.fork_server_client import NO_PROCESS, START_S, ForkServerClient
from cave_sim.hosts.process.isolation_level import IsolationLevel
from cave_sim.hosts.process.running_cell import GRACE_S
from cave_sim.policy.libraries import late
from cave_sim.runtime.cell import cell_hash
from cave_sim.runtime.deadline import WAITING_FACTOR
from cave_sim.world.apply_changes import mirror_changes
from cave_sim.world.snapshot import dump
from cave_sim.world.world import World

COMMIT_S = 10.0
"""How long the world process may take to decide about a batch, beside the deadlines of its cells."""
ATTEMPTS = 3
"""How often a world process is started anew for one batch before that is an error."""
Note = Callable[[str, dict[str, Any]], None]


class ProcessHost:
    """Runs the cells of one world in processes of their own.

    Args:
        factory: ``module:function`` that builds the world, or a simulation that has it; it is called in the other
            process, so that dynamics, invariants, tools and methods, which are code, are there too.
        arguments: keyword arguments for it, plain data.
        require: the least level of isolation to run at; see :data:`cave_sim.hosts.process.isolation_level.LEVELS`.
        workers: how many cells of a simultaneous batch run at once; as many as there are processors by default.
        note: called with every kill, refusal and loss: a word, and plain data.
        connect: returns a connection to a new fork server, which is a fork of a fresh interpreter by default.

    Attributes:
        level: how well cells are isolated, found out at the start.
        lost: how often the world process was lost and started anew.
        pids: of its processes: the fork server, and once a world is attached the world process.

    Raises:
        WorldError: the platform has no processes to fork, the factory failed, or the level is below ``require``.
    """

    def __init__(
        self,
        factory: str,
        arguments: Mapping[str, Any] | None = None,
        *,
        require: str = "contained",
        workers: int | None = None,
        note: Note | None = None,
        connect: Callable[[], socket.socket] = warm_interpreter.fork,
    ) -> None:
        if not isinstance(factory, str):
            raise WorldError(f"ProcessHost({factory!r}): takes what builds the world by name, as 'my_town:create'")
        if not isinstance(arguments, Mapping | None):
            raise WorldError(f"ProcessHost(..., {arguments!r}): takes the arguments of {factory}, as {{'seed': 7}}")
        self._factory, self._workers = factory, workers or os.cpu_count() or 1
        self.note: Note = note or (lambda kind, data: None)
        self.lost: int = 0
        self._world: World | None = None
        self._follow: list[Change] = []
        self._given: list[dict[str, Any]] = []
        self._libraries: set[str] = set()
        self._channel: Channel | None = None
        self._server = ForkServerClient(connect, factory, dict(arguments or {}), self._workers, require)
        self.level: IsolationLevel = self._server.level
        self.pids: tuple[int, ...] = (self._server.pid,)

    def attach(self, world: World) -> Self:
        """Take a world over: from now on its cells run here. One that was attached before is let go.

        Raises:
            WorldError: the factory builds a world with other invariants, tools or policy.
        """
        world.turns.record_script_writes()
        if fork_server.code_of(world) != self._server.code:
            raise WorldError(
                f"{self._factory} builds a world with other invariants, tools or policy than the one to be run: "
                f"{self._server.code} there, {fork_server.code_of(world)} here"
            )
        self.detach()
        self._hang_up()
        self._world = world
        self._renew_world_process()
        world.host, world.turns.follow = self, self.follow
        return self

    def detach(self) -> None:
        """Let the world go; its cells run in this process again."""
        if self._world is not None:
            self._world.host = self._world.turns.follow = None
            self._world = None
        self._follow, self._given = [], []

    def close(self) -> None:
        """End every process of this host."""
        self.detach()
        self._hang_up()
        self._server.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def execute(self, code: str, agent: str) -> Turn:
        """Run one cell in a process forked from the world process."""
        return self._run({agent: code}, "sequential")[agent]

    def execute_batch(self, cells: Mapping[str, str], order: str) -> dict[str, Turn]:
        """Run one cell for each agent, those of a simultaneous batch at once."""
        if order == "sequential":
            return {agent: self.execute(code, agent) for agent, code in cells.items()}
        if order != "simultaneous":
            raise WorldError(f"order={order!r}: takes 'simultaneous' or 'sequential'")
        return self._run(cells, order) if cells else {}

    def follow(self, changes: list[Change]) -> None:
        """Send on what this world did by itself, with the next cell."""
        self._follow += changes

    def give(self, agent: str, bound: Mapping[str, Any], gone: Collection[str]) -> None:
        """Send on variables that an agent was given or lost, with the next cell."""
        self._given.append({"agent": agent, "bound": bound, "gone": list(gone)})

    def canonical_hash(self) -> str:
        """Return the state hash of the world process, which must be the one of the world here."""
        try:
            return str(self._ask({"do": "hash"}, COMMIT_S)["hash"])
        except (ChannelClosed, ChannelTimeout):
            self._renew_world_process()
            return str(self._ask({"do": "hash"}, COMMIT_S)["hash"])

    def _run(self, cells: Mapping[str, str], order: str, *, again: bool = False) -> dict[str, Turn]:
        world = self._attached()
        if world.turns.current_id:
            raise WorldError("a cell inside dynamics or a method cannot run in another process: use the local host")
        if not self._libraries.issuperset(named := late.named_in(cells.values())):
            self._libraries |= named
            self._hang_up()
            self._renew_world_process()
        try:
            answers = {"answers": world.answers.given, "open": world.answers.is_open}
            message = {"do": "run", "cells": dict(cells), "order": order, **answers}
            reply = self._ask(message, self._patience_s(len(cells)))
        except (ChannelClosed, ChannelTimeout) as lost:
            return self._survive(cells, order, lost, again=again)
        if "needs" in reply:
            raise AnswerNeeded(reply["needs"])
        turns = self._take(reply)
        return {agent: turns[agent] for agent in cells}

    def _survive(self, cells: Mapping[str, str], order: str, lost: Exception, *, again: bool) -> dict[str, Turn]:
        """Go on after the world process was lost: once may be an accident, so the same is run again.

        If that is lost, too, each cell alone shows whether it is the one to skip.
        """
        self._renew_world_process()
        agents = sorted(cells)
        intent = {agent: cell_hash(cells[agent]) for agent in agents}
        why = "closed" if isinstance(lost, ChannelClosed) else "late"
        self.note("world_process_lost", {"cells": intent, "why": why})
        if not again:
            return self._run(cells, order, again=True)
        if len(cells) > 1:
            return {agent: self._run({agent: cells[agent]}, order, again=True)[agent] for agent in agents}
        (agent,) = agents
        self.note("cell_skipped", {"agent": agent, "cell": intent[agent], "reason": "the world process ended with it"})
        return {agent: self._skip(agent, cells[agent])}

    def _skip(self, agent: str, code: str) -> Turn:
        """Enter a turn for a cell that cost the world process its life."""
        world = self._attached()
        turn_id, _ = world.turns.begin()
        error = "Stopped: the world could not finish this cell; nothing of it was kept. Do less in one turn"
        turn = Turn(turn_id, world.clock.step, agent, code, "failed", [], "", error)
        world.turns.end(turn)
        return turn

    def _take(self, reply: dict[str, Any]) -> dict[str, Turn]:
        """Bring the turns of a reply into the world here."""
        world, outer_turns = self._attached(), {}
        turns = msgspec.convert(reply["turns"], list[Turn])
        for agent, (bound, gone) in reply["variables"].items():
            namespace = world.interpreter.namespace(agent)
            namespace.drop(gone)
            namespace.put(bound)
        world.turns.last_id, world.randomness.draws, world.violations = reply["taken"], reply["draws"], reply["strikes"]
        for agent in reply["run_again"]:
            self.note("cell_run_again", {"agent": agent})
        for event in reply["events"]:
            self.note("cell_stopped", event)
        for turn in turns:
            if turn.parent is None:
                mirror_changes(world, turn.changes)
                outer_turns[turn.agent] = turn
            world.turns.tell(turn)
        return outer_turns

    def _patience_s(self, cells: int) -> float:
        limit_s = self._attached().limits.deadline_s
        if limit_s <= 0:
            return 0.0
        rounds = -(-cells // self._workers)
        in_turn_s = (limit_s + GRACE_S) * cells  # plain cells are not run beside each other
        return (limit_s * WAITING_FACTOR + GRACE_S) * rounds + in_turn_s + limit_s * cells + COMMIT_S

    def _ask(self, message: dict[str, Any], within_s: float, blob: bytes = b"") -> dict[str, Any]:
        """Return the world process's answer; raises ChannelClosed or ChannelTimeout."""
        assert self._channel is not None
        news = {
            "follow": self._follow,
            "given": self._given,
            "taken": self._attached().turns.last_id,
            "within_s": within_s,
        }
        self._follow, self._given = [], []
        self._channel.send(message | news, blob)
        reply: dict[str, Any] = self._channel.receive(within_s + 1.0 if within_s else None)[0]
        if "no_process" in reply:
            raise WorldError(NO_PROCESS.format(reply["no_process"]))
        if "failed" in reply:
            raise WorldError(f"in the world process: {reply['failed']}")
        return reply

    def _renew_world_process(self) -> None:
        """Have a world process forked, and bring it to the state of the world here; raises WorldError if none lives."""
        world = self._attached()
        self.lost += self._channel is not None
        for _ in range(ATTEMPTS):
            self._hang_up()
            variables = {name: space.data for name, space in world.interpreter.namespaces.items()}
            self._libraries |= late.named_in([encode(variables).decode()])
            try:
                pid, self._channel = self._server.fork_world_process(self._libraries)
                self.pids = self._server.pid, pid
                state = {"variables": variables, "draws": world.randomness.draws, "strikes": world.violations}
                blob = dump(world, with_variables=False)
                self._ask({"do": "restore", "limits": asdict(world.limits), **state}, START_S, blob)
            except (ChannelClosed, ChannelTimeout):
                continue
            return
        raise WorldError(f"the world process of {self._factory} does not stay alive; the local host shows why")

    def _attached(self) -> World:
        if self._world is None:
            raise WorldError("this host has no world: attach(world) first")
        return self._world

    def _hang_up(self) -> None:
        """Let the world process go; the fork server ends it, with the next one that it forks or at its own end."""
        if self._channel is not None:
            self._channel.close()
            self._channel = None
