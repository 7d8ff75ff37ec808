"""What a model was asked and answered before a turn, found in the calls of its run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from cave_sim.journal.reader import Run


@dataclass(frozen=True, slots=True)
class ModelExchange:
    """What a model was asked and answered before a turn: its name, the last message of the prompt, its reply."""

    model: str
    prompt: str
    reply: str


def exchange_before(run: Run, agent: str, step: int, code: str) -> ModelExchange | None:
    """Return what a model said before a cell, in short; None if none was asked."""
    call = call_before(run, agent, step, code)
    if call is None:
        return None
    with run.reading():
        return ModelExchange(call["model"]["name"], call["request"]["messages"][-1]["text"], call["reply"]["text"])


def call_before(run: Run, agent: str, step: int, code: str) -> dict[str, Any] | None:
    """Return the call that a cell came from: the last one whose reply holds it, or else the last that was answered."""
    with run.reading():
        calls = [call for call in run.calls(agent=agent, step=step) if call["reply"]]
        fitting = [call for call in calls if code.strip() in call["reply"]["text"]]
        return (fitting or calls)[-1] if calls else None
