"""Embeddings: texts as vectors, so that what means the same can be found though the words differ.

An embedding model is asked as any other model is: a request holds texts, and its reply their vectors. So what it was
asked is recorded, budgeted, asked again after an outage, and answered from a recording when a run is replayed.

A vector is kept as whole numbers from -127 to 127. That costs a byte a dimension, and their products are exact: what
comes to mind is the same on every machine.
"""

from __future__ import annotations

import base64
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from inspect import isawaitable
from typing import Any, Protocol, runtime_checkable

import numpy as np

from cave_sim.diagnostics.raised import said_of
from cave_sim.diagnostics.short_texts import shortened
from cave_sim.errors import CaveSimError, WorldError
from cave_sim.models.base import Key, Message, ModelError, Reply, Request, Sampling, Usage
from cave_sim.models.cassette import RecordedModel
from cave_sim.models.prices import FREE, Price
from cave_sim.models.tokens import TokenCounter, offline_counter
from cave_sim.models.wrapped import LEFT_TO_AGENTS, close

ROLE = "text"
"""Of the messages of a request for embeddings, each of which is one text."""
LARGEST = 127
SHOWN_CHARS = 80
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Embedded:
    """What came of embedding some texts.

    Attributes:
        vectors: one for each text, in their order, all of one length.
        prompt_tokens: what was read; None if nobody said.
    """

    vectors: tuple[Sequence[float], ...]
    prompt_tokens: int | None = None


@runtime_checkable
class Embeddings(Protocol):
    """Whatever turns texts into vectors, such that texts of like meaning point in like directions."""

    @property
    def name(self) -> str:
        """What it is called in journals, as ``provider/model``."""

    @property
    def window_tokens(self) -> int:
        """How long a text may be."""

    @property
    def price(self) -> Price | None:
        """What its tokens cost; None if nobody knows."""

    async def embed(self, texts: Sequence[str]) -> Embedded:
        """Return a vector for each text; raises ModelError if none come."""


class EmbeddingModel:
    """A :class:`~cave_sim.models.base.Model` that answers requests for embeddings; see :func:`request_for`.

    Args:
        embeddings: who makes the vectors.
        counter: counts tokens where nobody says how many were read.
    """

    def __init__(self, embeddings: Embeddings, counter: TokenCounter | None = None) -> None:
        self.embeddings = embeddings
        self.counter: TokenCounter = counter or offline_counter()

    @property
    def name(self) -> str:
        return self.embeddings.name

    @property
    def window_tokens(self) -> int:
        return self.embeddings.window_tokens

    @property
    def price(self) -> Price | None:
        return self.embeddings.price

    async def reply(self, request: Request) -> Reply:
        texts = [message.text for message in request.messages]
        embedded = await self._embedded(texts)
        lines = self._lines(embedded.vectors, len(texts))
        counted = embedded.prompt_tokens is None
        usage = Usage(sum(map(self.counter, texts)) if counted else embedded.prompt_tokens or 0, is_estimate=counted)
        cost_usd = None if self.price is None else usage.cost_usd(self.price)
        return Reply("\n".join(lines), usage, cost_usd, model=self.name)

    async def close(self) -> None:
        """Close the connections on the running event loop, if there are any."""
        await close(self.embeddings)  # type: ignore[arg-type]  # it asks for nothing but a ``close``

    def __repr__(self) -> str:
        return f"EmbeddingModel({self.embeddings!r})"

    async def _embedded(self, texts: list[str]) -> Embedded:
        """Return what came of the texts; raises WorldError where they are embedded in no way of the protocol."""
        try:
            coming: Any = self.embeddings.embed(texts)
            is_async = isawaitable(coming)
            embedded: Any = await coming if is_async else coming
        except CaveSimError:
            raise
        except Exception as error:  # embeddings of one's own may raise anything at all
            raise WorldError(f"{self.name}: embed(texts) raised {said_of(error)}") from error
        if not is_async:
            raise WorldError(f"{self.name}: write it as `async def embed(self, texts)`")
        if not isinstance(embedded, Embedded):
            shown = shortened(repr(embedded), SHOWN_CHARS)
            raise WorldError(f"{self.name}: embed(texts) returned {shown}: return Embedded(vectors)")
        tokens = embedded.prompt_tokens
        if tokens is not None and not (type(tokens) is int and tokens >= 0):
            raise WorldError(f"{self.name}: Embedded.prompt_tokens={tokens!r}: a number of tokens, or None")
        return embedded

    def _lines(self, vectors: Any, count: int) -> list[str]:
        """Return vectors as texts; raises ModelError or WorldError unless there is one of one length for each text."""
        try:
            lines, lengths = [*map(encoded, vectors)], {*map(len, vectors)}
        except (TypeError, ValueError) as error:
            shown = shortened(repr(vectors), SHOWN_CHARS)
            raise WorldError(f"{self.name}: Embedded.vectors={shown}: numbers, for each text a row ({error})") from None
        if len(lines) != count:
            raise ModelError("unavailable", f"{self.name}: {len(lines)} vectors for {count} texts")
        if len(lengths) > 1 or 0 in lengths:
            raise WorldError(
                f"{self.name}: vectors have {sorted(lengths)} numbers: they are of one length, and not empty"
            )
        return lines


class RecordedEmbeddings(RecordedModel):
    """Answers requests for embeddings from the calls of a run; they were not drawn, however its replies were."""

    def sampling_for(self, agent: str) -> Sampling:
        """Return nothing: a vector is not drawn."""
        return LEFT_TO_AGENTS


class ScriptedEmbeddings:
    """Vectors without any model: of the words of a text and their beginnings, each at places that its hash says.

    Texts that share words, or words of one stem, are alike; texts that merely mean the same are not.

    Args:
        dimensions: length of the vectors.
    """

    is_scripted = True
    name = "scripted-embeddings"
    window_tokens = 1_000_000
    price: Price = FREE

    def __init__(self, dimensions: int = 64) -> None:
        self.dimensions = dimensions

    async def embed(self, texts: Sequence[str]) -> Embedded:
        return Embedded(tuple(self._vector(text) for text in texts))

    def _vector(self, text: str) -> list[float]:
        vector = [0.0] * self.dimensions
        for word in _WORD.findall(text.lower()):
            for part in {word, word[:4]}:
                digest = int.from_bytes(blake2b(part.encode(), digest_size=8).digest())
                vector[digest % self.dimensions] += 1.0 if digest >> 32 & 1 else -1.0
        return vector


def request_for(texts: Iterable[str], key: Key) -> Request:
    """Return the request for the embeddings of some texts."""
    return Request(tuple(Message(ROLE, text) for text in texts), key=key)


def is_for_embeddings(request: dict[str, Any]) -> bool:
    """Say whether a recorded request, as plain data, asks for embeddings."""
    return bool(request["messages"]) and request["messages"][0]["role"] == ROLE


def vectors_in(reply: Reply) -> list[str]:
    """Return the vectors of a reply as texts; see :func:`decoded`."""
    return reply.text.splitlines()


def encoded(vector: Sequence[float]) -> str:
    """Return a vector as a text of a few hundred characters; its length is lost, its direction is kept."""
    numbers = [float(number) for number in vector]
    largest = max(map(abs, numbers), default=0.0)
    if not math.isfinite(largest):
        raise ModelError("unavailable", "a vector holds numbers that are not finite")
    scale = LARGEST / largest if largest else 0.0
    return base64.b64encode(np.array([round(number * scale) for number in numbers], np.int8).tobytes()).decode()


def decoded(text: str) -> np.ndarray:
    """Return the vector of a text, in whole numbers."""
    return np.frombuffer(base64.b64decode(text, validate=True), np.int8).astype(np.int64)
