"""Asking from synchronous code: the simulation is of one colour, and only here does it meet the event loop."""

from __future__ import annotations

import asyncio
import selectors
import socket
import threading
import time
import weakref
from collections.abc import Callable, Coroutine, Iterable, Sequence
from concurrent.futures import Future
from types import TracebackType
from typing import Any, Self, TypeVar

from cave_sim.models.base import Model, ModelError, Reply, Request
from cave_sim.models.budget import BudgetReached
from cave_sim.models.wrapped import close

Answer = Reply | ModelError | BudgetReached
"""What comes of a question."""
T = TypeVar("T")
GIVING_UP_S = 0.02
"""How often what was interrupted is told so until it has ended."""


class Asker:
    """Asks models and waits for them, always on the same event loop, so that connections stay open in between.

    Use it as a context manager, or close it when done. Where an event loop runs already, as in a notebook, it asks from
    a thread beside it.
    """

    def __init__(self) -> None:
        _expect_room()
        self._loop = loop = asyncio.new_event_loop()
        loop.set_exception_handler(_told)
        self._runner = asyncio.Runner(loop_factory=lambda: loop)
        weakref.finalize(self, loop.close)  # for whoever forgets to
        self._asked: dict[int, Model] = {}

    def ask(self, model: Model, request: Request) -> Reply:
        """Return the reply to one request; raises ModelError if none comes."""
        (answer,) = self.ask_all([(model, request)])
        if not isinstance(answer, Reply):
            raise answer
        return answer

    def ask_all(self, questions: Iterable[tuple[Model, Request]]) -> list[Answer]:
        """Ask everything at once; returns what came of each question, in their order.

        One model's failure or one agent's empty purse costs nobody else a reply: these are returned. Anything else
        (a cassette's miss, a bug) is raised, the first in order, when every question has been answered; what ends the
        program is raised at once, and nobody else is waited for.
        """
        listed = list(questions)
        self._asked.update((id(model), model) for model, _ in listed)
        return [_answer(each) for each in self._run(_all(listed))]

    def close(self) -> None:
        """Close the connections of the models that were asked, and the event loop."""
        try:
            for model in self._asked.values():
                self._run(close(model))
        finally:
            self._beside_what_runs(self._runner.close)

    def interrupt(self) -> None:
        """Give up what is being asked, from another thread; whoever waits for it gets CancelledError."""
        if self._loop.is_running():
            self._loop.call_soon_threadsafe(self._cancel_all)

    def _run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        answer: T = self._beside_what_runs(self._runner.run, coroutine)
        return answer

    def _beside_what_runs(self, function: Callable[..., Any], *args: Any) -> Any:
        """Call what runs our loop: here, or in a thread if another loop runs here."""
        if not _a_loop_runs_here():
            return function(*args)
        outcome: Future[Any] = Future()
        thread = threading.Thread(target=_fulfil, args=(outcome, function, *args), name="cave_sim-asker", daemon=True)
        try:
            thread.start()
            thread.join()
        except BaseException:  # Ctrl-C is raised here, in the thread that waits
            while not outcome.cancel() and not outcome.done():
                self.interrupt()
                time.sleep(GIVING_UP_S)
            raise
        return outcome.result()

    def _cancel_all(self) -> None:
        for task in asyncio.all_tasks(self._loop):
            task.cancel()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


def _expect_room() -> None:
    """Raise OSError where files cannot be opened as an event loop does: of half a loop, Python complains as it goes."""
    with selectors.DefaultSelector():
        for end in socket.socketpair():
            end.close()


def _told(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Tell of what nobody waits for, but not of connections that nobody closed: they end with what held them."""
    if not str(context.get("message")).startswith("Unclosed "):
        loop.default_exception_handler(context)


def ask(model: Model, request: Request) -> Reply:
    """Return a model's reply to one request, from synchronous code; for more than one, keep an :class:`Asker`."""
    with Asker() as asker:
        return asker.ask(model, request)


async def _all(questions: list[tuple[Model, Request]]) -> Sequence[Reply | BaseException]:
    """Return what came of each question; what ends the program comes alone, and is raised outside of the event loop.

    A loop that it is raised in stops with all its tasks under way, and tells of those that ended so as of bugs.
    """
    ending: list[BaseException] = []

    async def reply(model: Model, request: Request) -> Reply:
        try:
            return await model.reply(request)
        except (KeyboardInterrupt, SystemExit) as error:
            ending.append(error)
            asking.cancel()
            raise asyncio.CancelledError from error

    asking = asyncio.gather(*(reply(model, request) for model, request in questions), return_exceptions=True)
    try:
        return await asking
    except asyncio.CancelledError:
        if not ending:
            raise
        return ending[:1]


def _answer(result: Reply | BaseException) -> Answer:
    if isinstance(result, Reply | ModelError | BudgetReached):
        return result
    raise result


def _fulfil(outcome: Future[Any], function: Callable[..., Any], *args: Any) -> None:
    if outcome.set_running_or_notify_cancel():
        try:
            outcome.set_result(function(*args))
        except BaseException as error:
            outcome.set_exception(error)


def _a_loop_runs_here() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
