"""Any model that litellm can reach.

Keys come from the environment alone, by the names that litellm documents for each provider (``OPENAI_API_KEY``,
``ANTHROPIC_API_KEY`` ...). A server of one's own, given by ``api_base``, is sent ``CAVE_SIM_API_KEY`` if that is set
and never another provider's key. No key is kept, logged, or let into an error.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Mapping
from typing import Any

from cave_sim.models.base import ModelError, Reply, Request
from cave_sim.models.code_blocks import FenceReader
from cave_sim.models.failures import WAYS_OUT, model_error
from cave_sim.models.listed_models import dropped_options, entry, expect_provider, library, listed_price, speaks_openai
from cave_sim.models.openai_format import (
    NO_KEY,
    OWN_KEY,
    PartialAnswer,
    alternating,
    messages_data,
    options_of,
    usage_of,
)
from cave_sim.models.prices import Price, price_of
from cave_sim.models.tokens import TokenCounter, offline_counter

UNKNOWN_WINDOW_TOKENS = 8_192
CACHED_FROM_CHARS = 4_096
"""From about a thousand tokens on, Anthropic keeps what it is told to keep."""


class LiteLLMModel:
    """A model by its litellm name, such as ``ollama/qwen2.5-coder``, or ``openai/test`` with an ``api_base``.

    Args:
        name: litellm's name, ``provider/model``.
        api_base: URL of a server of one's own that speaks the provider's protocol.
        stream: ask for a stream always, so that silence is noticed early; else only to stop at the end of a block. The
            library takes some 30 ms of CPU for one.
        timeout_s: seconds until a reply must be complete.
        idle_s: seconds that a stream may be silent, its beginning included.
        price: what its tokens cost; by default what litellm lists, and nothing at home. An ``api_base`` is not in
            any list: without a price its replies have no cost.
        window_tokens: its window; by default what litellm lists, or 8,192.
        alternate: have what one role says in a row sent as one message.
        extra: further fields of the request's body, such as ``{"seed": 1, "grammar": ...}``.
        counter: counts tokens where the provider does not say.

    Raises:
        MissingExtra: litellm is not installed.
        WorldError: litellm knows no provider by that name.
    """

    def __init__(
        self,
        name: str,
        *,
        api_base: str | None = None,
        stream: bool = False,
        timeout_s: float = 120.0,
        idle_s: float = 60.0,
        price: Price | None = None,
        window_tokens: int | None = None,
        alternate: bool = False,
        extra: Mapping[str, Any] | None = None,
        counter: TokenCounter | None = None,
    ) -> None:
        expect_provider(name, api_base)
        listed = {} if api_base else entry(name)
        self.name = name
        self.api_base = api_base
        self.stream = stream
        self.timeout_s = timeout_s
        self.idle_s = idle_s
        self.price: Price | None = price or price_of(name) or listed_price(listed)
        self.window_tokens: int = window_tokens or listed.get("max_input_tokens") or UNKNOWN_WINDOW_TOKENS
        self.longest_output_tokens: int | None = listed.get("max_output_tokens")
        self.alternate = alternate
        self.extra: dict[str, Any] = dict(extra or {})
        self.counter: TokenCounter = counter or offline_counter()
        self._litellm = library()
        self._is_openai_like = speaks_openai(name, api_base)

    async def reply(self, request: Request) -> Reply:
        started_s = time.perf_counter()
        try:
            async with asyncio.timeout(self.timeout_s):
                answer = await (self._streamed if self.stream or request.stop_at_block else self._whole)(request)
        except TimeoutError:
            raise ModelError(
                "timeout",
                f"{self}: no complete reply within timeout_s={self.timeout_s:g}. Ask for fewer tokens, or wait",
            ) from None
        except ModelError:
            raise
        except Exception as error:
            raise model_error(error, str(self)) from None  # the original's traceback may show headers, and keys
        latency_s = time.perf_counter() - started_s
        dropped = dropped_options(self.name, self.asked_for(request), self.api_base)
        return answer.reply(request, self.name, self.price, self.counter, latency_s, dropped)

    async def close(self) -> None:
        """Close litellm's connections on the running event loop; those of other loops are left alone."""
        clients = self._litellm.in_memory_llm_clients_cache
        mark = f"-{id(asyncio.get_running_loop())}"
        for key, client in [each for each in clients.cache_dict.items() if each[0].endswith(mark)]:
            clients.delete_cache(key)
            if hasattr(client, "close"):
                await client.close()

    async def _whole(self, request: Request) -> PartialAnswer:
        response = await self._litellm.acompletion(**self._arguments(request))
        answer = PartialAnswer()
        choice = response.choices[0]
        answer.take(choice.message, choice.finish_reason)
        answer.usage = usage_of(response.get("usage"))
        return answer

    async def _streamed(self, request: Request) -> PartialAnswer:
        answer = PartialAnswer()
        pieces = await self._awake(
            self._litellm.acompletion(**self._arguments(request), stream=True, stream_options={"include_usage": True})
        )
        reader = FenceReader()
        try:
            async for chunk in self._watched(pieces):
                for choice in chunk.choices:
                    answer.take(choice.delta, choice.finish_reason)
                    if request.stop_at_block and reader.feed(choice.delta.content or ""):
                        return answer  # whose cell need not wait for what else would be said
                answer.usage = usage_of(chunk.get("usage")) or answer.usage
        finally:
            await pieces.aclose()
        # litellm makes up an end where the connection was closed without one.
        if getattr(pieces, "received_finish_reason", "") is None:
            raise ModelError(
                "unavailable",
                f"{self}: the stream was cut off before its end, so it is no reply. {WAYS_OUT['unavailable']}",
            )
        if not any(chunk.get("usage") for chunk in pieces.chunks):
            answer.usage = None  # the provider said nothing, and litellm made it up
        return answer

    async def _watched(self, pieces: Any) -> AsyncIterator[Any]:
        while True:
            try:
                yield await self._awake(anext(pieces))
            except StopAsyncIteration:
                return

    async def _awake(self, next_piece: Any) -> Any:
        """Wait for the next sign of life of a stream."""
        try:
            return await asyncio.wait_for(next_piece, self.idle_s)
        except TimeoutError:
            raise ModelError(
                "timeout", f"{self}: the stream fell silent for idle_s={self.idle_s:g}. A slow server needs more of it"
            ) from None

    def _arguments(self, request: Request) -> dict[str, Any]:
        arguments: dict[str, Any] = {
            "model": self.name,
            "messages": self._messages(request),
            **options_of(request),
            **self._extra_arguments(),
            "timeout": 2 * self.timeout_s,  # ours strikes first, and says so better
            "num_retries": 0,  # retries are counted, paced and seeded in retry.py
            "max_retries": 0,
            "drop_params": True,
        }
        if request.tools:
            # Without this litellm looks for MCP servers among the tools, which needs a package of its own.
            arguments |= {"tools": [dict(tool) for tool in request.tools], "_skip_mcp_handler": True}
        if self.api_base:
            arguments |= {"api_base": self.api_base, "api_key": os.environ.get(OWN_KEY) or NO_KEY}
        return {name: value for name, value in arguments.items() if value is not None}

    def asked_for(self, request: Request) -> dict[str, Any]:
        """Return the options of a request, tools and further fields included: what a provider may not take."""
        tools = {"tools": request.tools} if request.tools else {}
        return {**options_of(request), **tools, **({} if self._is_openai_like else self.extra)}

    def _messages(self, request: Request) -> list[dict[str, Any]]:
        """Return the messages; their front is marked where a provider keeps only what it is told to."""
        messages = messages_data(request.messages)
        messages = alternating(messages) if self.alternate else messages
        front = messages[0]
        if "claude" in self.name and front["role"] == "system" and len(front["content"]) >= CACHED_FROM_CHARS:
            front["content"] = [{"type": "text", "text": front["content"], "cache_control": {"type": "ephemeral"}}]
        return messages

    def _extra_arguments(self) -> dict[str, Any]:
        """Return the further fields of the body; OpenAI's client has an argument for them."""
        return {"extra_body": self.extra or None} if self._is_openai_like else self.extra

    def __str__(self) -> str:
        return f"{self.name} at {self.api_base}" if self.api_base else self.name

    def __repr__(self) -> str:
        return f"LiteLLMModel({str(self)!r})"
