"""A small model in this very process: llama.cpp, by xllamacpp, over a file of weights. Only here is it imported."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from cave_sim.errors import WorldError
from cave_sim.loading.extras import extra
from cave_sim.models.base import ModelError, Reply, Request, Usage
from cave_sim.models.code_blocks import FenceReader
from cave_sim.models.openai_format import PartialAnswer, message_data
from cave_sim.models.prices import FREE, Price

WINDOW_TOKENS = 8_192
READ_AT_ONCE_TOKENS = 256  # of a prompt, before it is asked whether anybody still waits
PROMPT_CACHE_MIB = 1_024  # of prompts other than the last one; llama.cpp itself would take eight times as much
MAGIC = b"GGUF"
TOO_LONG = "exceed_context_size_error"


class LocalModel:
    """Answers with the weights in a GGUF file, on the processors of this machine: no key, no network, no cost.

    One request is answered at a time, in the order of asking. Several at once would be no faster on few cores, could
    not share the prefix of their prompts, and what one is answered would depend on the others.

    The weights are loaded when the first question comes, and given back by :meth:`close`; a later question loads them
    again.

    Args:
        gguf: file of the weights; of a model that was trained to chat.
        window_tokens: how much a request and its answer may take together; memory grows with it.
        threads: how many compute; None for one for each processor.
        grammar: what every reply must look like, in GBNF, llama.cpp's notation; "" for no such rule.
        seed: of the draws at a temperature above 0.
        timeout_s: seconds until a reply must be complete; looked at with every token, or some hundreds while it reads.

    Raises:
        MissingExtra: xllamacpp is not installed.
        WorldError: there is no such file, or it holds no GGUF weights.
    """

    def __init__(
        self,
        gguf: Path | str,
        *,
        window_tokens: int = WINDOW_TOKENS,
        threads: int | None = None,
        grammar: str = "",
        seed: int = 1,
        timeout_s: float = 300.0,
    ) -> None:
        self.gguf: Path = weights(gguf)
        self.name: str = f"local/{self.gguf.stem}"
        self.window_tokens = window_tokens
        self.longest_output_tokens: int | None = None  # its window is its only limit
        self.threads = threads
        self.grammar = grammar
        self.seed = seed
        self.timeout_s = timeout_s
        self._server: Any = None
        self._worker = ThreadPoolExecutor(1, "local-model")  # one thread: a queue that keeps the order of asking
        _xllamacpp()

    @property
    def price(self) -> Price | None:
        """Nothing: it is free."""
        return FREE

    async def reply(self, request: Request) -> Reply:
        given_up = threading.Event()
        try:
            return await asyncio.get_running_loop().run_in_executor(self._worker, self._reply, request, given_up)
        finally:
            given_up.set()  # nobody listens any more: whoever waits next need not wait for the rest

    async def close(self) -> None:
        """Give the memory of the weights back."""
        await asyncio.get_running_loop().run_in_executor(self._worker, self._unload)

    def body(self, request: Request) -> dict[str, Any]:
        """Return a request as llama.cpp takes it: pieces come while it still reads, and each counts tokens."""
        wanted = {
            "messages": [message_data(message) for message in request.messages],
            "temperature": request.temperature,
            "max_tokens": request.max_tokens,
            "stop": list(request.stop),
            "tools": [dict(tool) for tool in request.tools],
            "grammar": self.grammar,
            "seed": self.seed,
            "stream": True,
            "stream_options": {"include_usage": True},
            "timings_per_token": True,
            "return_progress": True,
        }
        return {name: value for name, value in wanted.items() if value not in (None, "", [])}

    def _reply(self, request: Request, given_up: threading.Event) -> Reply:
        if given_up.is_set():
            raise ModelError("timeout", f"{self.name}: given up before its turn came")
        if self._server is None:
            self._server = open_server(self.gguf, window_tokens=self.window_tokens, threads=self.threads)
        started_s = time.perf_counter()
        hearing = _Hearing(request.stop_at_block, given_up, started_s + self.timeout_s)
        try:
            self._server.handle_chat_completions(self.body(request), hearing.take)
        except (RuntimeError, ValueError) as error:  # a request that its chat template cannot word
            raise ModelError("refused", f"{self.name}: {error}") from None
        if hearing.error:
            raise _failure(self.name, hearing.error)
        if hearing.is_late:
            raise ModelError(
                "timeout",
                f"{self.name}: no complete reply within timeout_s={self.timeout_s:g}. Ask for fewer tokens, or wait",
            )
        heard, latency_s = hearing.answer, time.perf_counter() - started_s
        usage = heard.usage or Usage()
        return Reply(heard.text, usage, 0.0, latency_s, heard.finish_reason, heard.tool_calls, self.name)

    def _unload(self) -> None:
        self._server = None

    def __repr__(self) -> str:
        return f"LocalModel({self.name!r})"


def weights(path: Path | str) -> Path:
    """Return the path of a file of weights; raises WorldError if it is none."""
    file_of_weights = Path(path)
    if not file_of_weights.is_file():
        raise WorldError(
            f"--gguf {path}: there is no such file. Any GGUF file of a chat model will do: docs/local_models.md"
            " names some that were tried, and whom to get them from"
        )
    with file_of_weights.open("rb") as file:
        if file.read(len(MAGIC)) != MAGIC:
            raise WorldError(f"--gguf {path}: this is no GGUF file; docs/local_models.md names some that were tried")
    return file_of_weights


def open_server(
    gguf: Path,
    *,
    window_tokens: int = WINDOW_TOKENS,
    threads: int | None = None,
    port: int = 0,
    embedding: bool = False,
) -> Any:
    """Load weights into llama.cpp's server, which speaks OpenAI's protocol at 127.0.0.1; it ends when it is dropped.

    Args:
        gguf: file of the weights.
        window_tokens: how much a request and its answer may take together.
        threads: how many compute; None for one for each processor.
        port: where it listens; 0 for one that is free.
        embedding: whether it is to make vectors of texts, and nothing else.

    Raises:
        MissingExtra: xllamacpp is not installed.
        WorldError: llama.cpp cannot load the file, or the port is taken.
    """
    xllamacpp = _xllamacpp()
    options = xllamacpp.CommonParams()
    options.model.path = str(gguf)
    options.model_alias = [gguf.stem]
    options.n_ctx = window_tokens
    options.n_batch = READ_AT_ONCE_TOKENS
    options.n_parallel = 1
    if embedding:
        options.embedding = True
        options.n_batch = options.n_ubatch = window_tokens  # a text must fit into one
        options.pooling_type = xllamacpp.llama_pooling_type.LLAMA_POOLING_TYPE_MEAN
    options.cpuparams.n_threads = options.cpuparams_batch.n_threads = threads or os.cpu_count() or 1
    options.cache_ram_mib = PROMPT_CACHE_MIB
    options.hostnames = ["127.0.0.1"]
    options.port = port
    options.verbosity = 0
    try:
        return xllamacpp.Server(options)
    except RuntimeError as error:
        raise WorldError(f"{gguf.name}: llama.cpp cannot serve it at port {port}: {error}") from None


class _Hearing:
    """What is heard of an answer, piece by piece, and whether enough was heard."""

    def __init__(self, stop_at_block: bool, given_up: threading.Event, until_s: float) -> None:
        self.answer = PartialAnswer()
        self.error: Mapping[str, Any] = {}
        self.is_late = False
        self._reader = FenceReader() if stop_at_block else None
        self._given_up = given_up
        self._until_s = until_s

    def take(self, piece: Mapping[str, Any]) -> bool:
        """Take the next piece; True ends the answer here."""
        self.error = piece.get("error", {})
        if timings := piece.get("timings"):
            cached = timings["cache_n"]
            self.answer.usage = Usage(cached + timings["prompt_n"], timings["predicted_n"], cached)
        for choice in piece.get("choices", ()):
            self.answer.take(choice["delta"], choice["finish_reason"])
            if self._reader and self._reader.feed(choice["delta"].get("content") or ""):
                return True
        self.is_late = time.perf_counter() > self._until_s
        return bool(self.error) or self.is_late or self._given_up.is_set()


def _failure(name: str, error: Mapping[str, Any]) -> ModelError:
    message = error.get("message", error)
    if error.get("type") == TOO_LONG:
        return ModelError("too_long", f"{name}: {message}. Send less, or give it more window_tokens")
    return ModelError("unavailable" if error.get("code", 400) >= 500 else "refused", f"{name}: {message}")


def _xllamacpp() -> Any:
    with extra("local", "a model in this process"):
        import xllamacpp
    return xllamacpp
