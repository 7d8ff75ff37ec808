"""The fork server: builds the world once, forks the world process, and forks another when that one is lost.

It is forked from a fresh interpreter with a scrubbed environment: no keys, no journal, no file of the supervisor is in
its memory. It never holds the canonical state and never sees a cell, so what it forks is as clean as on the first day.
"""

from __future__ import annotations

import functools
import gc
import importlib
import io
import json
import os
import pkgutil
import signal
import socket
import sys
import traceback
import warnings
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

import networkx as nx
import numpy as np
import pandas as pd

from cave_sim.hosts.process import huge_pages, sandbox
from cave_sim.hosts.process.channel import Channel, ChannelClosed
from cave_sim.hosts.process.isolation_level import IsolationLevel
from cave_sim.hosts.process.isolation_probe import probe
from cave_sim.hosts.process.sandbox import Sandbox
from cave_sim.hosts.process.warm_interpreter import DRAWS, serve_forks
from cave_sim.hosts.process.world_process import WorldProcess
from cave_sim.loading.entry_points import SIMULATIONS, installed, load
from cave_sim.policy.libraries import late
from cave_sim.policy.libraries.arrow_values import group_on_one_thread
from cave_sim.policy.libraries.learning import load_whole
from cave_sim.policy.libraries.one_thread import find_libraries
from cave_sim.policy.libraries.places import load_places
from cave_sim.policy.libraries.scipy_stats import load_statistics
from cave_sim.policy.libraries.toy_data import load_tables
from cave_sim.runtime.graph.figures import load_parts
from cave_sim.simulation.run_journal import DEPENDENCIES
from cave_sim.version import code_revision, version_of
from cave_sim.world.world import World

PACKAGES = (
    *("pandas.core", "pandas.io.formats", "numpy.lib", "numpy.linalg", "numpy.fft", "numpy.random", "networkx"),
    "encodings",
)
"""Loaded before the first fork, so that no cell needs to read their files."""
RECIPES = "cave_sim.replay.recipe"
"""Not for cells, but what most worlds come from, with Mesa; it takes half a second to load."""


def main() -> None:
    """Load the libraries once; then be the fork server of every supervisor's host that asks for one."""
    warm_up()
    get_ready_to_build()
    isolation()
    gc.collect()
    gc.freeze()
    gc.enable()
    huge_pages.gather()
    serve_forks(_be_fork_server)


def _be_fork_server(sock: socket.socket) -> None:
    channel = Channel(sock)
    with suppress(ChannelClosed):
        hello, _ = channel.receive()
        ForkServer(channel, hello).serve()


class ForkServer:
    """Keeps a built world, and the process that runs it.

    Args:
        channel: to the supervisor.
        hello: ``factory``, ``arguments``, ``workers``, and ``place``: the folder to work in, and where it finds
            modules, as one text of JSON.
        world: one that is built already; its factory is not asked then.
        lacks: what is missing to isolation here, in words; with any, cells are contained at the best.
    """

    def __init__(
        self, channel: Channel, hello: dict[str, Any], world: World | None = None, lacks: tuple[str, ...] = ()
    ) -> None:
        self._channel, self._pid = channel, 0
        self._workers = hello["workers"]
        self._sandbox, level = isolation()
        try:
            folder, *sys.path[:] = json.loads(hello["place"])
            os.chdir(folder)
            self._world = world
            if world is None and hello["factory"] is not None:
                self._world = build(hello["factory"], hello["arguments"])
            if late.DRAWING in sys.modules:
                _load_drawing()
            find_libraries()
        except Exception:
            channel.send({"failed": traceback.format_exc(limit=-3)})
            raise SystemExit(1) from None
        gc.collect()
        gc.freeze()
        code = None if self._world is None else code_of(self._world)
        channel.send({"level": level.lacking(lacks).to_data(), "code": code, "pid": os.getpid()})

    def serve(self) -> None:
        """Fork a new world process whenever the supervisor asks for one; the one before is ended.

        What its cells name of the libraries that are loaded late is loaded here, once.
        """
        while True:
            try:
                message, _ = self._channel.receive()
            except ChannelClosed:
                self._end()
                return
            for name in message["libraries"]:
                with suppress(ImportError):  # what is not installed, its cell is told of
                    LATE[name]()
            self._end()
            ours, theirs = socket.socketpair()
            try:
                self._pid = os.fork()
            except OSError as error:
                self._channel.sock.send((error.errno or 0).to_bytes(8, "big"))  # with no connection beside it
                ours.close()
                theirs.close()
                continue
            if self._pid == 0:
                ours.close()
                self._be_world_process(theirs)
            theirs.close()
            socket.send_fds(self._channel.sock, [self._pid.to_bytes(8, "big")], [ours.fileno()])
            ours.close()

    def _be_world_process(self, theirs: socket.socket) -> NoReturn:
        status = 1
        try:
            self._channel.close()
            sandbox.die_with_parent()
            assert self._world is not None
            process = WorldProcess(self._world, self._sandbox, self._workers)
            sandbox.name_process("world")
            sandbox.make_non_dumpable()
            sandbox.apply_landlock_rules(library_folders())
            process.serve(Channel(theirs))
            status = 0
        finally:
            os._exit(status)

    def _end(self) -> None:
        if self._pid:
            os.kill(self._pid, signal.SIGKILL)
            os.waitpid(self._pid, 0)
            self._pid = 0


@functools.cache
def _load_drawing() -> None:
    _import_all(late.DRAWING)
    load_parts()
    load_tables()
    templates = importlib.import_module("plotly.io").templates
    for name in templates:
        templates[name]  # each is read from a file when it is first asked for


LATE: dict[str, Callable[[], object]] = {
    "plotly": _load_drawing,
    "scipy": load_statistics,
    "sklearn": load_whole,
}
"""What loads each library that is loaded late, as far as cells may need it."""


@functools.cache
def isolation() -> tuple[Sandbox, IsolationLevel]:
    """Return what cells are locked into here, and how well it holds them: tried once, and forks hold theirs as well."""
    built = sandbox.build()
    return built, probe(built)


def get_ready_to_build() -> None:
    """Load what makes simulations, and read what they say of this installation, as every one does."""
    importlib.import_module(RECIPES)
    code_revision()
    for name in DEPENDENCIES:
        version_of(name)
    installed(SIMULATIONS)


def build(factory: str, arguments: dict[str, Any]) -> World:
    """Return the world that ``module:function`` makes, or the one of the simulation that it makes."""
    result = load(factory)(**arguments)
    world = getattr(result, "world", result)
    if not isinstance(world, World):
        raise TypeError(f"{factory} made a {type(result).__name__}, which neither is a World nor has one")
    world.sink = None
    world.turns.record_script_writes()
    return world


def code_of(world: World) -> dict[str, Any]:
    """Return what of a world is code, by name: to see that two processes built the same."""
    return {
        "invariants": [invariant.name for invariant in world.rules.invariants],
        "tools": sorted(world.tools),
        "policy": world.policy,
        "record_reads": world.record_reads,
    }


def library_folders() -> list[str]:
    """Return the folders that Python may still read from when everything else is closed.

    The root of the file system is none of them, though Python may have been started there: it would be everything.
    """
    folders = {sys.prefix, sys.base_prefix, *sys.path}
    paths = [Path(folder).resolve() for folder in sorted(folders) if folder and Path(folder).is_dir()]
    return [str(path) for path in paths if path != path.parent]


def warm_up() -> None:
    """Load what cells may come to use: data libraries load parts of themselves when these are first used."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in PACKAGES:
            _import_all(name)
        load_places()
        group_on_one_thread()
        if DRAWS in os.environ:
            _load_drawing()
        _use()


def _import_all(name: str) -> None:
    package = importlib.import_module(name)
    for module in pkgutil.walk_packages(package.__path__, f"{name}."):
        if ".tests" in module.name or ".conftest" in module.name or "f2py" in module.name:
            continue
        with suppress(Exception):  # a part that needs what is not installed is of no use to cells either
            importlib.import_module(module.name)


def _use() -> None:
    table = pd.DataFrame({"a": [1.0, 2.0], "b": ["x", "y"], "d": pd.to_datetime(["2020-01-01", "2020-01-02"])})
    str(table), str(table.describe()), table.groupby("b").mean(numeric_only=True), table.merge(table, on="b")
    str(table["d"].dt.tz_localize("UTC").dt.tz_convert("+02:00").dt.hour)
    str(table["d"].dt.day_name()), table["b"].str.upper(), table.rolling(2, on="d")["a"].mean()
    pd.read_csv(io.StringIO("text\nwords"))
    str(np.linalg.inv(np.eye(2))), np.einsum("ij,jk", np.eye(2), np.eye(2)), np.fft.fft(np.ones(4))
    nx.pagerank(nx.path_graph(3)), nx.shortest_path(nx.path_graph(3), 0, 2)
