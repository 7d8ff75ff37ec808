"""Replies of models on forks of one run, kept: what one fork was answered, no other fork pays for."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pydantic import BaseModel, TypeAdapter

from cave_sim.causes.kept_lines import KeptLines
from cave_sim.journal.reader import Run
from cave_sim.models.base import Key, Reply
from cave_sim.models.cassette import Call, Cassette, key_of

ANSWER = ("run", "agent", "step", "attempt", "retry", "hash", "model", "reply")
"""What of a call answers for it. Requests are much longer, and told apart by their hashes."""


class _AskedModel(BaseModel):
    name: str
    window_tokens: int | None = None


class KeptCall(BaseModel):
    """What a kept line needs to stand for a call; whether its reply can be read, :func:`is_call` says."""

    run: str
    agent: str
    step: int
    attempt: int
    retry: int
    hash: str
    model: _AskedModel
    reply: dict[str, Any]
    error: None = None


class _KeptReply(KeptCall):
    of: str


REPLY = TypeAdapter(Reply)


def is_call(data: Call) -> bool:
    """Say whether a line of the shape of a call has a reply, and options, that can be read."""
    try:
        Cassette([data])
        REPLY.validate_python(Reply.from_data(data["reply"]).to_data())
    except (AttributeError, KeyError, TypeError, ValueError):
        return False
    return True


def first_answers(lines: Iterable[Call]) -> list[Call]:
    """Return the calls among kept lines; who asked first stands, where two asked the same at once."""
    first: dict[tuple[Key, str], Call] = {}
    for call in filter(is_call, lines):
        first.setdefault((key_of(call), call["hash"]), call)
    return list(first.values())


class Replies:
    """What was asked anew on forks, and answered.

    Forks that do without different things often come to the same questions, as do two questions to one run, and a
    search that was broken off and goes on. By whom, when, in which attempt and in which words something was asked
    decides whether it is the same, as everywhere.

    Args:
        file: where they are kept; nowhere unless given.
    """

    def __init__(self, file: Path | None = None) -> None:
        self._lines = KeptLines(file, _KeptReply)
        self._known: dict[str, dict[tuple[Key, str], Call]] = {}
        self.read()

    def read(self) -> None:
        """Take in what others were answered since the last look."""
        for data in self._lines.added():
            if is_call(data):
                self._take(data["of"], data)

    def lend(self, of: str, known: Cassette) -> None:
        """Add what is known to the replies of a run; ``of`` says by whom they were given, for the words do not."""
        for call in self._known.get(of, {}).values():
            known.add(call)

    def keep(self, of: str, fork: Run) -> None:
        """Take in what a fork was answered anew; failures may pass, and are asked again."""
        for call in fork.calls():
            if not call["reused"] and call["error"] is None:
                answer = {name: call[name] for name in ANSWER}
                if self._take(of, answer):
                    self._lines.add({"of": of, **answer})

    def _take(self, of: str, call: Call) -> bool:
        """Take in a reply; that of whoever asked first stands, where two searches went on at once."""
        known = self._known.setdefault(of, {})
        return known.setdefault((key_of(call), call["hash"]), call) is call
