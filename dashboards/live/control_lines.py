"""A run that a page started is steered in its own process: by wishes as lines of JSON, which are answered alike."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import IO, Any

from cave_sim import CaveSimError, WorldError
from cave_sim.dashboards.live.run_controls import RunControls
from cave_sim.determinism.canonical_json import from_json
from cave_sim.simulation.control import Control

PATIENCE_S = 10.0
"""So long a run may take to say that it has heard a wish, however much else it does."""


@contextmanager
def answering(control: Control, wishes: IO[str], replies: IO[str]) -> Iterator[RunControls]:
    """Let whoever writes lines to a stream steer a run of this process while the block plays it, to where they end.

    Args:
        control: of the simulation.
        wishes: a JSON object a line: what :meth:`RunControls.obey` takes, and a `number`.
        replies: gets a JSON object a line: `state` of the controls and calls `in_flight`; as the answer to a wish also
            its `number`, and `trouble` if it did not fit.

    Yields:
        An observer for the simulation.
    """
    writing = threading.Lock()
    last: dict[str, Any] = {}

    def tell(**more: Any) -> None:
        now = {"state": controls.state(), "in_flight": controls.in_flight}
        with writing:
            if more or now != last:
                last.update(now)
                with suppress(BrokenPipeError):  # nobody listens any longer; the end of wishes says so
                    print(json.dumps(now | more), file=replies, flush=True)

    def obey() -> None:
        for line in wishes:
            number, trouble = None, ""
            try:
                wish = from_json(line)
                if not isinstance(wish, dict):
                    raise WorldError("a wish is a JSON object")
                number = wish.get("number")
                controls.obey(wish)
            except (CaveSimError, ValueError) as error:
                trouble = str(error)
            tell(number=number, trouble=trouble)
        control.stop()  # whoever steered it is gone: a run that waits would wait for ever

    controls = RunControls(control, tell)
    threading.Thread(target=obey, name="wishes", daemon=True).start()
    tell()
    yield controls


class RemoteControls:
    """The controls of a run in another process, as those of one in this process.

    Args:
        wishes: where that process reads; see :func:`answering`.
        replies: what it writes.
        ring: called when something changed there, from a thread of this object.
        wait: returns when that process has ended, so that how it did is known when `ring` is called for the last time.
    """

    def __init__(self, wishes: IO[str], replies: IO[str], ring: Callable[[], None], wait: Callable[[], object]) -> None:
        self._wishes, self._ring, self._wait = wishes, ring, wait
        self._asking, self._answered = threading.Lock(), threading.Condition()
        self._answers: dict[int, str] = {}
        self._number = 0
        self._state: dict[str, Any] = {"paused": False, "stopped": False, "speed": None, "until": 0, "points": []}
        self.in_flight: int = 0
        self.over: bool = False
        threading.Thread(target=self._listen, args=(replies,), name="controls", daemon=True).start()

    def state(self) -> dict[str, Any]:
        """Return what the controls show."""
        return self._state | {"stopped": self._state["stopped"] or self.over}

    def opened(self) -> None:
        """Learn that a page is open; the run has not waited for it."""

    def obey(self, wish: dict[str, Any]) -> None:
        """Do what a page asks, as :meth:`RunControls.obey` does.

        Raises:
            WorldError: the wish does not fit, the run is over, or it does not answer.
        """
        with self._asking:
            self._number += 1
            try:
                print(json.dumps(wish | {"number": self._number}), file=self._wishes, flush=True)
            except (OSError, ValueError):
                self.over = True
            with self._answered:
                self._answered.wait_for(lambda: self.over or self._number in self._answers, PATIENCE_S)
            trouble = self._answers.pop(self._number, None)
        if trouble is None and self.over:
            raise WorldError("the run is over: nothing steers it any more. Fork it to go on from any step")
        if trouble is None:
            raise WorldError(f"the run has not answered within {PATIENCE_S:g} s; it does so when its step is done")
        if trouble:
            raise WorldError(trouble)

    def _listen(self, replies: IO[str]) -> None:
        with replies:
            for line in replies:
                if not line.startswith("{"):
                    continue  # the state hash
                now = json.loads(line)
                self._state, self.in_flight = now["state"], now["in_flight"]
                if "number" in now:
                    self._answers[now["number"]] = now["trouble"]
                self._wake()
        self.over = True
        with suppress(OSError):
            self._wishes.close()
        self._wait()
        self._wake()

    def _wake(self) -> None:
        with self._answered:
            self._answered.notify_all()
        self._ring()
