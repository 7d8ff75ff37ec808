"""Any model that litellm can reach. The only file that imports litellm, and not before a model is made.

Keys come from the environment alone, by the names that litellm documents for each provider (``OPENAI_API_KEY``,
``ANTHROPIC_API_KEY`` ...). A server of one's own, given by ``api_base``, is sent ``CAVE_SIM_API_KEY`` if that is set
and never another provider's key. No key is kept, logged, or let into an error.
"""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from cave_sim.errors import WorldError
from cave_sim.extras import extra
from cave_sim.models.base import ModelError, Reply, Request, Usage
from cave_sim.models.code_blocks import FenceReader
from cave_sim.models.failures import WAYS_OUT, model_error
from cave_sim.models.openai_format import PartialAnswer, message_data, usage_of
from cave_sim.models.prices import Price, price_of, provider_of
from cave_sim.models.tokens import TokenCounter, offline_counter

OWN_KEY = "CAVE_SIM_API_KEY"
NO_KEY = "none"  # clients insist on some key, and local servers do not look at it
UNKNOWN_WINDOW_TOKENS = 8_192


class LiteLLMModel:
    """A model by its litellm name, such as ``ollama/qwen2.5-coder``, or ``openai/test`` with an ``api_base``.

    Args:
        name: litellm's name, ``provider/model``.
        api_base: URL of a server of one's own that speaks the provider's protocol.
        stream: ask for a stream, so that silence is noticed early.
        timeout_s: seconds until a reply must be complete.
        idle_s: seconds that a stream may be silent, its beginning included.
        price: what its tokens cost; by default what litellm lists, and nothing at home. An ``api_base`` is not in
            any list: without a price its replies have no cost.
        window_tokens: its window; by default what litellm lists, or 8,192.
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
        stream: bool = True,
        timeout_s: float = 300.0,
        idle_s: float = 60.0,
        price: Price | None = None,
        window_tokens: int | None = None,
        extra: Mapping[str, Any] | None = None,
        counter: TokenCounter | None = None,
    ) -> None:
        _expect_provider(name, api_base)
        listed = {} if api_base else _listed(name)
        self.name = name
        self.api_base = api_base
        self.stream = stream
        self.timeout_s = timeout_s
        self.idle_s = idle_s
        self.price = price or price_of(name) or _listed_price(listed)
        self.window_tokens = window_tokens or listed.get("max_input_tokens") or UNKNOWN_WINDOW_TOKENS
        self.extra = dict(extra or {})
        self.counter = counter or offline_counter()
        self._litellm = _litellm()

    async def reply(self, request: Request) -> Reply:
        started_s = time.perf_counter()
        try:
            async with asyncio.timeout(self.timeout_s):
                answer = await (self._streamed(request) if self.stream else self._whole(request))
        except TimeoutError:
            raise ModelError(
                "timeout",
                f"{self}: no complete reply within timeout_s={self.timeout_s:g}. Ask for fewer tokens, or wait",
            ) from None
        except ModelError:
            raise
        except Exception as error:
            raise model_error(error, str(self)) from None  # the original's traceback may show headers, and keys
        return self._reply(request, answer, time.perf_counter() - started_s)

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
            "messages": [message_data(message) for message in request.messages],
            "temperature": request.temperature,
            "max_tokens": request.max_tokens,
            "stop": list(request.stop) or None,
            "extra_body": self.extra or None,
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

    def _reply(self, request: Request, answer: PartialAnswer, latency_s: float) -> Reply:
        usage = answer.usage
        if usage is None:
            usage = Usage(self.counter.of_request(request), self.counter(answer.text), is_estimate=True)
        cost_usd = usage.cost_usd(self.price) if self.price else None
        return Reply(answer.text, usage, cost_usd, latency_s, answer.finish_reason, answer.tool_calls, self.name)

    def __str__(self) -> str:
        return f"{self.name} at {self.api_base}" if self.api_base else self.name

    def __repr__(self) -> str:
        return f"LiteLLMModel({str(self)!r})"


@cache
def _litellm() -> Any:
    # Importing it must neither fetch a list of prices nor read a .env file that nobody mentioned.
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    os.environ.setdefault("LITELLM_MODE", "PRODUCTION")
    with extra("llm", "a model by its litellm name"):
        import litellm
    litellm.suppress_debug_info = True
    litellm.telemetry = False
    logging.getLogger("LiteLLM").setLevel(logging.CRITICAL)  # failures come as ModelError; its log would quote requests
    return litellm


def _expect_provider(name: str, api_base: str | None) -> None:
    try:
        _litellm().get_llm_provider(name, api_base=api_base)
    except _litellm().exceptions.BadRequestError:
        raise WorldError(
            f"--model {name}: no provider goes by that name. Write PROVIDER/MODEL, such as ollama/qwen2.5-coder, or"
            " openai/NAME with --api-base for a server of your own"
        ) from None


def _listed(name: str) -> dict[str, Any]:
    """Return what litellm lists for a model, by its full name or by the name that its provider gives it."""
    listed = _litellm().model_cost
    short = listed.get(name.partition("/")[2], {})
    found = listed.get(name) or (short if short.get("litellm_provider") == provider_of(name) else {})
    return dict(found)


def _listed_price(listed: Mapping[str, Any]) -> Price | None:
    read, written = listed.get("input_cost_per_token"), listed.get("output_cost_per_token")
    if read is None or written is None:
        return None
    cached = listed.get("cache_read_input_token_cost")
    return Price(read * 1e6, written * 1e6, None if cached is None else cached * 1e6)


@dataclass(frozen=True)
class Access:
    """How litellm would reach a model.

    Attributes:
        provider, model: the two parts of its name.
        api_base: where; None where litellm leaves that to the provider's client.
        key_name: the environment variable with the key; empty where none is needed.
        key: what is in it.
        missing_keys: the variables of which one is needed, where none is set.
    """

    provider: str
    model: str
    api_base: str | None
    key_name: str = ""
    key: str | None = field(default=None, repr=False)
    missing_keys: tuple[str, ...] = ()


ALSO_A_KEY = {"huggingface": ("HF_TOKEN",)}
"""Variables beside those that litellm lists."""


def access_to(name: str, api_base: str | None = None) -> Access:
    """Return how a model would be reached.

    Raises:
        MissingExtra: litellm is not installed.
        WorldError: litellm knows no provider by that name.
    """
    if api_base:  # litellm, which takes seconds to import, has nothing to say of it
        provider, _, model = name.rpartition("/")
        return Access(provider, model, api_base, OWN_KEY, os.environ.get(OWN_KEY) or NO_KEY)
    _expect_provider(name, api_base)
    model, provider, _, listed = _litellm().get_llm_provider(name)
    missing = _litellm().validate_environment(name)["missing_keys"]
    keys = tuple(each for each in missing if each.endswith("_API_KEY"))
    if any(os.environ.get(each) for each in ALSO_A_KEY.get(provider, ())):
        keys = ()
    key_name = f"{provider.upper()}_API_KEY"
    return Access(provider, model, listed, key_name, os.environ.get(key_name), keys)
