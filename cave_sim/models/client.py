"""Asking from synchronous code: the simulation is of one colour, and only here does it meet the event loop."""

from __future__ import annotations

import asyncio
import weakref
from collections.abc import Iterable
from types import TracebackType
from typing import Self

from cave_sim.errors import CaveSimError
from cave_sim.models.base import Model, ModelError, Reply, Request
from cave_sim.models.budget import BudgetReached
from cave_sim.models.wrapped import close

Answer = Reply | ModelError | BudgetReached
"""What comes of a question."""


class Asker:
    """Asks models and waits for them, always on the same event loop, so that connections stay open in between.

    Use it as a context manager, or close it when done.

    Raises:
        CaveSimError: it was used from code that an event loop runs already.
    """

    def __init__(self) -> None:
        loop = asyncio.new_event_loop()
        self._runner = asyncio.Runner(loop_factory=lambda: loop)
        weakref.finalize(self, loop.close)  # for whoever forgets to
        self._asked: dict[int, Model] = {}

    def ask(self, model: Model, request: Request) -> Reply:
        """Return the reply to one request; raises ModelError if none comes."""
        _expect_no_loop()
        self._asked[id(model)] = model
        return self._runner.run(model.reply(request))

    def ask_all(self, questions: Iterable[tuple[Model, Request]]) -> list[Answer]:
        """Ask everything at once; returns what came of each question, in their order.

        One model's failure or one agent's empty purse costs nobody else a reply: these are returned. Anything else
        (a cassette's miss, a bug) is raised, the first in order, when every question has been answered.
        """
        _expect_no_loop()
        listed = list(questions)
        self._asked.update((id(model), model) for model, _ in listed)
        return self._runner.run(_all(listed))

    def close(self) -> None:
        """Close the connections of the models that were asked, and the event loop."""
        try:
            for model in self._asked.values():
                self._runner.run(close(model))
        finally:
            self._runner.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


def ask(model: Model, request: Request) -> Reply:
    """Return a model's reply to one request, from synchronous code; for more than one, keep an :class:`Asker`."""
    with Asker() as asker:
        return asker.ask(model, request)


async def _all(questions: list[tuple[Model, Request]]) -> list[Answer]:
    found = await asyncio.gather(*(model.reply(request) for model, request in questions), return_exceptions=True)
    return [_answer(each) for each in found]


def _answer(found: Reply | BaseException) -> Answer:
    if isinstance(found, Reply | ModelError | BudgetReached):
        return found
    raise found


def _expect_no_loop() -> None:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return
    raise CaveSimError("an event loop runs here already: `await model.reply(request)` instead of asking in a block")
