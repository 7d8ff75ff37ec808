"""Embeddings of real models: behind a server that speaks OpenAI's protocol, at any provider, or in this process."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from cave_sim.errors import WorldError
from cave_sim.models.base import Model, ModelError
from cave_sim.models.embeddings import Embedded, EmbeddingModel, Embeddings, ScriptedEmbeddings
from cave_sim.models.failures import failure, has_credentials, model_error
from cave_sim.models.listed_models import entry, expect_provider, library, listed_price
from cave_sim.models.llama_cpp import open_server, weights
from cave_sim.models.openai_client import OPENAI, OpenAIModel
from cave_sim.models.prices import FREE, Price, price_of, provider_of
from cave_sim.models.rate_limits import Rate, Throttled, Throttles
from cave_sim.models.resilience import Retrying

SCRIPTED = "scripted"
WINDOW_TOKENS = 2_048
TIMEOUT_S = 120.0


class OpenAIEmbeddings:
    """Vectors from a server that speaks OpenAI's protocol.

    Args:
        name: ``provider/model``; the server is sent what follows the first slash.
        api_base: URL of the server, which ends in ``/v1``.
    """

    def __init__(self, name: str, *, api_base: str = OPENAI) -> None:
        self._server = OpenAIModel(name, api_base=api_base, timeout_s=TIMEOUT_S)
        self.name = name
        self.window_tokens: int = self._server.window_tokens
        self.price: Price | None = self._server.price

    async def embed(self, texts: Sequence[str]) -> Embedded:
        body = {"model": self.name.partition("/")[2], "input": list(texts), "encoding_format": "float"}
        return _read(await self._server.post("embeddings", body), self.name)

    async def close(self) -> None:
        """Close the connections on the running event loop."""
        await self._server.close()

    def __repr__(self) -> str:
        return f"OpenAIEmbeddings({str(self._server)!r})"


class LiteLLMEmbeddings:
    """Vectors from any provider that litellm knows, with the key that the environment has for it.

    Args:
        name: ``provider/model``.
    """

    def __init__(self, name: str) -> None:
        expect_provider(name, None)
        listed = entry(name)
        self.name = name
        self.window_tokens: int = listed.get("max_input_tokens") or WINDOW_TOKENS
        self.price: Price | None = price_of(name) or listed_price(listed)

    async def embed(self, texts: Sequence[str]) -> Embedded:
        try:
            async with asyncio.timeout(TIMEOUT_S):
                response = await library().aembedding(model=self.name, input=list(texts), max_retries=0)
        except TimeoutError:
            raise failure("timeout", self.name, f"no answer within {TIMEOUT_S:g} s") from None
        except Exception as error:
            raise model_error(error, self.name) from None  # the original's traceback may show headers, and keys
        return _read(response.model_dump(), self.name)

    def __repr__(self) -> str:
        return f"LiteLLMEmbeddings({self.name!r})"


class LocalEmbeddings:
    """Vectors from the weights in a GGUF file, by llama.cpp in this process: no key, no network, no cost.

    Any weights will do; those of a model that was made for embeddings are smaller, and tell more.

    Args:
        gguf: file of the weights.

    Raises:
        MissingExtra: xllamacpp is not installed.
        WorldError: there is no such file, or it holds no GGUF weights.
    """

    price: Price = FREE
    window_tokens: int = WINDOW_TOKENS

    def __init__(self, gguf: Path | str) -> None:
        self.gguf: Path = weights(gguf)
        self.name: str = f"local/{self.gguf.stem}"
        self._server: Any = None
        self._worker = ThreadPoolExecutor(1, "local-embeddings")

    async def embed(self, texts: Sequence[str]) -> Embedded:
        return await asyncio.get_running_loop().run_in_executor(self._worker, self._embed, list(texts))

    async def close(self) -> None:
        """Give the memory of the weights back."""
        self._server = None

    def _embed(self, texts: list[str]) -> Embedded:
        if self._server is None:
            self._server = open_server(self.gguf, window_tokens=self.window_tokens, embedding=True)
        try:
            response = self._server.handle_embeddings({"input": texts, "encoding_format": "float"})
        except (RuntimeError, ValueError) as error:
            raise ModelError("refused", f"{self.name}: {error}") from None
        return _read(response, self.name)

    def __repr__(self) -> str:
        return f"LocalEmbeddings({str(self.gguf)!r})"


def _read(data: Any, name: str) -> Embedded:
    """Return the vectors of an answer in OpenAI's form."""
    try:
        rows = sorted(data["data"], key=lambda row: int(row["index"]))
        vectors = tuple(tuple(map(float, row["embedding"])) for row in rows)
        return Embedded(vectors, (data.get("usage") or {}).get("prompt_tokens") or None)
    except (LookupError, TypeError, ValueError, AttributeError):
        raise failure("unavailable", name, f"these are no embeddings: {str(data)[:100]}") from None


def embeddings_of(name: str, api_base: str | None = None) -> Model:
    """Return the embedding model that a command line names, ready to be asked.

    Args:
        name: ``scripted``, a file that ends in ``.gguf``, or ``provider/model``.
        api_base: URL of a server of one's own.

    Raises:
        WorldError: there is no such model, or the URL holds credentials.
        MissingExtra: a library is not installed.
    """
    if api_base and has_credentials(api_base):
        raise WorldError("--embeddings-base: the URL holds a name, a password or a query: leave them out")
    if name == SCRIPTED:
        return EmbeddingModel(ScriptedEmbeddings())
    if name.endswith(".gguf"):
        return EmbeddingModel(LocalEmbeddings(name))
    if "/" not in name:
        raise WorldError(f"--embeddings {name}: write {SCRIPTED}, PROVIDER/MODEL, or a file that ends in .gguf")
    embeddings: Embeddings
    if api_base or provider_of(name) == "openai":
        embeddings = OpenAIEmbeddings(name, api_base=api_base or OPENAI)
    else:
        embeddings = LiteLLMEmbeddings(name)
    line = Throttles().line(f"embeddings {provider_of(name)} {api_base or ''}", Rate())
    return Retrying(Throttled(EmbeddingModel(embeddings), line))
