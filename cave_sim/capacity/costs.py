"""What a document costs the model that writes it: written outright, in chunks, or as data that a template renders.

Tokens written, after Gen-Pilot's Definition 5, with what that leaves out: what the framing of a chunk takes, that one
template serves many documents, and that data is written in JSON, whose own marks cost.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from cave_sim.errors import WorldError

FRAME_TOKENS = 40
"""What a chunk takes beside its part: taking up the thread, and handing it on."""


@dataclass(frozen=True, slots=True)
class Document:
    """What is to be written, in tokens and shares.

    Attributes:
        content_tokens: of the plain text that a reader is to get.
        format_multiplier: tokens in the format wanted for each of these; 1 for plain text.
        data_multiplier: tokens as JSON for each of these.
        data_share: the part of the content that must be in the data; the template has the phrases of the rest, and live
            objects need no tokens at all. 1 if all must be.
        template_tokens: of the template, if it is to be written first; 0 for one that there is.
        documents: how many documents the template is for.

    Raises:
        WorldError: a number is not finite or out of range.
    """

    content_tokens: int
    format_multiplier: float = 1.0
    data_multiplier: float = 1.0
    data_share: float = 1.0
    template_tokens: int = 0
    documents: int = 1

    def __post_init__(self) -> None:
        multipliers = (self.format_multiplier, self.data_multiplier)
        if not (
            self.content_tokens >= 0
            and self.template_tokens >= 0
            and self.documents >= 1
            and all(math.isfinite(each) and each > 0 for each in multipliers)
            and 0 <= self.data_share <= 1
        ):
            raise WorldError(
                f"there is no such document: {self.content_tokens} tokens of content, {self.template_tokens} of a"
                f" template for {self.documents}, multipliers {self.format_multiplier:g} and {self.data_multiplier:g},"
                f" data_share {self.data_share:g}. Tokens are 0 or more, documents 1 or more, multipliers above 0, and"
                " data_share is 0 to 1"
            )

    @property
    def formatted_tokens(self) -> int:
        """Tokens of it in its format."""
        return math.ceil(self.content_tokens * self.format_multiplier)

    @property
    def data_tokens(self) -> int:
        """Tokens of its data as JSON."""
        return math.ceil(self.content_tokens * self.data_share * self.data_multiplier)


def direct_tokens(document: Document) -> int:
    """Return what a model writes that writes a document outright."""
    return document.formatted_tokens


def chunked_tokens(document: Document, chunks: int) -> int:
    """Return what a model writes that writes a document in chunks, all of them together."""
    return document.formatted_tokens + (chunks * FRAME_TOKENS if chunks > 1 else 0)


def deferred_tokens(document: Document, chunks: int = 1) -> int:
    """Return what a model writes for a document that is rendered: its data, and its part of the template."""
    frames = chunks * FRAME_TOKENS if chunks > 1 else 0
    return document.data_tokens + frames + math.ceil(document.template_tokens / document.documents)


def parts(tokens: int, chunks: int) -> tuple[int, ...]:
    """Return so many tokens in parts as even as can be, each with its frame if there are several."""
    if chunks == 1:
        return (tokens,)
    each, rest = divmod(tokens, chunks)
    return tuple(each + (place < rest) + FRAME_TOKENS for place in range(chunks))


def break_even_tokens(
    format_multiplier: float, data_multiplier: float, template_tokens: int, documents: int = 1, data_share: float = 1.0
) -> float:
    """Return the content from which on rendering takes fewer tokens than writing; infinity if it never does.

    It is ``template / (documents * (format multiplier - share * data multiplier))``. The paper adds the two costs of
    rendering to "1.15 + 0.75 ≈ 1.20"; they are 1.90, and what it says pays at 2,000 tokens pays at 6,000 to 30,000.
    """
    gain = format_multiplier - data_share * data_multiplier
    return template_tokens / (documents * gain) if gain > 0 else math.inf


def saved_share(document: Document) -> float:
    """Return the share of tokens that rendering saves against writing outright; below 0 where it costs more."""
    direct = direct_tokens(document)
    return 1 - deferred_tokens(document) / direct if direct else 0.0


def by_strategy(document: Document, chunks: int = 4) -> Mapping[str, int]:
    """Return the tokens that each strategy takes."""
    return {
        "direct": direct_tokens(document),
        "chunked": chunked_tokens(document, chunks),
        "deferred": deferred_tokens(document),
    }
