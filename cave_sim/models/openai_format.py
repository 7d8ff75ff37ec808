"""OpenAI's chat protocol: how a request is worded in it, and how an answer comes in pieces.

Answers are read in ways that work with plain JSON and with litellm's objects alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from cave_sim.models.base import Message, Reply, Request, ToolCall, Usage
from cave_sim.models.prices import Price
from cave_sim.models.tokens import TokenCounter

OWN_KEY = "CAVE_SIM_API_KEY"
"""The environment variable with the key for servers of one's own; no provider's key is ever sent there."""
NO_KEY = "none"  # clients insist on some key, and local servers do not look at it


MOST_TOKENS = 2**40
"""No answer takes so many; a count that is larger is none."""


class PartialAnswer:
    """An answer while it is being put together.

    Attributes:
        text: what was said so far.
        finish_reason: why it ended; ``stop`` until somebody says otherwise.
        calls: the tools that it wants called, by their place.
        usage: what it took; None if nobody said.
        reasoning: what it thought first.
        refusal: why it would not answer.
    """

    def __init__(self) -> None:
        self.text: str = ""
        self.finish_reason: str = "stop"
        self.calls: dict[int, ToolCall] = {}
        self.usage: Usage | None = None
        self.reasoning: str = ""
        self.refusal: str = ""

    @property
    def tool_calls(self) -> tuple[ToolCall, ...]:
        """The tools that it wants called, in order."""
        return tuple(self.calls[at] for at in sorted(self.calls))

    def reply(
        self,
        request: Request,
        model: str,
        price: Price | None,
        counter: TokenCounter,
        latency_s: float,
        dropped: tuple[str, ...] = (),
    ) -> Reply:
        """Return it as a reply, once it is complete.

        Args:
            request: what was asked.
            model: name of the model that answered.
            price: what its tokens cost; None if nobody knows.
            counter: counts tokens where nobody said how many they were.
            latency_s: how long it took.
            dropped: options of the request that were not sent.
        """
        usage = self.usage
        if usage is None:
            usage = Usage(counter.of_request(request), counter(self.text), is_estimate=True)
        return Reply(
            self.text,
            usage,
            usage.cost_usd(price) if price else None,
            latency_s,
            self.finish_reason,
            self.tool_calls,
            model,
            self.reasoning,
            self.refusal,
            dropped,
        )

    def take(self, part: Any, finish_reason: str | None) -> None:
        """Add a whole message, or the next piece of one."""
        self.text += _text(part.get("content"))
        self.reasoning += part.get("reasoning_content") or _text(part.get("reasoning"))
        own_words = part.get("provider_specific_fields") or {}  # where litellm puts what it has no field for
        self.refusal += part.get("refusal") or own_words.get("refusal") or ""
        self.finish_reason = finish_reason if finish_reason and isinstance(finish_reason, str) else self.finish_reason
        for at, call in enumerate(part.get("tool_calls") or ()):
            number = call.get("index")
            number = number if type(number) is int else at
            before = self.calls.get(number, ToolCall("", "", ""))
            function = call.get("function")
            self.calls[number] = ToolCall(
                before.id or call.get("id") or "",
                before.name or function.get("name") or "",
                before.arguments + (function.get("arguments") or ""),
            )


def messages_data(messages: Iterable[Message]) -> list[dict[str, Any]]:
    """Return messages as OpenAI words them."""
    return [message_data(message) for message in messages]


def alternating(messages: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return messages in which what one role says in a row has become one message, as many models' templates insist."""
    turns: list[dict[str, Any]] = []
    for data in messages:
        before = turns[-1] if turns else {}
        if data["role"] == before.get("role") and data.keys() == before.keys() == PLAIN:
            before["content"] = f"{before['content']}\n\n{data['content']}"
        else:
            turns.append(dict(data))
    return turns


ROLES_MUST_ALTERNATE = re.compile(r"roles? must alternate|alternat\w+ user", re.IGNORECASE)
"""How templates say so."""


PLAIN = {"role", "content"}


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


def options_of(request: Request) -> dict[str, Any]:
    """Return the options of a request that are numbers and words, by OpenAI's names; those left open are left out."""
    options = {
        "max_tokens": request.max_tokens,
        "temperature": request.temperature,
        "top_p": request.top_p,
        "seed": request.seed,
        "reasoning_effort": request.reasoning_effort,
        "stop": list(request.stop) or None,
    }
    return {name: value for name, value in options.items() if value is not None}


def _text(content: Any) -> str:
    """Return the text of a content, which some providers send in parts, thoughts among them."""
    if not isinstance(content, list):
        return content or ""
    return "".join(part.get("text") or "" for part in content if part.get("type") == "text")


def usage_of(stated: Any) -> Usage | None:
    """Return the usage that an answer states; None if it states none, or what is no count."""
    if not stated or not stated.get("prompt_tokens"):
        return None
    cached = dict(stated.get("prompt_tokens_details") or {}).get("cached_tokens")
    cached_now = stated.get("cache_creation_input_tokens")
    counts = stated.get("prompt_tokens"), stated.get("completion_tokens") or 0, cached or 0, cached_now or 0
    if not all(type(count) is int and 0 <= count < MOST_TOKENS for count in counts):
        return None
    return Usage(*counts[:3], kept_tokens=counts[3])
