"""Any model behind a server that speaks OpenAI's chat protocol: a small client of our own, for crowds.

A call takes well under a millisecond of CPU, so that a thousand minds wait for the model and not for us. Keys come from
the environment alone: a server of one's own is sent ``CAVE_SIM_API_KEY`` if that is set, and OpenAI ``OPENAI_API_KEY``.
No key is kept, logged, or let into an error.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from weakref import WeakKeyDictionary

from cave_sim.determinism.canonical_json import from_json, to_json
from cave_sim.errors import WorldError
from cave_sim.loading.extras import extra
from cave_sim.models.base import ModelError, Reply, Request
from cave_sim.models.code_blocks import FenceReader
from cave_sim.models.failures import failure, kind_of_status, retry_after_s
from cave_sim.models.listed_models import dropped_options, entry, listed_price, options_as_sent
from cave_sim.models.openai_format import (
    NO_KEY,
    OWN_KEY,
    ROLES_MUST_ALTERNATE,
    PartialAnswer,
    alternating,
    messages_data,
    options_of,
    usage_of,
)
from cave_sim.models.prices import Price, price_of
from cave_sim.models.tokens import TokenCounter, offline_counter

OPENAI_KEY = "OPENAI_API_KEY"
OPENAI = "https://api.openai.com/v1"
UNKNOWN_WINDOW_TOKENS = 8_192
CONNECT_S = 15.0
LONGEST_LINE_BYTES = 2**22  # of a stream
MOST_BYTES = 2**27
"""An answer that is longer is given up: it has no end, or was packed to fill the memory."""
PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")


class OpenAIModel:
    """A model by a name such as ``openai/my-model``, behind a URL that ends in ``/v1``.

    Args:
        name: ``provider/model``; the server is sent what follows the first slash.
        api_base: URL of the server.
        stream: ask for a stream always, so that silence is noticed early; else only to stop at the end of a block.
        timeout_s: seconds until a reply must be complete.
        idle_s: seconds that a stream may be silent, its beginning included.
        price: what its tokens cost; by default what litellm lists for OpenAI, nothing at home, and else nobody knows.
        window_tokens: its window; by default what litellm lists for OpenAI, or 8,192.
        alternate: have what one role says in a row sent as one message. A server that says that roles must alternate is
            asked again so, and is from then on.
        extra: further fields of the request's body, such as ``{"grammar": ...}``.
        counter: counts tokens where the server does not say.

    Raises:
        MissingExtra: aiohttp is not installed.
    """

    def __init__(
        self,
        name: str,
        *,
        api_base: str = OPENAI,
        stream: bool = False,
        timeout_s: float = 120.0,
        idle_s: float = 60.0,
        price: Price | None = None,
        window_tokens: int | None = None,
        alternate: bool = False,
        extra: Mapping[str, Any] | None = None,
        counter: TokenCounter | None = None,
    ) -> None:
        if not isinstance(name, str) or not name:
            raise WorldError(f"OpenAIModel({name!r}): takes the name of a model, as 'gpt-4o-mini'")
        self.name = name
        self.api_base: str = api_base.rstrip("/")
        self.stream = stream
        self.timeout_s = timeout_s
        self.idle_s = idle_s
        listed = entry(name) if self.is_openai else {}
        self.price: Price | None = price or price_of(name) or listed_price(listed)
        self.window_tokens: int = window_tokens or listed.get("max_input_tokens") or UNKNOWN_WINDOW_TOKENS
        self.longest_output_tokens: int | None = listed.get("max_output_tokens")
        self.alternate: bool = alternate
        self.extra: dict[str, Any] = dict(extra or {})
        self.counter: TokenCounter = counter or offline_counter()
        self._aiohttp = _aiohttp()
        self._sessions: WeakKeyDictionary[asyncio.AbstractEventLoop, Any] = WeakKeyDictionary()

    async def reply(self, request: Request) -> Reply:
        started_s, alternate = time.perf_counter(), self.alternate
        streamed = self.stream or request.stop_at_block
        try:
            body = self.body(request, streamed=streamed)
            async with asyncio.timeout(self.timeout_s), self._post("chat/completions", body) as response:
                if response.status != 200:
                    raise self._refusal(response, (await self._read(response)).decode(errors="replace"))
                answer = await (self._streamed(request, response) if streamed else self._whole(response))
        except TimeoutError:
            message = f"{self}: no complete reply within timeout_s={self.timeout_s:g}. Ask for fewer tokens, or wait"
            raise ModelError("timeout", message) from None
        except (self._aiohttp.ClientError, OSError, ValueError) as error:
            raise failure("unavailable", str(self), f"{type(error).__name__}: {error}") from None
        except ModelError as error:
            if alternate or not ROLES_MUST_ALTERNATE.search(error.message):
                raise
            self.alternate = True
            return await self.reply(request)
        latency_s = time.perf_counter() - started_s
        dropped = self._dropped(request)
        return answer.reply(request, self.name, self.price, self.counter, latency_s, dropped)

    @property
    def is_openai(self) -> bool:
        """Whether it is OpenAI's own server, whose models differ in the options that they take."""
        return self.api_base == OPENAI

    async def post(self, path: str, body: Mapping[str, Any]) -> Any:
        """Ask something else of the server, such as ``embeddings``; returns its answer as plain data.

        Raises:
            ModelError: there was no answer, or a refusal.
        """
        try:
            async with asyncio.timeout(self.timeout_s), self._post(path, body) as response:
                if response.status != 200:
                    raise self._refusal(response, (await self._read(response)).decode(errors="replace"))
                return from_json(await self._read(response))
        except TimeoutError:
            raise failure("timeout", str(self), f"no answer within timeout_s={self.timeout_s:g}") from None
        except (self._aiohttp.ClientError, OSError, ValueError) as error:
            raise failure("unavailable", str(self), f"{type(error).__name__}: {error}") from None

    async def close(self) -> None:
        """Close the connections on the running event loop; those of other loops are left alone."""
        session = self._sessions.pop(asyncio.get_running_loop(), None)
        if session is not None:
            await session.close()

    def body(self, request: Request, *, streamed: bool) -> dict[str, Any]:
        """Return what is sent, as plain data."""
        messages = messages_data(request.messages)
        return {
            "model": self.name.partition("/")[2],
            "messages": alternating(messages) if self.alternate else messages,
            **self._options(request),
            **({"tools": [dict(tool) for tool in request.tools]} if request.tools else {}),
            **({"stream": True, "stream_options": {"include_usage": True}} if streamed else {}),
            **self.extra,
        }

    def _options(self, request: Request) -> dict[str, Any]:
        options = options_of(request)
        return options_as_sent(self.name, options) if self.is_openai else options

    def _dropped(self, request: Request) -> tuple[str, ...]:
        """Return the options that OpenAI does not take for this model; of other servers nobody knows."""
        return dropped_options(self.name, options_of(request)) if self.is_openai else ()

    def _post(self, path: str, body: Mapping[str, Any]) -> Any:
        loop = asyncio.get_running_loop()
        session = self._sessions.get(loop)
        if session is None:
            session = self._sessions[loop] = self._open_session()
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {self._key()}"}
        # A redirect would take prompts and key to where nobody said that they may go.
        url, data = f"{self.api_base}/{path}", to_json(body)
        return session.post(url, data=data, headers=headers, allow_redirects=False)

    def _open_session(self) -> Any:
        library = self._aiohttp
        return library.ClientSession(
            connector=library.TCPConnector(limit=0),  # how many at once is for the throttle to say
            timeout=library.ClientTimeout(total=None, sock_connect=CONNECT_S),
            trust_env=any(name in os.environ or name.lower() in os.environ for name in PROXIES),
            read_bufsize=LONGEST_LINE_BYTES,
        )

    def _key(self) -> str:
        if not self.is_openai:
            return os.environ.get(OWN_KEY) or NO_KEY
        key = os.environ.get(OPENAI_KEY)
        if not key:
            raise failure("denied", str(self), f"there is no {OPENAI_KEY} in the environment")
        return key

    async def _whole(self, response: Any) -> PartialAnswer:
        data = from_json(await self._read(response))
        answer = PartialAnswer()
        with self._expecting_a_reply(data):
            choice = data["choices"][0]
            answer.take(choice["message"], choice.get("finish_reason"))
            answer.usage = usage_of(data.get("usage"))
        return answer

    async def _read(self, response: Any) -> bytes:
        """Return the whole body of an answer; raises ModelError if it has no end."""
        parts, size = [], 0
        async for part in response.content.iter_any():
            parts.append(part)
            size += len(part)
            self._expect_an_end(size)
        return b"".join(parts)

    def _expect_an_end(self, size: int) -> None:
        if size > MOST_BYTES:
            reason = f"its answer is longer than {MOST_BYTES:,} bytes, so it is no reply"
            raise failure("unavailable", str(self), reason)

    @contextmanager
    def _expecting_a_reply(self, data: Any) -> Iterator[None]:
        """Raise ModelError if what is read here has not the shape of a reply."""
        try:
            yield
        except (LookupError, TypeError, AttributeError):
            raise failure("unavailable", str(self), f"this is no reply: {to_json(data).decode()}") from None

    async def _streamed(self, request: Request, response: Any) -> PartialAnswer:
        answer, reader, has_ended = PartialAnswer(), FenceReader(), False
        async for event in self._events(response):
            if error := event.get("error"):
                status = error.get("code") if isinstance(error, Mapping) else None
                raise failure(kind_of_status(status, str(error)), str(self), str(error))
            with self._expecting_a_reply(event):
                for choice in event.get("choices") or ():
                    delta = choice.get("delta") or {}
                    answer.take(delta, choice.get("finish_reason"))
                    has_ended = has_ended or choice.get("finish_reason") is not None
                    if request.stop_at_block and reader.feed(delta.get("content") or ""):
                        response.close()  # the cell need not wait for what else would be said
                        return answer
                answer.usage = usage_of(event.get("usage")) or answer.usage
        if not has_ended:
            raise failure("unavailable", str(self), "the stream was cut off before its end, so it is no reply")
        return answer

    async def _events(self, response: Any) -> AsyncIterator[dict[str, Any]]:
        """Yield the events of a stream, as long as there are signs of life."""
        size = 0
        while True:
            try:
                line = await asyncio.wait_for(response.content.readline(), self.idle_s)
            except TimeoutError:
                message = f"{self}: the stream fell silent for idle_s={self.idle_s:g}. A slow server needs more of it"
                raise ModelError("timeout", message) from None
            size += len(line)
            self._expect_an_end(size)
            data = line.removeprefix(b"data:").strip()
            if not line or data == b"[DONE]":
                return
            if line.startswith(b"data:"):
                event = from_json(data)
                if not isinstance(event, dict):
                    raise failure("unavailable", str(self), "an event of its stream is no object, so it is no reply")
                yield event

    def _refusal(self, response: Any, text: str) -> ModelError:
        """Return what an answer with another status than 200 means."""
        if 300 <= response.status < 400:
            text = f"it sends us to {response.headers.get('location', '')!r}: name that, if it is the server you mean"
        else:
            text = _message_in(text)
        kind = kind_of_status(response.status, text)
        return failure(kind, str(self), f"{response.status} {text}", retry_after_s(response.headers))

    def __str__(self) -> str:
        return f"{self.name} at {self.api_base}"

    def __repr__(self) -> str:
        return f"OpenAIModel({str(self)!r})"


def _message_in(text: str) -> str:
    """Return the message of an error's body, with its code; the body where it holds none."""
    try:
        error = from_json(text)["error"]
        return f"{error['message']} ({error['code']})" if error.get("code") else str(error["message"])
    except (ValueError, LookupError, TypeError, AttributeError):
        return text


def _aiohttp() -> Any:
    with extra("llm", "a model behind a server"):
        import aiohttp
    return aiohttp
