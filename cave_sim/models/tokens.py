"""Counting tokens without a network: by a real encoding where one is installed, else by an estimate that says so."""

from __future__ import annotations

import math
from binascii import a2b_base64
from collections.abc import Callable
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cave_sim.models.base import Message, Request

CL100K_FILE = "litellm_core_utils/tokenizers/9b5ad71b2ce5302211f9c61530b329a4922fc6a4"
"""Where litellm's wheel keeps the ranks of cl100k_base; tiktoken itself would download them."""

CL100K_PATTERN = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]"
    r"|\s+(?!\S)|\s"
)

CHARS_PER_TOKEN = 4.0  # English text and code, as OpenAI's own rule of thumb has it
WIDE_CHARS_PER_TOKEN = 1.0  # Chinese, Japanese, Korean, emoji: about a token each
FIRST_WIDE = "\u2e80"

MESSAGE_TOKENS = 4  # role and separators around each message in OpenAI's chat format
REPLY_TOKENS = 3  # every answer is primed with these


class TokenCounter:
    """Counts tokens of texts and requests.

    Providers split text in ways of their own: for any model but OpenAI's, even an exact count is exact for another
    encoding. What a provider reports always goes before what is counted here.

    Args:
        name: which encoding, or that it is an estimate; fit for a manifest.
        count: text -> tokens.
        is_estimate: whether ``count`` only guesses.
    """

    def __init__(self, name: str, count: Callable[[str], int], *, is_estimate: bool) -> None:
        self.name = name
        self.is_estimate = is_estimate
        self._count = lru_cache(maxsize=2_048)(count)  # the front of a prompt is the same from call to call

    def __call__(self, text: str) -> int:
        """Return how many tokens a text has."""
        return self._count(text)

    def of_request(self, request: Request) -> int:
        """Return how many tokens a provider will read: the messages, what frames them, and the tools on offer."""
        known = request.counted.get(self)
        if known is None:
            of_messages = sum(map(self.of_message, request.messages))
            offered = sum(self(str(tool)) for tool in request.tools)
            known = request.counted[self] = REPLY_TOKENS + of_messages + offered
        return known

    def of_message(self, message: Message) -> int:
        """Return how many tokens a message has with what frames it."""
        tokens = MESSAGE_TOKENS + self._count(message.text)
        if not message.tool_calls:
            return tokens
        return tokens + sum(self(call.name + call.arguments) for call in message.tool_calls)

    def __repr__(self) -> str:
        return f"TokenCounter({self.name!r})"


def estimate_tokens(text: str) -> int:
    """Guess tokens from characters: four to a token, one where writing is wide. Rounds up; an empty text has none."""
    if text.isascii():
        return math.ceil(len(text) / CHARS_PER_TOKEN)
    wide = sum(character >= FIRST_WIDE for character in text)
    return math.ceil((len(text) - wide) / CHARS_PER_TOKEN + wide / WIDE_CHARS_PER_TOKEN)


ESTIMATE = TokenCounter("estimate: 4 characters a token", estimate_tokens, is_estimate=True)
"""The same on every machine, whatever is installed there."""


@cache
def offline_counter() -> TokenCounter:
    """Return the best counter that needs no network: cl100k_base if the extra ``llm`` is installed, else ESTIMATE."""
    ranks = _cl100k_file()
    if ranks is None or find_spec("tiktoken") is None:
        return ESTIMATE
    return TokenCounter("cl100k_base", _encoder(ranks), is_estimate=False)


def _cl100k_file() -> Path | None:
    spec = find_spec("litellm")  # finds the wheel without the seconds that importing it takes
    folders = (spec and spec.submodule_search_locations) or []
    return next((path for folder in folders if (path := Path(folder) / CL100K_FILE).is_file()), None)


def _encoder(ranks: Path) -> Callable[[str], int]:
    import tiktoken

    words = ranks.read_bytes().split()  # a token and its rank, a hundred thousand times
    mergeable = dict(zip(map(a2b_base64, words[::2]), map(int, words[1::2]), strict=True))
    encoding = tiktoken.Encoding("cl100k_base", pat_str=CL100K_PATTERN, mergeable_ranks=mergeable, special_tokens={})
    return lambda text: len(encoding.encode_ordinary(text))
