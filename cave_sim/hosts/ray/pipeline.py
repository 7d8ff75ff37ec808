"""A driver's stream of cells to a world: many in a message, several messages under way, none lost and none done twice.

One call of an actor takes most of a millisecond, and a turn a few hundredths of one; so cells travel in batches, by
count and by time. Numbers make sending again harmless: the world answers what it did before instead of doing it.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

from cave_sim.changes.turn import Turn
from cave_sim.errors import CaveSimError
from cave_sim.hosts.ray.messages import CellMessage, pack_acts, unpack_turns

Send = Callable[[bytes, bool], Any]
"""Sends a packed batch, and whether it is a simultaneous one; returns a reference to the answer."""

Receive = Callable[[Any], bytes]
"""Waits for an answer; raises ConnectionError if the world went away before it came."""

Recover = Callable[[], None]
"""Waits until the world is back."""


@dataclass(frozen=True)
class MessagePace:
    """How cells are gathered into messages; the defaults were measured (docs/scaling.md).

    Attributes:
        cells: at most so many in a message.
        wait_s: how long the first of them waits for others.
        in_flight: messages that are under way at once.
        waiting: cells that may wait to be sent before ``submit`` blocks: back-pressure.
    """

    cells: int = 200
    wait_s: float = 0.002
    in_flight: int = 3
    waiting: int = 10_000


class _Many:
    """What one future waits for: the turns of many cells, which travel in one message or several."""

    def __init__(self, messages: int) -> None:
        self.future: Future[list[Turn]] = Future()
        self._turns: list[Turn] = []
        self._missing = messages

    def take(self, turns: list[Turn]) -> None:
        """Take the turns of the next message; the last one's settle the future."""
        self._turns += turns
        self._missing -= 1
        if not self._missing and not self.future.done():
            self.future.set_result(self._turns)

    def fail(self, error: Exception) -> None:
        if not self.future.done():
            self.future.set_exception(error)


@dataclass(slots=True)
class _Message:
    acts: list[CellMessage]
    futures: list[Future[Turn]] = field(default_factory=list)  # one for each act, where they are not of many
    many: _Many | None = None
    at_once: bool = False
    answer: Any = field(default=None)

    def settle(self, turns: list[Turn]) -> None:
        """Tell whoever waits what came of the cells."""
        if self.many is not None:
            self.many.take(turns)
            return
        for future, turn in zip(self.futures, turns, strict=True):
            future.set_result(turn)

    def fail(self, error: Exception) -> None:
        """Tell whoever waits why nothing comes of the cells."""
        if self.many is not None:
            self.many.fail(error)
        for future in self.futures:
            future.set_exception(error)


class Pipeline:
    """Sends cells in the order in which they were submitted.

    Args:
        send: see :data:`Send`.
        receive: see :data:`Receive`.
        recover: see :data:`Recover`.
        pace: how cells are gathered.
    """

    def __init__(self, send: Send, receive: Receive, recover: Recover, pace: MessagePace | None = None) -> None:
        self.pace: MessagePace = pace or MessagePace()
        self._send, self._receive, self._recover = send, receive, recover
        self._numbers = 0
        self._open: _Message | None = None
        self._opened_s = 0.0
        self._ready: deque[_Message] = deque()
        self._change = threading.Condition()
        self._waiting = 0
        self._closed = False
        self._thread = threading.Thread(target=self._work, name="cave_sim-stream", daemon=True)
        self._thread.start()

    def submit(self, code: str, agent: str) -> Future[Turn]:
        """Queue a cell; the future holds its turn. Blocks while too many wait."""
        future: Future[Turn] = Future()
        with self._change:
            self._change.wait_for(lambda: self._waiting < self.pace.waiting or self._closed)
            self._check_open()
            if self._open is None:
                self._open, self._opened_s = _Message([]), time.monotonic()
                self._change.notify_all()
            self._add(self._open, code, agent, future)
            if len(self._open.acts) >= self.pace.cells:
                self._seal()
                self._change.notify_all()
        return future

    def submit_many(self, cells: Sequence[tuple[str, str]]) -> Future[list[Turn]]:
        """Queue (agent, code) pairs that run one after another; one future holds all of their turns.

        What one by one costs a driver most, a future each and a lock each, they have but once. Blocks as submit does.
        """
        size = self.pace.cells
        parts = [cells[at : at + size] for at in range(0, len(cells), size)]
        many = _Many(len(parts))
        if not parts:
            many.future.set_result([])
        for part in parts:
            with self._change:
                self._change.wait_for(lambda: self._waiting < self.pace.waiting or self._closed)
                self._check_open()
                self._seal()
                numbers = range(self._numbers, self._numbers + len(part))
                acts = [CellMessage(number, agent, code) for number, (agent, code) in zip(numbers, part, strict=True)]
                self._numbers += len(part)
                self._waiting += len(part)
                self._ready.append(_Message(acts, many=many))
                self._change.notify_all()
        return many.future

    def submit_batch(self, cells: Sequence[tuple[str, str]]) -> list[Future[Turn]]:
        """Queue (agent, code) pairs as one simultaneous batch."""
        message = _Message([], at_once=True)
        with self._change:
            self._check_open()
            self._seal()
            for agent, code in cells:
                self._add(message, code, agent, Future())
            self._ready.append(message)
            self._change.notify_all()
        return message.futures

    def flush(self) -> None:
        """Send what waits, without waiting for more."""
        with self._change:
            self._seal()
            self._change.notify_all()

    def close(self) -> None:
        """Send what waits, wait for the answers, and stop."""
        with self._change:
            self._seal()
            self._closed = True
            self._change.notify_all()
        self._thread.join()

    # ---- within: one thread sends and receives, so that order is kept

    def _add(self, message: _Message, code: str, agent: str, future: Future[Turn]) -> None:
        message.acts.append(CellMessage(self._numbers, agent, code))
        message.futures.append(future)
        self._numbers += 1
        self._waiting += 1

    def _seal(self) -> None:
        if self._open is not None:
            self._ready.append(self._open)
            self._open = None

    def _check_open(self) -> None:
        if self._closed:
            raise CaveSimError("this connection to the world is closed; connect again")

    def _work(self) -> None:
        under_way: deque[_Message] = deque()
        while True:
            for message in self._next(under_way):
                message.answer = self._try_send(message)
                under_way.append(message)
            if not under_way:
                if self._closed and not self._ready:
                    return
                continue
            self._finish(under_way)

    def _next(self, under_way: deque[_Message]) -> list[_Message]:
        """Return the messages to be sent now; waits for one if nothing is under way."""
        with self._change:
            while not under_way and not self._ready and not self._closed:
                due_s = None if self._open is None else self._opened_s + self.pace.wait_s - time.monotonic()
                if due_s is not None and due_s <= 0:
                    self._seal()
                    break
                self._change.wait(due_s)
            room = self.pace.in_flight - len(under_way)
            return [self._ready.popleft() for _ in range(min(room, len(self._ready)))]

    def _try_send(self, message: _Message) -> Any:
        try:
            return self._send(pack_acts(message.acts), message.at_once)
        except ConnectionError as error:
            return error

    def _finish(self, under_way: deque[_Message]) -> None:
        """Wait for the oldest answer; if the world went away, send everything again that was under way."""
        message = under_way[0]
        try:
            if isinstance(message.answer, ConnectionError):
                raise message.answer
            turns = unpack_turns(self._receive(message.answer), [act.code for act in message.acts])
        except ConnectionError:
            try:
                self._recover()
            except Exception as error:
                self._fail(under_way, error)
                return
            for unanswered in under_way:
                unanswered.answer = self._try_send(unanswered)
            return
        except Exception as error:
            under_way.popleft()
            self._settle([message], error)
            return
        under_way.popleft()
        with self._change:
            self._waiting -= len(message.acts)
            self._change.notify_all()
        message.settle(turns)

    def _fail(self, under_way: deque[_Message], error: Exception) -> None:
        with self._change:
            self._closed = True
            lost = [*under_way, *self._ready, *([self._open] if self._open else [])]
            self._ready.clear()
            self._open = None
            self._change.notify_all()
        under_way.clear()
        self._settle(lost, error)

    def _settle(self, messages: Sequence[_Message], error: Exception) -> None:
        with self._change:
            self._waiting -= sum(len(message.acts) for message in messages)
            self._change.notify_all()
        for message in messages:
            message.fail(error)
