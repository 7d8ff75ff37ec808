"""OpenAI's chat protocol: how a request is worded in it, and how an answer comes in pieces.

Answers are read in ways that work with plain JSON and with litellm's objects alike.
"""

from __future__ import annotations

from typing import Any

from cave_sim.models.base import Message, ToolCall, Usage


class PartialAnswer:
    """An answer while it is being put together.

    Attributes:
        text: what was said so far.
        finish_reason: why it ended; ``stop`` until somebody says otherwise.
        calls: the tools that it wants called, by their place.
        usage: what it took; None if nobody said.
    """

    def __init__(self) -> None:
        self.text = ""
        self.finish_reason = "stop"
        self.calls: dict[int, ToolCall] = {}
        self.usage: Usage | None = None

    @property
    def tool_calls(self) -> tuple[ToolCall, ...]:
        """The tools that it wants called, in order."""
        return tuple(self.calls[at] for at in sorted(self.calls))

    def take(self, part: Any, finish_reason: str | None) -> None:
        """Add a whole message, or the next piece of one."""
        self.text += part.get("content") or ""
        self.finish_reason = finish_reason or self.finish_reason
        for at, call in enumerate(part.get("tool_calls") or ()):
            number = call.get("index")
            number = at if number is None else number
            before = self.calls.get(number, ToolCall("", "", ""))
            said = call.get("function")
            self.calls[number] = ToolCall(
                before.id or call.get("id") or "",
                before.name or said.get("name") or "",
                before.arguments + (said.get("arguments") or ""),
            )


def message_data(message: Message) -> dict[str, Any]:
    """Return a message as OpenAI words it."""
    data: dict[str, Any] = {"role": message.role, "content": message.text}
    if message.tool_calls:
        data["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in message.tool_calls
        ]
    if message.call:
        data["tool_call_id"] = message.call
    return data


def usage_of(found: Any) -> Usage | None:
    """Return the usage that an answer states; None if it states none."""
    if not found or not found.get("prompt_tokens"):
        return None
    cached = dict(found.get("prompt_tokens_details") or {}).get("cached_tokens")
    return Usage(found.get("prompt_tokens"), found.get("completion_tokens") or 0, cached or 0)
