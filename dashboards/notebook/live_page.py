"""The live page of a simulation inside a notebook: the page that plays, steers and asks, in a frame of its own."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from cave_sim import Simulation, WorldError
from cave_sim.dashboards.live import Dashboard
from cave_sim.dashboards.notebook.html import frame
from cave_sim.loading.views import Viewed
from cave_sim.simulation.control import Control

NOTEBOOKS = ("http://127.0.0.1:*", "http://localhost:*", "vscode-webview:")
"""Pages that may have ours in a frame: notebooks that this machine serves, and those of an editor."""


class LivePage(Viewed):
    """A page that a notebook shows in a frame while a simulation is run beside it. Close it, or use it in a ``with``.

    Args:
        simulation: what is run, with a journal.
        height_px: how high the frame is.

    Raises:
        WorldError: it keeps no journal, from which the page would be drawn.
    """

    def __init__(self, simulation: Simulation, height_px: int) -> None:
        if simulation.journal is None:
            raise WorldError("watch: the page is drawn from a run's journal; make the simulation with out='runs/mine'")
        folder = simulation.journal.folder
        if simulation.control is None:
            simulation.control = Control()
        self.height_px = height_px
        self._dashboard = Dashboard([folder], port=0, framed_by=NOTEBOOKS).start()
        self._simulation, self._run = simulation, folder.resolve().name
        self._controls = self._dashboard.controls(self._run, simulation.control)
        simulation.observers.append(self._controls)

    @property
    def url(self) -> str:
        """Where the page is, with the token that lets look and steer."""
        base, _, token = self._dashboard.url.partition("/?")
        return f"{base}/run/{self._run}?{token}"

    def close(self) -> None:
        """End the server; what the frame shows stays as it is."""
        if self._controls in self._simulation.observers:
            self._simulation.observers.remove(self._controls)
        self._dashboard.stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _repr_html_(self) -> str:
        may = "allow-scripts allow-same-origin allow-downloads"
        return frame("a live run", may, self.height_px, url=self.url)

    def __repr__(self) -> str:
        return f"<LivePage of {self._run}: {self._dashboard.host}:{self._dashboard.port}>"
