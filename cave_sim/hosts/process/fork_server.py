"""The keeper: builds the world once, forks the world process, and forks another when that one is lost.

It is a fresh interpreter with a scrubbed environment: no keys, no journal, no file of the supervisor is in its memory.
It never holds the canonical state and never sees a cell, so what it forks is as clean as on the first day.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import socket
import sys
import traceback
from pathlib import Path
from typing import Any, NoReturn

from cave_sim.entry_points import load
from cave_sim.hosts.process import sandbox
from cave_sim.hosts.process.channel import Channel, ChannelClosed
from cave_sim.hosts.process.isolation_level import probe
from cave_sim.hosts.process.warmup import warm_up
from cave_sim.hosts.process.world_process import WorldProcess
from cave_sim.world.world import World


def main() -> None:
    """Serve the supervisor at the other end of the socket named on the command line, until it hangs up."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the supervisor's affair
    wire = Channel(socket.socket(fileno=int(sys.argv[1])))
    try:
        hello, _ = wire.receive()
        ForkServer(wire, hello).serve()
    except ChannelClosed:
        return


class ForkServer:
    """Keeps a built world, and the process that runs it.

    Args:
        wire: to the supervisor.
        hello: ``factory``, ``arguments`` and ``workers``.
    """

    def __init__(self, wire: Channel, hello: dict[str, Any]) -> None:
        self._wire, self._pid = wire, 0
        self._workers = hello["workers"]
        self._jail = sandbox.build()
        try:
            self._world = None if hello["factory"] is None else build(hello["factory"], hello["arguments"])
        except Exception:
            wire.send({"failed": traceback.format_exc(limit=-3)})
            raise SystemExit(1) from None
        warm_up()
        gc.collect()
        gc.freeze()
        code = None if self._world is None else code_of(self._world)
        wire.send({"level": probe(self._jail).to_data(), "code": code})

    def serve(self) -> None:
        """Fork a new world process whenever the supervisor asks for one; the one before is ended."""
        while True:
            try:
                self._wire.receive()
            except ChannelClosed:
                self._end()
                return
            self._end()
            ours, theirs = socket.socketpair()
            self._pid = os.fork()
            if self._pid == 0:
                ours.close()
                self._be_stage(theirs)
            theirs.close()
            socket.send_fds(self._wire.sock, [self._pid.to_bytes(8, "big")], [ours.fileno()])
            ours.close()

    def _be_stage(self, theirs: socket.socket) -> NoReturn:
        status = 1
        try:
            self._wire.close()
            sandbox.die_with_parent()
            assert self._world is not None
            stage = WorldProcess(self._world, self._jail, self._workers)
            sandbox.hide()
            sandbox.fence(library_folders())
            stage.serve(Channel(theirs))
            status = 0
        finally:
            os._exit(status)

    def _end(self) -> None:
        if self._pid:
            os.kill(self._pid, signal.SIGKILL)
            os.waitpid(self._pid, 0)
            self._pid = 0


def build(factory: str, arguments: dict[str, Any]) -> World:
    """Return the world that ``module:function`` makes, or the one of the simulation that it makes."""
    made = load(factory)(**arguments)
    world = getattr(made, "world", made)
    if not isinstance(world, World):
        raise TypeError(f"{factory} made a {type(made).__name__}, which neither is a World nor has one")
    world.sink = None
    world.turns.record_script_writes()
    return world


def code_of(world: World) -> dict[str, Any]:
    """Return what of a world is code, by name: to see that two processes built the same."""
    return {
        "invariants": [invariant.name for invariant in world.rules.invariants],
        "tools": sorted(world.tools),
        "policy": world.policy,
    }


def library_folders() -> list[str]:
    """Return the folders that Python may still read from when everything else is closed."""
    found = {sys.prefix, sys.base_prefix, *sys.path}
    return [path for path in sorted(found) if path and Path(path).is_dir()]


if __name__ == "__main__":
    sys.path[:] = json.loads(sys.argv[2])
    main()
