"""Cassettes: what models answered in one run is kept, and answers for them in another, without any model.

A stored call is plain data: ``run``, ``agent``, ``step``, ``attempt``, ``retry``, ``hash`` (the request's), ``model``
(name, window, price), ``request``, and either ``reply`` or ``error``: a model that failed fails again.
"""

from __future__ import annotations

import difflib
import textwrap
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from cave_sim.errors import CaveSimError
from cave_sim.models.base import LASTING, Key, Model, ModelError, Reply, Request, Sampling, columns
from cave_sim.models.prices import Price
from cave_sim.models.wrapped import LEFT_TO_AGENTS, Wrapped, longest_output_for, reply_of, sampling_for

Call = Mapping[str, Any]

DIFF_LINES = 24
DIFF_LINE_CHARS = 160


class CassetteMiss(CaveSimError):
    """A request that was not made in the recorded run. The replay has left the recording; it is no model's failure.

    Attributes:
        request: what was asked.
        nearest: the recorded call that is most like it; None if the cassette is empty.
    """

    def __init__(self, request: Request, nearest: Call | None) -> None:
        super().__init__(_miss(request, nearest))
        self.request = request
        self.nearest = nearest


class Cassette:
    """The calls of a run, to be looked up by whose they were and what was asked.

    Where a function reads them, only the answers are held: requests are much longer, and are read again when a miss
    is to be explained.

    Args:
        calls: stored calls, or a function that reads them from a journal.

    Raises:
        CaveSimError: two answers to the same request of the same key, or what is given are no calls.
    """

    def __init__(self, calls: Iterable[Call] | Callable[[], Iterable[Call]] = ()) -> None:
        if isinstance(calls, str | Path) or not (callable(calls) or isinstance(calls, Iterable)):
            raise CaveSimError(f"Cassette({calls!r}): takes calls; those of a run are open_run(FOLDER).calls()")
        recorded = () if callable(calls) else tuple(calls)
        self._read: Callable[[], Iterable[Call]] = calls if callable(calls) else lambda: recorded
        self._answers: dict[tuple[Key, str], tuple[Any, Any]] = {}
        self._places: dict[Key, str] = {}
        self.models: dict[str, Call] = {}
        self._samplings: dict[str, Sampling] = {}
        self._windows: dict[str, int] = {}
        self._longest: dict[str, int | None] = {}
        for call in self._read():
            self.add(call)

    def __len__(self) -> int:
        return len(self._answers)

    def add(self, call: Call) -> None:
        """Take in one more stored call; raises CaveSimError where the same was answered differently."""
        key, request_hash = key_of(call), str(call["hash"])
        answer = (call.get("reply"), call.get("error"))
        if self._answers.setdefault((key, request_hash), answer) != answer:
            raise CaveSimError(
                f"cassette: {_place(key)} asked the same thing twice and was answered differently;"
                " give each request its own Key(attempt=...), so that it can be told which is which"
            )
        self._places.setdefault(key, request_hash)
        self.models.setdefault(call["model"]["name"], call["model"])
        self._windows.setdefault(key.agent, int(call["model"].get("window_tokens") or 0))
        self._longest.setdefault(key.agent, call["model"].get("longest_output_tokens"))
        if "sampling" in call["model"]:
            self._samplings[key.agent] = Sampling(**call["model"]["sampling"])

    def answer(self, key: Key, request_hash: str) -> Reply | ModelError | None:
        """Return what came of a call; None if there was no such call."""
        answer = self._answers.get((key, request_hash))
        if answer is None:
            return None
        reply, error = answer
        return Reply.from_data(reply) if error is None else _recorded(error)

    def hash_at(self, key: Key) -> str | None:
        """Return the hash of the first request with a key; None if there was none."""
        return self._places.get(key)

    def sampling_for(self, agent: str) -> Sampling:
        """Return how replies to an agent were to be drawn."""
        return self._samplings.get(agent, LEFT_TO_AGENTS)

    def window_for(self, agent: str) -> int | None:
        """Return the window of the model that an agent asked; None if it asked none."""
        return self._windows.get(agent)

    def longest_output_for(self, agent: str) -> int | None:
        """Return the longest output of the model that an agent asked; None if nobody knew."""
        return self._longest.get(agent)

    def nearest(self, request: Request) -> Call | None:
        """Return the recorded call most like a request: of the same agent, near its step; None if there is none."""
        wanted = request.key

        def distance(call: Call) -> tuple[bool, bool, int, int, bool]:
            key = key_of(call)
            return (
                key.run != wanted.run,
                key.agent != wanted.agent,
                abs(key.step - wanted.step),
                abs(key.attempt - wanted.attempt),
                call["hash"] != request.hash,
            )

        return min(self._read(), key=distance, default=None)


class RecordedModel:
    """Answers from a cassette: the same key and the same request get the same reply, or the same error.

    Args:
        cassette: the recorded calls.
        strict: a request that was not recorded is an error. If False, the reply to what was asked in its place
            (run, agent, step, attempt) is good enough, so that a prompt can be reworded; ``drifted`` counts them.
        run: answer as this run did, whatever the present one is called; None for the run that asks.
        model: name of the recorded model whose window and price it has; None for the first that was asked.

    Raises:
        CassetteMiss: from ``reply``; the message shows how the nearest recorded request differs.
    """

    def __init__(
        self, cassette: Cassette, strict: bool = True, *, run: str | None = None, model: str | None = None
    ) -> None:
        if not isinstance(cassette, Cassette):
            raise CaveSimError(f"RecordedModel({cassette!r}): takes Cassette(open_run(FOLDER).calls())")
        if model is not None and model not in cassette.models:
            asked = ", ".join(cassette.models) or "nobody"
            raise CaveSimError(f"cassette: {model!r} was not asked in it; asked was {asked}")
        self.cassette = cassette
        self.strict = strict
        self.run = run
        self.drifted: int = 0
        self._model = cassette.models[model] if model else next(iter(cassette.models.values()), {})

    @property
    def name(self) -> str:
        return f"recorded/{self._model.get('name', '')}"

    @property
    def window_tokens(self) -> int:
        return int(self._model.get("window_tokens", 0))

    @property
    def longest_output_tokens(self) -> int | None:
        longest: int | None = self._model.get("longest_output_tokens")
        return longest

    @property
    def price(self) -> Price | None:
        price = self._model.get("price")
        return Price(**price) if price else None

    def sampling_for(self, agent: str) -> Sampling:
        """Return how the recorded replies to an agent were drawn: its questions are the same only with that."""
        return self.cassette.sampling_for(agent)

    def window_for(self, agent: str) -> int:
        """Return the window of the model that an agent asked: what it is sent is the same only with that."""
        window = self.cassette.window_for(agent)
        return self.window_tokens if window is None else window

    def longest_output_for(self, agent: str) -> int | None:
        """Return the longest output of the model that an agent asked; None if nobody knew."""
        asked = self.cassette.window_for(agent) is not None
        return self.cassette.longest_output_for(agent) if asked else self.longest_output_tokens

    async def reply(self, request: Request) -> Reply:
        if self.run is not None:
            request = replace(request, key=replace(request.key, run=self.run))
        answer = self.cassette.answer(request.key, request.hash)
        if answer is None and not self.strict and (other := self.cassette.hash_at(request.key)):
            self.drifted += 1
            answer = self.cassette.answer(request.key, other)
        if answer is None:
            raise CassetteMiss(request, self.cassette.nearest(request))
        if isinstance(answer, ModelError):
            raise answer
        return answer


class RecordingModel(Wrapped):
    """A model that hands each call to a sink as plain data: replies, and errors too. Put it around retries.

    Args:
        model: the model to ask.
        sink: takes each call when it has ended, such as ``list.append`` or a journal's method.
    """

    def __init__(self, model: Model, sink: Callable[[dict[str, Any]], object]) -> None:
        super().__init__(model)
        self._sink = sink

    async def reply(self, request: Request) -> Reply:
        try:
            reply = await reply_of(self.model, request)
        except ModelError as error:
            self._sink(stored_call(self.model, request, error))
            raise
        self._sink(stored_call(self.model, request, reply))
        return reply


def stored_call(model: Model, request: Request, answer: Reply | ModelError) -> dict[str, Any]:
    """Return a call as plain data, to be kept: who asked what, of whom, and what came of it."""
    price, sampling = model.price, sampling_for(model, request.key.agent).to_data()
    failed = isinstance(answer, ModelError)
    longest = longest_output_for(model, request.key.agent)
    return {
        **columns(request.key),
        "hash": request.hash,
        "model": {
            "name": model.name,
            "window_tokens": model.window_tokens,
            "price": columns(price) if price else None,
            **({"longest_output_tokens": longest} if longest is not None else {}),
            **({"sampling": sampling} if sampling else {}),
        },
        "request": request.to_data(),
        **({"parts": dict(request.parts)} if request.parts else {}),
        "reply": None if failed else answer.to_data(),
        "error": answer.to_data() if failed else None,
    }


def _recorded(error: Mapping[str, Any]) -> ModelError:
    failure = ModelError(**error)
    failure.is_recorded = True
    return failure


def key_of(call: Call) -> Key:
    """Return the key of a stored call."""
    return Key(call["run"], call["agent"], call["step"], call["attempt"], call.get("retry", 0))


def _miss(request: Request, nearest: Call | None) -> str:
    where = f"cassette: {_place(request.key)} asks what was not recorded (request {request.hash[:12]})"
    if nearest is None:
        return f"{where}; the cassette is empty"
    of = _place(key_of(nearest))
    if nearest["hash"] == request.hash:
        return f"{where}; the same request was recorded, but of {of}"
    way_out = "Replay with the code and options of the recorded run, record anew, or RecordedModel(strict=False)"
    return f"{where}. {way_out}. The nearest is of {of}:\n{_diff(nearest['request'], request.to_data())}"


def _place(key: Key) -> str:
    retry = f", retry {key.retry}" if key.retry else ""
    return f"run {key.run!r}, agent {key.agent!r}, step {key.step}, attempt {key.attempt}{retry}"


def _diff(recorded: Call, asked: Call) -> str:
    difference = difflib.unified_diff(_lines(recorded), _lines(asked), "recorded", "asked", lineterm="", n=1)
    lines = list(difference)
    more = [f"... and {len(lines) - DIFF_LINES} lines more"] if len(lines) > DIFF_LINES else []
    return "\n".join(lines[:DIFF_LINES] + more)


def _lines(request: Call) -> list[str]:
    options = [f"{name}: {value}" for name, value in request.items() if name != "messages"]
    return [piece for line in options + _said(request) for piece in textwrap.wrap(line, DIFF_LINE_CHARS) or [""]]


def _said(request: Call) -> list[str]:
    lines = []
    for message in request["messages"]:
        lines += [f"[{message['role']}]", *message["text"].splitlines(), *map(str, message.get("tool_calls", ()))]
    return lines


class Recalled(Wrapped):
    """A model that is only asked what a cassette does not know: same agent, step, attempt and request.

    Args:
        model: the model to ask for the rest.
        cassette: what was answered before.
        sink: takes each call that the cassette answered, such as a branch's journal; None where it is kept already.
        failures_too: whether failures are answers as well; else what failed is asked again, for it may pass. That a
            request does not fit never passes.

    Attributes:
        reused: how many requests the cassette answered.
    """

    def __init__(
        self,
        model: Model,
        cassette: Cassette,
        sink: Callable[[dict[str, Any]], object] | None = None,
        *,
        failures_too: bool = False,
    ) -> None:
        super().__init__(model)
        self.reused: int = 0
        self._failures_too = failures_too
        self._cassette = cassette
        self._sink = sink

    async def reply(self, request: Request) -> Reply:
        answer = self._cassette.answer(request.key, request.hash)
        if answer is None or (isinstance(answer, ModelError) and not (self._failures_too or answer.kind in LASTING)):
            return await self.model.reply(request)
        self.reused += 1
        if self._sink is not None:
            self._sink(stored_call(self.model, request, answer))
        if isinstance(answer, ModelError):
            raise answer
        return answer
