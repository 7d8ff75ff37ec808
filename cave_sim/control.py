"""Control: the one way in which anything outside acts on a live simulation: play, pause, step, speed, stop, submit.

Dashboards and terminals use it from other threads; it only leaves wishes, which the simulation looks at between steps.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass

from cave_sim.errors import WorldError


@dataclass(frozen=True)
class Submitted:
    """A cell that somebody outside wants to be run as an agent."""

    agent: str
    code: str


class Control:
    """Wishes of whoever watches.

    Args:
        paused: True to wait for :meth:`play` or :meth:`step` before the first step.
        speed: steps a second at most; None for as fast as it goes.
    """

    def __init__(self, *, paused: bool = False, speed: float | None = None) -> None:
        self._wishes = threading.Condition()
        self._paused = paused
        self._single = 0
        self._stopped = False
        self._speed = speed
        self._cells: list[Submitted] = []

    @property
    def paused(self) -> bool:
        """Whether the simulation waits."""
        return self._paused

    @property
    def stopped(self) -> bool:
        """Whether the simulation was asked to end."""
        return self._stopped

    @property
    def speed(self) -> float | None:
        """Steps a second at most; None for as fast as it goes."""
        return self._speed

    def play(self) -> None:
        """Go on."""
        self._set(paused=False)

    def pause(self) -> None:
        """Wait after the present step."""
        self._set(paused=True)

    def step(self) -> None:
        """Take one step, then wait again."""
        with self._wishes:
            self._paused = True
            self._single += 1
            self._wishes.notify_all()

    def stop(self) -> None:
        """End after the present step; everything until then is in the journal."""
        with self._wishes:
            self._stopped = True
            self._wishes.notify_all()

    def set_speed(self, speed: float | None) -> None:
        """Take at most so many steps a second; raises WorldError unless > 0 or None."""
        if speed is not None and speed <= 0:
            raise WorldError(f"speed={speed}: steps a second must be more than 0; use pause() to wait")
        with self._wishes:
            self._speed = speed
            self._wishes.notify_all()

    def submit(self, code: str, agent: str = "operator") -> None:
        """Have a cell run as an agent, or as the operator, when the next step begins; it is journaled like any."""
        with self._wishes:
            self._cells.append(Submitted(agent, code))
            self._wishes.notify_all()

    def take_cells(self) -> list[Submitted]:
        """Return what was submitted since the last call; the simulation asks."""
        with self._wishes:
            cells, self._cells = self._cells, []
            return cells

    def wait(self, took_s: float) -> bool:
        """Hold the simulation between steps as long as wished; returns False if it should end.

        Args:
            took_s: real seconds that the last step took, which count against the speed.
        """
        with self._wishes:
            if self._speed is not None and not self._stopped:
                self._wishes.wait_for(lambda: self._stopped, max(0.0, 1.0 / self._speed - took_s))
            self._wishes.wait_for(lambda: self._stopped or self._single or not self._paused)
            if self._single:
                self._single -= 1
            return not self._stopped

    def _set(self, *, paused: bool) -> None:
        with self._wishes:
            self._paused = paused
            self._wishes.notify_all()
