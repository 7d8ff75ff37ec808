"""The supervisor's end of a fork server: it starts one, has it fork world processes, and starts another if it ended."""

from __future__ import annotations

import json
import os
import socket
import sys
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from cave_sim.diagnostics.system_limits import process_limit, why_no_process
from cave_sim.errors import WorldError
from cave_sim.hosts.process import warm_interpreter
from cave_sim.hosts.process.channel import Channel, ChannelClosed, ChannelTimeout
from cave_sim.hosts.process.isolation_level import IsolationLevel

START_S = 120.0
"""How long building the world may take in its process."""
END_S = 5.0
"""How long :meth:`ForkServerClient.close` waits at most for its processes to be gone."""
NO_PROCESS = "--host process: no process can be started: {}"


class ForkServerClient:
    """Starts a fork server, which inherits no key and no open file of ours.

    Args:
        connect: returns a connection to a new fork server; raises OSError.
        factory: ``module:function`` that builds the world there; of none, no world is built.
        arguments: keyword arguments for it, plain data.
        workers: how many cells of a simultaneous batch run at once.
        require: the least level of isolation.

    Attributes:
        level: how well cells are isolated.
        code: what of the world is code; see :func:`cave_sim.hosts.process.fork_server.code_of`.
        pid: of the fork server.

    Raises:
        WorldError: the platform has no processes to fork, the factory failed, or the level is below ``require``.
    """

    def __init__(
        self,
        connect: Callable[[], socket.socket],
        factory: str,
        arguments: Mapping[str, Any],
        workers: int,
        require: str,
    ) -> None:
        self._connect, self._factory, self._require = connect, factory, require
        self._hello = {"factory": factory or None, "arguments": arguments, "workers": workers}
        self._channel: Channel | None = None
        self.level: IsolationLevel
        self.code: dict[str, Any]
        self.pid: int = 0
        try:
            self._start()
        except WorldError:
            self.close()
            raise

    def fork_world_process(self, libraries: Collection[str]) -> tuple[int, Channel]:
        """Return the number of a new world process, and a channel to it; the one before is ended.

        Args:
            libraries: names of those that are loaded late and that its cells name.

        Raises:
            ChannelClosed: the fork server ended; the next call starts another.
            WorldError: no process can be started.
        """
        if self._channel is None:
            self._start()
        channel = self._channel
        assert channel is not None
        try:
            channel.send({"libraries": sorted(libraries)})
            number, fds, _, _ = socket.recv_fds(channel.sock, 8, 1)
            if not fds and len(number) == 8:
                error = OSError(code := int.from_bytes(number, "big"), os.strerror(code))
                raise WorldError(NO_PROCESS.format(why_no_process(error)))
            if not fds:
                raise ChannelClosed("the fork server ended")
        except OSError as error:
            self._hang_up()
            raise ChannelClosed(str(error)) from None
        return int.from_bytes(number, "big"), Channel(socket.socket(fileno=fds[0]))

    def close(self) -> None:
        """End the fork server and what it forked, and wait until they are gone."""
        if self._channel is not None:
            _wait_for_end(self._channel.sock)
        self._hang_up()

    def _start(self) -> None:
        if not hasattr(os, "fork"):
            raise WorldError(f"--host process: {sys.platform} cannot fork; with --host local cells are only guarded")
        try:
            try:
                answer = self._greeted()
            except ChannelClosed:  # once may be an accident
                answer = self._greeted()
        except (ChannelClosed, ChannelTimeout) as error:
            raise WorldError(f"--host process: no process could be started for {self._factory}: {error}") from None
        if "no_process" in answer:
            raise WorldError(NO_PROCESS.format(answer["no_process"]))
        if "failed" in answer:
            raise WorldError(f"--host process: {self._factory} failed in its own process:\n{answer['failed']}")
        self.level, self.code, self.pid = IsolationLevel.of(answer["level"]), answer["code"], answer["pid"]
        self.level.demand(self._require)

    def _greeted(self) -> dict[str, Any]:
        """Return what a new fork server says once it has built the world."""
        self._hang_up()
        try:
            self._channel = Channel(self._connect())
        except OSError as error:
            raise WorldError(NO_PROCESS.format(f"{error}{process_limit(error)}")) from None
        place = json.dumps([str(Path.cwd()), *warm_interpreter.module_path()])  # a text even where a name is no UTF-8
        self._channel.send(self._hello | {"place": place})
        answer: dict[str, Any] = self._channel.receive(START_S)[0]
        return answer

    def _hang_up(self) -> None:
        if self._channel is not None:
            self._channel.close()
            self._channel = None


def _wait_for_end(sock: socket.socket) -> None:
    """Hang up, and wait until the process at the other end has closed its side by ending."""
    with suppress(OSError):
        sock.shutdown(socket.SHUT_WR)
        sock.settimeout(END_S)
        while sock.recv(4096):
            pass


def probe_here() -> IsolationLevel:
    """Return the level that this machine's processes reach, tried out in one that is started for it."""
    client = ForkServerClient(warm_interpreter.fork, "", {}, workers=1, require="guarded")
    client.close()
    return client.level
