"""A host for a world that no recipe builds: its fork server is a fork of the script itself, world and all.

Classes, rules and tools that a script or a notebook defined are there as they are. The price is memory: what the script
held when it was forked is in the cells' processes too. Its environment is wiped there and its files are closed, but a
key that an object of the script holds is not found by name and not wiped; so this is never called more than contained.
"""

from __future__ import annotations

import ctypes
import os
import signal
import socket
import sys
import weakref
from contextlib import suppress
from functools import partial
from typing import Any, NoReturn

from cave_sim.errors import WorldError
from cave_sim.hosts.process import fork_server
from cave_sim.hosts.process.channel import Channel, ChannelClosed
from cave_sim.hosts.process.host import Note, ProcessHost
from cave_sim.world.world import World

MEMORY = "the memory of the script that built the world is a fork's too; a recipe's world is built without it"
FIRST_FD, LAST_FD = 3, 1 << 20


class ScriptForkHost(ProcessHost):
    """Runs the cells of a world that this process built, in processes forked from this one. Takes what its base takes.

    Args:
        world: what to fork; :meth:`attach` takes this one and no other.

    Raises:
        WorldError: the platform has no processes to fork, or the level is below ``require``.
    """

    def __init__(
        self, world: World, *, require: str = "contained", workers: int | None = None, note: Note | None = None
    ) -> None:
        connect = partial(_fork_of_the_script, weakref.ref(world))
        super().__init__("", require=require, workers=workers, note=note, connect=connect)


def _fork_of_the_script(forked: weakref.ref[World]) -> socket.socket:
    """Return a connection to a fork server that is a fork of this process; raises OSError, and WorldError."""
    world = forked()
    if world is None:
        raise WorldError("the world of this host is no more")
    ours, theirs = socket.socketpair()
    sys.stdout.flush()
    sys.stderr.flush()
    if (parent := os.fork()) == 0:
        _leave_to_the_system(theirs, world)
    theirs.close()
    with suppress(ChildProcessError):  # a script that ignores SIGCHLD has nobody to wait for
        os.waitpid(parent, 0)
    return ours


def _leave_to_the_system(sock: socket.socket, world: World) -> NoReturn:
    """Fork the fork server and end, so that it is no child of the script, which would have to bury it."""
    try:
        if os.fork() == 0:
            _serve(sock, world)
    finally:
        os._exit(0)


def _serve(sock: socket.socket, world: World) -> NoReturn:
    """Be the fork server of a script that is ours no longer; never returns."""
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the supervisor's affair
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        for each in (signal.ITIMER_REAL, signal.ITIMER_PROF, signal.ITIMER_VIRTUAL):
            signal.setitimer(each, 0.0)
        _close_all_but(sock.fileno())
        wipe_environment()
        world.sink = world.turns.on_gift = None
        world.host = world.turns.follow = None
        fork_server.warm_up()
        channel = Channel(sock)
        with suppress(ChannelClosed):
            hello, _ = channel.receive()
            fork_server.ForkServer(channel, hello, world, lacks=(MEMORY,)).serve()
    finally:
        os._exit(0)


def _close_all_but(open_end: int) -> None:
    """Close every file of the script, and put nothing in the place of its input and its output."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in range(FIRST_FD):
        os.dup2(nothing, standard)
    os.closerange(FIRST_FD, open_end)
    os.closerange(open_end + 1, LAST_FD)


def wipe_environment() -> None:
    """Empty the environment of this process, and overwrite the memory in which it was."""
    with suppress(AttributeError, ValueError, OSError):
        variables = ctypes.POINTER(ctypes.c_void_p).in_dll(ctypes.CDLL(None), "environ")
        place = 0
        while variables and variables[place]:
            address: Any = variables[place]
            ctypes.memset(address, 0, len(ctypes.string_at(address)))
            place += 1
    os.environ.clear()
