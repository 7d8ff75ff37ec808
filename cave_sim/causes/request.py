"""Requests of a run again: as they were recorded, and as they would have been without a part of the prompt."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from typing import Any

from cave_sim.models.base import Key, Message, Request, ToolCall
from cave_sim.simulation.deliberation import Question
from cave_sim.simulation.omission import Omission
from cave_sim.simulation.simulation import Simulation


def request_of(call: Mapping[str, Any]) -> Request:
    """Return the request of a stored call: it has the same hash."""
    data = call["request"]
    messages = tuple(
        Message(**{**each, "tool_calls": tuple(ToolCall(**one) for one in each.get("tool_calls", ()))})
        for each in data["messages"]
    )
    key = Key(call["run"], call["agent"], call["step"], call["attempt"], call["retry"])
    return Request(
        **{**data, "messages": messages, "stop": tuple(data["stop"]), "tools": tuple(data["tools"])},
        key=key,
        parts=call.get("parts") or {},
    )


def asked_without(simulation: Simulation, agent: str, part: str, asked: Request) -> Request | str:
    """Return what an agent would have asked without a part of its prompt, or why that is not known.

    Args:
        simulation: at the step at which it asked; it stays as it is.
        agent: who.
        part: the name of the part.
        asked: what it asked in the run; if it does not ask the same here, it was not on the state as the step began.
    """
    whole = _first_request(simulation, agent, Omission())
    if whole is None or whole.messages != asked.messages:
        return "it asked in the course of the step, not as it began"
    less = _first_request(simulation, agent, Omission(parts=frozenset({part})))
    if less is None or less.messages == asked.messages:
        return f"its prompt has no part {part!r}; it has {', '.join(whole.parts)}"
    return less


def _first_request(simulation: Simulation, agent: str, omission: Omission) -> Request | None:
    twin = simulation.fork()
    try:
        twin.roster.omission = omission
        with closing(twin.roster.deliberation(agent, twin.world)) as deliberation:
            wanted = next(deliberation, None)
        return wanted.request if isinstance(wanted, Question) else None
    finally:
        twin.close()
