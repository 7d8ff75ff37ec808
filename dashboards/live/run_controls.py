"""The controls of a run that this process plays: what pages may ask of its Control."""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

from cave_sim import WorldError
from cave_sim.history.latest_state import expect_answered
from cave_sim.journal.annotations import written
from cave_sim.simulation.control import Control, Decided
from cave_sim.simulation.observers import Observer, Watched

WISHES = ("play", "pause", "step", "stop", "speed", "submit", "decide", "watch", "unwatch", "note")
SPEEDS = (0.01, 1_000.0)


class RunControls(Observer):
    """Steers one live simulation through its `Control`.

    Args:
        control: of the simulation.
        ring: called after each step, from the simulation's thread.
    """

    def __init__(self, control: Control, ring: Callable[[], None]) -> None:
        self.control = control
        self._ring = ring
        self.until: int = 0
        self.over: bool = False
        self.points: list[str] = []
        self._folder: Path | None = None
        self._measures: Collection[str] = ()
        self._calls: Any = None
        self._waits = False

    def wait_for_page(self) -> None:
        """Hold the run before its first step until somebody looks."""
        self._waits = True
        self.control.pause()

    def opened(self) -> None:
        """Learn that a page is open: a run that waited for one begins."""
        if self._waits:
            self._waits = False
            self.control.play()

    def on_start(self, simulation: Watched, until: int) -> None:
        """Learn how far it is to go."""
        self.until = until
        self._calls = getattr(simulation, "calls", None)  # a run on Ray has none at hand
        self._folder = None if simulation.journal is None else simulation.journal.folder
        self._measures = getattr(simulation, "measures", ())

    @property
    def in_flight(self) -> int:
        """How many calls of models have begun and not ended."""
        return 0 if self._calls is None else int(self._calls.budgets.in_flight)

    def on_step(self, simulation: Watched) -> None:
        """Tell the pages that there is a new step."""
        self._ring()

    def on_end(self, simulation: Watched) -> None:
        """Remember that nobody is left to steer."""
        self.over = True
        self._ring()

    def state(self) -> dict[str, Any]:
        """Return what the controls show."""
        control = self.control
        return {
            "paused": control.paused, "stopped": control.stopped or self.over, "speed": control.speed,
            "until": self.until, "points": [point for point in self.points if point in control.watched],
        }  # fmt: skip

    def obey(self, wish: dict[str, Any]) -> None:
        """Do what a page asks.

        Args:
            wish: `{"do": "play" | "pause" | "step" | "stop"}`, `{"do": "speed", "speed": steps a second or null}`,
                `{"do": "submit", "agent": name, "code": cell}`,
                `{"do": "decide", "ticket": ticket, "decision": word, "arguments": object, "text": text}`,
                `{"do": "watch" | "unwatch", "text": condition}`, `{"do": "note", "text": text, "step": step}`.

        Raises:
            JournalError: the note is empty or too long.
            WorldError: the wish is unknown, does not fit, or watches what is not there; the message says what would.
        """
        if self.over:
            raise WorldError("the run is over: nothing steers it any more. Fork it to go on from any step")
        what = wish.get("do")
        if what in ("play", "pause", "step", "stop"):
            getattr(self.control, what)()
        elif what == "speed":
            self.control.set_speed(_speed(wish.get("speed")))
        elif what == "submit":
            self.control.submit(_text(wish, "code"), str(wish.get("agent") or "operator"))
        elif what == "decide":
            self.control.decide(decided(wish))
        elif what == "watch":
            text = _text(wish, "text").strip()
            if self._folder is not None:
                expect_answered(self._folder, text, self._measures)
            self.control.watch(text, text)
            self.points = [*(point for point in self.points if point != text), text]
        elif what == "note":
            self.control.note(written(_text(wish, "text"), wish.get("step")))
        elif what == "unwatch":
            self.control.unwatch(str(wish.get("text")))
            self.points = [point for point in self.points if point != wish.get("text")]
        else:
            raise WorldError(f"{what!r} is nothing a run can do; it can {', '.join(WISHES)}")


def decided(wish: dict[str, Any]) -> Decided:
    """Return what a page says to a request that waits.

    Raises:
        WorldError: ticket, decision or arguments are of another shape.
    """
    arguments = wish.get("arguments")
    if arguments is not None and not isinstance(arguments, dict):
        raise WorldError('arguments: give an object with all of them, such as {"to": "bob"}')
    words = _text(wish, "ticket"), _text(wish, "decision")
    return Decided(*words, arguments, str(wish.get("text") or ""))  # type: ignore[arg-type]  # Control checks the word


def _speed(asked: Any) -> float | None:
    if asked is None:
        return None
    least, most = SPEEDS
    if not isinstance(asked, (int, float)) or not least <= asked <= most:
        raise WorldError(f"speed={asked!r}: give steps a second from {least:g} to {most:g}, or null for full speed")
    return float(asked)


def _text(wish: dict[str, Any], key: str) -> str:
    text = wish.get(key)
    if not isinstance(text, str) or not text.strip():
        raise WorldError(f"{wish.get('do')}: {key} is empty")
    return text
