"""The server: in a thread beside a simulation that is watched, or on its own for runs that are over."""

from __future__ import annotations

import asyncio
import logging
import secrets
import socket
import sys
import threading
from collections.abc import Iterable
from contextlib import AbstractContextManager
from pathlib import Path

import uvicorn

from cave_sim import WorldError
from cave_sim.dashboards.live.app import build
from cave_sim.dashboards.live.control_lines import answering
from cave_sim.dashboards.live.endpoints import Endpoints
from cave_sim.dashboards.live.run_controls import RunControls
from cave_sim.dashboards.live.run_index import RunIndex
from cave_sim.dashboards.lookups.portrayal import Portray, portray
from cave_sim.simulation.control import Control

PORT = 8600
PORTS_TRIED = 20


class Dashboard:
    """A dashboard over some runs.

    Args:
        places: folders of runs, or folders that hold such.
        host: the address to listen at; anything but this machine's own lets others look.
        port: 0 for a free one; None for 8600 or the next that is free.
        token: what pages must know to show anything, and to steer; a new secret if not given.
        portray: how entities are drawn.
        framed_by: origins whose pages may show these in a frame, such as a notebook's; none unless given.

    Attributes:
        url: where it is, with the token.

    Raises:
        WorldError: it cannot listen there.
    """

    def __init__(
        self,
        places: Iterable[Path],
        *,
        host: str = "127.0.0.1",
        port: int | None = None,
        token: str | None = None,
        portray: Portray = portray,
        framed_by: tuple[str, ...] = (),
    ) -> None:
        self.token: str = token or secrets.token_urlsafe(12)
        self.endpoints: Endpoints = Endpoints(RunIndex(places, portray), self.token)
        self._socket = _listening(host, port)
        self.host: str
        self.port: int
        self.host, self.port = self._socket.getsockname()[:2]
        app = build(self.endpoints, (host,), framed_by)
        # No pings: they would draw from the generator of the module ``random``, of which a run beside may draw as well.
        config = uvicorn.Config(app, log_level="warning", ws="websockets-sansio", lifespan="on", ws_ping_interval=None,
                                ws_per_message_deflate=False, ws_max_size=65_536, server_header=False,
                                timeout_graceful_shutdown=1)  # fmt: skip
        logging.getLogger("uvicorn.error").addFilter(_no_traceback_of_the_end)
        self._server = uvicorn.Server(config)
        self._thread: threading.Thread | None = None

    @property
    def url(self) -> str:
        """The address to open; without its token it shows and steers nothing."""
        name = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{name}:{self.port}/?token={self.token}"

    def controls(self, run: str, control: Control) -> RunControls:
        """Return the controls of a run of this process, to be added to its observers."""
        controls = RunControls(control, lambda: self.endpoints.sockets.ring(run))
        self.endpoints.controls[run] = controls
        return controls

    @staticmethod
    def steered_by_lines(control: Control) -> AbstractContextManager[RunControls]:
        """Return controls of a run of this process that is steered from elsewhere, by lines of its standard input."""
        return answering(control, sys.stdin, sys.stdout)

    def start(self) -> Dashboard:
        """Serve in a thread of its own; returns when pages can be asked for."""
        self._thread = threading.Thread(target=self.serve, name="dashboard", daemon=True)
        self._thread.start()
        while not self._server.started and self._thread.is_alive():
            self._thread.join(0.01)
        return self

    def serve(self) -> None:
        """Serve until :meth:`stop`, or Ctrl-C in the main thread."""
        self._server.run(sockets=[self._socket])

    def stop(self) -> None:
        """End it, and wait until it has."""
        self._server.should_exit = True
        if self._thread is not None:
            self._thread.join(10)
        self._socket.close()

    def __enter__(self) -> Dashboard:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()


def serve(places: Iterable[Path], **options: object) -> None:
    """Serve some runs until Ctrl-C; options as for :class:`Dashboard`."""
    Dashboard(places, **options).serve()  # type: ignore[arg-type]


def _no_traceback_of_the_end(record: logging.LogRecord) -> bool:
    """Say whether a record is told: not one that a look-up was under way when the server was to end."""
    return not (record.exc_info and isinstance(record.exc_info[1], asyncio.CancelledError))


def _listening(host: str, port: int | None) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    tried = range(PORT, PORT + PORTS_TRIED) if port is None else [port]
    trouble: OSError | None = None
    for number in tried:
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, number))
        except OSError as error:
            listener.close()
            trouble = error
        else:
            return listener
    where = f"{host}, port {port or PORT}"
    raise WorldError(f"the dashboard cannot listen at {where}: {trouble}. Choose another with --port")
